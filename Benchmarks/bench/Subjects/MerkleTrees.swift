internal import Foundation
internal import Holdfast
@_spi(MerkleTrees) internal import HoldfastPaths
internal import HoldfastSignatures
@_spi(MerkleTrees) internal import HoldfastTransparency

/// merkle: certificates with proofs in Merkle trees, from parsed certificates to paths.
enum MerkleTrees {
  static func cases() -> [Case] { [standalone, landmark].compactMap(\.self) }

  private static let folder = "Vectors/merkle"

  private static func certificate(_ name: String) -> Certificate? {
    guard let text = ChainFiles.bytes("\(folder)/certificates.pem") else { return nil }
    let blocks = String(decoding: text, as: UTF8.self).components(separatedBy: "-----END")
    let block = blocks.first { $0.contains("\n\(name)\n-----BEGIN") }
    return block.flatMap { try? Certificate(pem: $0 + "-----END CERTIFICATE-----\n") }
  }

  private static func trust(_ name: String) -> MerkleTrust? {
    ChainFiles.bytes("\(folder)/\(name).json").flatMap { try? MerkleTrust(json: $0) }
  }

  private static func validated(_ leaf: Certificate, _ trust: MerkleTrust) -> (() -> Bool)? {
    let anchors = AnchorSet(trust.anchors)
    anchors.prepareKeys()
    let validator = PathValidator(anchors: anchors)
    guard let purpose = try? Purpose.server("tree.example"),
      let time = Timestamp("2026-06-01T00:00:00Z")
    else { return nil }
    return { (try? validator.validate([leaf], for: purpose, at: time)) != nil }
  }

  /// A path by an inclusion proof and two signatures of ML-DSA-44, beside two such verifications with
  /// keys that are prepared in the same way, of a message that is as long and was not signed.
  private static var standalone: Case? {
    guard let leaf = certificate("pair"), let trust = trust("trust-pair"),
      let proof = try? MerkleTreeProof(of: leaf), proof.cosignatures.count == 2,
      let path = validated(leaf, trust)
    else { return nil }
    let signed = zip(trust.trees[0].cosigners, proof.cosignatures).compactMap { cosigner, found in
      (try? VerificationKey(.mldsa(.mldsa44), key: cosigner.key.bytes.array.span)).map {
        (key: $0.prepared(for: .anchor), signature: found.signature.array)
      }
    }
    let message = [UInt8](repeating: 1, count: 128)
    return Case(
      subject: "merkle", name: "standalone, two ML-DSA-44",
      contenders: [
        .ours("path", path),
        .ours("verifications") {
          signed.count == 2
            && signed.allSatisfy {
              $0.key.verify(.mldsa(.mldsa44), message: message.span, signature: $0.signature.span)
                == .invalid
            }
        },
      ], note: "\(proof.hashCount) hashes")
  }

  /// A path by a subtree that is trusted.
  private static var landmark: Case? {
    guard let leaf = certificate("landmark-of-million-05"), let trust = trust("trust-05"),
      let proof = try? MerkleTreeProof(of: leaf), let path = validated(leaf, trust)
    else { return nil }
    return Case(
      subject: "merkle", name: "landmark of 2^20 entries", contenders: [.ours("path", path)],
      note: "\(proof.hashCount) hashes")
  }
}
