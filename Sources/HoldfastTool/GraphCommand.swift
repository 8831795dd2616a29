internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast graph`: a bundle as a picture.
  static let graphCommand = Command(
    name: "graph",
    summary: "draws who has issued whom in a bundle of certificates, as SVG or DOT",
    usage: "FILE… [--format svg|dot] [-o FILE] [--at TIME] [--force]",
    options: [
      form, CommonOptions.output,
      CommonOptions.at.described("show validity as of then"), CommonOptions.force,
    ],
    examples: """
      holdfast graph chain.pem roots.pem -o chain.svg
          a picture for a browser
      holdfast graph bundle.pem --format dot | dot -Tpdf > bundle.pdf
          the same by Graphviz
      """,
    run: graph)

  private static let form: Option<PictureForm> = .choice(
    "--format", "FORMAT", "how it is written, dot for Graphviz", default: .svg)

  /// The languages of pictures.
  private enum PictureForm: String, Choice { case svg, dot }

  /// The maximum number of certificates of a picture.
  private static let maximumCertificates = 1000
  /// The maximum number of issuers of one certificate whose signatures are tried.
  private static let maximumIssuers = 32
  /// What the links between certificates may cost: about half a second.
  private static let limits: Limits = {
    var limits = Limits()
    limits.publicKeyOperations = 5_000
    limits.comparedBytes = 64 << 20
    return limits
  }()

  private static func graph(_ call: Invocation) throws(UsageError) -> ExitStatus {
    var seen: Set<Certificate> = []
    var session = try InputSession(call)
    let certificates = session.certificates(of: try call.files())
      .filter { seen.insert($0).inserted }
    guard !certificates.isEmpty else { throw .reported }
    guard certificates.count <= maximumCertificates else {
      throw .badInput(
        "there are \(certificates.count) certificates, more than "
          + "\(maximumCertificates) make no picture")
    }
    let (links, limitReached) = IssuerLink.all(
      among: certificates, maximumIssuers: maximumIssuers, limits: limits)
    if let limitReached { throw .badInput("the certificates make no picture: \(limitReached)") }
    let picture = Picture(certificates, links, at: call[CommonOptions.at] ?? .now)
    let text =
      switch call[form] {
      case .svg: picture.svg(.rightwards)
      case .dot: picture.dot
      }
    try FileWriter(call).write(text.utf8, to: call[CommonOptions.output])
    return session.status
  }
}

extension Picture {
  /// Who has issued whom in a bundle: by name, and then by signature.
  fileprivate init(_ certificates: [Certificate], _ links: [IssuerLink], at time: Timestamp) {
    let nodes = certificates.map { certificate in
      let isAuthority = certificate.extensions.basicConstraints?.isCA == true
      let kind: Kind = certificate.isSelfIssued ? .anchor : isAuthority ? .authority : .leaf
      return add(Node(certificate, kind, at: time))
    }
    for link in links {
      add(
        Edge(
          issuer: nodes[link.issuer], subject: nodes[link.subject],
          mark: link.isSigned ? .linked : .rejected, label: link.isSigned ? nil : "signature"))
    }
    layOut()
  }
}
