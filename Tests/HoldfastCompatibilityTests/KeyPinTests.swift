import HoldfastCompatibility
import Testing

/// Pins of keys of all kinds, as OpenSSL extracts them.
@Suite("Key pins") struct KeyPinTests {
  private static let keys = PinningMaterial.text("keys.txt").split(separator: "\n")
    .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").map(String.init) }

  @Test("the pin is the SHA-256 of the SubjectPublicKeyInfo, whatever the kind of the key")
  func pins() throws {
    #expect(Self.keys.count == 17)
    for line in Self.keys {
      let certificate = try PinningMaterial.certificate("key-\(line[0])")
      #expect("\(certificate.publicKey.pin)" == "sha256/\(line[1])", "\(line[0])")
    }
  }

  @Test("each key has the kind that its name says")
  func kinds() throws {
    func key(_ name: String) throws -> PublicKey {
      try PinningMaterial.certificate("key-\(name)").publicKey
    }
    for bits in [1024, 2048, 3072, 4096, 8192] { #expect(try key("rsa-\(bits)").bits == bits) }
    let small = try key("rsa-2048-e3")
    #expect(small.kind == .rsa && small.exponent.map(Array.init) == [3])
    for (name, curve, count) in [
      ("p256", NamedCurve.p256, 33), ("p384", .p384, 49), ("p521", .p521, 67),
    ] {
      let key = try key("\(name)-compressed")
      #expect(key.kind == .ec(curve))
      #expect(key.bytes.count == count && (key.bytes.first == 2 || key.bytes.first == 3))
    }
    for (name, text) in [
      ("ed25519", "Ed25519"), ("ed448", "Ed448"), ("mldsa-44", "ML-DSA-44"),
      ("mldsa-65", "ML-DSA-65"), ("mldsa-87", "ML-DSA-87"),
    ] {
      #expect(try key(name).description == text)
    }
  }

  @Test("no kind of key stops the comparison or is skipped by it")
  func comparison() throws {
    #expect(!Self.keys.isEmpty)
    for line in Self.keys {
      let certificate = try PinningMaterial.certificate("key-\(line[0])")
      let other = try PinningMaterial.certificate("leaf")
      let trust = try PinningMaterial.trust("key-\(line[0])", anchors: "root-1")
      let policy = AFSecurityPolicy(
        pinningMode: .publicKey, withPinnedCertificates: [other, certificate])
      policy.allowInvalidCertificates = true
      let verdict = try policy.evaluate(trust, for: PinningMaterial.host)
      guard case .pinned(let match) = verdict.reason else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(match.pin?.pin == Pin(keyOf: certificate), "\(line[0])")
      policy.pinnedCertificates = [other]
      #expect(!policy.evaluateServerTrust(trust, forDomain: PinningMaterial.host), "\(line[0])")
    }
  }
}
