public import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON
@_spi(MerkleTrees) public import HoldfastPaths

/// The Merkle trees that a caller trusts, as a document of JSON: CAs, cosigners, how many of them must
/// sign, trusted subtrees, revoked serial numbers, and until when.
///
/// No such document is part of this library, and none is fetched. The format is ours and experimental.
/// Unlike a log list, it is read as a whole or not at all: a part that is not understood might end a
/// trust.
@_spi(MerkleTrees)
public struct MerkleTrust: Sendable {
  /// The last moment at which the data may be used.
  public let end: Timestamp
  /// The trees, each of another CA.
  public let trees: [MerkleTree]

  /// The anchors of the trees.
  public var anchors: [TrustAnchor] { trees.map { TrustAnchor($0) } }

  /// The maximum size of a document in bytes.
  package static let maximumSize = 16 << 20
  /// The maximum number of trees in a document.
  package static let maximumTrees = 1_024

  /// Parses a document.
  public init(json: [UInt8]) throws(MerkleTrustError) {
    guard json.count <= MerkleTrust.maximumSize else {
      throw MerkleTrustError(.tooLarge(limit: MerkleTrust.maximumSize))
    }
    let document: JSONValue
    do throws(JSONReader.Problem) {
      document = try JSONValue(parsing: json)
    } catch {
      throw MerkleTrustError(.notJSON(message: error.message, offset: error.offset))
    }
    let whole = try MerkleTrustReader(
      document, at: "", members: ["merkle_trust", "good_until", "trees"])
    guard try whole.number("merkle_trust") == 1 else {
      throw MerkleTrustError(.unknownVersion, at: "merkle_trust")
    }
    guard let end = Timestamp(try whole.text("good_until")) else {
      throw MerkleTrustError(.badTime, at: "good_until")
    }
    var trees: [MerkleTree] = []
    for entry in try whole.list("trees", limit: MerkleTrust.maximumTrees) {
      let tree = try MerkleTrustReader(
        entry.value, at: entry.path,
        members: ["draft", "certificate", "cosigners", "quorums", "subtrees", "revoked"]
      ).tree(until: end)
      guard !trees.contains(where: { $0.id == tree.id }) else {
        throw MerkleTrustError(.repeatedTree, at: entry.path)
      }
      trees.append(tree)
    }
    (self.end, self.trees) = (end, trees)
  }

  /// Reads a document from a file.
  public init(file path: String) throws(MerkleTrustError) {
    let json: [UInt8]
    do throws(Platform.FileError) {
      json = try Platform.readFile(path, limit: MerkleTrust.maximumSize)
    } catch {
      throw MerkleTrustError(.unreadable(error.message), in: path)
    }
    do throws(MerkleTrustError) {
      try self.init(json: json)
    } catch {
      throw MerkleTrustError(error.problem, at: error.path, in: path)
    }
  }
}

/// Reads an object of a document, whose members are all known.
private struct MerkleTrustReader {
  private let members: [JSONValue.Member]
  private let place: String

  init(_ value: JSONValue, at path: String, members known: [String]) throws(MerkleTrustError) {
    place = path
    guard case .object(let members) = value else {
      throw MerkleTrustError(.unexpectedType, at: path)
    }
    self.members = members
    for member in members where !known.contains(member.name) {
      throw MerkleTrustError(.unknownMember, at: self.path(member.name))
    }
  }

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  private func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  private func required(_ name: String) throws(MerkleTrustError) -> JSONValue {
    guard let value = value(name) else { throw MerkleTrustError(.missing, at: path(name)) }
    return value
  }

  func text(_ name: String) throws(MerkleTrustError) -> String {
    guard let text = try required(name).text else {
      throw MerkleTrustError(.unexpectedType, at: path(name))
    }
    return text
  }

  /// Reads a whole number, or, if it may exceed 2^53, one in a string.
  func number(_ name: String, isText: Bool = false) throws(MerkleTrustError) -> UInt64 {
    let digits: String
    switch try required(name) {
    case .number(let text) where !isText: digits = text
    case .string(let text) where isText: digits = text
    default: throw MerkleTrustError(.unexpectedType, at: path(name))
    }
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt64(digits) else {
      throw MerkleTrustError(.badNumber, at: path(name))
    }
    return number
  }

