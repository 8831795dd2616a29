import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
@_spi(MerkleTrees) @testable import HoldfastPaths
import TestSupport
import Testing

/// The trees of the drafts, by their definitions alone: no proof is evaluated here.
enum SmallTree {
  /// RFC 9162 §2.1.1, recursively.
  static func hash(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
    if leaves.count == 1 { return HashAlgorithm.sha256.hash([0] + leaves[leaves.startIndex]).array }
    if leaves.isEmpty { return HashAlgorithm.sha256.hash([]).array }
    let middle = split(leaves)
    return HashAlgorithm.sha256.hash([1] + hash(leaves[..<middle]) + hash(leaves[middle...])).array
  }

  /// RFC 9162 §2.1.3.1, recursively.
  static func proof(_ index: Int, _ leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
    if leaves.count == 1 { return [] }
    let middle = split(leaves)
    return index < middle
      ? proof(index, leaves[..<middle]) + [hash(leaves[middle...])]
      : proof(index, leaves[middle...]) + [hash(leaves[..<middle])]
  }

  /// The largest power of two below the number of leaves.
  private static func split(_ leaves: ArraySlice<[UInt8]>) -> Int {
    var size = 1
    while 2 * size < leaves.count { size *= 2 }
    return leaves.startIndex + size
  }

  static func leaves(_ count: Int) -> [[UInt8]] { (0..<count).map { [UInt8($0)] } }

  static func entry(_ leaf: [UInt8]) throws -> Digest {
    HashAlgorithm.sha256.hash([0] + leaf)
  }
}

@Suite("Merkle trees") struct MerkleTreeTests {
  private static let size = isDebug ? 13 : 130

  @Test("subtrees are those of the definition: aligned to the power of two above their size")
  func subtrees() {
    for end in 0...130 {
      for start in 0...end {
        var power = 1
        while power < end - start { power *= 2 }
        let isValid = start < end && start % power == 0
        let subtree = MerkleSubtree(log: 1, start: UInt64(start), end: UInt64(end))
        #expect(subtree.isValid == isValid, "\(start)..<\(end)")
      }
    }
    #expect(MerkleSubtree(log: 1, start: 0, end: 1 << 48 - 1).isValid)
    #expect(MerkleSubtree(log: 1, start: 1 << 47, end: 1 << 48 - 1).isValid)
    #expect(!MerkleSubtree(log: 1, start: 1 << 46, end: 1 << 48 - 1).isValid)
    #expect(MerkleSubtree(log: 1, start: 0, end: .max).isValid)
    #expect(!MerkleSubtree(log: 1, start: 1, end: .max).isValid)
  }

