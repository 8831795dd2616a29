internal import Holdfast
internal import HoldfastAnswers
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

  mutating func add(_ request: CertificateRequest) {
    let algorithm = request.signatureAlgorithm
    add("subject", "subject", request.subject)
    add("key", "publicKey", request.publicKey)
    add("signed with", "signatureAlgorithm", Shown(algorithm, "\(algorithm), not verified"))
    add("extensions", request.requestedExtensions.map { ExtensionsReport($0).document })
    add("attributes", request.attributes.map { $0.document })
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
