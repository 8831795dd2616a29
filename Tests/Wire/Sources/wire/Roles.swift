import COpenSSL
import Holdfast
import HoldfastOpenSSL

/// Who the peer is, and which host its certificate must have: never an answer of what is missing.
extension Sessions {
  /// How a client names the host of a connection.
  enum Naming: String, CaseIterable {
    case nothing = "no host"
    case name = "a name by X509_VERIFY_PARAM"
    case address = "an address by X509_VERIFY_PARAM"
    case otherAddress = "another address by X509_VERIFY_PARAM"
    case both = "a name and an address by X509_VERIFY_PARAM"
    case serverName = "a server name"
  }

  mutating func runRoles() throws {
    let root = material.root
    let manager = TrustManager(
      pins: try PinTable([:] as [String: PinSet]), anchors: root, otherHosts: .validate)
    let validator = PathValidator(anchors: root)
    let verifiers: [(name: String, verifier: TLSVerifier)] = [
      ("validator", TLSVerifier(validator)),
      ("manager", TLSVerifier(manager)),
      ("policy", TLSVerifier(manager, validator: validator)),
      (
        "decider",
        TLSVerifier { peer in
          // As careless as a decider can be: it asks only whether there is a path.
          let chain = try peer.chain.map { try Certificate(der: $0) }
          let path = try validator.validate(chain, for: .any, at: peer.time)
          return Verdict(.validPath, host: peer.host, path: path, at: peer.time)
        }
      ),
    ]
    for (name, verifier) in verifiers {
      for certificate in ["good", "client-of-root"] {
        let server = try context(server: certificate)
        for naming in Naming.allCases {
          let client = try context()
          try verifier.installOnClient(client)
          let outcome = try connect(client, server, named: naming)
          expect(
            "\(name), \(certificate), \(naming.rawValue)",
            expected(certificate, naming, isCareless: name == "decider"), outcome)
        }
      }
    }
    let server = try context(server: "good")
    try TLSVerifier(manager).installOnServer(server)
    let client = try context(client: "client-good")
    try TLSVerifier(validator).installOnClient(client, host: "wire.example")
    table.row(
      label + "a verifier of servers on a server", expected: "no host",
      got: try connect(client, server).server)
  }

  private func expected(_ certificate: String, _ naming: Naming, isCareless: Bool) -> String {
    let isForServers = certificate == "good" || isCareless
    switch naming {
    case .nothing: return "no host"
    case .both: return "several hosts"
    case .name, .address, .serverName:
      return isForServers
        ? "accepted" : "rejected extendedKeyUsage, alert unsupportedCertificate"
    case .otherAddress:
      if isCareless { return "accepted" }
      return certificate == "good"
        ? "rejected hostName, alert badCertificate"
        : "rejected extendedKeyUsage, alert unsupportedCertificate"
    }
  }

  private func connect(
    _ client: OpaquePointer, _ server: OpaquePointer, named naming: Naming
  ) throws -> Outcome {
    try connect(client, server) { ssl, _ in
      switch naming {
      case .nothing: break
      case .name: wire_set_expected(ssl, "wire.example", nil)
      case .address: wire_set_expected(ssl, nil, "127.0.0.1")
      case .otherAddress: wire_set_expected(ssl, nil, "127.0.0.2")
      case .both: wire_set_expected(ssl, "wire.example", "127.0.0.1")
      case .serverName: wire_set_name(ssl, "wire.example")
      }
    }
  }
}
