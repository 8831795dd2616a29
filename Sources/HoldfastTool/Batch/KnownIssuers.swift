internal import HoldfastCertificates

/// The intermediates that lines leave out, found by name: of each thread its own, because threads
/// share nothing that changes, not even the counts of references.
struct KnownIssuers {
  private let all: [Certificate]
  /// Indices into `all` by the hash of the subject.
  private let bySubject: [UInt64: [Int]]
  /// What was found above certificates with a hash of the issuer, copied: for no more hashes than
  /// `bySubject` has, whatever issuers the lines name.
  private(set) var found: [UInt64: [Certificate]] = [:]

  /// The maximum number of certificates above one: no real one has nearly as many.
  private static let maximumFound = 32

  init(_ all: [Certificate]) {
    self.all = all
    bySubject = Dictionary(grouping: all.indices) { all[$0].subjectHash }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Adds the certificates above those of a chain, as far as they are known.
  mutating func complete(_ chain: inout [Certificate]) {
    for certificate in chain { chain += issuers(above: certificate.issuerHash) }
  }

  /// The certificates whose subject has a hash, and those above them.
  private mutating func issuers(above hash: UInt64) -> [Certificate] {
    if let known = found[hash] { return known }
    guard bySubject[hash] != nil else { return [] }
    var indices: [Int] = []
    var hashes = [hash]
    while let next = hashes.popLast(), indices.count < KnownIssuers.maximumFound {
      for index in bySubject[next] ?? [] where !indices.contains(index) {
        guard indices.count < KnownIssuers.maximumFound else { break }
        indices.append(index)
        hashes.append(all[index].issuerHash)
      }
    }
    let copies = indices.compactMap { all[$0].copy }
    found[hash] = copies
    return copies
  }
}
