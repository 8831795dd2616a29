public import HoldfastCertificates
internal import HoldfastSignatures

/// What a caller trusts of a CA that issues certificates in a Merkle tree: the CA, its cosigners, how
/// many of them must sign, and subtrees that are known already.
///
/// This is dated data. After its end nothing of it counts: proofs are then not evaluated, and no path
/// that needs one is valid.
@_spi(MerkleTrees)
public final class MerkleTree: Sendable {
  /// The draft by which the CA issues.
  public let draft: MerkleTreeDraft
  /// The certificate of the CA, which is trusted as an anchor's is. Its signature does not count.
  public let certificate: Certificate
  /// The ID of the CA.
  public let id: TrustAnchorID
  /// The serial numbers that the CA's certificate allows.
  public let serialNumbers: ClosedRange<UInt64>
  /// The cosigners, the CA first.
  public let cosigners: [MerkleTreeCosigner]
  /// The groups of cosigners of which some must have signed, besides the CA, which always must.
  public let quorums: [MerkleTreeQuorum]
  /// The subtrees that are trusted without signatures, in order.
  public let subtrees: [TrustedSubtree]
  /// The serial numbers that are revoked.
  public let revoked: [ClosedRange<UInt64>]
  /// The last moment at which the data may be used.
  public let end: Timestamp

  /// The keys of the cosigners, prepared.
  let keys: [PreparedKey]

  /// The most cosigners of a tree, and so the most signatures that are verified for a certificate.
  public static var maximumCosigners: Int { 32 }
  /// The most trusted subtrees of a tree: two for each hour of 85 days.
  public static var maximumSubtrees: Int { 4_096 }
  /// The most ranges of revoked serial numbers of a tree.
  public static var maximumRanges: Int { 1_024 }

  /// Creates the trust in a CA.
  ///
  /// - Parameters:
  ///   - certificate: The CA's certificate, which has its ID, key and range of serial numbers.
  ///   - cosigners: The cosigners besides the CA.
  ///   - end: The last moment at which the data may be used.
  public init(
    _ certificate: Certificate, _ draft: MerkleTreeDraft, cosigners: [MerkleTreeCosigner] = [],
    quorums: [MerkleTreeQuorum] = [], subtrees: [TrustedSubtree] = [],
    revoked: [ClosedRange<UInt64>] = [], until end: Timestamp
  ) throws(MerkleTreeError) {
    guard let id = TrustAnchorID(certificate.subject, draft) else { throw .badName }
    let authority = try Authority(certificate, draft)
    let all = [MerkleTreeCosigner(id, certificate.publicKey, authority.scheme)] + cosigners
    guard all.count <= MerkleTree.maximumCosigners else { throw .tooMany(.cosigners) }
    guard subtrees.count <= MerkleTree.maximumSubtrees else { throw .tooMany(.subtrees) }
    guard revoked.count <= MerkleTree.maximumRanges else { throw .tooMany(.ranges) }
    for (index, cosigner) in all.enumerated() {
      if all[..<index].contains(where: { $0.id == cosigner.id }) {
        throw .repeatedCosigner(cosigner.id)
      }
    }
    for quorum in quorums {
      for (index, member) in quorum.members.enumerated() {
        guard all.dropFirst().contains(where: { $0.id == member }) else {
          throw .unknownCosigner(member)
        }
        if quorum.members[..<index].contains(member) { throw .repeatedCosigner(member) }
      }
      guard 1...quorum.members.count ~= quorum.count else { throw .badQuorum(quorum.count) }
    }
    let sorted = subtrees.sorted()
    for (subtree, next) in zip(sorted, sorted.dropFirst())
    where subtree.range == next.range { throw .repeatedSubtree(next) }
    if let wrong = subtrees.first(where: { !$0.isValid }) { throw .badSubtree(wrong) }
    self.draft = draft
    self.certificate = certificate
    self.id = id
    serialNumbers = authority.serialNumbers
    self.cosigners = all
    self.quorums = quorums
    self.subtrees = sorted
    self.revoked = revoked
    self.end = end
    keys = all.map { PreparedKey($0.key, .anchor) }
  }

