public import HoldfastCertificates
internal import HoldfastSignatures

/// The verification of a proof. §7.2 of the draft.
extension MerkleTree {
  /// Returns why the proof of a certificate does not show that the CA has issued it; nil if it does.
  ///
  /// All work is paid from the budget: the hashes by their bytes, before anything is hashed, and each
  /// signature as any other.
  func failure(
    of certificate: Certificate, at time: Timestamp, _ budget: inout Budget
  ) throws(CheckFailure) -> MerkleTreeFailure? {
    let number = MerkleTreeEntry(certificate.serialNumber)
    func failure(_ kind: MerkleTreeFailure.Kind, at bytes: Range<Int>? = nil) -> MerkleTreeFailure {
      MerkleTreeFailure(
        tree: id, entry: number, kind: kind, bytes: bytes ?? certificate.signature.range)
    }
    guard time <= end else { return failure(.outdated(end)) }
    try budget.spendComparedBytes(certificate.der.count)
    let proof: MerkleTreeProof
    do throws(MerkleTreeProofError) {
      proof = try MerkleTreeProof(certificate.signature, draft)
    } catch {
      let offset = min(error.offset, certificate.der.count - 1)
      return failure(.malformed(error.problem), at: offset..<offset + 1)
    }
    let algorithm = certificate.innerSignatureAlgorithm.der
    // The entry does not contain the algorithm, which has exactly one form: 2 bytes and the OID.
    guard algorithm == certificate.signatureAlgorithm.der, algorithm.count == 14 else {
      return failure(.algorithm, at: algorithm.range)
    }
    guard let entry = number else {
      return failure(.serialNumber, at: certificate.serialNumber.bytes.range)
    }
    guard serialNumbers.contains(entry.serial) else {
      return failure(.notOfAuthority, at: certificate.serialNumber.bytes.range)
    }
    // A node is hashed in two blocks of 64 bytes.
    try budget.spendComparedBytes(4 * proof.hashes.count)
    let subtree = MerkleSubtree(log: entry.log, start: proof.start, end: proof.end)
    guard let leaf = MerkleSubtree.entry(of: certificate, proof.extensions) else {
      return failure(.noSubtree)
    }
    let hash: Digest
    do throws(MerkleSubtree.Failure) {
      hash = try subtree.hash(from: leaf, at: entry.index, by: proof.hashes)
    } catch {
      let hashes = proof.hashes
      // The two numbers of 48 bits are before the length of the hashes.
      let range = hashes.startIndex - 14..<hashes.startIndex - 2
      return switch error {
      case .invalid: failure(.noSubtree, at: range)
      case .outside: failure(.outside(proof.start, proof.end), at: range)
      case .tooMany(let offset): failure(.tooManyHashes, at: offset..<hashes.endIndex)
      case .tooFew: failure(.tooFewHashes, at: hashes.range)
      }
    }
    if let trusted = trusted(subtree) {
      guard trusted.hash == hash else { return failure(.otherHash(proof.start, proof.end)) }
    } else if proof.cosignatures.isEmpty {
      return failure(.unknownSubtree(proof.start, proof.end))
    } else if let found = try cosignerProblem(proof, subtree, hash, &budget) {
      return failure(found.kind, at: found.bytes)
    }
    // At last, as with signatures: anybody can make a certificate with a number that is revoked.
    guard revoked.contains(where: { $0 ~= entry.serial }) else { return nil }
    return failure(.revoked, at: certificate.serialNumber.bytes.range)
  }

  /// What is wrong with a cosignature; without bytes if there is none.
  private typealias CosignerProblem = (kind: MerkleTreeFailure.Kind, bytes: Range<Int>?)

  /// Returns which cosignature is missing or wrong: first the CA's, then those of the groups.
  private func cosignerProblem(
    _ proof: MerkleTreeProof, _ subtree: MerkleSubtree, _ hash: Digest, _ budget: inout Budget
  ) throws(CheckFailure) -> CosignerProblem? {
    if let found = try problem(of: 0, proof, subtree, hash, &budget) { return found }
    // None is asked twice, though it may be in several groups; nil for those not asked yet.
    var known: [CosignerProblem??] = Array(repeating: nil, count: cosigners.count)
    for quorum in quorums {
      var count = 0
      var first: CosignerProblem?
      for index in cosigners.indices where quorum.members.contains(cosigners[index].id) {
        if count == quorum.count { break }
        let found =
          if let known = known[index] { known } else {
            try problem(of: index, proof, subtree, hash, &budget)
          }
        known[index] = .some(found)
        if found == nil { count += 1 }
        first = first ?? found
      }
      guard count < quorum.count, let first else { continue }
      return (.quorum(first.kind.text, count, of: quorum.count), first.bytes)
    }
    return nil
  }

