import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
@_spi(MerkleTrees) @testable import HoldfastPaths
import TestSupport
import Testing

/// BoringSSL's certificates of draft -05, and those of -04 that are alike.
@Suite(
  "Merkle trees of BoringSSL",
  .enabled(if: VectorSuites.has("mtc"), "\(VectorSuites.absence(of: "mtc"))"))
struct BoringMerkleTests {
  private static let now = Timestamp("2026-06-01T00:00:00Z") ?? .now

  private static func certificate(_ name: String) throws -> Certificate {
    try Certificate(file: "\(#require(VectorSuites.path(of: "mtc")))/\(name).pem")
  }

  /// The CA, perhaps from another serial number on.
  private static func tree(
    from serial: UInt8 = 8, _ subtrees: [TrustedSubtree] = [], until end: Timestamp = now
  ) throws -> MerkleTree {
    var der = try certificate("x509/ca_cert").der
    let least: [UInt8] = [2, 7, 1, 0, 0, 0, 0, 0, 8]
    let place = try #require(
      der.indices.first { der[$0...].starts(with: least) }, "the least serial number")
    der[place + 8] = serial
    return try MerkleTree(Certificate(der: der), .draft05, subtrees: subtrees, until: end)
  }

  private static func reason(
    _ chain: [Certificate], _ tree: MerkleTree, at time: Timestamp = now
  ) throws -> String {
    // One of them is a CA's, and one has no alternative names.
    let isCA = chain[0].extensions.basicConstraints?.isCA == true
    let host = chain[0].dnsNames.first { !$0.hasPrefix("*") }
    let validator = PathValidator(
      anchors: AnchorSet([TrustAnchor(tree)]), rules: isCA || host == nil ? .rfc5280 : .webPKI)
    let purpose: Purpose = try host.map { try .server($0) } ?? .any
    do throws(PathError) {
      let path = try validator.validate(chain, for: purpose, at: time)
      #expect(path.anchor.merkleTree === tree)
      return "accept"
    } catch {
      let rejection = error.rejections.first
      return "\(rejection?.rule.name ?? "none"): \(rejection.map { "\($0)" } ?? "\(error)")"
    }
  }

  @Test("valid certificates are valid", arguments: ["10_0", "33_1"])
  func valid(_ name: String) throws {
    let found = try Self.reason([Self.certificate("x509/cert_\(name)")], Self.tree())
    #expect(found == "accept")
  }

  @Test(
    "valid certificates are valid, all of them", .enabled(if: !isDebug, "release only"),
    arguments: ["10_1", "32_0", "33_0", "2034_0", "2035_0"])
  func allValidHeavy(_ name: String) throws {
    #expect(try Self.reason([Self.certificate("x509/cert_\(name)")], Self.tree()) == "accept")
  }

  @Test(
    "others are rejected with what is wrong",
    arguments: [
      (
        "33_2", "merkleTreeProof",
        "entry 33 of log 1 in the tree of 32473.1: the cosignature of 32473.1 does not verify"
      ),
      (
        "33_4", "merkleTreeProof",
        "entry 33 of log 1 in the tree of 32473.1: no cosignature of 32473.1"
      ),
      ("33_5", "merkleTreeProof", "the cosigners are not in order"),
      ("33_6", "merkleTreeProof", "a cosigner has a second signature"),
      ("33_7", "merkleTreeProof", "a cosigner has a second signature"),
      ("33_8", "merkleTreeProof", "signed with the key of a tree, which signs no certificates"),
      ("33_9", "merkleTreeProof", "the algorithm of a proof is not in both places"),
      (
        "2_0", "merkleTreeProof",
        "entry 2 of log 1 in the tree of 32473.1: the serial number is not one that the CA's "
          + "certificate allows"
      ),
      (
        "5036_0", "merkleTreeProof",
        "entry 5036 of log 1 in the tree of 32473.1: the serial number is not one that the CA's "
          + "certificate allows"
      ),
    ])
  func invalid(_ name: String, _ rule: String, _ text: String) throws {
    let found = try Self.reason([Self.certificate("x509/cert_\(name)")], Self.tree())
    #expect(found.hasPrefix("\(rule): "), "\(found)")
    #expect(TextSearch.end(of: text, in: found) != nil, "\(found)")
  }

  @Test("unused bits in a proof are none of DER's strings of bytes")
  func unusedBits() throws {
    #expect(throws: ParseError.self) { _ = try Self.certificate("x509/cert_33_3") }
  }

  @Test("old data is not evaluated")
  func outdated() throws {
    let tree = try Self.tree(until: #require(Timestamp("2026-05-31T23:59:59Z")))
    let found = try Self.reason([Self.certificate("x509/cert_33_1")], tree)
    #expect(found.hasPrefix("merkleTreeOutdated: "), "\(found)")
    let text = "not evaluated: what is known of the tree ended at 2026-05-31T23:59:59Z"
    #expect(TextSearch.end(of: text, in: found) != nil, "\(found)")
  }

  @Test("a subtree that is trusted needs no signature, for a leaf and for a CA above another leaf")
  func landmarks() throws {
    let hash = try #require(
      Base64.bytes(of: Array("ir6iVcgTrbuHdXB3lKGny6VKSlE1OB5Q+LrtdFH+qIE=".utf8)))
    let subtree = try #require(TrustedSubtree(log: 1, start: 0, end: 10, hash: hash))
    let tree = try Self.tree(from: 0, [subtree])
    #expect(try Self.reason([Self.certificate("pki/mtc-leaf")], tree) == "accept")
    let chain = [try Self.certificate("pki/leaf"), try Self.certificate("pki/mtc-ica")]
    #expect(try Self.reason(chain, tree) == "accept")

    // Without it, and with another hash.
    let text = "no cosignatures, and the subtree of the entries 0 to 10 is not trusted"
    let without = try Self.reason([Self.certificate("pki/mtc-leaf")], Self.tree(from: 0))
    #expect(TextSearch.end(of: text, in: without) != nil, "\(without)")
    let other = try #require(
      TrustedSubtree(log: 1, start: 0, end: 10, hash: [1] + hash.dropFirst()))
    let found = try Self.reason([Self.certificate("pki/mtc-leaf")], Self.tree(from: 0, [other]))
    #expect(TextSearch.end(of: "has another hash", in: found) != nil, "\(found)")
    let below = try Self.reason(chain, Self.tree(from: 0))
    #expect(TextSearch.end(of: text, in: below) != nil, "\(below)")
  }
}