  @Test("the inclusion proofs of all subtrees of a tree lead to their hashes, and others do not")
  func inclusion() throws {
    let all = SmallTree.leaves(Self.size)
    var (proofs, changes) = (0, 0)
    for end in 1...Self.size {
      for start in 0..<end {
        let subtree = MerkleSubtree(log: 1, start: UInt64(start), end: UInt64(end))
        guard subtree.isValid else { continue }
        let expected = SmallTree.hash(all[start..<end])
        for index in start..<end {
          let hashes = SmallTree.proof(index, all[start..<end])
          let entry = try SmallTree.entry(all[index])
          let flat = Bytes(hashes.flatMap { $0 })
          #expect(try subtree.hash(from: entry, at: UInt64(index), by: flat).array == expected)
          proofs += 1
          if !isDebug, end > 64 { continue }
          // A hash more, a hash less, a flipped bit of each, and each other place.
          #expect(throws: MerkleSubtree.Failure.tooMany(at: flat.count)) {
            _ = try subtree.hash(
              from: entry, at: UInt64(index), by: Bytes(flat.array + Array(repeating: 0, count: 32))
            )
          }
          if !hashes.isEmpty {
            #expect(throws: MerkleSubtree.Failure.tooFew) {
              _ = try subtree.hash(
                from: entry, at: UInt64(index), by: Bytes(Array(flat.array.dropLast(32))))
            }
          }
          for changed in hashes.indices {
            var bytes = flat.array
            bytes[32 * changed + index % 32] ^= 1 << UInt8(index % 8)
            #expect(
              try subtree.hash(from: entry, at: UInt64(index), by: Bytes(bytes)).array != expected)
            changes += 1
          }
          for other in start..<end where other != index {
            do throws(MerkleSubtree.Failure) {
              let found = try subtree.hash(from: entry, at: UInt64(other), by: flat)
              #expect(found.array != expected)
            } catch {
              #expect(
                error == .tooFew || error == .tooMany(at: 32 * (hashes.count - 1))
                  || hashes.count > 1)
            }
          }
        }
      }
    }
    #expect(proofs > (isDebug ? 100 : 10_000) && changes > (isDebug ? 150 : 10_000))
  }

  /// The hash of a large tree by RFC 9162 §2.1.1, recursively, and the proof of an entry from its
  /// root down. Parts without the entry have made hashes.
  private func large(
    _ start: UInt64, _ end: UInt64, _ index: UInt64, _ entry: [UInt8], _ proof: inout [[UInt8]]
  ) -> [UInt8] {
    if end - start == 1 { return entry }
    var size: UInt64 = 1
    while 2 * size < end - start { size *= 2 }
    let middle = start + size
    let (from, to) = index < middle ? (middle, end) : (start, middle)
    let other = HashAlgorithm.sha256.hash(Array("\(from) to \(to)".utf8)).array
    proof.append(other)
    let own =
      index < middle
      ? large(start, middle, index, entry, &proof) : large(middle, end, index, entry, &proof)
    return HashAlgorithm.sha256.hash([1] + (index < middle ? own + other : other + own)).array
  }

  @Test("proofs in unbalanced and maximal subtrees lead to the hashes of the definition")
  func largest() throws {
    let entry = try SmallTree.entry([7])
    var numbers = SeededNumbers(seed: 69)
    var proofs = 0
    for width in stride(from: 1, through: 48, by: isDebug ? 5 : 1) {
      let power = UInt64(1) << UInt64(width)
      let greatest = UInt64(1) << 48 - 1
      let sizes = [power, power - 1, power / 2 + 1, UInt64.random(in: 1...power, using: &numbers)]
      for size in sizes where size > 0 {
        for start in [0, power, greatest + 1 - power] where start + size <= greatest {
          let (end, last) = (start + size, start + size - 1)
          let subtree = MerkleSubtree(log: 1, start: start, end: end)
          #expect(subtree.isValid, "\(start)..<\(end)")
          for index in [start, last, UInt64.random(in: start...last, using: &numbers)] {
            var hashes: [[UInt8]] = []
            let expected = large(start, end, index, entry.array, &hashes)
            let proof = Bytes(hashes.reversed().flatMap { $0 })
            #expect(try subtree.hash(from: entry, at: index, by: proof).array == expected)
            #expect(hashes.count <= MerkleTreeProof.maximumHashes)
            proofs += 1
          }
        }
      }
    }
    #expect(proofs > (isDebug ? 200 : 1_000))
  }

  @Test("an entry outside of a subtree has no proof, whatever the numbers")
  func outside() throws {
    let entry = try SmallTree.entry([1])
    let none = Bytes([])
    for (start, end, index) in [(8, 16, 7), (8, 16, 16), (0, 1, 1), (0, 1, UInt64.max)] {
      let subtree = MerkleSubtree(log: 1, start: UInt64(start), end: UInt64(end))
      #expect(throws: MerkleSubtree.Failure.outside) {
        _ = try subtree.hash(from: entry, at: index, by: none)
      }
    }
    #expect(throws: MerkleSubtree.Failure.invalid) {
      _ = try MerkleSubtree(log: 1, start: 4, end: 4).hash(from: entry, at: 4, by: none)
    }
  }

  @Test(
    "the accumulated hash of all subtrees of trees of up to 130 entries is the draft's",
    .enabled(if: !isDebug, "release only"))
  func accumulatedHeavy() throws {
    let all = SmallTree.leaves(130)
    var text = ""
    for end in 0...130 {
      for start in 0...end {
        let subtree = MerkleSubtree(log: 1, start: UInt64(start), end: UInt64(end))
        guard subtree.isValid || start == end else { continue }
        let hash =
          try start == end
          ? SmallTree.hash([])
          : subtree.hash(
            from: SmallTree.entry(all[start]), at: UInt64(start),
            by: Bytes(SmallTree.proof(start, all[start..<end]).flatMap { $0 })
          ).array
        text += "[\(start), \(end)) \(Hexadecimal.text(of: hash))\n"
      }
    }
    #expect(
      Hexadecimal.text(of: HashAlgorithm.sha256.hash(Array(text.utf8)).array)
        == "b82806ad4265bb151c1119c0f4db437bb4d1a1f887b3a7fba1cd4ebf552e3e81")
  }
}

@Suite("Trust anchor IDs") struct TrustAnchorIDTests {
  @Test("an ID has one text and one encoding")
  func both() throws {
    let id = try #require(TrustAnchorID("32473.1"))
    #expect(id.bytes == [0x81, 0xFD, 0x59, 1])
    #expect(TrustAnchorID(id.bytes) == id)
    let greatest = try #require(TrustAnchorID("18446744073709551615.0"))
    #expect(TrustAnchorID(greatest.bytes)?.description == "18446744073709551615.0")
  }

  @Test(
    "other texts are none",
    arguments: [
      "", ".", "1.", ".1", "01", "1..2", "-1", "+1", "18446744073709551616", "1 ", "a",
      "1.\u{0661}",
      String(repeating: "1.", count: 120) + "1",
    ])
  func texts(_ text: String) { #expect(TrustAnchorID(text) == nil) }

  @Test(
    "other encodings are none",
    arguments: [
      [], [0x80], [0x80, 1], [0x81], [1, 0x81], [1, 0x80, 1],
      [0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], Array(repeating: 1, count: 256),
    ] as [[UInt8]])
  func encodings(_ bytes: [UInt8]) { #expect(TrustAnchorID(bytes) == nil) }
}
