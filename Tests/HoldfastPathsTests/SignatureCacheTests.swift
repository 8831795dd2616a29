import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastHashes
import HoldfastSignatures
import TestSupport
import Testing

@testable import HoldfastPaths

/// What is remembered of signatures is found again for the very same bytes, and for no others.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct SignatureCacheTests {
  @Test(
    "a certificate with one changed byte is not found in the cache", arguments: BenchChain.names)
  func changedCertificate(name: String) throws {
    let chain = try BenchChain(name)
    let pairs = [(chain.leaf, chain.intermediates[0]), (chain.intermediates[0], chain.root)]
    var known: [String] = []
    var count = 0
    for (certificate, issuer) in pairs {
      let key = issuer.publicKey.der
      let cache = SignatureCache()
      cache.insert(SignatureCache.VerifiedSignature(certificate, under: key))
      #expect(cache.contains(SignatureCache.VerifiedSignature(certificate, under: key)))
      for offset in certificate.der.indices {
        var der = certificate.der
        der[offset] ^= UInt8(truncatingIfNeeded: 1 << (offset % 8))
        guard let changed = readable(der) else { continue }
        count += 1
        if cache.contains(SignatureCache.VerifiedSignature(changed, under: key)) {
          known.append("byte \(offset)")
        }
      }
    }
    #expect(known.isEmpty, "\(known)")
    #expect(count > 400, "few of the changed certificates can be read")
  }

  @Test(
    "the same certificate under another key is not found in the cache", arguments: BenchChain.names)
  func changedKey(name: String) throws {
    let chain = try BenchChain(name)
    let cache = SignatureCache()
    let key = chain.root.publicKey.der.array
    let certificate = chain.intermediates[0]
    cache.insert(SignatureCache.VerifiedSignature(certificate, under: Bytes(key)))
    var known: [Int] = []
    for offset in key.indices {
      var other = key
      other[offset] ^= UInt8(truncatingIfNeeded: 1 << (offset % 8))
      if cache.contains(SignatureCache.VerifiedSignature(certificate, under: Bytes(other))) {
        known.append(offset)
      }
    }
    #expect(known.isEmpty)
    // The end of one part is not taken for the beginning of the next.
    for length in [key.count - 1, 0] {
      let cut = Bytes(Array(key.prefix(length)))
      #expect(!cache.contains(SignatureCache.VerifiedSignature(certificate, under: cut)))
    }
  }

  @Test("a rejected path caches nothing, a valid one caches its signatures")
  func rejection() throws {
    let chain = try BenchChain("b_p256")
    let cache = SignatureCache()
    let validator = PathValidator(anchors: AnchorSet([chain.root]), cache: cache)
    func validate(_ host: String) -> Bool {
      do throws(PathError) {
        _ = try validator.validate(
          [chain.leaf] + chain.intermediates, for: .server(named: host), at: BenchChain.time)
        return true
      } catch {
        return false
      }
    }
    let leafFact = SignatureCache.VerifiedSignature(
      chain.leaf, under: chain.intermediates[0].publicKey.der, coversOwnKey: true)
    let fact = SignatureCache.VerifiedSignature(
      chain.intermediates[0], under: chain.root.publicKey.der)
    #expect(!validate("www.other.example.net"))
    #expect(!cache.contains(leafFact) && !cache.contains(fact))
    #expect(cache.key(chain.intermediates[0].publicKey.der) == nil)
    #expect(validate(BenchChain.host))
    #expect(cache.contains(leafFact) && cache.contains(fact))
    #expect(cache.key(chain.intermediates[0].publicKey.der) != nil)
    #expect(!validate("www.other.example.net"))
  }

  @Test("the cache keeps no more than its capacity, and entries in use stay")
  func capacity() throws {
    let leaf = try BenchChain("a_rsa2048").leaf
    let cache = SignatureCache(capacity: 8)
    func fact(_ number: UInt8) -> SignatureCache.VerifiedSignature {
      SignatureCache.VerifiedSignature(leaf, under: Bytes([number]))
    }
    cache.insert(fact(0))
    for number in 1...100 {
      cache.insert(fact(UInt8(number)))
      #expect(cache.contains(fact(0)))
    }
    let kept = (1...100).count { cache.contains(fact(UInt8($0))) }
    #expect(kept < 8)
  }

  @Test("entries that are larger than most leave room for fewer")
  func size() throws {
    let leaf = try BenchChain("a_rsa2048").leaf
    let cache = SignatureCache(capacity: 8)
    func fact(_ number: UInt8) -> SignatureCache.VerifiedSignature {
      SignatureCache.VerifiedSignature(
        leaf, under: Bytes([UInt8](repeating: number, count: 60_000)))
    }
    for number in 1...8 { cache.insert(fact(UInt8(number))) }
    let kept = (1...8).filter { cache.contains(fact(UInt8($0))) }
    #expect(kept == [7, 8])
  }

  @Test(
    "a key gives the same answers before and after its tables are built",
    arguments: BenchChain.names)
  func tables(name: String) throws {
    let chain = try BenchChain(name)
    let (leaf, issuer) = (chain.leaf, chain.intermediates[0])
    let scheme = try #require(leaf.signatureScheme)
    #expect(issuer.publicKey.verifies(scheme))
    let key = PreparedKey(issuer.publicKey, .reuse)
    var sizes: [Int] = []
    for use in 1...(PreparedKey.usesForAnchorTables + 2) {
      let taken = try #require(key.verificationKey())
      sizes.append(tablePointCount(taken))
      guard sizes.last != sizes.dropLast().last else { continue }
      let right = SignatureChecks.verify(leaf.signature, of: leaf.tbs, scheme, under: taken)
      let wrong = SignatureChecks.verify(issuer.signature, of: issuer.tbs, scheme, under: taken)
      #expect(right == .valid, "use \(use)")
      #expect(wrong == .invalid, "use \(use)")
    }
    let changes = sizes.indices.dropFirst().filter { sizes[$0] != sizes[$0 - 1] }.map { $0 + 1 }
    let isRSA = ["a_rsa2048", "d_rsa4096root_mixed", "f_rsapss2048"].contains(name)
    #expect(changes == (isRSA ? [] : [2, PreparedKey.usesForAnchorTables]))
    let anchor = PreparedKey(issuer.publicKey, .anchor)
    anchor.prepare()
    #expect(tablePointCount(try #require(anchor.verificationKey())) == sizes.last)
  }

  @Test(
    "a leaf with an impossible key is rejected under all rules, and never cached",
    arguments: ["key-point-off-curve-leaf", "key-point-infinity-leaf", "key-rsa-exponent-1-leaf"])
  func invalidKey(name: String) throws {
    let root = CommittedVectors.root
    let chain = try Certificate.certificates(inFile: "\(root)/Vectors/flaws/\(name).case")
    let cache = SignatureCache()
    for rules in [ValidationRules.rfc5280, .webPKI, .rfc5280] {
      let validator = PathValidator(
        anchors: AnchorSet([chain[2]]), rules: rules, cache: cache)
      let error = #expect(throws: PathError.self) {
        try validator.validate(
          [chain[0], chain[1]], for: .server(named: "www.bad.example"),
          at: #require(Timestamp("2026-01-01T00:00:00Z")))
      }
      let nearest = try #require(error?.rejections.first)
      #expect(nearest.rule == .invalidKey && nearest.index == 0)
      #expect(nearest.bytes != nil && nearest.field == "subjectPublicKeyInfo")
    }
  }

  @Test(
    "the key of a leaf with a cached signature is still checked",
    arguments: [
      "flaws/key-point-off-curve-leaf", "paths/key-ed25519-empty", "paths/key-ed25519-small-order",
      "paths/key-ed448-off-curve",
    ])
  func rememberedKey(name: String) throws {
    let root = CommittedVectors.root
    let chain = try Certificate.certificates(inFile: "\(root)/Vectors/\(name).case")
    let cache = SignatureCache()
    cache.insert(SignatureCache.VerifiedSignature(chain[0], under: chain[1].publicKey.der))
    let validator = PathValidator(anchors: AnchorSet([chain[2]]), cache: cache)
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        [chain[0], chain[1]], for: .any,
        at: #require(Timestamp("2026-01-01T00:00:00Z")))
    }
    let nearest = try #require(error?.rejections.first)
    #expect(nearest.rule == .invalidKey && nearest.index == 0)
    #expect(nearest.bytes == chain[0].publicKeyRange)
  }

  @Test(
    "a key accepted under rules that do not check it is checked by rules that do",
    arguments: ["key-ed25519-small-order", "key-ed448-off-curve"])
  func uncheckedKey(name: String) throws {
    let root = CommittedVectors.root
    let chain = try Certificate.certificates(inFile: "\(root)/Vectors/paths/\(name).case")
    let time = try #require(Timestamp("2026-01-01T00:00:00Z"))
    let cache = SignatureCache()
    for rules in [ValidationRules.rfc5280, .webPKI, .rfc5280, .webPKI] {
      let validator = PathValidator(
        anchors: AnchorSet([chain[2]]), rules: rules, cache: cache)
      func validate() throws(PathError) {
        _ = try validator.validate([chain[0], chain[1]], for: .any, at: time)
      }
      guard rules.leaf.checksKeyAndUsage else {
        #expect(throws: Never.self) { try validate() }
        continue
      }
      let error = #expect(throws: PathError.self) { try validate() }
      #expect(error?.rejections.first?.rule == .invalidKey)
    }
  }
}

private func readable(_ der: [UInt8]) -> Certificate? {
  do throws(ParseError) { return try Certificate(der: der) } catch { return nil }
}

/// The number of points in the tables that preparation has added to a key; zero if there are none.
func tablePointCount(_ value: Any) -> Int {
  Mirror(reflecting: value).children.reduce(0) { sum, child in
    sum
      + (child.label == "points"
        ? Mirror(reflecting: child.value).children.count : tablePointCount(child.value))
  }
}
