internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast graph`: a bundle as a picture.
  static let graphCommand = Command(
    name: "graph",
    summary: "draws who has issued whom in a bundle of certificates, as SVG or DOT",
    usage: "FILE… [--format svg|dot] [-o FILE] [--at TIME] [--force]",
    options: [
      Option(
        name: "--format", value: "FORMAT", meaning: "svg (the default) or dot, for Graphviz",
        choices: ["svg", "dot"]),
      Option(
        name: "--output", short: "-o", value: "FILE",
        meaning: "write there instead of to standard output"),
      Option(name: "--at", value: "TIME", meaning: "show validity as of then"),
      Option(name: "--force", meaning: "replace a file that exists"),
    ],
    examples: [
      ("holdfast graph chain.pem roots.pem -o chain.svg", "a picture for a browser"),
      ("holdfast graph bundle.pem --format dot | dot -Tpdf > bundle.pdf", "the same by Graphviz"),
    ],
    run: graph)

  private static func graph(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    let format = try arguments.value("--format") ?? "svg"
    guard format == "svg" || format == "dot" else {
      throw .badValue(option: "--format", value: format, expected: "svg or dot")
    }
    let time = try arguments.time()
    let output = try arguments.value("--output")
    var certificates: [Certificate] = []
    var seen: Set<Certificate> = []
    var session = InputSession()
    session.read(try arguments.files(), &console) { _, content, _ in
      guard case .certificate(let next) = content, seen.insert(next).inserted else { return }
      certificates.append(next)
    }
    guard !certificates.isEmpty else { return .notUnderstood }
    guard certificates.count <= BundlePicture.mostCertificates else {
      console.message(
        "holdfast: there are \(certificates.count) certificates, more than "
          + "\(BundlePicture.mostCertificates) make no picture\n")
      return .notUnderstood
    }
    let bundle = BundlePicture(certificates, at: time)
    if let limit = bundle.limitReached {
      console.message("holdfast: the certificates make no picture: \(limit)\n")
      return .notUnderstood
    }
    let picture = bundle.picture
    let text = format == "svg" ? picture.svg : picture.dot
    let writer = FileWriter(replaces: arguments.has("--force"))
    return writer.write(Array(text.utf8), to: output, &console) ? session.status : .notUnderstood
  }
}

/// Who has issued whom in a bundle: by name, and then by signature.
struct BundlePicture {
  private(set) var picture = Picture()
  /// The limit by which links were left out.
  let limitReached: LimitReached?

  /// The most certificates of a picture.
  static let mostCertificates = 1000
  /// The most issuers of one certificate whose signatures are tried.
  private static let mostIssuers = 32
  /// What the links between certificates may cost: about half a second.
  private static let limits: Limits = {
    var limits = Limits()
    limits.publicKeyOperations = 5_000
    limits.comparedBytes = 64 << 20
    return limits
  }()

  init(_ certificates: [Certificate], at time: Timestamp) {
    let (links, limitReached) = IssuerLink.all(
      among: certificates, mostIssuers: BundlePicture.mostIssuers, limits: BundlePicture.limits)
    self.limitReached = limitReached
    let nodes = certificates.map { certificate in
      let isAuthority = certificate.extensions.basicConstraints?.isCA == true
      let kind: Picture.Kind =
        certificate.isSelfIssued ? .anchor : isAuthority ? .authority : .leaf
      return picture.add(Picture.Node(certificate, kind, at: time))
    }
    for link in links {
      picture.add(
        Picture.Edge(
          issuer: nodes[link.issuer], subject: nodes[link.subject],
          mark: link.isSigned ? .linked : .refused, label: link.isSigned ? nil : "signature"))
    }
    picture.layOut()
  }
}
