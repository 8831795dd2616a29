import Foundation
import HoldfastCompatibility
import HoldfastConformance
import Testing

/// What AFNetworking's own tests say, and the corners of its rules.
@Suite("AFSecurityPolicy") struct SecurityPolicyTests {
  private static let host = PinningMaterial.host

  private func policy(
    _ mode: AFSSLPinningMode, _ pinned: String, allowsInvalid: Bool = false,
    validatesDomain: Bool = true
  ) throws -> AFSecurityPolicy {
    let policy = AFSecurityPolicy(
      pinningMode: mode,
      withPinnedCertificates: try PinningMaterial.certificates(pinned))
    policy.allowInvalidCertificates = allowsInvalid
    policy.validatesDomainName = validatesDomain
    return policy
  }

  /// The verdict, or nil if the server is rejected.
  private func verdict(
    _ policy: AFSecurityPolicy, _ trust: ServerTrust, forDomain domain: String? = host
  ) -> Verdict? {
    do throws(TrustError) {
      return try policy.evaluate(trust, forDomain: domain)
    } catch {
      return nil
    }
  }

  private func error(
    _ policy: AFSecurityPolicy, _ trust: ServerTrust, forDomain domain: String? = host
  ) -> String {
    do throws(TrustError) {
      _ = try policy.evaluate(trust, forDomain: domain)
      return "trusted"
    } catch {
      return "\(error)"
    }
  }

