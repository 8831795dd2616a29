package import HoldfastCertificates

/// A version of Merkle Tree Certificates that is read: draft-ietf-plants-merkle-tree-certs.
///
/// The numbers of both versions are experimental, and later drafts have others.
@_spi(MerkleTrees)
@nonexhaustive
public enum MerkleTreeDraft: String, Sendable, Hashable, CaseIterable {
  /// Version -05.
  case draft05 = "05"
  /// Version -06, whose proofs have a longer list of cosignatures, and whose CA certificates name the
  /// hash function by the extension.
  case draft06 = "06"

  /// What tells the versions apart.
  typealias Row =
    (nameAttribute: OID, nameTag: UInt8, authority: OID, hasLogHash: Bool, lengthOfSignatures: Int)

  var row: Row {
    switch self {
    case .draft05: MerkleTreeDraft.row05
    case .draft06: MerkleTreeDraft.row06
    }
  }

  // Each is made once, for an OID is parsed from its text: half of the time of a validation.
  private static let row05: Row =
    ("1.3.6.1.4.1.44363.47.1", 0x0C, "1.3.6.1.4.1.44363.47.2", true, 2)
  private static let row06: Row =
    ("1.3.6.1.4.1.44363.47.3", 0x0D, "1.3.6.1.4.1.44363.47.4", false, 3)
}

extension OID {
  /// The signature algorithm of a certificate with a proof: id-alg-mtcProof, as experiments have it.
  package static let merkleTreeProof: OID = "1.3.6.1.4.1.44363.47.0"
}

extension MerkleTreeDraft: CustomStringConvertible {
  /// `draft-ietf-plants-merkle-tree-certs-05`.
  public var description: String { "draft-ietf-plants-merkle-tree-certs-\(rawValue)" }
}
