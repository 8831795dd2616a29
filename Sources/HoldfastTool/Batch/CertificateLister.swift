internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

/// The lines of `batch --list`: what a certificate says, in few words.
///
/// Each is `{"id", "line", "file", "sha256", "subject", "issuer", "serialNumber", "notBefore",
/// "notAfter", "key", "names", "isPrecertificate"}`; `file` is there if the input has several.
/// `names` are the DNS names. What cannot be parsed has an answer with the verdict `unreadable`.
struct CertificateLister {
  private var line: [UInt8] = []

  mutating func write(
    _ certificate: Certificate, _ facts: BatchSummary.Facts, _ subject: BatchValidator.Subject,
    to writer: inout AnswerWriter
  ) {
    line.removeAll(keepingCapacity: true)
    line += "{\"id\":".utf8
    line += subject.id
    line += ",\"line\":\(subject.number)".utf8
    if let file = subject.file { add("file", file) }
    add("sha256", certificate.sha256)
    add("subject", CertificateDocuments.name(certificate.subject))
    add("issuer", facts.issuer)
    add("serialNumber", "\(certificate.serialNumber)")
    add("notBefore", "\(certificate.notBefore)")
    add("notAfter", "\(certificate.notAfter)")
    add("key", facts.key)
    line += ",\"names\":[".utf8
    for (index, name) in certificate.dnsNames.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      JSONValue.writeString(name, to: &line)
    }
    line += "],\"isPrecertificate\":\(certificate.isPrecertificate)}\n".utf8
    writer.write(line: line)
  }

  private mutating func add(_ name: String, _ value: String) {
    line += ",\"\(name)\":".utf8
    JSONValue.writeString(value, to: &line)
  }
}

extension Certificate {
  /// Whether it has the poison of RFC 6962 §3.1.
  var isPrecertificate: Bool { extensions.contains { $0.oid == .precertificatePoison } }
}