  @Test("a verdict from before a change of the policy is not used again")
  func changes() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let time = PinningMaterial.time
    let changes: [(AFSecurityPolicy) throws -> Void] = [
      { $0.pinnedCertificates = Set(try PinningMaterial.certificates("stranger")) },
      { $0.allowInvalidCertificates = true }, { $0.validatesDomainName = true },
    ]
    for change in changes {
      let policy = try policy(.publicKey, "leaf")
      let combined = CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), policy])
      let old = [
        try policy.verdict(on: trust, for: Self.host),
        try combined.verdict(on: trust, for: Self.host),
      ]
      #expect(old.allSatisfy { $0.isValid(for: Self.host, at: time) })
      try change(policy)
      #expect(old.allSatisfy { !$0.isValid(for: Self.host, at: time) })
      guard let new = verdict(policy, trust) else { continue }
      #expect(new.isValid(for: Self.host, at: time))
    }
  }

  @Test("the defaults are AFNetworking's")
  func defaults() {
    for policy in [
      AFSecurityPolicy.default(), .defaultPolicy(),
      .policyWithPinningMode(.none, withPinnedCertificates: nil),
    ] {
      #expect(policy.sslPinningMode == .none && policy.pinnedCertificates == nil)
      #expect(!policy.allowInvalidCertificates && policy.validatesDomainName)
    }
  }

  @Test(
    "a pinned leaf, intermediate or root suffices, alone or among others",
    arguments: ["leaf", "issuing", "root-1", "leaf,issuing,root-1", "stranger,leaf"])
  func anyMatch(pinned: String) throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for mode in [AFSSLPinningMode.publicKey, .certificate] {
      let policy = try policy(mode, pinned)
      let verdict = try policy.evaluate(trust, forDomain: Self.host)
      guard case .pinned(let match) = verdict.reason, verdict.path != nil else {
        Issue.record("\(verdict)")
        continue
      }
      let found = verdict.certificates[match.index]
      #expect(try PinningMaterial.certificates(pinned).contains(found))
      #expect(!policy.evaluateServerTrust(trust, forDomain: "other.example"))
    }
  }

  @Test("key mode with invalid certificates compares only the key: corner 1")
  func keyAlone() throws {
    let policy = try policy(.publicKey, "self", allowsInvalid: true)
    let trust = try PinningMaterial.trust("self", anchors: "root-1")
    for domain in ["wrong.example", "not a host"] {
      let verdict = try policy.evaluate(trust, for: domain)
      #expect(verdict.path == nil && verdict.validity == trust.time...trust.time)
      #expect(verdict.unchecked == [.path, .host])
    }
  }

  @Test("without a domain, none with invalid certificates trusts everything: corner 2")
  func noneTrustsAll() throws {
    let policy = try policy(.none, "", allowsInvalid: true)
    let trust = try PinningMaterial.trust("leaf-expired", anchors: "")
    #expect(try policy.evaluate(trust, forDomain: nil).unchecked == [.everything])
    #expect(error(policy, trust) == "\(AFSecurityPolicy.Rule.domainNeedsPinning)")
  }

  @Test("pins that the mode ignores are listed as not checked")
  func ignoredPins() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(try policy(.none, "stranger").evaluate(trust, for: Self.host).unchecked == [.pins])
  }

  @Test("without a domain the policy for TLS servers still applies: corner 3")
  func purposeWithoutDomain() throws {
    let trust = try PinningMaterial.trust("leaf-client,issuing", anchors: "root-1")
    #expect(try !policy(.none, "").evaluateServerTrust(trust, forDomain: nil))
    #expect(
      try policy(.none, "", validatesDomain: false).evaluateServerTrust(trust, forDomain: nil))
  }

  @Test("a private CA needs invalid certificates allowed, and the host is still compared: corner 4")
  func privateAuthority() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-2")
    #expect(verdict(try policy(.certificate, "root-1"), trust) == nil)
    let allowing = try policy(.certificate, "root-1", allowsInvalid: true)
    #expect(verdict(allowing, trust)?.unchecked == [])
    #expect(verdict(allowing, trust, forDomain: nil)?.unchecked == [.host])
    #expect(verdict(allowing, trust, forDomain: "other.example") == nil)
  }

  @Test("an anchor ends the path wherever it is: corners 5 and 6")
  func partialPaths() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for (pinned, path) in [
      ("leaf", "leaf"), ("issuing", "leaf,issuing"), ("root-1", "leaf,issuing,root-1"),
    ] {
      let verdict = try policy(.certificate, pinned, allowsInvalid: true)
        .evaluate(trust, forDomain: Self.host)
      #expect(try verdict.certificates == PinningMaterial.certificates(path))
      guard case .pinned(let match) = verdict.reason else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(
        try verdict.certificates[match.index] == PinningMaterial.certificate(pinned))
    }
  }

  @Test("an expired self-signed pinned certificate is rejected: corner 7")
  func expiredOwn() throws {
    let later = Timestamp(secondsSince1970: 2_051_222_401)  // 2035-01-01T00:00:01Z
    let trust = try PinningMaterial.trust("self", anchors: "", at: later)
    let own = try policy(.certificate, "self", allowsInvalid: true)
    #expect(!own.evaluateServerTrust(trust, forDomain: Self.host))
    let before = try PinningMaterial.trust("self", anchors: "")
    #expect(own.evaluateServerTrust(before, forDomain: Self.host))
  }

  @Test("a root that was sent without the intermediate is not linked to the leaf: corner 9")
  func missingIntermediate() throws {
    let policy = try policy(.publicKey, "root-1", allowsInvalid: true)
    let without = try PinningMaterial.trust("leaf,root-1", anchors: "")
    let error = #expect(throws: TrustError.self) {
      try policy.evaluate(without, forDomain: Self.host)
    }
    guard case .noPinFound(_, _, let seen)? = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(try seen == [PinningMaterial.certificate("leaf")])
    let with = try PinningMaterial.trust("leaf,root-1,issuing", anchors: "")
    #expect(policy.evaluateServerTrust(with, forDomain: Self.host))
  }

  @Test("replaced pins take effect at once: corner 13")
  func values() throws {
    let policy = try policy(.publicKey, "leaf,leaf-again,leaf")
    #expect(policy.pinnedCertificates?.count == 2)
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(policy.evaluateServerTrust(trust, forDomain: Self.host))
    policy.pinnedCertificates = Set(try PinningMaterial.certificates("stranger"))
    #expect(!policy.evaluateServerTrust(trust, forDomain: Self.host))
    policy.pinnedCertificates = nil
    #expect(
      error(policy, trust) == "the policy has no pinned certificates: it rejects every server")
  }

  @Test("a folder gives the certificates of its cer, crt, der and pem files, or an error")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let leaf = try PinningMaterial.certificate("leaf")
    let issuing = try PinningMaterial.certificate("issuing")
    let root = try PinningMaterial.certificate("root-1")
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    func error() -> ParseError? {
      do throws(ParseError) {
        _ = try AFSecurityPolicy.certificates(in: folder)
        return nil
      } catch {
        return error
      }
    }
    let none = "\(folder): no .cer, .crt, .der or .pem file in this folder"
    #expect(error()?.description == none)
    try write("cer", root.der)
    try write("readme.txt", root.der)
    #expect(error()?.description == none)
    try write("b.cer", leaf.der)
    try write("c.der", leaf.der)
    try write("d.CRT", root.der)
    try write("a.pem", Array((issuing.pem + leaf.pem).utf8))
    #expect(try AFSecurityPolicy.certificates(in: folder) == [leaf, issuing, root])
    #expect(try Certificate.certificates(inFolder: folder) == [issuing, leaf, root])
    try write("e.cer", Array("nothing".utf8))
    #expect(error()?.file == "\(folder)/e.cer")
    let absent = #expect(throws: ParseError.self) {
      try AFSecurityPolicy.certificates(in: "/nowhere/here")
    }
    #expect(absent?.description == "/nowhere/here: no such folder")
  }
}
