internal import HoldfastCertificates
internal import HoldfastDER

/// The certificates of a search, and what tells them apart: found once, so that the search itself
/// compares numbers.
extension PathBuilder {
  /// Takes the leaf and the intermediates, each once, as far as the limits go.
  mutating func addNodes(
    _ leaf: Certificate, _ intermediates: [Certificate]
  ) throws(Stop) {
    let most = budget.limits.candidates
    let count = min(intermediates.count, max(most, 0))
    nodes.reserveCapacity(count + 1)
    names.reserveCapacity(count + 1)
    var nodeTable = PlaceTable(forAtMost: count + 1)
    var nameTable = PlaceTable(forAtMost: count + 1)
    nodeTable.add(0, leaf.mark)
    nodes.append(Node(certificate: leaf, issuer: try place(ofIssuerOf: leaf, &nameTable)))
    for certificate in intermediates {
      guard nodes.count <= most else {
        cut = .candidates(most)
        break
      }
      let mark = certificate.mark
      let known = try nodeTable.find(mark, among: nodes.count) { index throws(Stop) in
        try isSame(certificate, nodes[index].certificate)
      }
      if known != nil { continue }
      nodeTable.add(nodes.count, mark)
      nodes.append(
        Node(certificate: certificate, issuer: try place(ofIssuerOf: certificate, &nameTable)))
    }
    for index in nodes.indices.dropFirst() {
      let certificate = nodes[index].certificate
      nodes[index].subject =
        certificate.isSelfIssued
        ? nodes[index].issuer : try place(ofSubjectOf: certificate, nameTable)
    }
  }

  /// Whether two certificates are the same octets. Only those of the same mark are compared.
  private mutating func isSame(_ a: Certificate, _ b: Certificate) throws(Stop) -> Bool {
    guard a.mark == b.mark, a.der.count == b.der.count else { return false }
    try budget.spendPlainBytes(a.der.count)
    return a == b
  }

  /// The place in `names` of a certificate's issuer.
  private mutating func place(
    ofIssuerOf certificate: Certificate, _ table: inout PlaceTable
  ) throws(Stop) -> Int32 {
    let hash = certificate.issuerHash
    let known = try table.find(hash, among: names.count) { index throws(Stop) in
      guard names[index].hash == hash else { return false }
      try budget.spendComparedBytes(certificate.issuerSize)
      return certificate.hasIssuer(of: names[index].certificate)
    }
    if let known { return Int32(known) }
    table.add(names.count, hash)
    names.append(
      Name(
        hash: hash, certificate: certificate,
        anchors: configuration.anchors.places(ofHash: hash)))
    return Int32(names.count - 1)
  }

  /// The place in `names` of a certificate's subject; -1 if it has issued none of the certificates.
  private mutating func place(
    ofSubjectOf certificate: Certificate, _ table: PlaceTable
  ) throws(Stop) -> Int32 {
    // Nearly always the same octets stand there, and then no hash is needed.
    for index in names.indices.prefix(8)
    where names[index].certificate.spellsIssuer(as: certificate) { return Int32(index) }
    let hash = certificate.subjectHash
    let known = try table.find(hash, among: names.count) { index throws(Stop) in
      guard names[index].hash == hash else { return false }
      try budget.spendComparedBytes(certificate.subjectSize)
      return names[index].certificate.namesIssuer(certificate)
    }
    return known.map { Int32($0) } ?? -1
  }

  /// A number that is the same for all nodes that have the same public key.
  mutating func key(of index: Int) throws(Stop) -> Int32 {
    if nodes[index].key >= 0 { return nodes[index].key }
    let certificate = nodes[index].certificate
    let mark = certificate.publicKeyMark
    for place in firstWithKey.indices {
      let other = nodes[Int(firstWithKey[place])].certificate
      guard other.publicKeyMark == mark else { continue }
      try budget.spendPlainBytes(certificate.publicKeyRange.count)
      if other.hasPublicKey(of: certificate) {
        nodes[index].key = Int32(place)
        return Int32(place)
      }
    }
    nodes[index].key = Int32(firstWithKey.count)
    firstWithKey.append(Int32(index))
    return nodes[index].key
  }
}

/// Finds where something was put by a number that it has: a short list is gone through, a long one
/// has a table of slots.
private struct PlaceTable {
  private var slots: [Int32] = []

  /// The longest list that is gone through.
  private static let mostInLine = 12

  init(forAtMost count: Int) {
    guard count > PlaceTable.mostInLine else { return }
    var size = 32
    while size < 2 * count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
  }

  /// The place of what is the same, or nil.
  func find(
    _ mark: UInt64, among count: Int, _ isSame: (Int) throws(Stop) -> Bool
  ) throws(Stop) -> Int? {
    if slots.isEmpty {
      for place in 0..<count where try isSame(place) { return place }
      return nil
    }
    var slot = firstSlot(mark)
    while slots[slot] >= 0 {
      if try isSame(Int(slots[slot])) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Notes a place. At least half of the slots stay free.
  mutating func add(_ place: Int, _ mark: UInt64) {
    guard !slots.isEmpty else { return }
    var slot = firstSlot(mark)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(place)
  }

  private func firstSlot(_ mark: UInt64) -> Int {
    // The fraction of the golden ratio spreads numbers that are near each other.
    Int(truncatingIfNeeded: mark &* 0x9E37_79B9_7F4A_7C15 >> 32) & (slots.count - 1)
  }
}
