import HoldfastCompatibility
import HoldfastConfigurations
import HoldfastIdentities

// The code of the page about ports, as it is there. A test compares them; the compiler does the
// rest.

private func decideAsBefore(
  _ presented: [Certificate], _ anchors: AnchorSet, _ pinned: Set<Certificate>
) throws {
  let trust = ServerTrust(chain: presented, anchors: anchors)
  let policy = AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: pinned)
  let verdict = try policy.evaluate(trust, for: "api.example.com")
  for item in verdict.unchecked { print("not checked:", item) }
}

private func question(_ presentedDER: [[UInt8]]) throws -> ServerTrust {
  let validator = PathValidator(anchors: try .system(), rules: .apple)  // once
  let chain = try presentedDER.map { try Certificate(der: $0) }
  let trust = ServerTrust(chain: chain, validator: validator)
  return trust
}

private func whatAppleAsks() -> ValidationRules {
  var rules = ValidationRules.apple
  rules.leaf.maximumValidity = 825 * 86_400  // also of certificates that are older than that
  rules.leaf.requiresExtendedKeyUsage = true
  return rules
}

private func portAFNetworking(_ trust: ServerTrust, proceed: () -> Void) throws {
  let certificates = try AFSecurityPolicy.certificates(in: "pins")
  let policy = AFSecurityPolicy(
    pinningMode: .certificate, withPinnedCertificates: certificates)
  policy.allowInvalidCertificates = true
  if policy.evaluateServerTrust(trust, forDomain: "api.example.com") { proceed() }

  let verdict = try policy.evaluate(trust, for: "api.example.com")
  for item in verdict.unchecked { print("not checked:", item) }
}

private func withRevocation(
  _ chain: [Certificate], _ validator: PathValidator, _ crls: [CRL],
  _ staple: OCSPResponse
) -> ServerTrust {
  let trust = ServerTrust(
    chain: chain, validator: validator, revocation: Revocation(crls: crls, ocspResponses: [staple]))
  return trust
}

final class WildcardManager: ServerTrustManager, @unchecked Sendable {
  override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
    host.hasSuffix(".example.org")
      ? DefaultTrustEvaluator() : try super.serverTrustEvaluator(forHost: host)
  }
}

private func portAlamofire5(_ trust: ServerTrust) throws {
  let pinned = try Certificate.certificates(inFolder: "pins")
  let manager = ServerTrustManager(evaluators: [
    "api.example.com": .pinnedCertificates(certificates: pinned),
    "auth.example.com": PublicKeysTrustEvaluator(keys: pinned.af.publicKeys),
    "old.example.com": .composite(evaluators: [.default, .revocationChecking()]),
  ])
  try manager.serverTrustEvaluator(forHost: "api.example.com")?
    .evaluate(trust, forHost: "api.example.com")

  let challenge = Challenge(.serverTrust(trust), host: "api.example.com")
  switch challenge.decision(under: manager) {
  case .trustServer(let verdict): print("go on:", verdict.reason)
  case .cancel(let error): print(error)
  default: print("left to the system")
  }
}

private func answerClientChallenge(
  _ file: [UInt8], _ password: String, _ manager: ServerTrustManager,
  use: ([Certificate], PrivateKey) -> Void
) throws {
  let identity = try Identity(pkcs12: file, password: password)
  let asked = Challenge(.clientCertificate(authorities: []), host: "api.example.com")
  switch asked.decision(under: manager, credential: .identity(identity)) {
  case .useCredential(.identity(let identity)): use(identity.chain, identity.privateKey)
  case .rejectProtectionSpace: print("the server has rejected it before")
  default: print("goes on without a certificate")
  }
}

struct PinnedKeys: ServerTrustEvaluating {
  let keys: [PublicKey]
  struct NoPinnedKey: Error {}

  func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    try trust.af.performValidation(forHost: host)
    guard trust.af.publicKeys.contains(where: keys.contains) else { throw NoPinnedKey() }
  }
}

private func portAlamofire4(_ trust: ServerTrust, _ host: String) throws -> Bool? {
  let policies: [String: ServerTrustPolicy] = [
    "api.example.com": .pinPublicKeys(
      publicKeys: try ServerTrustPolicy.publicKeys(in: "pins"),
      validateCertificateChain: true,
      validateHost: true)
  ]
  let manager = ServerTrustPolicyManager(policies: policies)
  let isTrusted = manager.serverTrustPolicy(forHost: host)?
    .evaluate(trust, forHost: host)
  return isTrusted
}

private func portOkHttp() throws -> TrustManager {
  let manager = try TrustManager(
    pins: [
      "*.example.com": [
        "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=",
        "sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ=",
      ]
    ], otherHosts: .validate)
  return manager
}

private func portOkHttpText(_ kotlin: String) throws -> TrustManager {
  let configuration = try PinConfiguration(Array(kotlin.utf8), as: .okHttp)
  let manager = TrustManager(configuration: configuration, anchors: try .system())
  return manager
}
