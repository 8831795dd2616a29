import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastJSON
@_spi(MerkleTrees) @testable import HoldfastPaths
@_spi(MerkleTrees) import HoldfastTransparency
import TestSupport
import Testing

/// The committed vectors of `Vectors/merkle`, made by a script that shares no code with the library.
enum MerkleVectors {
  static func trust(_ name: String) throws -> MerkleTrust {
    try MerkleTrust(json: CommittedVectors.bytes("merkle/\(name).json"))
  }

  static func validator(_ name: String) throws -> PathValidator {
    PathValidator(anchors: AnchorSet(try trust(name).anchors))
  }

  static func certificates() throws -> [String: [UInt8]] {
    let blocks = try CommittedVectors.blocks("merkle/certificates.pem")
    return Dictionary(uniqueKeysWithValues: blocks.map { ($0.name, $0.der) })
  }

  static func purpose() throws -> Purpose { try .server("tree.example") }

  static func has(_ part: String, in text: String) -> Bool {
    TextSearch.end(of: part, in: text) != nil
  }
}

@Suite("Certificates in Merkle trees") struct MerkleVectorTests {
  @Test("each case has its verdict, its rule and its words")
  func cases() throws {
    let certificates = try MerkleVectors.certificates()
    var validators: [String: PathValidator] = [:]
    var wrong: [String] = []
    var count = 0
    for words in try CommittedVectors.lines("merkle/cases.txt") {
      let (name, trust, verdict) = (words[0], words[1], words[4])
      // ML-DSA takes long without optimization.
      if isDebug, name.hasPrefix("lattices-") { continue }
      let validator = try validators[trust] ?? MerkleVectors.validator(trust)
      validators[trust] = validator
      let chain = try words[3].split(separator: ",").map {
        try Certificate(der: #require(certificates[String($0)]))
      }
      let time = try #require(Timestamp(words[2]))
      count += 1
      do throws(PathError) {
        _ = try validator.validate(chain, for: try .server("tree.example"), at: time)
        if verdict != "accept" { wrong.append("\(name): accepted") }
      } catch {
        let rejection = error.rejections.first
        let found = "\(rejection?.rule.name ?? "none"): \(rejection.map { "\($0)" } ?? "\(error)")"
        if verdict != "reject" { wrong.append("\(name): \(found)") }
        for word in words.dropFirst(5) {
          let value = word.split(separator: "=", maxSplits: 1)[1]
          let isFound =
            word.hasPrefix("rule=")
            ? rejection?.rule.name == String(value)
            : MerkleVectors.has(String(value.map { $0 == "_" ? " " : $0 }), in: found)
          if !isFound { wrong.append("\(name): \(word), found \(found)") }
        }
        // Errors of the library name the certificate and the byte.
        let isOfTree = rejection?.rule == .merkleTreeProof
        if isOfTree, rejection?.violation.bytes?.isEmpty != false {
          wrong.append("\(name): no byte")
        }
      }
    }
    #expect(wrong == [])
    #expect(count >= 150)
  }

  /// The positions of the bits in which a certificate's proof, entry and signatures are.
  private func flips(_ name: String, every step: Int) throws -> (count: Int, accepted: [Int]) {
    let der = try #require(MerkleVectors.certificates()[name])
    let validator = try MerkleVectors.validator(
      name == "lattices" ? "trust-lattices" : "trust-\(name.suffix(2))")
    let time = try #require(Timestamp("2026-06-01T00:00:00Z"))
    let purpose = try MerkleVectors.purpose()
    var (count, accepted): (Int, [Int]) = (0, [])
    for bit in stride(from: 0, to: 8 * der.count, by: step) {
      var bytes = der
      bytes[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      count += 1
      do {
        _ = try validator.validate([Certificate(der: bytes)], for: purpose, at: time)
        accepted.append(bit)
      } catch {}
    }
    return (count, accepted)
  }

  @Test("no certificate with a flipped bit is valid", arguments: ["standalone-05", "landmark-06"])
  func flippedBits(_ name: String) throws {
    let (count, accepted) = try flips(name, every: isDebug ? 397 : 61)
    #expect(accepted == [])
    #expect(count >= 10)
  }

  @Test(
    "no certificate with any flipped bit is valid", .enabled(if: !isDebug, "release only"),
    arguments: [
      "standalone-05", "standalone-06", "landmark-05", "landmark-06", "entry-extensions-06",
      "lattices",
    ])
  func flippedBitsHeavy(_ name: String) throws {
    let (count, accepted) = try flips(name, every: 1)
    #expect(accepted == [])
    #expect(count > 3_000)
  }

  @Test("no trusted subtree with a flipped bit makes a certificate valid")
  func flippedLandmarks() throws {
    let der = try #require(MerkleVectors.certificates()["landmark-05"])
    let tree = try #require(MerkleVectors.trust("trust-05").trees.first)
    let known = try #require(tree.subtrees.first { $0.log == 1 && $0.start == 512 })
    let time = try #require(Timestamp("2026-06-01T00:00:00Z"))
    let purpose = try MerkleVectors.purpose()
    for bit in stride(from: 0, to: 256 + 16 + 48 + 48, by: isDebug ? 23 : 1) {
      var hash = known.hash.array
      var (log, start, end) = (known.log, known.start, known.end)
      switch bit {
      case 0..<256: hash[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      case 256..<272: log ^= 1 << UInt16(bit - 256)
      case 272..<320: start ^= 1 << UInt64(bit - 272)
      default: end ^= 1 << UInt64(bit - 320)
      }
      let subtree = try #require(TrustedSubtree(log: log, start: start, end: end, hash: hash))
      guard
        let changed = try? MerkleTree(
          tree.certificate, .draft05, subtrees: [subtree], until: tree.end)
      else { continue }
      let validator = PathValidator(anchors: AnchorSet([TrustAnchor(changed)]))
      #expect(throws: PathError.self) {
        _ = try validator.validate([Certificate(der: der)], for: purpose, at: time)
      }
    }
  }

  @Test("a proof that is cut at any byte is none, and none has more than the bytes left")
  func cuts() throws {
    for (name, draft) in [
      ("standalone-05", MerkleTreeDraft.draft05), ("entry-extensions-06", .draft06),
    ] {
      let certificate = try Certificate(der: #require(MerkleVectors.certificates()[name]))
      let bytes = certificate.signature.array
      _ = try MerkleTreeProof(Bytes(bytes), draft)
      for count in 0..<bytes.count {
        #expect(throws: MerkleTreeProofError.self) {
          _ = try MerkleTreeProof(Bytes(Array(bytes[..<count])), draft)
        }
      }
      #expect(try MerkleTreeProof(of: certificate).draft == draft)
    }
  }

  @Test("the CA's own certificate among the anchors, without its tree, changes nothing")
  func alsoAsAnchor() throws {
    let certificates = try MerkleVectors.certificates()
    let trust = try MerkleVectors.trust("trust-05")
    let plain = TrustAnchor(trust.trees[0].certificate)
    let time = try #require(Timestamp("2026-06-01T00:00:00Z"))
    for anchors in [[plain] + trust.anchors, trust.anchors + [plain]] {
      let set = AnchorSet(anchors)
      #expect(set.count == 1)
      let validator = PathValidator(anchors: set)
      let path = try validator.validate(
        [Certificate(der: #require(certificates["standalone-05"]))], for: MerkleVectors.purpose(),
        at: time)
      #expect(path.anchor.merkleTree === trust.trees[0])
    }
    // Without a tree it issues nothing.
    let validator = PathValidator(anchors: AnchorSet([plain]))
    for name in ["standalone-05", "signed-05"] {
      let der = try #require(certificates[name])
      #expect(throws: PathError.self) {
        _ = try validator.validate([Certificate(der: der)], for: MerkleVectors.purpose(), at: time)
      }
    }
  }

  @Test("a pin of the CA's certificate, and what programs demand, leave the tree at its anchor")
  func withConstraints() throws {
    let trust = try MerkleVectors.trust("trust-05")
    let anchor = trust.anchors[0]
    var constraints = TrustAnchor.Constraints()
    constraints.pathLength = 0
    let limited = anchor.with(constraints, isPublic: true)
    #expect(limited.merkleTree === anchor.merkleTree && limited.isPublic)
    #expect(limited != anchor && limited.certificate == anchor.certificate)
    let plain = TrustAnchor(trust.trees[0].certificate)
    #expect(plain.issuing(as: limited).merkleTree === anchor.merkleTree)
    #expect(!plain.issuing(as: plain).issuesInTree)
    let other = try MerkleVectors.trust("trust-06").anchors[0]
    #expect(!plain.issuing(as: other).issuesInTree)
  }

  @Test("a verdict is not used again after what is known of the tree has ended")
  func verdict() throws {
    let certificates = try MerkleVectors.certificates()
    let tree = try #require(MerkleVectors.trust("trust-05").trees.first)
    let time = try #require(Timestamp("2026-06-01T00:00:00Z"))
    let end = try #require(Timestamp("2026-06-02T00:00:00Z"))
    let short = try MerkleTree(
      tree.certificate, .draft05, cosigners: Array(tree.cosigners.dropFirst()),
      quorums: tree.quorums, subtrees: tree.subtrees, until: end)
    let leaf = try Certificate(der: #require(certificates["standalone-05"]))
    for (trusted, last) in [(short, end), (tree, leaf.notAfter)] {
      let manager = TrustManager(
        pins: try PinTable([]), anchors: AnchorSet([TrustAnchor(trusted)]), otherHosts: .validate)
      let verdict = try manager.evaluate([leaf], host: "tree.example", at: time)
      #expect(verdict.validity == time...last)
      #expect(!verdict.isValid(for: "tree.example", at: last.advanced(bySeconds: 1)))
    }
  }

  @Test("signatures are paid from the budget, and so is what is hashed")
  func budget() throws {
    let der = try #require(MerkleVectors.certificates()["standalone-05"])
    let time = try #require(Timestamp("2026-06-01T00:00:00Z"))
    let anchors = AnchorSet(try MerkleVectors.trust("trust-05").anchors)
    var (signatures, bytes) = (Limits.default, Limits.default)
    signatures.publicKeyOperations = 1
    bytes.work = 600
    for (limits, reached) in [
      (signatures, LimitReached.publicKeyOperations(1)), (bytes, .work(600)),
    ] {
      let validator = PathValidator(anchors: anchors, limits: limits)
      let error = #expect(throws: PathError.self) {
        _ = try validator.validate([Certificate(der: der)], for: MerkleVectors.purpose(), at: time)
      }
      #expect(error?.cause == .limitReached(reached))
    }
  }
}

@Suite("Documents of trust in Merkle trees") struct MerkleTrustTests {
  private func text() throws -> String { try CommittedVectors.text("merkle/trust-05.json") }

  private func problem(_ json: String) -> MerkleTrustError? {
    do throws(MerkleTrustError) {
      _ = try MerkleTrust(json: Array(json.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test("a document has a CA, its cosigners, quorums, subtrees and revoked numbers, and an end")
  func whole() throws {
    let trust = try MerkleVectors.trust("trust-05")
    let tree = try #require(trust.trees.first)
    #expect(trust.end == Timestamp("2026-12-31T23:59:59Z"))
    #expect(tree.id == TrustAnchorID("32473.1"))
    #expect(
      tree.cosigners.map(\.id.description) == ["32473.1", "32473.2.1", "32473.2.2", "32473.3"])
    #expect(tree.quorums.map(\.count) == [1])
    #expect(tree.subtrees.map(\.end) == [512, 1024, 1024, 1024, 1 << 20])
    #expect(tree.revoked.map(\.lowerBound) == [281_474_976_711_156, 281_474_976_711_556])
    #expect(tree.revoked.map(\.upperBound) == [281_474_976_711_165, 281_474_976_711_556])
    #expect(tree.serialNumbers.lowerBound == 281_474_976_710_664)
    #expect(tree.serialNumbers.upperBound == 844_424_930_131_967)
  }

  @Test("a part that is wrong, unknown or missing makes the whole unusable, and is named")
  func strict() throws {
    let text = try text()
    let id = try #require(TrustAnchorID("32473.1"))
    let hash = Array(repeating: UInt8(0), count: 32)
    let subtree = try #require(TrustedSubtree(log: 1, start: 513, end: 1024, hash: hash))
    let changes: [(String, String, String, MerkleTrustError.Problem)] = [
      ("\"merkle_trust\": 1", "\"merkle_trust\": 2", "merkle_trust", .unknownVersion),
      ("\"merkle_trust\": 1", "\"merkle_trust\": \"1\"", "merkle_trust", .unexpectedType),
      ("\"merkle_trust\": 1", "\"merkle_trust\": 1e0", "merkle_trust", .badNumber),
      ("\"merkle_trust\": 1", "\"merkle_trust\": 1, \"more\": 1", "more", .unknownMember),
      (
        "\"merkle_trust\": 1", "\"merkle_trust\": 1, \"merkle_trust\": 1", "",
        .notJSON(message: "merkle_trust occurs twice", offset: 22)
      ),
      ("2026-12-31T23:59:59Z", "2026-13-31", "good_until", .badTime),
      ("good_until", "good_after", "good_after", .unknownMember),
      ("\"draft\": \"05\"", "\"draft\": \"04\"", "trees[0].draft", .unknownVersion),
      ("\"draft\": \"05\"", "\"draft\": \"06\"", "trees[0]", .badTree(.badName)),
      ("\"draft\": \"05\",", "", "trees[0].draft", .missing),
      ("\"certificate\": \"M", "\"certificate\": \"-", "trees[0].certificate", .badBase64),
      ("\"id\": \"32473.2.2\"", "\"id\": \"32473.02\"", "trees[0].cosigners[1].id", .badID),
      ("\"id\": \"32473.2.2\"", "\"id\": \"32473.1\"", "trees[0]", .badTree(.repeatedCosigner(id))),
      ("\"count\": 1", "\"count\": 0", "trees[0]", .badTree(.badQuorum(0))),
      ("\"count\": 1", "\"count\": 3", "trees[0]", .badTree(.badQuorum(3))),
      ("\"count\": 1", "\"count\": -1", "trees[0].quorums[0].count", .badNumber),
      ("\"start\": 512", "\"start\": 513", "trees[0]", .badTree(.badSubtree(subtree))),
      ("\"log\": 1,", "\"log\": 65536,", "trees[0].subtrees[0].log", .badNumber),
      (
        "\"first\": \"281474976711156\"", "\"first\": 281474976711156", "trees[0].revoked[0].first",
        .unexpectedType
      ),
      ("\"last\": \"281474976711165\"", "\"last\": \"1\"", "trees[0].revoked[0].last", .badNumber),
    ]
    for (old, new, path, expected) in changes {
      let range = try #require(text.firstRange(of: old), "\(old)")
      var changed = text
      changed.replaceSubrange(range, with: new)
      let found = problem(changed)
      #expect(found?.path == path, "\(new): \(found.map { "\($0)" } ?? "accepted")")
      if case .badTree(.badSubtree) = expected { continue }
      #expect(found?.problem == expected, "\(new)")
      #expect(found?.summary.isEmpty == false)
    }
    // The certificate is named once.
    let cut = problem(text.replacing("\"certificate\": \"MII", with: "\"certificate\": \"MAA"))
    #expect(
      cut.map { "\($0)" }?.hasPrefix(
        "trust in Merkle trees: trees[0].certificate: data after the end of the structure") == true)
    #expect(problem("{")?.problem != nil)
    #expect(problem("[]")?.problem == .unexpectedType)
  }

  @Test("a document that is cut at any byte, or has any byte changed, does not end the program")
  func damaged() throws {
    let bytes = try CommittedVectors.bytes("merkle/trust-06.json")
    for count in stride(from: 0, to: bytes.count - 1, by: isDebug ? 173 : 1) {
      #expect(throws: MerkleTrustError.self) { _ = try MerkleTrust(json: Array(bytes[..<count])) }
      var changed = bytes
      changed[count] ^= UInt8(1 + count % 127)
      _ = try? MerkleTrust(json: changed)
    }
  }
}
