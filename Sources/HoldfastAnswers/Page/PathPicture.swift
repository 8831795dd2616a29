package import Holdfast

/// The picture of a diagnosis: the accepted path marked, every rejected way with its rule.
struct PathPicture {
  private(set) var picture = Picture()
  private var indices: [Certificate: Int] = [:]
  private var anchors: [TrustAnchor: Int] = [:]
  /// The boxes of the valid path.
  private var valid: Set<Int> = []
  /// How many rejected paths lead through a box.
  private var rejected: [Int: Int] = [:]
  /// What is wrong with a box, and on which of these paths, by their numbers.
  private var findings: [Int: [(text: String, paths: [Int])]] = [:]
  private let leaf: Certificate?
  private let time: Timestamp

  /// - Parameter sent: What of the chain was looked at.
  init(_ answer: Answer, sent: [Certificate], at time: Timestamp) {
    leaf = sent.first
    self.time = time
    if answer.hasValidPath { addValidPath(of: answer) }
    for (index, attempt) in answer.attempts.enumerated() { add(attempt, number: index + 1) }
    noteFindings()
    // What was sent, looked at and is on no path is shown too, with no line to it.
    for certificate in sent { _ = index(certificate, nil) }
    if let problem = answer.problem, let leaf {
      picture.note(problem, at: index(leaf, nil))
    }
    picture.layOut()
  }

  private mutating func addValidPath(of answer: Answer) {
    guard let anchor = answer.anchor else { return }
    var nodes = answer.path.map { index($0, anchor) }
    if anchor.certificate == nil { nodes.append(index(anchor)) }
    valid = Set(nodes)
    // A valid path of a server that is rejected, for its pins, is not accepted.
    let mark: Picture.Mark = answer.isTrusted ? .accepted : .linked
    for (subject, issuer) in zip(nodes, nodes.dropFirst()) {
      picture.add(Picture.Edge(issuer: issuer, subject: subject, mark: mark))
    }
  }

  private mutating func add(_ attempt: PathError.Attempt, number: Int) {
    var nodes = attempt.certificates.map { index($0, attempt.anchor) }
    if let anchor = attempt.anchor, anchor.certificate != attempt.certificates.last {
      nodes.append(anchor.certificate.map { index($0, anchor) } ?? index(anchor))
    }
    for node in nodes { rejected[node, default: 0] += 1 }
    for violation in attempt.violations where nodes.indices.contains(violation.index) {
      let (node, text) = (nodes[violation.index], violation.shortFinding)
      guard let known = findings[node]?.firstIndex(where: { $0.text == text }) else {
        findings[node, default: []].append((text, [number]))
        continue
      }
      if findings[node]?[known].paths.last != number {
        findings[node]?[known].paths.append(number)
      }
    }
    for (index, (subject, issuer)) in zip(nodes, nodes.dropFirst()).enumerated() {
      let isRejected = attempt.violations.contains { $0.index == index }
      picture.add(
        Picture.Edge(issuer: issuer, subject: subject, mark: isRejected ? .rejected : .linked))
    }
  }

  /// A box is wrong if something is on every path through it. What is wrong on some alone, as below
  /// one of two issuers, says on which.
  private mutating func noteFindings() {
    for (node, all) in findings {
      let count = valid.contains(node) ? nil : rejected[node]
      let isWrong = Set(all.flatMap { $0.paths }).count == count
      for (text, paths) in all {
        let place =
          paths.count == count
          ? "" : paths.count == 1 ? "on path \(paths[0]): " : "on \(paths.count) paths: "
        picture.note(place + text, at: node, isWrong: isWrong)
      }
    }
  }

  /// The box of a certificate.
  func node(of certificate: Certificate) -> Picture.Node? {
    indices[certificate].map { picture.nodes[$0] }
  }

  private mutating func index(_ certificate: Certificate, _ anchor: TrustAnchor?) -> Int {
    if let known = indices[certificate] { return known }
    let kind: Picture.Kind =
      certificate == anchor?.certificate
      ? .anchor : certificate == leaf ? .leaf : .authority
    let node = picture.add(Picture.Node(certificate, kind, at: time))
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

extension Certificate {
  /// The common name, which fits into a picture better than the whole name.
  package var title: String {
    let name = subject.last(.commonName)?.text
    return name.map { shortened($0, to: PathText.maximumNameLength) } ?? PathText.name(self)
  }
}

extension Picture.Node {
  /// A box for a certificate.
  package init(_ certificate: Certificate, _ kind: Picture.Kind, at time: Timestamp) {
    self.init(
      title: certificate.title,
      details: [
        "\(certificate.publicKey), " + Validity(certificate, at: time).text,
        "\(certificate.notBefore.day) – \(certificate.notAfter.day)",
        PathText.name(certificate),
      ], kind: kind)
  }
}

extension Violation {
  /// What is wrong in a few words: of revocations neither when nor who says so.
  fileprivate var shortFinding: String {
    guard case .revocation(let found)? = detail else { return "\(self)" }
    return found.isRevoked ? "revoked" : "revocation status unknown"
  }
}