  /// The extension of the CA's certificate: MTCCertificationAuthority, §5.5 of the draft.
  private struct Authority {
    let scheme: SignatureScheme
    let serialNumbers: ClosedRange<UInt64>

    init(_ certificate: Certificate, _ draft: MerkleTreeDraft) throws(MerkleTreeError) {
      let known = certificate.extensions[draft.row.authority]
      guard let known, known.isCritical else { throw .noAuthority }
      guard certificate.isCA, certificate.extensions.keyUsage?.contains(.keyCertSign) == true
      else { throw .notCA }
      let input = known.value.input
      var reader = DERReader(known.value)
      var ignored: [EncodingDeviation] = []
      let (scheme, least, most): (SignatureScheme?, UInt64, UInt64)
      do throws(DERError) {
        var fields = try reader.read(.sequence, in: input)
        try reader.finish()
        if draft.row.hasLogHash {
          var hash = try fields.read(.sequence, in: input)
          let start = hash.position
          guard try hash.readOID(in: input) == "2.16.840.1.101.3.4.2.1" else {
            throw DERError(.badValue, at: start)
          }
          if !hash.isAtEnd { try hash.readNull(in: input) }
          try hash.finish()
        }
        scheme = try SignatureAlgorithm(&fields, in: input, &ignored).scheme
        least = try fields.readUInt64(in: input)
        most = try fields.readUInt64(in: input)
        try fields.finish()
      } catch {
        throw .badAuthority(at: error.offset)
      }
      guard let scheme, MerkleTreeCosigner.isSupported(scheme),
        certificate.publicKey.verifies(scheme)
      else { throw .unsupportedKey }
      guard least <= most else { throw .badAuthority(at: known.value.startIndex) }
      (self.scheme, serialNumbers) = (scheme, least...most)
    }
  }

  /// Returns the trusted subtree with a range; nil if it is not trusted.
  func trusted(_ range: MerkleSubtree) -> TrustedSubtree? {
    let index = partitionPoint(of: subtrees.count) { subtrees[$0].range.precedes(range) }
    guard index < subtrees.count, subtrees[index].range == range else { return nil }
    return subtrees[index]
  }
}

/// A cosigner of a tree: its ID and its key.
@_spi(MerkleTrees)
public struct MerkleTreeCosigner: Sendable, Hashable {
  /// The ID.
  public let id: TrustAnchorID
  /// The key.
  public let key: PublicKey
  /// The scheme of its signatures.
  let scheme: SignatureScheme

  init(_ id: TrustAnchorID, _ key: PublicKey, _ scheme: SignatureScheme) {
    (self.id, self.key, self.scheme) = (id, key, scheme)
  }

  /// Creates a cosigner. Its key is one of ECDSA on P-256, P-384 or P-521, which then signs with
  /// SHA-256, SHA-384 or SHA-512, of Ed25519, or of ML-DSA; nil for other keys.
  public init?(_ id: TrustAnchorID, _ key: PublicKey) {
    let scheme: SignatureScheme? =
      switch key.kind {
      case .ec(.p256): .ecdsa(.sha256)
      case .ec(.p384): .ecdsa(.sha384)
      case .ec(.p521): .ecdsa(.sha512)
      case .raw(let scheme): scheme
      default: nil
      }
    guard let scheme, MerkleTreeCosigner.isSupported(scheme), SignatureChecks.isValidKey(key) else {
      return nil
    }
    self.init(id, key, scheme)
  }

  static func isSupported(_ scheme: SignatureScheme) -> Bool {
    switch scheme {
    case .ecdsa(let hash): hash == .sha256 || hash == .sha384 || hash == .sha512
    case .ed25519, .mldsa: true
    case .rsaPKCS1, .rsaPSS, .ed448: false
    }
  }
}

/// How many cosigners of a group must have signed.
@_spi(MerkleTrees)
public struct MerkleTreeQuorum: Sendable, Hashable {
  /// How many.
  public let count: Int
  /// The group.
  public let members: [TrustAnchorID]

