// First guesses that do not compile, each refused in words: what follows `refused:` is in the
// compiler's error about the next line. `RefusedTests` compares them.
import HoldfastCompatibility
import HoldfastIdentities

func pinning(_ chain: [Certificate], _ validator: PathValidator) throws {
  // 1. OkHttp and Alamofire: one pin
  // refused: a host needs a second pin, of a backup
  _ = try TrustManager(pins: ["h.example": "sha256/…"])
  // 2. Go: VerifyOptions
  // refused: validate(chain, for: .server(host))
  _ = try validator.validate(chain, host: "h.example")
  // 3. Go: VerifyHostname
  // refused: a name proves nothing by itself
  _ = chain[0].isValid(for: "h.example")
}

func identity() throws {
  // 22. The option of a file, and another for its key
  // refused: write Identity(certificateFile: "…", keyFile: "…")
  _ = try Identity(file: "client.pem", keyFile: "client.key")
}

func reload(_ manager: TrustManager, _ new: TrustManager) {
  // 23. Trust that changes while it is used
  // refused: LiveTrust(manager)
  manager.update(new)
}

func alamofire() throws {
  // 4. The main bundle's certificates
  // refused: .pinnedCertificates(certificates: try Certificate.certificates(inFolder:
  _ = ServerTrustManager(evaluators: ["h.example": .pinnedCertificates])
  // 5. The main bundle's keys
  // refused: .publicKeys(keys: try Certificate.certificates(inFolder:
  _ = ServerTrustManager(evaluators: ["h.example": .publicKeys])
  // 6. The same, written out
  // refused: init(certificates: try Certificate.certificates(inFolder:
  _ = PinnedCertificatesTrustEvaluator()
  // 7. The same for keys
  // refused: init(keys: try Certificate.certificates(inFolder:
  _ = PublicKeysTrustEvaluator()
  // 8. A name before Alamofire 5.4
  // refused: DisabledTrustEvaluator
  _ = DisabledEvaluator()
  // 9. Alamofire 4, from the main bundle
  // refused: publicKeys(in: folder)
  _ = ServerTrustPolicy.publicKeys()
}

// 10. Apple's type, in an evaluator
// refused: ServerTrust
func evaluate(_ trust: SecTrust, forHost host: String) {}

func afNetworking() throws {
  // 11. The main bundle's certificates
  // refused: AFSecurityPolicy.certificates(in: folder)
  _ = AFSecurityPolicy(pinningMode: .publicKey)
  // 12. The Objective-C name
  // refused: AFSecurityPolicy.certificates(in: folder)
  _ = AFSecurityPolicy.policyWithPinningMode(.certificate)
}
