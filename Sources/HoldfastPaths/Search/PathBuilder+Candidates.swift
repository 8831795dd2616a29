internal import HoldfastCertificates

/// Who may come next on a path, and in which order.
extension PathBuilder {
  /// Puts a certificate on the path and lists the possible issuers, the most likely first.
  mutating func push(_ node: Int32, depth: Int32) throws(Stop) {
    let start = Int32(candidates.count)
    stack.append(Frame(node: node, depth: depth, start: start, next: start, end: start))
    let child = nodes[Int(node)].certificate
    let name = nodes[Int(node)].issuer
    let identifierSize = child.authorityKeyIdentifierSize
    for place in names[Int(name)].anchors {
      try budget.spendComparedBytes(child.issuerSize)
      try budget.spendPlainBytes(identifierSize)
      guard let match = match(child, withAnchorAt: place), try !isBroken(node, ~Int32(place))
      else { continue }
      candidates.append(Candidate(issuer: ~Int32(place), score: 64 + 16 * match.rawValue + 15))
    }
    for index in nodes.indices.dropFirst() where nodes[index].subject == name {
      try budget.spendPlainBytes(identifierSize)
      guard try !isOnPath(index), try !isBroken(node, Int32(index)), !isAnchor(index) else {
        continue
      }
      candidates.append(Candidate(issuer: Int32(index), score: score(index, for: child)))
    }
    sortCandidates(from: Int(start))
    stack[stack.count - 1].end = Int32(candidates.count)
    if candidates.count == Int(start) { recordDeadEnd() }
  }

  /// How likely a node is the issuer of a certificate: first by whether it leads on to an anchor,
  /// then by the key identifiers, then by its validity; and the nearer to an anchor the better.
  private func score(_ index: Int, for child: Certificate) -> Int32 {
    let issuer = nodes[index].certificate
    var score = 16 * child.keyMatch(issuer).rawValue
    if issuer.notBefore <= checks.time && checks.time <= issuer.notAfter { score += 8 }
    let distance = nodes[index].distance
    if distance > 0 { score += 64 + max(8 - distance, 0) }
    return score
  }

  /// Whether the node is on the path already, or another of the same name and key: then the path
  /// would go in a circle.
  private mutating func isOnPath(_ index: Int) throws(Stop) -> Bool {
    for place in stack.indices {
      let other = Int(stack[place].node)
      if other == index { return true }
      guard place > 0, nodes[other].subject == nodes[index].subject else { continue }
      if try key(of: other) == key(of: index) { return true }
    }
    return false
  }

  /// Whether a node is an anchor, and not to be gone through.
  private mutating func isAnchor(_ index: Int) -> Bool {
    if let known = nodes[index].isAnchor { return known }
    // Taken out first: to ask with a part of this would copy the whole.
    let certificate = nodes[index].certificate
    let isAnchor = isAnchor(certificate)
    nodes[index].isAnchor = isAnchor
    return isAnchor
  }

  /// Sorts the last candidates by falling score, and leaves equal ones in their order: anchors first,
  /// then nodes.
  private mutating func sortCandidates(from start: Int) {
    guard candidates.count - start > 1 else { return }
    guard candidates.count - start <= 64 else {
      // Thousands of anchors may have the same name: a few are sorted without a copy, many in less
      // than the square of their number.
      candidates[start...].sort { a, b in
        if a.score != b.score { return a.score > b.score }
        let isAnchor = a.issuer < 0
        if isAnchor != (b.issuer < 0) { return isAnchor }
        return isAnchor ? a.issuer > b.issuer : a.issuer < b.issuer
      }
      return
    }
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
    let rule: Rule =
      certificate.isSelfIssued
      ? .untrustedRoot : hasIssuerOfOtherName(stack[last].node) ? .nameChaining : .issuerNotFound
    var broken = recordsAll ? stackBroken() : []
    broken.append(Broken(rule, certificate.issuer.der.range, index: last))
    attempts.add(stack, anchor: nil, broken)
  }

  /// Whether a certificate that was given has the key identifier of this one's issuer, but not its
  /// name. RFC 5280 §6.1.3 (a)(4) chains by names alone.
  ///
  /// Asked for attempts that are kept, and of identifiers that are no longer than a digest, so that
  /// it costs little.
  private func hasIssuerOfOtherName(_ child: Int32) -> Bool {
    let certificate = nodes[Int(child)].certificate
    guard attempts.all.count < Attempts.most,
      let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier,
      identifier.count <= 64
    else { return false }
    return nodes.indices.dropFirst().contains { index in
      index != Int(child) && nodes[index].subject != nodes[Int(child)].issuer
        && certificate.keyMatch(nodes[index].certificate) == .agrees
    }
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
  ///
  /// Nodes that are farther than a path may be long are left as those that lead nowhere.
  mutating func markReachable() throws(Stop) {
    for index in names.indices { names[index].isReached = false }
    var isAnyNew = false
    for index in nodes.indices {
      nodes[index].distance = 0
      for place in names[Int(nodes[index].issuer)].anchors {
        if try isBroken(Int32(index), ~Int32(place)) { continue }
        nodes[index].distance = 1
        isAnyNew = true
        break
      }
    }
    var distance: Int32 = 1
    while isAnyNew && distance <= Int32(budget.limits.pathLength) {
      isAnyNew = false
      for issuer in nodes.indices.dropFirst() where nodes[issuer].distance == distance {
        let name = nodes[issuer].subject
        if name < 0 || names[Int(name)].isReached { continue }
        names[Int(name)].isReached = true
        for index in nodes.indices
        where nodes[index].issuer == name && nodes[index].distance == 0 {
          nodes[index].distance = distance + 1
          isAnyNew = true
        }
      }
      distance += 1
    }
  }
}