  /// Creates a quorum.
  public init(_ count: Int, of members: [TrustAnchorID]) {
    (self.count, self.members) = (count, members)
  }
}

/// A subtree that is trusted without signatures, such as one of a landmark.
@_spi(MerkleTrees)
public struct TrustedSubtree: Sendable, Hashable, Comparable {
  let range: MerkleSubtree
  let hash: Digest

  /// The number of the log.
  public var log: UInt16 { range.log }
  /// The first entry.
  public var start: UInt64 { range.start }
  /// The entry after the last.
  public var end: UInt64 { range.end }

  /// Creates a subtree from its hash; nil if that is not a SHA-256.
  public init?(log: UInt16, start: UInt64, end: UInt64, hash: [UInt8]) {
    guard hash.count == MerkleTreeProof.hashSize, let digest = Digest(hash.span) else { return nil }
    range = MerkleSubtree(log: log, start: start, end: end)
    self.hash = digest
  }

  /// Whether the range is one of a log, whose numbers have 48 bits.
  var isValid: Bool { log > 0 && range.isValid && end >> 48 == 0 }

  /// Orders subtrees by log, then by range.
  public static func < (a: TrustedSubtree, b: TrustedSubtree) -> Bool { a.range.precedes(b.range) }
}

/// Why there is no trust in a tree.
@_spi(MerkleTrees)
@nonexhaustive
public enum MerkleTreeError: Error, Sendable, Hashable {
  /// The subject of the CA's certificate is not a trust anchor ID.
  case badName
  /// The certificate has no critical extension of a CA that issues in a tree by this draft.
  case noAuthority
  /// The extension is malformed, or its hash function is not SHA-256: the byte in the certificate.
  case badAuthority(at: Int)
  /// The certificate is not a CA's that may sign certificates.
  case notCA
  /// The key of a cosigner is not one that signs subtrees here.
  case unsupportedKey
  /// There are more parts than are read.
  case tooMany(Part)
  /// A cosigner occurs twice.
  case repeatedCosigner(TrustAnchorID)
  /// A quorum names a cosigner that is not known, or the CA, which always must sign.
  case unknownCosigner(TrustAnchorID)
  /// A quorum asks for none, or for more than its members.
  case badQuorum(Int)
  /// The range of a subtree is not one that trees of all sizes have.
  case badSubtree(TrustedSubtree)
  /// A subtree occurs twice.
  case repeatedSubtree(TrustedSubtree)

  /// A part of which there may be only some.
  public enum Part: String, Sendable, Hashable {
    /// Cosigners.
    case cosigners
    /// Trusted subtrees.
    case subtrees
    /// Ranges of serial numbers.
    case ranges
  }
}

extension MerkleTreeError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidMerkleTree.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The trust in a Merkle tree cannot be used." }

  /// `the subject of the CA's certificate is not a trust anchor ID`.
  public var description: String {
    switch self {
    case .badName: "the subject of the CA's certificate is not a trust anchor ID"
    case .noAuthority:
      "the certificate has no critical extension of a CA that issues in a Merkle tree by this draft"
    case .badAuthority(let offset):
      "the extension of the CA's certificate is not one of a tree of SHA-256, at byte \(offset)"
    case .notCA: "the certificate is not a CA's that may sign certificates"
    case .unsupportedKey: "the key is not ECDSA, Ed25519 or ML-DSA, or not that of its algorithm"
    case .tooMany(let part): "too many \(part.rawValue)"
    case .repeatedCosigner(let id): "cosigner \(id) occurs twice"
    case .unknownCosigner(let id): "\(id) is not a cosigner besides the CA"
    case .badQuorum(let count): "\(count) cosigners are not from 1 to all of the group"
    case .badSubtree(let subtree): "entries \(subtree.start) to \(subtree.end) are no subtree"
    case .repeatedSubtree(let subtree):
      "entries \(subtree.start) to \(subtree.end) of log \(subtree.log) occur twice"
    }
  }
}
