import Foundation
import HoldfastCompatibility
import HoldfastConformance
import HoldfastIdentities
import TestSupport
import Testing

/// What a session does with challenges.
@Suite("Challenges") struct ChallengeTests {
  private static let host = PinningMaterial.host
  private static let methods: [Challenge.Method] = [
    .clientCertificate(authorities: []), .httpBasic, .httpDigest, .ntlm, .negotiate, .htmlForm,
    .unspecified,
  ]

  private func manager(_ host: String = host, all: Bool = true) -> ServerTrustManager {
    ServerTrustManager(
      allHostsMustBeEvaluated: all, evaluators: [host: DefaultTrustEvaluator()])
  }

  @Test("the raw values are those of Foundation")
  func numbers() {
    #expect(
      ChallengeDisposition.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(ChallengeDisposition.cancel.rawValue == 2)
    #expect(ChallengeDisposition.rejectProtectionSpace.rawValue == 3)
  }

  @Test("a trusted server gets the credential, with a verdict to keep")
  func trusted() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let challenge = Challenge(.serverTrust(trust), host: Self.host)
    for decision in [
      challenge.decision(under: AFSecurityPolicy.default()), challenge.decision(under: manager()),
    ] {
      #expect(decision.disposition == .useCredential)
      guard case .trustServer(let verdict) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(verdict.host == Self.host && verdict.path != nil)
    }
  }

  private final class Subclass: ServerTrustManager, @unchecked Sendable {}

  private final class Steady: ServerTrustManager, @unchecked Sendable {
    override var allowsReuse: Bool { true }
  }

  @Test("the verdict under a manager that may change holds once, unless the manager says otherwise")
  func once() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let challenge = Challenge(.serverTrust(trust), host: Self.host)
    let evaluators = [Self.host: DefaultTrustEvaluator()]
    for (manager, isLong) in [
      (ServerTrustManager(evaluators: evaluators), true), (Steady(evaluators: evaluators), true),
      (Subclass(evaluators: evaluators), false),
    ] {
      guard case .trustServer(let verdict) = challenge.decision(under: manager) else {
        Issue.record("\(type(of: manager))")
        continue
      }
      for seconds in [0, 1] as [Int64] {
        let time = trust.time.advanced(bySeconds: seconds)
        #expect(verdict.isValid(for: Self.host, at: time) == isLong)
      }
    }
  }

  @Test("every rejection cancels the challenge, whatever its reason")
  func rejections() throws {
    // AFNetworking 3.0 rejected the protection space, and rejected requests went on: #3409.
    let trust = try PinningMaterial.trust("bad-leaf,bad-issuing,leaf", anchors: "bad-root")
    let leaf = try PinningMaterial.certificate("leaf")
    let challenge = Challenge(.serverTrust(trust), host: Self.host, previousFailureCount: 3)
    let policies: [any ServerTrustEvaluating] = [
      AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [leaf]),
      AFSecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [leaf]),
      PublicKeysTrustEvaluator(keys: [leaf.publicKey]),
      PinnedCertificatesTrustEvaluator(certificates: [leaf]),
      CompositeTrustEvaluator(evaluators: [
        DefaultTrustEvaluator(), PublicKeysTrustEvaluator(keys: [leaf.publicKey]),
      ]),
    ]
    for policy in policies {
      #expect(challenge.decision(under: policy).disposition == .cancel)
      let manager = ServerTrustManager(evaluators: [Self.host: policy])
      #expect(challenge.decision(under: manager).disposition == .cancel)
    }
    let other = manager("other.example")
    guard case .cancel(.unknownHost(Self.host)) = challenge.decision(under: other) else {
      Issue.record("a host without an evaluator was let through")
      return
    }
    let lenient = manager("other.example", all: false)
    #expect(challenge.decision(under: lenient).disposition == .performDefaultHandling)
  }

  @Test("AFNetworking leaves all other challenges to the system")
  func others() {
    for method in Self.methods {
      let challenge = Challenge(method, host: Self.host, previousFailureCount: 1)
      #expect(
        challenge.decision(under: AFSecurityPolicy.default()).disposition == .performDefaultHandling
      )
    }
  }

  @Test("Alamofire offers a credential once, of the requested kind")
  func credentials() throws {
    let password = ClientCredential.password(user: "u", password: "p")
    let elsewhere = ClientCredential.certificates([try PinningMaterial.certificate("leaf-client")])
    let identity = ClientCredential.identity(try Self.identity())
    let manager = manager()
    for method in Self.methods {
      let first = Challenge(method, host: Self.host)
      let again = Challenge(method, host: Self.host, previousFailureCount: 1)
      switch method {
      case .htmlForm, .unspecified:
        #expect(
          first.decision(under: manager, credential: password).disposition
            == .performDefaultHandling)
        #expect(again.decision(under: manager).disposition == .performDefaultHandling)
      default:
        #expect(first.decision(under: manager).disposition == .performDefaultHandling)
        #expect(again.decision(under: manager).disposition == .rejectProtectionSpace)
        let used = [password, elsewhere, identity].map {
          first.decision(under: manager, credential: $0).disposition == .useCredential
        }
        var asksForCertificate = false
        if case .clientCertificate = method { asksForCertificate = true }
        #expect(used == [!asksForCertificate, asksForCertificate, asksForCertificate])
      }
    }
  }

  @Test("the credential is the identity, with its chain and its key")
  func usedIdentity() throws {
    let identity = try Self.identity()
    let challenge = Challenge(.clientCertificate(authorities: []), host: Self.host)
    guard
      case .useCredential(.identity(let used)) = challenge.decision(
        under: manager(), credential: .identity(identity))
    else {
      Issue.record("the identity is not used")
      return
    }
    #expect(used.chain == identity.chain && used.chain.count == 3)
    #expect(used.privateKey.isEqual(to: identity.privateKey))
  }

  /// That of a file with an empty password.
  private static func identity() throws -> Identity {
    let root = CommittedVectors.root
    let file = FileManager.default.contents(
      atPath: "\(root)/Vectors/identities/files/openssl-empty.p12")
    return try Identity(pkcs12: [UInt8](try #require(file)), password: "")
  }
}
