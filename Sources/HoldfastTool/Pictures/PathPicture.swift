internal import Holdfast
internal import HoldfastCertificates

/// The picture of a diagnosis: the accepted path marked, every rejected way with its rule.
struct PathPicture {
  private(set) var picture = Picture()
  private var indices: [Certificate: Int] = [:]
  private var anchors: [TrustAnchor: Int] = [:]
  private let question: PathQuestion

  init(_ explanation: Explanation) {
    question = explanation.question
    let diagnosis = explanation.diagnosis
    if let path = explanation.path { add(path) }
    for attempt in diagnosis.attempts { add(attempt) }
    // What was sent, looked at and is on no path is shown too, with no line to it.
    let sent = question.chain.prefix(1 + question.validator.limits.candidates)
    for certificate in sent { _ = index(certificate, nil) }
    if let problem = explanation.problem, let leaf = sent.first {
      picture.note(problem, at: index(leaf, nil))
    }
    picture.layOut()
  }

  private mutating func add(_ path: ValidatedPath) {
    var nodes = path.certificates.map { index($0, path.anchor) }
    if path.anchor.certificate == nil { nodes.append(index(path.anchor)) }
    for (subject, issuer) in zip(nodes, nodes.dropFirst()) {
      picture.add(Picture.Edge(issuer: issuer, subject: subject, mark: .accepted))
    }
  }

  private mutating func add(_ attempt: Diagnosis.Attempt) {
    var nodes = attempt.certificates.map { index($0, attempt.anchor) }
    if let anchor = attempt.anchor, anchor.certificate != attempt.certificates.last {
      nodes.append(anchor.certificate.map { index($0, anchor) } ?? index(anchor))
    }
    for rejection in attempt.violations where nodes.indices.contains(rejection.index) {
      picture.note(rejection.shortFinding, at: nodes[rejection.index])
    }
    for (index, (subject, issuer)) in zip(nodes, nodes.dropFirst()).enumerated() {
      let isRejected = attempt.violations.contains { $0.index == index }
      picture.add(
        Picture.Edge(issuer: issuer, subject: subject, mark: isRejected ? .rejected : .linked))
    }
  }

  private mutating func index(_ certificate: Certificate, _ anchor: TrustAnchor?) -> Int {
    if let known = indices[certificate] { return known }
    let kind: Picture.Kind =
      certificate == anchor?.certificate
      ? .anchor : certificate == question.chain.first ? .leaf : .authority
    let node = picture.add(Picture.Node(certificate, kind, at: question.time))
    indices[certificate] = node
    return node
  }

  private mutating func index(_ anchor: TrustAnchor) -> Int {
    if let known = anchors[anchor] { return known }
    let node = picture.add(
      Picture.Node(
        title: PathText.name(anchor.name), details: ["an anchor without certificate"], kind: .anchor
      ))
    anchors[anchor] = node
    return node
  }
}

extension Picture.Node {
  /// A box for a certificate.
  init(_ certificate: Certificate, _ kind: Picture.Kind, at time: Timestamp) {
    let name = certificate.subject.last(.commonName)?.text
    self.init(
      title: name.map { shortened($0, to: PathText.maximumNameLength) }
        ?? PathText.name(certificate),
      details: [
        "\(certificate.publicKey), " + Validity(certificate, at: time).text,
        "\(certificate.notBefore.day) – \(certificate.notAfter.day)",
        PathText.name(certificate),
      ], kind: kind)
  }
}
