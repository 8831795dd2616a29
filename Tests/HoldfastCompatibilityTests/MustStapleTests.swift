import Holdfast
import HoldfastCertificates
import HoldfastCompatibility
import TestSupport
import Testing

/// A leaf that demands a stapled OCSP response (RFC 7633), under the policies of this library,
/// which require one in a handshake, and under those of AFNetworking and Alamofire, which do not.
@Suite("Must-staple in a handshake") struct MustStapleTests {
  private let root: Certificate
  private let leaf: Certificate
  private let good: OCSPResponse
  private let stale: OCSPResponse

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) {
      let feature = Made.der(0x30, Made.der(0x02, [5]))
      $0.extensions.append(Made.extension("1.3.6.1.5.5.7.1.24", feature))
    }
    let (root, leaf) = (root, leaf)
    func response(until end: String) throws -> OCSPResponse {
      try SignedRevocation.answer(
        [SignedRevocation.single(leaf, of: root, until: end)], by: root, 1,
        includesResponder: false)
    }
    good = try response(until: "20260201000000Z")
    stale = try response(until: "20251231000001Z")
  }

  /// What the validator knows besides the staple.
  private func known(_ name: String) throws -> Revocation? {
    switch name {
    case "nothing": nil
    case "ignored": Revocation(.ignored)
    case "a list": Revocation(crls: [try SignedRevocation.list(by: "Root", 1)])
    case "a response": Revocation(ocspResponses: [good])
    default: Revocation(.required(of: .leaf), ocspResponses: [good])
    }
  }

  private func outcome(_ body: () throws(TrustError) -> Verdict) -> String {
    do throws(TrustError) {
      let verdict = try body()
      return verdict.unchecked.contains(.mustStaple) ? "trusted, unchecked" : "trusted"
    } catch {
      guard case .invalidPath(let path) = error else { return "\(error)" }
      return path.rejections.first?.rule.name ?? "\(path.cause)"
    }
  }

  private static let knowledge = ["nothing", "ignored", "a list", "a response", "all required"]

  @Test("the manager rejects a handshake without a usable staple", arguments: knowledge)
  func manager(_ name: String) throws {
    let manager = TrustManager(
      pins: try PinTable([SignedCertificate.host: PinSet([Pin(keyOf: leaf)], backup: .waived)]),
      anchors: AnchorSet([root]), revocation: try known(name))
    func stapled(_ staple: OCSPResponse?) -> String {
      outcome { () throws(TrustError) in
        try manager.evaluate(
          der: [leaf.der], host: SignedCertificate.host, staple: staple?.der,
          at: SignedCertificate.time)
      }
    }
    #expect(stapled(nil) == "revocationUnknown")
    #expect(stapled(stale) == "revocationUnknown")
    #expect(stapled(good) == "trusted")
  }

  @Test("so does a validator, and a policy around the manager")
  func validator() throws {
    let manager = TrustManager(
      pins: try PinTable([SignedCertificate.host: PinSet([Pin(keyOf: leaf)], backup: .waived)]),
      anchors: AnchorSet([root]), revocation: Revocation(.required(of: .leaf)))
    let validator = PathValidator(anchors: AnchorSet([root]))
    for (staple, expected) in [
      (good, "trusted"), (stale, "revocationUnknown"), (nil, "revocationUnknown"),
    ] {
      let question = try Question(
        der: [leaf.der], staple: staple?.der, for: .anyServer, at: SignedCertificate.time)
      let trust = ServerTrust(question, validator: validator)
      #expect(
        outcome { () throws(TrustError) in
          try manager.verdict(on: trust, for: SignedCertificate.host)
        } == expected)
      let purpose = Purpose.server(try HostName(SignedCertificate.host))
      #expect(
        outcome { () throws(TrustError) in
          do throws(PathError) {
            let path = try validator.validate(trust.question(for: purpose))
            return Verdict(.validPath, host: nil, path: path, at: trust.time)
          } catch {
            throw .invalidPath(error)
          }
        } == expected)
    }
  }

  @Test("without a handshake the demand is listed as unchecked, never passed over in silence")
  func offline() throws {
    let purpose = Purpose.server(try HostName(SignedCertificate.host))
    let time = SignedCertificate.time
    let validator = PathValidator(anchors: AnchorSet([root]))
    #expect(try validator.validate([leaf], for: purpose, at: time).unchecked == [.mustStaple])
    let answered = try validator.validate(
      [leaf], for: purpose, at: time, revocation: Revocation(ocspResponses: [good]))
    #expect(answered.unchecked == [])
    let plain = try SignedCertificate.leaf(by: "Root", 1)
    #expect(try validator.validate([plain], for: purpose, at: time).unchecked == [])
  }

  @Test("AFNetworking's and Alamofire's policies trust as they do, and list it as unchecked")
  func compatible() throws {
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .apple)
    let policies: [any TrustEvaluating] = [
      AFSecurityPolicy.default(),
      AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [leaf]),
      DefaultTrustEvaluator(), RevocationTrustEvaluator(),
      PublicKeysTrustEvaluator(keys: [leaf.publicKey]),
      PinnedCertificatesTrustEvaluator(certificates: [leaf]),
    ]
    for policy in policies {
      for staple in [nil, stale] {
        let question = try Question(
          der: [leaf.der], staple: staple?.der, for: .anyServer, at: SignedCertificate.time)
        let trust = ServerTrust(question, validator: validator)
        #expect(
          outcome { () throws(TrustError) in
            try policy.verdict(on: trust, for: SignedCertificate.host)
          } == "trusted, unchecked", "\(policy)")
      }
    }
  }

  /// RFC 8446 §4.4.2.1: a client staples only if the server asks for it, which none of ours does.
  @Test("a client is not rejected for want of a staple, and its demand is listed as unchecked")
  func client() throws {
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    let path = try validator.validate(
      Question(client: [leaf.der], at: SignedCertificate.time))
    #expect(path.unchecked == [.mustStaple])
  }

  @Test("a waived demand is listed as unchecked")
  func waived() throws {
    var revocation = Revocation(.ignored)
    revocation.honorsMustStaple = false
    let manager = TrustManager(
      pins: try PinTable([SignedCertificate.host: PinSet([Pin(keyOf: leaf)], backup: .waived)]),
      anchors: AnchorSet([root]), revocation: revocation)
    #expect(
      outcome { () throws(TrustError) in
        try manager.evaluate(
          der: [leaf.der], host: SignedCertificate.host, at: SignedCertificate.time)
      } == "trusted, unchecked")
  }
}
