internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

extension Command {
  /// `holdfast verify`: whether a chain is trusted.
  static let verifyCommand = Command(
    name: "verify",
    summary: "says whether a chain is trusted, and if not, why",
    usage: PathQuestion.usage,
    options: PathQuestion.options + PinOptions.options,
    examples: [
      (
        "holdfast verify chain.pem --host example.com",
        "the server's certificate first, the others in any order; the system's anchors"
      ),
      (
        "openssl s_client -showcerts -connect a.example:443 </dev/null | holdfast verify - --host a.example",
        "what a server sends"
      ),
      (
        "holdfast verify client.pem --purpose client --anchors our-ca.pem",
        "a client's certificate under a private authority"
      ),
      (
        "holdfast verify chain.pem --host example.com --crl ca.crl --revocation required",
        "revoked is refused, and so is what no list covers; nothing is fetched"
      ),
      (
        "holdfast verify chain.pem --host example.com --pins TrustKit.plist",
        "trusted, and pinned as an app has it; or which pins were seen and which expected"
      ),
    ],
    run: verify)

  private static func verify(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let question = try PathQuestion(arguments, &console)
    let isJSON = arguments[CommonOptions.json]
    if let pinned = try PinnedQuestion(question, arguments) {
      return pinned.verify(isJSON: isJSON, &console)
    }
    do throws(PathError) {
      let path = try question.validator.validate(
        question.chain, for: question.purpose, at: question.time)
      console.write(isJSON ? question.json(path.document) : PathText.trusted(path))
      if !isJSON { console.write(question.sourcesText) }
      return .success
    } catch {
      // What comes from certificates is escaped in the error's own text.
      console.write(isJSON ? question.json(error.document) : "rejected: \(error)\n")
      if !isJSON { console.write(question.sourcesText) }
      return .rejected
    }
  }
}

extension PathQuestion {
  /// Which list and which answer is which, a line each.
  var sourcesText: String {
    revocation?.sources.map { "  \($0)\n" }.joined() ?? ""
  }
}

/// The words for paths.
enum PathText {
  /// The verdict, and the path below it.
  static func trusted(_ path: ValidatedPath) -> String {
    var text = "trusted: \(printable("\(path.purpose)")) at \(path.time)\n"
    for (depth, certificate) in path.certificates.enumerated() {
      let isAnchor = certificate == path.anchor.certificate
      text += "  \(depth): \(name(certificate))\(isAnchor ? "  (anchor)" : "")\n"
      if path.revocation.indices.contains(depth) { text += status(path.revocation[depth]) }
    }
    if path.anchor.certificate == nil {
      text += "  anchor: \(name(path.anchor.name))\n"
    }
    return text
  }

  /// Whether a certificate is revoked, and who says so.
  private static func status(_ found: CertificateRevocation) -> String {
    guard case .good(let evidence) = found.status else {
      return "     \(printable("\(found.status)"))\n"
    }
    let sources = evidence.sources.map { "\($0)" }.joined(separator: ", ")
    return "     \(found.status): \(sources) of \(evidence.thisUpdate)\n"
  }

  /// The most bytes of a name in a line; `inspect` shows the whole.
  static let longestName = 512

  /// The subject, or the serial number where it is empty.
  static func name(_ certificate: Certificate) -> String {
    certificate.subject.isEmpty
      ? "serial number \(certificate.serialNumber.short)" : name(certificate.subject)
  }

  static func name(_ name: DistinguishedName) -> String {
    printable(name.text(limit: longestName))
  }
}
