import Foundation
import Holdfast
import HoldfastConformance
import Testing

/// What AFNetworking's own tests say, and the corners of its rules.
@Suite("SecurityPolicy") struct SecurityPolicyTests {
  private static let host = PinningMaterial.host

  private func policy(
    _ mode: SecurityPolicy.PinningMode, _ pinned: String, allowsInvalid: Bool = false,
    validatesDomain: Bool = true
  ) throws -> SecurityPolicy {
    var policy = SecurityPolicy(
      pinningMode: mode, pinnedCertificates: try PinningMaterial.certificates(pinned))
    policy.allowsInvalidCertificates = allowsInvalid
    policy.validatesDomainName = validatesDomain
    return policy
  }

  @Test("the defaults are AFNetworking's")
  func defaults() {
    let policy = SecurityPolicy.default
    #expect(policy.pinningMode == .none && policy.pinnedCertificates.isEmpty)
    #expect(!policy.allowsInvalidCertificates && policy.validatesDomainName)
    #expect(policy.maySecure(scheme: "http"))
    #expect(!SecurityPolicy(pinningMode: .publicKey).maySecure(scheme: "http"))
    #expect(SecurityPolicy(pinningMode: .publicKey).maySecure(scheme: "HTTPS"))
  }

  @Test(
    "a pinned leaf, intermediate or root is enough, alone or among others",
    arguments: ["leaf", "issuing", "root-1", "leaf,issuing,root-1", "stranger,leaf"])
  func anyMatch(pinned: String) throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for mode in [SecurityPolicy.PinningMode.publicKey, .certificate] {
      let policy = try policy(mode, pinned)
      let evaluation = policy.evaluate(trust, forDomain: Self.host)
      #expect(evaluation.isTrusted)
      #expect(evaluation.path != nil)
      #expect(try PinningMaterial.certificates(pinned).contains(#require(evaluation.match)))
      #expect(!policy.evaluate(trust, forDomain: "other.example").isTrusted)
    }
  }

  @Test("key mode with invalid certificates looks at the key alone: corner 1")
  func keyAlone() throws {
    let policy = try policy(.publicKey, "self", allowsInvalid: true)
    let trust = try PinningMaterial.trust("self", anchors: "root-1")
    let verdict = try policy.verdict(on: trust, for: "wrong.example")
    #expect(verdict.path == nil && verdict.lifetime == nil)
    #expect(policy.hazards == [.pathIsNotValidated, .hostIsNotChecked])
  }

  @Test("without a domain, none with invalid certificates trusts everything: corner 2")
  func noneTrustsAll() throws {
    let policy = try policy(.none, "", allowsInvalid: true)
    let trust = try PinningMaterial.trust("leaf-expired", anchors: "")
    #expect(policy.evaluate(trust, forDomain: nil).rule == .allowsEverything)
    #expect(policy.evaluate(trust, forDomain: nil).isTrusted)
    #expect(policy.evaluate(trust, forDomain: Self.host).rule == .domainNeedsPinning)
    #expect(policy.hazards == [.everythingIsTrustedWithoutDomain, .everythingIsRefusedForDomain])
  }

  @Test("without a domain it is still the policy for TLS servers that is asked: corner 3")
  func purposeWithoutDomain() throws {
    let trust = try PinningMaterial.trust("leaf-client,issuing", anchors: "root-1")
    #expect(try !policy(.none, "").evaluate(trust, forDomain: nil).isTrusted)
    #expect(try policy(.none, "", validatesDomain: false).evaluate(trust, forDomain: nil).isTrusted)
  }

  @Test("a private authority needs invalid certificates allowed, and then keeps the host: corner 4")
  func privateAuthority() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-2")
    let strict = try policy(.certificate, "root-1").evaluate(trust, forDomain: Self.host)
    #expect(strict.rule == .systemRefuses)
    let allowing = try policy(.certificate, "root-1", allowsInvalid: true)
    #expect(allowing.evaluate(trust, forDomain: Self.host).isTrusted)
    #expect(allowing.evaluate(trust, forDomain: "other.example").rule == .pinsDoNotAnchor)
    #expect(allowing.hazards == [.hostIsNotCheckedWithoutDomain, .onlyPinsAreAnchors])
  }

  @Test("an anchor ends the path where it stands: corners 5 and 6")
  func partialPaths() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for (pinned, path) in [
      ("leaf", "leaf"), ("issuing", "leaf,issuing"), ("root-1", "leaf,issuing,root-1"),
    ] {
      let evaluation = try policy(.certificate, pinned, allowsInvalid: true)
        .evaluate(trust, forDomain: Self.host)
      #expect(try evaluation.certificates == PinningMaterial.certificates(path))
      #expect(try evaluation.match == PinningMaterial.certificate(pinned))
    }
  }

  @Test("a pinned certificate of one's own making that has expired is refused: corner 7")
  func expiredOwn() throws {
    let later = Timestamp(secondsSince1970: 2_051_222_401)  // 2035-01-01T00:00:01Z
    let trust = try PinningMaterial.trust("self", anchors: "", at: later)
    let own = try policy(.certificate, "self", allowsInvalid: true)
    #expect(own.evaluate(trust, forDomain: Self.host).rule == .pinsDoNotAnchor)
    let before = try PinningMaterial.trust("self", anchors: "")
    #expect(own.evaluate(before, forDomain: Self.host).isTrusted)
  }

  @Test("a root that was served without the intermediate is linked to nothing: corner 9")
  func missingIntermediate() throws {
    let policy = try policy(.publicKey, "root-1", allowsInvalid: true)
    let without = try PinningMaterial.trust("leaf,root-1", anchors: "")
    #expect(!policy.evaluate(without, forDomain: Self.host).isTrusted)
    #expect(
      try policy.evaluate(without, forDomain: nil).certificates == [
        PinningMaterial.certificate("leaf")
      ])
    let with = try PinningMaterial.trust("leaf,root-1,issuing", anchors: "")
    #expect(policy.evaluate(with, forDomain: Self.host).isTrusted)
  }

  @Test("pins that are set again count from then on, and copies keep theirs: corner 13")
  func values() throws {
    var policy = try policy(.publicKey, "leaf,leaf-again,leaf")
    #expect(policy.pinnedCertificates.count == 2 && policy.pinnedPublicKeys.count == 1)
    let copy = policy
    policy.pinnedCertificates = try PinningMaterial.certificates("stranger")
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(!policy.evaluate(trust, forDomain: Self.host).isTrusted)
    #expect(copy.evaluate(trust, forDomain: Self.host).isTrusted)
    #expect(policy != copy && policy.fingerprint != copy.fingerprint)
    policy.pinnedCertificates = copy.pinnedCertificates.reversed()
    #expect(policy == copy && policy.fingerprint == copy.fingerprint)
  }

  @Test("an archive has the four fields and no other, and comes back as it was")
  func coding() throws {
    let policy = try policy(.certificate, "leaf,issuing", allowsInvalid: true)
    let data = try JSONEncoder().encode(policy)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "SSLPinningMode", "allowInvalidCertificates", "validatesDomainName",
        "pinnedCertificates",
      ])
    #expect(try JSONDecoder().decode(SecurityPolicy.self, from: data) == policy)
    for field in object.keys {
      var other = object
      other[field] = nil
      let text = try JSONSerialization.data(withJSONObject: other)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(SecurityPolicy.self, from: text)
      }
    }
    for bad in ["!", "AAAA", try PinningMaterial.certificate("leaf").pem] {
      var other = object
      other["pinnedCertificates"] = [bad]
      let text = try JSONSerialization.data(withJSONObject: other)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(SecurityPolicy.self, from: text)
      }
    }
  }

  @Test("a folder gives its certificates in DER, by their endings, and names what is none")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/below.cer", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let leaf = try PinningMaterial.certificate("leaf")
    let root = try PinningMaterial.certificate("root-1")
    func write(_ name: String, _ octets: [UInt8]) throws {
      try Data(octets).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try write("b.cer", leaf.der)
    try write("c.cer", leaf.der)
    try write("d.CRT", root.der)
    try write("e.pem", root.der)
    try write("cer", root.der)
    try FileManager.default.removeItem(atPath: folder + "/below.cer")
    #expect(try SecurityPolicy.certificates(inDirectory: folder) == [leaf])
    #expect(
      try SecurityPolicy.certificates(inDirectory: folder, endings: .alamofire) == [leaf, root])
    try write("a.cer", Array(leaf.pem.utf8))
    let error = #expect(throws: PinnedCertificateError.self) {
      try SecurityPolicy.certificates(inDirectory: folder)
    }
    #expect(error?.source == .file(folder + "/a.cer") && error?.problem == .isPEM)
    let all = try CertificateFolder(folder)
    #expect(all.certificates == [leaf] && all.errors.count == 1)
    #expect(throws: PinnedCertificateError.self) { try CertificateFolder(folder + "/nowhere") }
  }
}
