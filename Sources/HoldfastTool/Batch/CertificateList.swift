internal import HoldfastCertificates

/// The lines of `batch --list`: what a certificate says, in few words.
///
/// Each is `{"id", "line", "file", "sha256", "subject", "issuer", "serialNumber", "notBefore",
/// "notAfter", "key", "names", "isPrecertificate"}`; `file` is there if the input has several.
/// `names` are the DNS names. What cannot be parsed has an answer with the verdict `unreadable`.
extension AnswerWriter {
  mutating func write(
    listed certificate: Certificate, _ facts: BatchSummary.Facts, _ subject: BatchValidator.Subject
  ) {
    write("{")
    add("id", json: subject.id)
    add("line", subject.number)
    if let file = subject.file { add("file", file) }
    add("sha256", certificate.sha256)
    add("subject", certificate.subject.limited)
    add("issuer", facts.issuer)
    add("serialNumber", "\(certificate.serialNumber)")
    add("notBefore", "\(certificate.notBefore)")
    add("notAfter", "\(certificate.notAfter)")
    add("key", facts.key)
    add("names", certificate.dnsNames)
    add("isPrecertificate", certificate.isPrecertificate)
    write("}\n")
  }
}

extension Certificate {
  /// Whether it has the poison of RFC 6962 §3.1.
  var isPrecertificate: Bool { extensions.contains { $0.oid == .precertificatePoison } }
}
