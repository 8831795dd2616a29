import HoldfastCompatibility
import Testing

/// Code as users of Alamofire 5 write it, with `ServerTrust` in place of `SecTrust`, and
/// `Certificate` and `PublicKey` in place of `SecCertificate` and `SecKey`.
@Suite("Code written for Alamofire 5") struct AlamofireCodeTests {
  private static let host = PinningMaterial.host

  /// A pinning evaluator of one's own, which compares keys after the default validation.
  private final class KeyEvaluator: ServerTrustEvaluating {
    enum Failure: Error { case noKey }
    private let keys: [PublicKey]

    init(keys: [PublicKey]) { self.keys = keys }

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
      try trust.af.performDefaultValidation(forHost: host)
      try trust.af.performValidation(forHost: host)
      for serverKey in trust.af.publicKeys {
        for pinnedKey in keys where serverKey == pinnedKey { return }
      }
      throw Failure.noKey
    }
  }

  /// The same with certificates.
  private struct CertificateEvaluator: ServerTrustEvaluating {
    let pinned: [Certificate]

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
      try DefaultTrustEvaluator(validateHost: true).evaluate(trust, forHost: host)
      let serverData = Set(trust.af.certificateData)
      let pinnedData = Set(pinned.af.data)
      guard !serverData.isDisjoint(with: pinnedData) else { throw KeyEvaluator.Failure.noKey }
    }
  }

  @Test("evaluators of one's own compare with the validated path")
  func ownEvaluators() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let path = try PinningMaterial.certificates("leaf,issuing,root-1")
    #expect(trust.af.certificates == path)
    #expect(trust.af.publicKeys == path.compactMap { $0.af.publicKey })
    let other = try PinningMaterial.certificate("bad-root")
    for certificate in path {
      try KeyEvaluator(keys: [certificate.publicKey]).evaluate(trust, forHost: Self.host)
      try CertificateEvaluator(pinned: [other, certificate]).evaluate(trust, forHost: Self.host)
    }
    #expect(throws: KeyEvaluator.Failure.self) {
      try KeyEvaluator(keys: [other].af.publicKeys).evaluate(trust, forHost: Self.host)
    }
    #expect(throws: KeyEvaluator.Failure.self) {
      try CertificateEvaluator(pinned: [other]).evaluate(trust, forHost: Self.host)
    }
  }

  @Test("without a valid path, the certificates are those that signatures link")
  func linked() throws {
    let trust = try PinningMaterial.trust("leaf,issuing,bad-root", anchors: "root-2")
    #expect(try trust.af.certificates == PinningMaterial.certificates("leaf,issuing"))
    #expect(throws: TrustError.self) { try trust.af.performDefaultValidation(forHost: Self.host) }
    let empty = try PinningMaterial.trust("-", anchors: "root-1")
    #expect(empty.af.certificates.isEmpty)
  }

  @Test("evaluators, arrays of them and a manager by host compile and decide as in Alamofire")
  func evaluators() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let certificates = try PinningMaterial.certificates("issuing")
    let manager = ServerTrustManager(
      allHostsMustBeEvaluated: false,
      evaluators: [
        Self.host: PinnedCertificatesTrustEvaluator(
          certificates: certificates, acceptSelfSignedCertificates: false,
          performDefaultValidation: true, validateHost: true),
        "keys.example": PublicKeysTrustEvaluator(keys: certificates.af.publicKeys),
        "both.example": CompositeTrustEvaluator(evaluators: [
          DefaultTrustEvaluator(), RevocationTrustEvaluator(options: .any),
        ]),
        "open.example": DisabledTrustEvaluator(),
      ])
    try manager.serverTrustEvaluator(forHost: Self.host)?.evaluate(trust, forHost: Self.host)
    #expect(try manager.serverTrustEvaluator(forHost: "other.example") == nil)
    let evaluators: [any ServerTrustEvaluating] = [
      DefaultTrustEvaluator(), .publicKeys(keys: certificates.af.publicKeys),
    ]
    try evaluators.evaluate(trust, forHost: Self.host)
    #expect(throws: TrustError.self) { try evaluators.evaluate(trust, forHost: "other.example") }
  }
}
