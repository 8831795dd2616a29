import HoldfastConformance
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

@Suite(
  "Wycheproof: elliptic curves",
  .enabled(
    if: VectorSuites.has("wycheproof"),
    Comment(rawValue: VectorSuites.absence(of: "wycheproof"))))
struct WycheproofCurveTests {
  @Test("ECDSA: every case has the published answer, whatever the key is prepared for")
  func ecdsa() throws {
    var wrong: [String] = []
    var unsupported: Set<String> = []
    var count = 0
    for group in try WycheproofGroup.load() where group.key.uncompressedPoint != nil {
      let name = group.key.curve ?? ""
      guard let curve = NamedCurve(named: name) else {
        unsupported.insert(name)
        continue
      }
      let scheme = try group.scheme.get()
      let hash = try #require(scheme.hash)
      let point = try #require(group.key.uncompressedPoint)
      let kinds =
        [.p256, .p384, .p521].contains(curve) ? [nil] + VectorProducts.supported : [.best]
      let keys = try kinds.map { products in
        try ECDSAKey(curve: curve, point: point.span, products: products)
      }
      // The general curves have no other form; to make them takes long in a debug build.
      let forms =
        isDebug || ![NamedCurve.p256, .p384, .p521].contains(curve)
        ? keys : keys.flatMap { [$0, $0.prepared(for: .reuse), $0.prepared(for: .anchor)] }
      for test in group.tests {
        count += 1
        // Debug builds take tens of milliseconds for a signature.
        if isDebug && count % 50 != 0 { continue }
        let digest = hash.hash(test.message)
        for form in forms {
          let answer = form.verify(digest: digest, derSignature: test.signature.span)
          if answer != (test.result == .valid) {
            wrong.append("\(test.id) \(test.comment): \(answer)")
          }
        }
      }
    }
    #expect(count > 0)
    // Curves of the whole suite that no certificate of today has, and twists of supported ones.
    let known =
      "secp160k1 secp160r1 secp160r2 secp192k1 secp192r1 secp224k1 brainpoolP160r1 "
      + "brainpoolP192r1 brainpoolP224r1 brainpoolP320r1 brainpoolP160t1 brainpoolP192t1 "
      + "brainpoolP224t1 brainpoolP256t1 brainpoolP320t1 brainpoolP384t1 brainpoolP512t1"
    #expect(unsupported.isSubset(of: known.split(separator: " ").map(String.init)))
    #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(10))")
  }

  @Test("ECDSA on P-256 with emulated vectors: every case has the published answer")
  func emulatedHeavy() throws {
    var (wrong, count): ([String], Int) = ([], 0)
    for group in try WycheproofGroup.load() where group.key.curve == "secp256r1" {
      let hash = try #require(try group.scheme.get().hash)
      let point = try #require(group.key.uncompressedPoint)
      let encoded = try EncodedPoint(point.span, coordinateLength: 32)
      let key = FixedCurveKey<VectorPoint<Emulated<VectorP256>>>(
        try encoded.point(point.span, FieldP256.self))
      for test in group.tests {
        count += 1
        if isDebug && count % 50 != 0 { continue }
        let answer = accepts(key, hash.hash(test.message), test.signature)
        if answer != (test.result == .valid) { wrong.append("\(test.id) \(test.comment)") }
      }
    }
    #expect(count > 0)
    #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(10))")
  }

  /// As `ECDSAKey` verifies.
  private func accepts(
    _ key: FixedCurveKey<VectorPoint<Emulated<VectorP256>>>, _ digest: Digest,
    _ signature: [UInt8]
  ) -> Bool {
    let number = digest.bytes.span.extracting(first: min(digest.count, 32))
    guard let ranges = ECDSASignature(der: signature.span),
      let z = limbs(bigEndian: number),
      let r = limbs(bigEndian: signature.span.extracting(ranges.r)),
      let s = limbs(bigEndian: signature.span.extracting(ranges.s))
    else { return false }
    return key.verify(z, r, s, order: FieldP256.order)
  }

  @Test("Ed25519: every case has the published answer, whatever the key is prepared for")
  func ed25519Heavy() throws {
    var wrong: [String] = []
    var count = 0
    for group in try WycheproofGroup.load() where group.scheme == .success(.ed25519) {
      let bytes = try #require(group.key.encoded)
      let key = try Ed25519Key(bytes.span)
      for form in [key, key.prepared(for: .reuse), key.prepared(for: .anchor)] {
        for test in group.tests {
          count += 1
          let answer = form.verify(message: test.message.span, signature: test.signature.span)
          if answer != (test.result == .valid) {
            wrong.append("\(test.id) \(test.comment): \(answer)")
          }
        }
      }
    }
    #expect(count > 0)
    #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(10))")
  }
}