  /// Returns what is wrong with the cosignature of a cosigner; nil if it verifies.
  private func problem(
    of index: Int, _ proof: MerkleTreeProof, _ subtree: MerkleSubtree, _ hash: Digest,
    _ budget: inout Budget
  ) throws(CheckFailure) -> CosignerProblem? {
    let cosigner = cosigners[index]
    let id = cosigner.id
    guard let found = proof.cosignatures.first(where: { $0.cosigner.elementsEqual(id.bytes) })
    else { return (.noCosignature(id), nil) }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: cosigner.key))
    let message = Bytes(message(of: cosigner, subtree, hash))
    let isValid = keys[index].verificationKey().map {
      SignatureChecks.verify(found.signature, of: message, cosigner.scheme, under: $0) == .valid
    }
    return isValid == true ? nil : (.badCosignature(id), found.signature.range)
  }

  /// Returns what a cosigner signs: CosignedMessage, §5.3.1 of the draft.
  private func message(
    of cosigner: MerkleTreeCosigner, _ subtree: MerkleSubtree, _ hash: Digest
  ) -> [UInt8] {
    let log = id.origin + Array(".0.\(subtree.log)".utf8)
    let name = cosigner.id.origin
    var message = Array("subtree/v1\n\0".utf8)
    message.reserveCapacity(128 + name.count + log.count)
    message.append(UInt8(truncatingIfNeeded: name.count))
    message += name
    message += Array(repeating: 0, count: 8)  // the timestamp
    message.append(UInt8(truncatingIfNeeded: log.count))
    message += log
    for number in [subtree.start, subtree.end] {
      message += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    for index in 0..<hash.count { message.append(hash[index]) }
    return message
  }
}

/// The number of an entry, which is the certificate's serial number: of its log, and in the log.
@_spi(MerkleTrees)
public struct MerkleTreeEntry: Sendable, Hashable {
  let serial: UInt64

  /// The number of the log, from 1.
  public var log: UInt16 { UInt16(truncatingIfNeeded: serial >> 48) }
  /// The index of the entry in the log.
  public var index: UInt64 { serial & 0xFFFF_FFFF_FFFF }

  /// Reads the number from a serial number; nil if it is not one of a log's entry. §6.2 of the draft.
  public init?(_ number: SerialNumber) {
    let bytes = number.bytes.first == 0 ? number.bytes.dropFirst() : number.bytes[...]
    guard !number.isNegative, bytes.count <= 8 else { return nil }
    serial = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    guard log > 0 else { return nil }
  }
}

/// Why a proof does not count: the tree, the entry, and the bytes of the certificate.
struct MerkleTreeFailure: Sendable, Hashable {
  let tree: TrustAnchorID?
  var entry: MerkleTreeEntry?
  let kind: Kind
  let bytes: Range<Int>

  enum Kind: Sendable, Hashable {
    /// The data of the tree has ended.
    case outdated(Timestamp)
    /// The issuer is not a CA that is trusted with a tree.
    case noTree
    /// The certificate is signed with the key of a tree.
    case signed
    case algorithm
    case malformed(MerkleTreeProofError.Problem)
    case serialNumber
    /// The CA's certificate does not allow the serial number.
    case notOfAuthority
    case revoked
    case noSubtree
    case outside(UInt64, UInt64)
    case tooManyHashes
    case tooFewHashes
    /// The hash of a trusted subtree is another one.
    case otherHash(UInt64, UInt64)
    /// The subtree is not trusted, and no cosigner has signed it.
    case unknownSubtree(UInt64, UInt64)
    case noCosignature(TrustAnchorID)
    case badCosignature(TrustAnchorID)
    /// A group has too few signatures: what is wrong with the first, how many count, of how many.
    case quorum(String, Int, of: Int)

    /// What is wrong, in a few words.
    var text: String {
      switch self {
      case .outdated(let end): "not evaluated: what is known of the tree ended at \(end)"
      case .noTree: "the issuer is not trusted to issue in a tree"
      case .signed: "signed with the key of a tree, which signs no certificates"
      case .algorithm: "the algorithm of a proof is not in both places, without parameters"
      case .malformed(let problem): problem.text
      case .serialNumber: "the serial number is not one of an entry"
      case .notOfAuthority: "the serial number is not one that the CA's certificate allows"
      case .revoked: "the serial number is revoked"
      case .noSubtree: "the range of the proof is no subtree"
      case .outside(let start, let end): "not among the entries \(start) to \(end) of the proof"
      case .tooManyHashes: "the inclusion proof has too many hashes"
      case .tooFewHashes: "the inclusion proof has too few hashes"
      case .otherHash(let start, let end):
        "the trusted subtree of the entries \(start) to \(end) has another hash"
      case .unknownSubtree(let start, let end):
        "no cosignatures, and the subtree of the entries \(start) to \(end) is not trusted"
      case .noCosignature(let id): "no cosignature of \(id.text)"
      case .badCosignature(let id): "the cosignature of \(id.text) does not verify"
      case .quorum(let what, let count, let all): "\(what), and \(count) of \(all) count"
      }
    }
  }

  /// The rule that the certificate breaks.
  var rule: Rule {
    switch kind {
    case .outdated: .merkleTreeOutdated
    case .revoked: .revoked
    default: .merkleTreeProof
    }
  }

  /// The violation of the certificate at an index.
  func violation(at index: Int) -> Violation {
    let section = rule == .revoked ? Rule.merkleTreeProof.citation : nil
    return Violation(rule, .text("\(self)"), at: bytes, index: index, citing: section)
  }
}

extension MerkleTreeFailure: CustomStringConvertible {
  /// `entry 33 of log 1 of 32473.1: no cosignature of 32473.1`.
  var description: String {
    let tree = tree.map { "tree of \($0.text)" }
    let place = entry.map { "entry \($0.index) of log \($0.log)" }
    let parts = [place, tree].compactMap { $0 }
    return parts.isEmpty ? kind.text : parts.joined(separator: " in the ") + ": " + kind.text
  }
}
