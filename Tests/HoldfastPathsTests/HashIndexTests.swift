import Testing

@testable import HoldfastPaths

@Suite("Indices by hash")
struct HashIndexTests {
  @Test("elements with a hash are found in the order in which they were added, and no others")
  func order() {
    // Equal hashes, neighbors, and hashes that only differ in high bits.
    let hashes: [UInt64] = [7, 7, 8, 0, .max, 7, 1 << 63, 7 | 1 << 40, 0]
    var index = HashIndex(capacity: hashes.count)
    for (element, hash) in hashes.enumerated() { index.add(element, hash: hash) }
    for hash in hashes + [1, 6, 9, 1 << 40] {
      #expect(Array(index[hash]) == hashes.indices.filter { hashes[$0] == hash })
    }
  }

  @Test("a full table, an empty one and one of equal hashes end every look-up")
  func full() {
    for count in [0, 1, 2, 3, 64, 65] {
      var distinct = HashIndex(capacity: count)
      var equal = HashIndex(capacity: count)
      for element in 0..<count {
        distinct.add(element, hash: UInt64(element) << 32)
        equal.add(element, hash: 5)
      }
      #expect((0..<count).allSatisfy { Array(distinct[UInt64($0) << 32]) == [$0] })
      #expect(Array(equal[5]) == Array(0..<count))
      #expect(Array(distinct[1]).isEmpty && Array(equal[6]).isEmpty)
    }
  }
}
