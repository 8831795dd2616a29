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
    examples: [
      ("holdfast graph chain.pem roots.pem -o chain.svg", "a picture for a browser"),
      ("holdfast graph bundle.pem --format dot | dot -Tpdf > bundle.pdf", "the same by Graphviz"),
    ],
    run: graph)

  private static func graph(
    _ arguments: Arguments, _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    var certificates: [Certificate] = []
    var seen: Set<Certificate> = []
    var session = InputSession()
    session.read(try arguments.files(), &console) { _, content, _ in
      guard case .certificate(let next) = content, seen.insert(next).inserted else { return }
      certificates.append(next)
    }
    guard !certificates.isEmpty else { throw .reported }
    guard certificates.count <= BundlePicture.mostCertificates else {
      throw .badInput(
        "there are \(certificates.count) certificates, more than "
          + "\(BundlePicture.mostCertificates) make no picture")
    }
    let picture = BundlePicture(certificates, at: arguments[CommonOptions.at] ?? .now).picture
    let text =
      switch arguments[BundlePicture.form] {
      case .svg: picture.svg
      case .dot: picture.dot
      }
    let writer = FileWriter(replaces: arguments[CommonOptions.force])
    try writer.write(Array(text.utf8), to: arguments[CommonOptions.output], &console)
    return session.status
  }
}

/// Who has issued whom in a bundle: by name, and then by signature.
struct BundlePicture {
  private(set) var picture = Picture()

  static let form: Option<Form> = .choice(
    "--format", "FORMAT", "how it is written, dot for Graphviz", default: .svg)

  /// The languages of pictures.
  enum Form: String, Choice { case svg, dot }

  /// The most certificates of a picture.
  static let mostCertificates = 1000
  /// The most issuers of one certificate whose signatures are tried.
  private static let mostIssuers = 32

  init(_ certificates: [Certificate], at time: Timestamp) {
    var places: [Certificate: Int] = [:]
    for certificate in certificates {
      let isAuthority = certificate.extensions.basicConstraints?.isCA == true
      let kind: Picture.Kind =
        certificate.isSelfIssued ? .anchor : isAuthority ? .authority : .leaf
      places[certificate] = picture.add(Picture.Node(certificate, kind, at: time))
    }
    let all = AnchorSet(certificates)
    for subject in certificates {
      for issuer in all.anchors(named: subject.issuer).prefix(BundlePicture.mostIssuers) {
        guard let certificate = issuer.certificate, certificate != subject,
          let from = places[certificate], let to = places[subject]
        else { continue }
        let isLinked = BundlePicture.verifies(subject, under: issuer)
        picture.add(
          Picture.Edge(
            issuer: from, subject: to, mark: isLinked ? .linked : .refused,
            label: isLinked ? nil : "signature"))
      }
    }
    picture.layOut()
  }

  /// Whether a signature verifies under an issuer's key, whatever else is wrong.
  private static func verifies(_ subject: Certificate, under issuer: TrustAnchor) -> Bool {
    let anchor = TrustAnchor(name: issuer.name, publicKey: issuer.publicKey)
    var rules = ValidationRules.rfc5280
    rules.signatures.allowsSHA1 = true
    rules.signatures.minimumRSABits = 1024
    let diagnosis = PathValidator(anchors: AnchorSet([anchor]), rules: rules).diagnose(
      [subject], for: .any, at: subject.notBefore)
    return diagnosis.path != nil
      || diagnosis.attempts.contains { $0.signatures == .verified }
  }
}
