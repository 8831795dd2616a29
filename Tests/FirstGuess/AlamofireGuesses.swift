import HoldfastCompatibility

/// What users of Alamofire paste: their `ServerTrustManager` or `ServerTrustPolicyManager`.
enum AlamofireGuesses {
  static let folder = "Certificates"

  static func managers() throws -> [ServerTrustManager] {
    let certificates = try Certificate.certificates(inFolder: folder)
    return [
      // 16. A pinned certificate
      ServerTrustManager(evaluators: [
        "cert.example.com": PinnedCertificatesTrustEvaluator(certificates: certificates)
      ]),
      // 17. A pinned key
      ServerTrustManager(evaluators: [
        "keys.example.com": PublicKeysTrustEvaluator(keys: certificates.af.publicKeys)
      ]),
      // 18. The dot syntax
      ServerTrustManager(
        allHostsMustBeEvaluated: false,
        evaluators: ["cert.example.com": .pinnedCertificates(certificates: certificates)]),
      // 19. The same for keys
      ServerTrustManager(evaluators: [
        "keys.example.com": .publicKeys(keys: certificates.af.publicKeys)
      ]),
      // 20. Several evaluators
      ServerTrustManager(evaluators: [
        "both.example.com": CompositeTrustEvaluator(evaluators: [
          DefaultTrustEvaluator(), PinnedCertificatesTrustEvaluator(certificates: certificates),
        ])
      ]),
      // 21. Revocation
      ServerTrustManager(evaluators: ["crl.example.com": .revocationChecking]),
      // 22. One host that is not verified
      ServerTrustManager(evaluators: ["localhost": DisabledTrustEvaluator()]),
    ]
  }

  /// 23. Wildcards, as Alamofire's documentation suggests.
  final class WildcardManager: ServerTrustManager, @unchecked Sendable {
    override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)?
    {
      host.hasSuffix(".example.com") ? DefaultTrustEvaluator() : nil
    }
  }

  /// 24. An evaluator of one's own.
  struct LeafOnly: ServerTrustEvaluating {
    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
      // 25. The additions behind `.af`
      try trust.af.performDefaultValidation(forHost: host)
      try trust.af.performValidation(forHost: host)
      // 26. What is compared
      guard trust.af.certificates.first?.af.publicKey != nil else { throw Missing() }
    }

    struct Missing: Error {}
  }

  static func policies() throws -> ServerTrustPolicyManager {
    // 27. Alamofire 4
    ServerTrustPolicyManager(policies: [
      "cert.example.com": .pinCertificates(
        certificates: try ServerTrustPolicy.certificates(in: folder),
        validateCertificateChain: true, validateHost: true),
      "keys.example.com": .pinPublicKeys(
        publicKeys: try ServerTrustPolicy.publicKeys(in: folder),
        validateCertificateChain: true, validateHost: true),
      "localhost": .disableEvaluation,
    ])
  }
}

#if Curl
  import Foundation
  import FoundationNetworking

  /// What users of AFNetworking paste, and what their sessions become.
  enum SessionGuesses {
    static func policies(_ data: Data, _ trust: ServerTrust) throws {
      // 28. defaultPolicy
      print(AFSecurityPolicy.default())
      // 29. policyWithPinningMode:withPinnedCertificates:
      let policy = try AFSecurityPolicy(
        pinningMode: .certificate,
        withPinnedCertificates: AFSecurityPolicy.certificates(in: "Certificates"))
      // 30. The certificates as data
      _ = try AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [data])
      // 31. The switches
      policy.validatesDomainName = true
      policy.allowInvalidCertificates = false
      // 32. The question
      _ = policy.evaluateServerTrust(trust, forDomain: "example.com")
      // 33. What a policy is, shown
      print(policy)
    }

    static func sessions(_ policy: AFSecurityPolicy, _ manager: ServerTrustManager) throws {
      // 34. sessionManager.securityPolicy = policy
      _ = URLSession(configuration: try .pinned(policy))
      // 35. Session(serverTrustManager:)
      _ = URLSession(configuration: try .pinned(manager))
      // 36. SessionManager(serverTrustPolicyManager:)
      _ = URLSession(configuration: try .pinned(AlamofireGuesses.policies()))
      // 37. With a CA of one's own
      _ = URLSession(configuration: try .pinned(policy, anchors: AnchorSet(file: "ca.pem")))
    }
  }
#endif
