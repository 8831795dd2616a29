package import Holdfast
internal import HoldfastDER
package import HoldfastJSON

extension Document {
  /// Adds what a certificate says, as `holdfast inspect` shows it.
  package mutating func add(_ certificate: Certificate, at time: Timestamp) {
    let (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
    let validity = Validity(certificate, at: time)
    add("subject", "subject", certificate.subject)
    add("issuer", "issuer", certificate.issuer)
    add("isSelfIssued", certificate.isSelfIssued)
    add("serial number", "serialNumber", "\(certificate.serialNumber)")
    addVersion(certificate.version, usual: 3)
    add("valid", "notBefore", Shown("\(notBefore)", "from \(notBefore)"))
    add("", "notAfter", Shown("\(notAfter)", "to   \(notAfter), \(validity.text)"))
    add("validity", validity.name)
    add("secondsLeft", JSONValue.number("\(notAfter.seconds(since: time))"))
    add("key", "publicKey", certificate.publicKey)
    add("signed with", "signatureAlgorithm", certificate.signatureAlgorithm)
    if let report = MerkleTreeReport(certificate) { add("", "merkleTreeProof", report.document) }
    add("issuer unique ID", nil, certificate.issuerUniqueID.map { "\($0)" })
    add("subject unique ID", nil, certificate.subjectUniqueID.map { "\($0)" })
    if certificate.lintKind == .server {
      addAll(
        "schedule", "schedule",
        certificate.scheduledRequirements.map { row in
          "\(row)" + (row.isBroken(by: certificate) ? ": broken" : "")
        })
    }
    add("extensions", ExtensionsReport(certificate.extensions).document)
    add("pin", nil, "\(Pin(certificate.publicKey))")
    let fingerprint = certificate.fingerprint()
    add(
      "SHA-256", "sha256",
      Shown(
        Hexadecimal.text(of: fingerprint),
        Hexadecimal.text(of: fingerprint, separator: UInt8(ascii: ":"))))
    add("findings", "findings", certificate.deviations.map { "\($0)" })
  }

  /// Adds a version, which people see if it is not the usual one.
  package mutating func addVersion(_ version: Int, usual: Int) {
    add("version", "x509Version", Shown(version, version == usual ? [] : version.lines))
  }
}

extension DistinguishedName: DocumentValue {
  package var lines: [Line] { [isEmpty ? "(empty)" : "\(self)"] }
}

extension PublicKey: DocumentValue {
  package var json: JSONValue {
    let pin = Pin(self)
    return .object([
      "algorithm": .string("\(algorithm)"), "description": .string("\(self)"),
      "bits": .optional(bits), "pin": .string(pin.text()),
      "sha256": .string(pin.text(.hexadecimal)),
    ])
  }
}

extension SignatureAlgorithm: DocumentValue {
  package var json: JSONValue {
    .object(["oid": .string("\(oid)"), "description": .string("\(self)")])
  }
}
