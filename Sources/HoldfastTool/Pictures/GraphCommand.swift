internal import Holdfast
internal import HoldfastAnswers

extension Command {
  /// `holdfast graph`: a bundle as a picture.
  static let graphCommand = Command(
    name: "graph",
    summary: "draws who has issued whom in a bundle, as SVG or DOT",
    usage: "FILE… [--format svg|dot] [-o FILE] [--at TIME] [--force]",
    options: [
      [
        form, CommonOptions.output,
        CommonOptions.at.described("show validity as of then"), CommonOptions.force,
      ]
    ],
    examples: """
      holdfast graph chain.pem roots.pem -o chain.svg
          a picture for a browser
      holdfast graph bundle.pem --format dot | dot -Tpdf > bundle.pdf
          the same by Graphviz
      """,
    readsCertificates: true, run: graph)

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
    limits.work = 64 << 20
    return limits
  }()

  private static func graph(_ call: Invocation) throws(UsageError) -> ExitStatus {
    var seen: Set<Certificate> = []
    var session = try InputSession(call)
    let certificates = session.certificates(of: try call.files())
      .filter { seen.insert($0).inserted }
    guard !certificates.isEmpty else { throw .reported(session.problems) }
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

extension Certificate {
  /// Whether it is a CA. A certificate of version 1 cannot say so, but roots of that age exist.
  fileprivate var mayIssue: Bool {
    isCA || version == 1 && isSelfIssued
  }
}

extension Picture {
  /// Who has issued whom in a bundle: by name, and then by signature.
  fileprivate init(_ certificates: [Certificate], _ links: [IssuerLink], at time: Timestamp) {
    self.init()
    let nodes = certificates.map { certificate in
      let kind: Kind =
        !certificate.mayIssue ? .leaf : certificate.isSelfIssued ? .anchor : .authority
      let node = add(Node(certificate, kind, at: time))
      switch Validity(certificate, at: time) {
      case .expired: note("expired", at: node)
      case .notYet: note("not valid yet", at: node)
      case .valid: break
      }
      return node
    }
    for link in links {
      let mayIssue = certificates[link.issuer].mayIssue
      // By name alone a certificate that is no CA has issued nothing.
      guard mayIssue || link.isSigned else { continue }
      add(
        Edge(
          issuer: nodes[link.issuer], subject: nodes[link.subject],
          mark: link.isSigned && mayIssue ? .linked : .rejected,
          label: !link.isSigned ? "bad signature" : mayIssue ? nil : "not a CA"))
    }
    layOut()
  }
}

/// A link between two certificates: the subject of one is the issuer of the other.
struct IssuerLink: Sendable {
  /// The indices of both certificates.
  let issuer: Int, subject: Int
  /// Whether the signature verifies.
  let isSigned: Bool

  /// Returns the links by name, at most `maximumIssuers` for each certificate, and the limit
  /// because of which links are missing, if any.
  static func all(
    among certificates: [Certificate], maximumIssuers: Int, limits: Limits
  ) -> (links: [IssuerLink], limitReached: LimitReached?) {
    let indices = Dictionary(grouping: certificates.indices) { certificates[$0].subjectHash }
    var budget = Budget(limits)
    var links: [IssuerLink] = []
    do throws(CheckFailure) {
      for (subject, child) in certificates.enumerated() {
        let first = links.count
        for issuer in indices[child.issuerHash] ?? [] where issuer != subject {
          guard links.count < first + maximumIssuers else { break }
          try budget.spendComparedBytes(child.issuerSize)
          guard child.issuerMatches(subjectOf: certificates[issuer]) else { continue }
          let key = certificates[issuer].publicKey
          try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
          let isSigned = child.isSigned(by: certificates[issuer])
          links.append(IssuerLink(issuer: issuer, subject: subject, isSigned: isSigned))
        }
      }
    } catch {
      if case .limitReached(let limit) = error { return (links, limit) }
    }
    return (links, nil)
  }
}
