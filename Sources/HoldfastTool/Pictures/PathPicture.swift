internal import Holdfast
internal import HoldfastCertificates

/// The picture of a diagnosis: the accepted path marked, every refused way with its rule.
struct PathPicture {
  private(set) var picture = Picture()
  private var places: [Certificate: Int] = [:]
  private var anchors: [TrustAnchor: Int] = [:]
  private let question: PathQuestion

  init(_ explanation: Explanation) {
    question = explanation.question
    let diagnosis = explanation.diagnosis
    if let path = explanation.path { add(path) }
    for attempt in diagnosis.attempts { add(attempt) }
    // What was sent, looked at and is on no path is shown too, with no line to it.
    let sent = question.chain.prefix(1 + question.validator.limits.candidates)
    for certificate in sent { _ = place(certificate, nil) }
    if let problem = explanation.problem, let leaf = sent.first {
      picture.note(problem, at: place(leaf, nil))
    }
    picture.layOut()
  }

  private mutating func add(_ path: ValidatedPath) {
    var nodes = path.certificates.map { place($0, path.anchor) }
    if path.anchor.certificate == nil { nodes.append(place(path.anchor)) }
    for (subject, issuer) in zip(nodes, nodes.dropFirst()) {
      picture.add(Picture.Edge(issuer: issuer, subject: subject, mark: .accepted))
    }
  }

  private mutating func add(_ attempt: Diagnosis.Attempt) {
    var nodes = attempt.certificates.map { place($0, attempt.anchor) }
    if let anchor = attempt.anchor, anchor.certificate != attempt.certificates.last {
      nodes.append(anchor.certificate.map { place($0, anchor) } ?? place(anchor))
    }
    for rejection in attempt.violations where nodes.indices.contains(rejection.index) {
      picture.note(rejection.shortFinding, at: nodes[rejection.index])
    }
    for (index, (subject, issuer)) in zip(nodes, nodes.dropFirst()).enumerated() {
      let isRefused = attempt.violations.contains { $0.index == index }
      picture.add(
        Picture.Edge(issuer: issuer, subject: subject, mark: isRefused ? .refused : .linked))
    }
  }

  private mutating func place(_ certificate: Certificate, _ anchor: TrustAnchor?) -> Int {
    if let known = places[certificate] { return known }
    let kind: Picture.Kind =
      certificate == anchor?.certificate
      ? .anchor : certificate == question.chain.first ? .leaf : .authority
    let node = picture.add(Picture.Node(certificate, kind, at: question.time))
    places[certificate] = node
    return node
  }

  private mutating func place(_ anchor: TrustAnchor) -> Int {
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
      title: name.map { shortened($0, to: PathText.longestName) } ?? PathText.name(certificate),
      details: [
        "\(certificate.publicKey), " + Validity(certificate, at: time).text,
        "\(certificate.notBefore.day) – \(certificate.notAfter.day)",
        PathText.name(certificate),
      ], kind: kind)
  }
}
