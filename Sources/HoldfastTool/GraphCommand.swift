internal import Holdfast
internal import HoldfastCertificates

extension Command {
  /// `holdfast graph`: a bundle as a picture.
  static let graphCommand = Command(
    name: "graph",
    summary: "draws who has issued whom in a bundle of certificates, as SVG or DOT",
    usage: "FILE… [--format svg|dot] [-o FILE] [--at TIME] [--force]",
    options: [
      BundlePicture.form, CommonOptions.output,
      CommonOptions.at.described("show validity as of then"), CommonOptions.force,
    ],
    examples: """
      holdfast graph chain.pem roots.pem -o chain.svg
          a picture for a browser
      holdfast graph bundle.pem --format dot | dot -Tpdf > bundle.pdf
          the same by Graphviz
      """,
    run: graph)

  private static func graph(_ call: Invocation) throws(UsageError) -> ExitStatus {
    var seen: Set<Certificate> = []
    var session = try InputSession(call)
    let certificates = session.certificates(of: try call.files())
      .filter { seen.insert($0).inserted }
    guard !certificates.isEmpty else { throw .reported }
    guard certificates.count <= BundlePicture.mostCertificates else {
      throw .badInput(
        "there are \(certificates.count) certificates, more than "
          + "\(BundlePicture.mostCertificates) make no picture")
    }
    let bundle = BundlePicture(certificates, at: call[CommonOptions.at] ?? .now)
    if let limit = bundle.limitReached {
      throw .badInput("the certificates make no picture: \(limit)")
    }
    let text =
      switch call[BundlePicture.form] {
      case .svg: bundle.picture.svg(.rightwards)
      case .dot: bundle.picture.dot
      }
    try FileWriter(call).write(text.utf8, to: call[CommonOptions.output])
    return session.status
  }
}

/// Who has issued whom in a bundle: by name, and then by signature.
struct BundlePicture {
  private(set) var picture = Picture()
  /// The limit by which links were left out.
  let limitReached: LimitReached?

  static let form: Option<Form> = .choice(
    "--format", "FORMAT", "how it is written, dot for Graphviz", default: .svg)

  /// The languages of pictures.
  enum Form: String, Choice { case svg, dot }

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
