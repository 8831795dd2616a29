internal import Holdfast
internal import HoldfastJSON

/// What certificates, requests and keys say.
///
/// `holdfast inspect --json` writes `{"version": 1, "time", "items", "problems"}`. Fields may be
/// added; those there are keep their meaning as long as `version` is 1. Times are RFC 3339 in UTC,
/// bytes are lower-case hexadecimal, identifiers are dotted, names are text of RFC 4514.
///
/// Each item has `file`, `kind` (`certificate`, `certificate request`, `public key`, `CRL`, `OCSP
/// response`, `OCSP request`), `block` and `line` (in PEM, from 1, else null) and `start` (the
/// first byte in a DER file); what was in a PKCS #12 or PKCS #7 structure also has `entry`, from 1.
/// The first three have `publicKey`: `algorithm`, `description`, `bits` (null if unknown), `pin`,
/// `sha256` (hexadecimal). CRLs and OCSP responses are described in `RevocationReport.swift`.
///
/// A certificate adds `x509Version`, `serialNumber`, `subject`, `issuer`, `isSelfIssued`,
/// `notBefore`, `notAfter`, `validity` (`valid`, `expired` or `notYetValid` at `time`),
/// `secondsLeft` (negative after the end), `signatureAlgorithm` (`oid`, `description`), `sha256` of
/// the DER, `findings` and `extensions`. A request adds `subject`, `signatureAlgorithm`,
/// `findings`, `extensions` (those that are asked for, or null) and `attributes`, each with `oid`
/// and one of `challengePassword`, `unstructuredName` (strings) and `values` (DER); that of the
/// extensions has none.
///
/// `extensions` has `list` (`oid`, `name` or null, `critical`, `decoded`, and for what is not
/// decoded its `value`) and a member for each known extension that is there, as below.
///
/// Each problem has `file`, `block`, `line`, `offset` (of the byte: in the DER of the block, or in
/// a DER file), `field`, `problem` and `rule`; null where it does not apply.
extension Document {
  /// The document of something in a file, with its place.
  init(_ item: InputItem) {
    let location = item.location
    self.init(title: "\(location): \(item.name)")
    add("file", location.file)
    add("kind", item.kind == .rsaPublicKey ? DERContent.publicKey.row.name : item.name)
    add("block", location.block)
    add("line", location.line)
    add("start", location.start)
    if let entry = location.entry { add("entry", entry) }
  }

  mutating func add(_ certificate: Certificate, at time: Timestamp) {
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
    add("secondsLeft", Int(clamping: notAfter.seconds(since: time)))
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
  mutating func addVersion(_ version: Int, usual: Int) {
    add("version", "x509Version", Shown(version, version == usual ? [] : version.lines))
  }

  mutating func add(_ request: CertificateRequest) {
    let algorithm = request.signatureAlgorithm
    add("subject", "subject", request.subject)
    add("key", "publicKey", request.publicKey)
    add("signed with", "signatureAlgorithm", Shown(algorithm, "\(algorithm), not verified"))
    add("extensions", request.requestedExtensions.map { ExtensionsReport($0).document })
    add("attributes", request.attributes.map(\.document))
    add("pin", nil, "\(Pin(request.publicKey))")
    add("findings", "findings", request.deviations.map { "\($0)" })
  }

  mutating func add(_ key: PublicKey) {
    add("key", "publicKey", key)
    add("pin", nil, "\(Pin(key))")
  }
}

extension CertificateRequest.Attribute {
  fileprivate var document: Document {
    var document = Document()
    document.add("oid", "\(type)")
    switch self {
    case .extensionRequest: break
    case .challengePassword(let text): document.add("password", "challengePassword", text)
    case .unstructuredName(let texts): document.add("other names", "unstructuredName", texts)
    case .other(let type, let values):
      document.add("attribute", "values", Shown("\(values)", "\(type): \(values)"))
    }
    return document
  }
}

extension DistinguishedName: DocumentValue {
  var lines: [Line] { [isEmpty ? "(empty)" : "\(self)"] }
}

extension PublicKey: DocumentValue {
  var json: JSONValue {
    let pin = Pin(self)
    return .object([
      "algorithm": .string("\(algorithm)"), "description": .string("\(self)"),
      "bits": .optional(bits), "pin": .string(pin.text()),
      "sha256": .string(pin.text(.hexadecimal)),
    ])
  }
}

extension SignatureAlgorithm: DocumentValue {
  var json: JSONValue { .object(["oid": .string("\(oid)"), "description": .string("\(self)")]) }
}
