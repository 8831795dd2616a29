internal import HoldfastCertificates

extension PathBuilder.Node {
  init(_ certificate: Certificate, _ anchors: AnchorSet) {
    self.certificate = certificate
    issuerHash = certificate.issuer.matchingHash
    subjectHash = certificate.isSelfIssued ? issuerHash : certificate.subject.matchingHash
    self.anchors = anchors.places(ofHash: issuerHash)
  }
}

/// Who may come next on a path, and in which order.
extension PathBuilder {
  /// Puts a certificate on the path and lists the possible issuers, the most likely first.
  mutating func push(_ node: Int32, depth: Int32) {
    let start = Int32(candidates.count)
    stack.append(Frame(node: node, depth: depth, start: start, next: start, end: start))
    let child = nodes[Int(node)]
    for place in child.anchors {
      let anchor = configuration.anchors[place]
      guard anchor.name.matches(child.certificate.issuer), !isBroken(node, ~Int32(place)),
        anchor.certificate != child.certificate
      else { continue }
      let match = child.certificate.keyMatch(anchor.certificate)
      candidates.append(Candidate(issuer: ~Int32(place), score: 64 + 16 * match.rawValue + 15))
    }
    for index in nodes.indices.dropFirst() where nodes[index].subjectHash == child.issuerHash {
      let issuer = nodes[index].certificate
      guard !isOnPath(index), issuer.subject.matches(child.certificate.issuer),
        !isBroken(node, Int32(index)), configuration.anchors.anchor(madeFrom: issuer) == nil
      else { continue }
      candidates.append(Candidate(issuer: Int32(index), score: score(index, for: child)))
    }
    sortCandidates(from: Int(start))
    stack[stack.count - 1].end = Int32(candidates.count)
    if candidates.count == Int(start) { recordDeadEnd() }
  }

  /// How likely a node is the issuer of a certificate: first by whether it leads on to an anchor,
  /// then by the key identifiers, then by its validity; and the nearer to an anchor the better.
  private func score(_ index: Int, for child: Node) -> Int32 {
    let issuer = nodes[index].certificate
    var score = 16 * child.certificate.keyMatch(issuer).rawValue
    if issuer.notBefore <= checks.time && checks.time <= issuer.notAfter { score += 8 }
    let distance = nodes[index].distance
    if distance > 0 { score += 64 + max(8 - distance, 0) }
    return score
  }

  /// Whether the node is on the path already, or another of the same name and key: then the path
  /// would go in a circle.
  private func isOnPath(_ index: Int) -> Bool {
    for (place, frame) in stack.enumerated() {
      let other = Int(frame.node)
      if other == index { return true }
      if place > 0, nodes[other].subjectHash == nodes[index].subjectHash,
        nodes[other].certificate.publicKey.der == nodes[index].certificate.publicKey.der,
        nodes[other].certificate.subject.matches(nodes[index].certificate.subject)
      {
        return true
      }
    }
    return false
  }

  /// Sorts the last candidates by falling score, and leaves equal ones in their order.
  private mutating func sortCandidates(from start: Int) {
    guard candidates.count - start > 1 else { return }
    for index in (start + 1)..<candidates.count {
      let next = candidates[index]
      var place = index
      while place > start && candidates[place - 1].score < next.score {
        candidates[place] = candidates[place - 1]
        place -= 1
      }
      candidates[place] = next
    }
  }

  private mutating func recordDeadEnd() {
    let last = stack.count - 1
    let certificate = nodes[Int(stack[last].node)].certificate
    let rule: Rule = certificate.isSelfIssued ? .untrustedRoot : .issuerNotFound
    var broken = recordsAll ? stackBroken() : []
    broken.append(Broken(rule, certificate.issuer.der.range, index: last))
    attempts.add(stack, anchor: nil, broken)
  }

  /// What the certificates on the path break by themselves.
  func stackBroken() -> [Broken] {
    var all: [Broken] = []
    for (index, frame) in stack.enumerated() {
      for var broken in nodes[Int(frame.node)].broken {
        broken.index = index
        all.append(broken)
      }
    }
    return all
  }

  /// Finds out how far each node is from an anchor, by names and by signatures not yet found wrong.
  mutating func markReachable() {
    var reached: [Int] = []
    for index in nodes.indices {
      nodes[index].distance = 0
      for place in nodes[index].anchors where !isBroken(Int32(index), ~Int32(place)) {
        nodes[index].distance = 1
        if nodes.count > 1 { reached.append(index) }
        break
      }
    }
    var next = 0
    while next < reached.count {
      let issuer = nodes[reached[next]]
      next += 1
      for index in nodes.indices
      where nodes[index].distance == 0 && nodes[index].issuerHash == issuer.subjectHash {
        nodes[index].distance = issuer.distance + 1
        reached.append(index)
      }
    }
  }
}

/// Whether the key identifiers of a certificate and its issuer agree.
enum KeyMatch: Int32 {
  case differs = 0
  case unknown = 1
  case agrees = 2
}

extension Certificate {
  /// Compares the authority key identifier with the issuer's own. They only guide the search:
  /// RFC 5280 §6.1 does not compare them.
  func keyMatch(_ issuer: Certificate?) -> KeyMatch {
    guard let issuer, let identifier = extensions.authorityKeyIdentifier else { return .unknown }
    if let key = identifier.keyIdentifier, let other = issuer.extensions.subjectKeyIdentifier {
      return key == other ? .agrees : .differs
    }
    if let serialNumber = identifier.serialNumber {
      return serialNumber == issuer.serialNumber ? .agrees : .unknown
    }
    return .unknown
  }
}
