public import HoldfastCertificates

/// The proof that a certificate has instead of a signature: MTCProof, §6.2 of the draft.
@_spi(MerkleTrees)
public struct MerkleTreeProof: Sendable, Hashable {
  /// The draft by which the proof was read.
  public let draft: MerkleTreeDraft
  /// The extensions of the log's entry, after their length.
  let extensions: Bytes
  /// The first entry of the subtree.
  public let start: UInt64
  /// The entry after the last of the subtree.
  public let end: UInt64
  /// The inclusion proof, from the entry up.
  let hashes: Bytes
  /// The signatures on the subtree.
  public let cosignatures: [Cosignature]

  /// The size of a hash: all trees here are of SHA-256.
  static var hashSize: Int { 32 }
  /// No proof has more hashes, since the numbers of entries have 48 bits.
  static var maximumHashes: Int { 48 }
  /// The most cosignatures of a proof, so that a proof takes no more memory than its certificate.
  public static var maximumCosignatures: Int { 256 }

  /// A signature of a cosigner.
  public struct Cosignature: Sendable, Hashable {
    /// The cosigner, as it is encoded.
    let cosigner: Bytes
    /// The signature.
    public let signature: Bytes

    /// The cosigner's ID as text, or as hexadecimal if it is not an ID.
    public var cosignerName: String { TrustAnchorID(cosigner)?.description ?? "\(cosigner)" }
  }

  /// The number of hashes between the entry and the subtree.
  public var hashCount: Int { hashes.count / MerkleTreeProof.hashSize }

  /// Reads the proof of a certificate by the draft that its issuer's name has, or else by the first
  /// that fits. No proof fits both.
  public init(of certificate: Certificate) throws(MerkleTreeProofError) {
    let named = MerkleTreeDraft.allCases.first { TrustAnchorID(certificate.issuer, $0) != nil }
    do throws(MerkleTreeProofError) {
      try self.init(certificate.signature, named ?? .draft05)
    } catch {
      guard named == nil else { throw error }
      do throws(MerkleTreeProofError) {
        try self.init(certificate.signature, .draft06)
      } catch _ {
        throw error
      }
    }
  }

  /// Reads a proof, after which nothing may follow.
  init(_ bytes: Bytes, _ draft: MerkleTreeDraft) throws(MerkleTreeProofError) {
    self.draft = draft
    var reader = Reader(DERReader(bytes), in: bytes.input)
    let first = reader.position
    try reader.checkExtensions(try reader.readVector(2))
    extensions = Bytes(unchecked: bytes.input, first, reader.position)
    start = try reader.readNumber(6)
    end = try reader.readNumber(6)
    let position = reader.position
    let hashes = try reader.readVector(2)
    guard hashes.count % MerkleTreeProof.hashSize == 0 else {
      throw MerkleTreeProofError(.hashesNotWhole, at: position)
    }
    self.hashes = hashes.bytes.rest(in: bytes.input)
    var signatures = try reader.readVector(draft.row.lengthOfSignatures)
    guard reader.isAtEnd else { throw MerkleTreeProofError(.trailingBytes, at: reader.position) }
    cosignatures = try signatures.readCosignatures()
  }

  /// A reader of TLS presentation language, whose errors are those of a proof.
  private struct Reader {
    var bytes: DERReader
    let input: [UInt8]

    init(_ bytes: DERReader, in input: [UInt8]) { (self.bytes, self.input) = (bytes, input) }

    var position: Int { bytes.position }
    var count: Int { bytes.count }
    var isAtEnd: Bool { bytes.isAtEnd }

    mutating func readNumber(_ count: Int) throws(MerkleTreeProofError) -> UInt64 {
      do throws(DERError) {
        return try bytes.readNumber(bytes: count, in: input)
      } catch {
        throw MerkleTreeProofError(.truncated, at: error.offset)
      }
    }

    mutating func readVector(_ lengthBytes: Int) throws(MerkleTreeProofError) -> Reader {
      do throws(DERError) {
        return Reader(try bytes.readVector(lengthBytes: lengthBytes, in: input), in: input)
      } catch {
        throw MerkleTreeProofError(.truncated, at: error.offset)
      }
    }

    /// Checks that the extensions of an entry are in ascending order. §5.2.1 of the draft.
    func checkExtensions(_ list: Reader) throws(MerkleTreeProofError) {
      var list = list
      var last: UInt64?
      while !list.isAtEnd {
        let position = list.position
        let type = try list.readNumber(2)
        _ = try list.readVector(2)
        if let last, type <= last { throw MerkleTreeProofError(.extensionOrder, at: position) }
        last = type
      }
    }

    /// Reads the cosignatures, which are in the order of their cosigners: shorter IDs come first, then
    /// the bytes decide.
    mutating func readCosignatures() throws(MerkleTreeProofError) -> [Cosignature] {
      var all: [Cosignature] = []
      while !isAtEnd {
        let position = position
        let cosigner = try readVector(1).bytes.rest(in: input)
        guard !cosigner.isEmpty else { throw MerkleTreeProofError(.emptyCosigner, at: position) }
        let signature = try readVector(2).bytes.rest(in: input)
        if let last = all.last?.cosigner {
          if last == cosigner { throw MerkleTreeProofError(.repeatedCosigner, at: position) }
          let isAfter =
            last.count < cosigner.count
            || last.count == cosigner.count && last.lexicographicallyPrecedes(cosigner)
          guard isAfter else { throw MerkleTreeProofError(.cosignerOrder, at: position) }
        }
        guard all.count < MerkleTreeProof.maximumCosignatures else {
          throw MerkleTreeProofError(.tooManyCosignatures, at: position)
        }
        all.append(Cosignature(cosigner: cosigner, signature: signature))
      }
      return all
    }
  }
}

/// Why the bytes of a signature are not a proof.
@_spi(MerkleTrees)
public struct MerkleTreeProofError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The offset of the byte in the certificate.
  public let offset: Int

  init(_ problem: Problem, at offset: Int) { (self.problem, self.offset) = (problem, offset) }

  /// The ways in which a proof can be malformed.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// A length or a number exceeds the bytes that are left.
    case truncated
    /// Bytes follow the proof.
    case trailingBytes
    /// The extensions of the entry are not in ascending order.
    case extensionOrder
    /// The inclusion proof is not a whole number of hashes.
    case hashesNotWhole
    /// A cosigner has an empty ID.
    case emptyCosigner
    /// A cosigner has two signatures.
    case repeatedCosigner
    /// The cosigners are not in ascending order.
    case cosignerOrder
    /// There are more cosignatures than are read.
    case tooManyCosignatures

    /// What is wrong, in a few words.
    var text: String {
      switch self {
      case .truncated: "a length exceeds the proof"
      case .trailingBytes: "bytes follow the proof"
      case .extensionOrder: "the extensions of the entry are not in order"
      case .hashesNotWhole: "the inclusion proof is not a whole number of hashes"
      case .emptyCosigner: "a cosigner has an empty ID"
      case .repeatedCosigner: "a cosigner has a second signature"
      case .cosignerOrder: "the cosigners are not in order"
      case .tooManyCosignatures: "more than \(MerkleTreeProof.maximumCosignatures) cosignatures"
      }
    }
  }
}

extension MerkleTreeProofError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidMerkleTreeProof.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The proof of the certificate cannot be read." }

  /// `the cosigners are not in order at byte 412`.
  public var description: String { "\(problem.text) at byte \(offset)" }
}
