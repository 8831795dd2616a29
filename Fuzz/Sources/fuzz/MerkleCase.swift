import Holdfast
import HoldfastHashes
@_spi(MerkleTrees) @testable import HoldfastPaths
@_spi(MerkleTrees) import HoldfastTransparency

/// Proofs of Merkle Tree Certificates, after a byte that selects the draft, and documents of trust.
enum MerkleCase {
  static func run(_ bytes: [UInt8]) {
    switch bytes.first {
    case 0: proof(Array(bytes.dropFirst()), .draft05)
    case 1: proof(Array(bytes.dropFirst()), .draft06)
    default: trust(bytes)
    }
  }

  /// Reads a proof. What is read is the whole input, and one subtree at most follows from it.
  private static func proof(_ bytes: [UInt8], _ draft: MerkleTreeDraft) {
    do throws(MerkleTreeProofError) {
      let proof = try MerkleTreeProof(Bytes(bytes), draft)
      var list: [UInt8] = []
      for next in proof.cosignatures {
        list += number(UInt64(next.cosigner.count), 1) + next.cosigner.array
        list += number(UInt64(next.signature.count), 2) + next.signature.array
      }
      let written =
        proof.extensions.array + number(proof.start, 6) + number(proof.end, 6)
        + number(UInt64(proof.hashes.count), 2) + proof.hashes.array
        + number(UInt64(list.count), draft == .draft05 ? 2 : 3) + list
      precondition(written == bytes, "not the bytes that were read")
      say("from \(proof.start) to \(proof.end), \(proof.hashCount) hashes")
      let subtree = MerkleSubtree(log: 1, start: proof.start, end: proof.end)
      let entry = HashAlgorithm.sha256.hash(bytes)
      for index in [proof.start, proof.end / 2, proof.end &- 1] {
        do throws(MerkleSubtree.Failure) {
          let hash = try subtree.hash(from: entry, at: index, by: proof.hashes)
          say("\(Hexadecimal.text(of: hash.array))")
          precondition(proof.hashCount <= MerkleTreeProof.maximumHashes)
        } catch {}
      }
    } catch {
      precondition(error.offset <= bytes.count)
      mustSay("\(error.description)")
    }
  }

  private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  /// Reads a document; its anchors are as many as its trees, and all of them issue in one.
  private static func trust(_ bytes: [UInt8]) {
    do throws(MerkleTrustError) {
      let trust = try MerkleTrust(json: bytes)
      let anchors = AnchorSet(trust.anchors)
      precondition(anchors.anchors.allSatisfy { $0.merkleTree != nil })
      for tree in trust.trees {
        say("\(tree.cosigners.count) cosigners, \(tree.subtrees.count) subtrees")
        precondition(!tree.cosigners.isEmpty && tree.subtrees == tree.subtrees.sorted())
      }
    } catch {
      mustSay("\(error.description)")
      mustSay("\(error.summary)")
    }
  }
}