  private func small<Number: FixedWidthInteger>(
    _ name: String
  ) throws(MerkleTrustError) -> Number {
    guard let number = Number(exactly: try number(name)) else {
      throw MerkleTrustError(.badNumber, at: path(name))
    }
    return number
  }

  private func bytes(_ name: String) throws(MerkleTrustError) -> [UInt8] {
    guard let bytes = Base64.bytes(of: Array(try text(name).utf8)) else {
      throw MerkleTrustError(.badBase64, at: path(name))
    }
    return bytes
  }

  /// The elements of a list, which is empty if it is absent, and their paths.
  func list(
    _ name: String, limit: Int
  ) throws(MerkleTrustError) -> [(value: JSONValue, path: String)] {
    guard let value = value(name) else { return [] }
    guard case .array(let values) = value else {
      throw MerkleTrustError(.unexpectedType, at: path(name))
    }
    guard values.count <= limit else { throw MerkleTrustError(.tooMany(limit), at: path(name)) }
    return values.enumerated().map { ($1, "\(path(name))[\($0)]") }
  }

  /// Reads the trust in a tree.
  func tree(until end: Timestamp) throws(MerkleTrustError) -> MerkleTree {
    guard let draft = MerkleTreeDraft(rawValue: try text("draft")) else {
      throw MerkleTrustError(.unknownVersion, at: path("draft"))
    }
    let der = try bytes("certificate")
    let certificate: Certificate
    do throws(ParseError) {
      certificate = try Certificate(der: der)
    } catch {
      throw MerkleTrustError(.badCertificate(error), at: path("certificate"))
    }
    var cosigners: [MerkleTreeCosigner] = []
    for entry in try list("cosigners", limit: MerkleTree.maximumCosigners) {
      let reader = try MerkleTrustReader(entry.value, at: entry.path, members: ["id", "key"])
      cosigners.append(try reader.cosigner())
    }
    var quorums: [MerkleTreeQuorum] = []
    for entry in try list("quorums", limit: MerkleTree.maximumCosigners) {
      let reader = try MerkleTrustReader(entry.value, at: entry.path, members: ["count", "of"])
      quorums.append(try reader.quorum())
    }
    var subtrees: [TrustedSubtree] = []
    for entry in try list("subtrees", limit: MerkleTree.maximumSubtrees) {
      let reader = try MerkleTrustReader(
        entry.value, at: entry.path, members: ["log", "start", "end", "hash"])
      subtrees.append(try reader.subtree())
    }
    var revoked: [ClosedRange<UInt64>] = []
    for entry in try list("revoked", limit: MerkleTree.maximumRanges) {
      let reader = try MerkleTrustReader(entry.value, at: entry.path, members: ["first", "last"])
      revoked.append(try reader.serialNumbers())
    }
    do throws(MerkleTreeError) {
      return try MerkleTree(
        certificate, draft, cosigners: cosigners, quorums: quorums, subtrees: subtrees,
        revoked: revoked, until: end)
    } catch {
      throw MerkleTrustError(.badTree(error), at: place)
    }
  }

  private func cosigner() throws(MerkleTrustError) -> MerkleTreeCosigner {
    guard let id = TrustAnchorID(try text("id")) else {
      throw MerkleTrustError(.badID, at: path("id"))
    }
    let der = try bytes("key")
    let key: PublicKey
    do throws(DERError) {
      key = try PublicKey(whole: der)
    } catch {
      throw MerkleTrustError(.badKey, at: path("key"))
    }
    guard let cosigner = MerkleTreeCosigner(id, key) else {
      throw MerkleTrustError(.badKey, at: path("key"))
    }
    return cosigner
  }

  private func quorum() throws(MerkleTrustError) -> MerkleTreeQuorum {
    var members: [TrustAnchorID] = []
    for entry in try list("of", limit: MerkleTree.maximumCosigners) {
      guard let id = entry.value.text.flatMap({ TrustAnchorID($0) }) else {
        throw MerkleTrustError(.badID, at: entry.path)
      }
      members.append(id)
    }
    return MerkleTreeQuorum(try small("count"), of: members)
  }

  private func subtree() throws(MerkleTrustError) -> TrustedSubtree {
    let subtree = TrustedSubtree(
      log: try small("log"), start: try number("start"), end: try number("end"),
      hash: try bytes("hash"))
    guard let subtree else { throw MerkleTrustError(.badHash, at: path("hash")) }
    return subtree
  }

  private func serialNumbers() throws(MerkleTrustError) -> ClosedRange<UInt64> {
    let (first, last) = (try number("first", isText: true), try number("last", isText: true))
    guard first <= last else { throw MerkleTrustError(.badNumber, at: path("last")) }
    return first...last
  }
}

/// Why bytes are not a document about trust in Merkle trees.
@_spi(MerkleTrees)
public struct MerkleTrustError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The part, as a path: `trees[0].cosigners[1].key`; empty for the whole.
  public let path: String
  /// The file, if one was read.
  public let file: String?

  init(_ problem: Problem, at path: String = "", in file: String? = nil) {
    (self.problem, self.path, self.file) = (problem, path, file)
  }

  /// The ways in which a document can be unusable.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// More bytes than the limit.
    case tooLarge(limit: Int)
    /// The bytes are not JSON: why, and the byte offset.
    case notJSON(message: String, offset: Int)
    /// The file cannot be read; with the system's message.
    case unreadable(String)
    /// The version of the document or the draft of a tree is not known.
    case unknownVersion
    /// The part is missing.
    case missing
    /// The part is not known.
    case unknownMember
    /// The part has another type than expected.
    case unexpectedType
    /// The list has more elements than the limit.
    case tooMany(Int)
    /// The text is not base64.
    case badBase64
    /// The number is not a whole number in its range.
    case badNumber
    /// The text is not a time.
    case badTime
    /// The text is not a trust anchor ID.
    case badID
    /// The key is not one with which cosigners sign.
    case badKey
    /// The hash is not one of SHA-256.
    case badHash
    /// The certificate cannot be read.
    case badCertificate(ParseError)
    /// The parts do not make a tree.
    case badTree(MerkleTreeError)
    /// Another tree is of the same CA.
    case repeatedTree
  }
}

extension MerkleTrustError: HoldfastError {
  /// What is wrong: `trust.json: trust in Merkle trees: trees[0].draft: not a known version`.
  public var description: String {
    let what =
      switch problem {
      case .tooLarge(let limit): "more than \(limit) bytes"
      case .notJSON(let message, let offset): "not JSON: \(message) at byte \(offset)"
      case .unreadable(let message): message
      case .unknownVersion: "not a known version"
      case .missing: "missing"
      case .unknownMember: "not a known member"
      case .unexpectedType: "of another type than expected"
      case .tooMany(let limit): "more than \(limit) elements"
      case .badBase64: "not base64"
      case .badNumber: "not a whole number in its range"
      case .badTime: "not a time"
      case .badID: "not a trust anchor ID"
      case .badKey: "not a key of ECDSA, Ed25519 or ML-DSA"
      case .badHash: "not a SHA-256"
      // Of what is wrong with the certificate as a whole, the path names it.
      case .badCertificate(let error) where error.fieldName == "certificate":
        "\(error.message) at byte \(error.offset) [\(error.citation)]"
      case .badCertificate(let error): "\(error)"
      case .badTree(let error): "\(error)"
      case .repeatedTree: "a second tree of this CA"
      }
    return (file.map { "\($0): " } ?? "") + "trust in Merkle trees: "
      + (path.isEmpty ? "" : "\(path): ") + what
  }

  /// The stable identifier of what is wrong.
  public var code: String { errorCode.rawValue }

  private var errorCode: ErrorCode {
    switch problem {
    case .unreadable: .unreadableFile
    case .tooLarge, .tooMany: .tooLarge
    case .notJSON, .unknownVersion, .missing, .unknownMember, .unexpectedType, .badBase64,
      .badNumber,
      .badTime, .badID, .badKey, .badHash, .badCertificate, .badTree, .repeatedTree:
      .invalidMerkleTree
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .unreadable: "The trust in Merkle trees\(name) cannot be read."
    case .notJSON: "The trust in Merkle trees\(name) is not valid JSON."
    default: "The trust in Merkle trees\(name) is not in the expected form."
    }
  }
}
