import Foundation
import HoldfastCompatibility
import HoldfastConfigurations
import HoldfastOnline
import TestSupport
import Testing

/// What guesses decide: the safe thing.
@Suite("First guesses, decided") struct DecisionTests {
  static let host = "www.demo.example"

  static func demo(_ file: String) -> String { CommittedVectors.path("demo/\(file)") }

  @Test("anchors alone trust a server with a path to them, and no other")
  func anchors() throws {
    let manager = TrustManager(anchors: try AnchorSet(file: Self.demo("root.pem")))
    let chain = try Certificate.certificates(inFile: Self.demo("chain.pem"))
    #expect(try manager.evaluate(chain, host: Self.host).path?.leaf == chain[0])
    #expect(throws: TrustError.self) { try manager.evaluate(chain, host: "other.example") }
    let proxy = try Certificate.certificates(inFile: Self.demo("proxy-chain.pem"))
    #expect(throws: TrustError.self) { try manager.evaluate(proxy, host: Self.host) }
  }

  @Test("pins of certificates reject a proxy whose root is an anchor, and hosts without pins")
  func pins() throws {
    let chain = try Certificate.certificates(inFile: Self.demo("chain.pem"))
    let roots = try ["root.pem", "proxy-root.pem"].map { try Certificate(file: Self.demo($0)) }
    let manager = try TrustManager(
      pins: [Self.host: [chain[0].pin, roots[0].pin]], anchors: AnchorSet(roots))
    #expect(try manager.evaluate(chain, host: Self.host).unchecked == [])
    let proxy = try Certificate.certificates(inFile: Self.demo("proxy-chain.pem"))
    let error = #expect(throws: TrustError.self) { try manager.evaluate(proxy, host: Self.host) }
    guard case .pinMismatch? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: TrustError.self) { try manager.evaluate(chain, host: "demo.example") }
  }

  @Test("one pin is an error that says how it is waived")
  func onePin() throws {
    let pin = try Certificate(file: Self.demo("root.pem")).pin
    // 14. A set of one pin
    let error = #expect(throws: PinSetError.self) { try PinSet([pin]) }
    // The line that is proposed, with the pin as text.
    let waived = try PinTable(["host": PinSet([Pin("\(pin)")], backup: .waived)])
    #expect(waived.entries.first?.pins?.pins.map(\.pin) == [pin])
    #expect(
      error?.description.hasSuffix(
        "as in try PinTable([\"host\": PinSet([Pin(\"sha256/…\")], backup: .waived)])") == true)
    let table = #expect(throws: PinTableError.self) { try PinTable(["h.example": [pin]]) }
    #expect(table == .badPins("h.example", .noBackup(pin)))
    #expect(throws: PinTableError.self) { try PinTable(["h.example": [Pin]()]) }
  }

  @Test("a pattern that begins with a dot is an error with both patterns that were meant")
  func leadingDot() {
    // 15. The notation of cookies and of NO_PROXY
    let error = #expect(throws: HostPatternError.self) { try HostPattern(".example.com") }
    #expect(error?.description.contains("\"**.example.com\"") == true)
    #expect(error?.description.contains("\"*.example.com\"") == true)
    let dots = #expect(throws: HostPatternError.self) { try HostPattern("a..example.com") }
    #expect(dots?.description.contains("a dot too many") == true)
  }

  @Test("a folder and a text of anchors are read whole, or are an error")
  func families() throws {
    let folder = try ScratchFolder()
    #expect(throws: ParseError.self) { try AnchorSet(folder: folder.path) }
    let root = try Certificate(file: Self.demo("root.pem"))
    try folder.file("root.pem", Array(root.pem.utf8))
    try folder.file("notes.txt", Array("no certificate".utf8))
    #expect(try AnchorSet(folder: folder.path).anchors.map(\.certificate) == [root])
    #expect(try AnchorSet(pem: root.pem).count == 1)
    #expect(throws: ParseError.self) { try AnchorSet(pem: "") }
    try folder.file("broken.crt", Array("-----BEGIN CERTIFICATE-----".utf8))
    let error = #expect(throws: ParseError.self) { try AnchorSet(folder: folder.path) }
    #expect(error?.description.contains("broken.crt") == true)
  }

  @Test("an identity is read from a .p12, and from the files of its certificate and its key")
  func identities() throws {
    let file = CommittedVectors.path("identities/files/openssl-default.p12")
    let identity = try Identity(file: file, password: "secret")
    let error = #expect(throws: IdentityError.self) { try Identity(file: file, password: "other") }
    #expect(error?.description.contains("openssl-default.p12") == true)
    #expect(try PKCS12(file: file).open(password: "secret").identities.count == 1)
    let folder = try ScratchFolder()
    let certificate = try folder.file("client.pem", Array(identity.leaf.pem.utf8))
    let key = try folder.file("client.key", identity.privateKey.pkcs8)
    let both = try Identity(certificateFile: certificate, keyFile: key)
    #expect(both.leaf == identity.leaf && both.privateKey.isEqual(to: identity.privateKey))
    #expect(try PrivateKey(file: key).isEqual(to: identity.privateKey))
    let missing = #expect(throws: IdentityError.self) {
      try Identity(certificateFile: certificate, keyFile: "\(folder.path)/none.key")
    }
    #expect(missing?.description.contains("none.key") == true)
  }

  @Test("a configuration is read from its file, which errors name")
  func configurations() throws {
    let folder = try ScratchFolder()
    let pins = try ["root.pem", "proxy-root.pem"].map { try Certificate(file: Self.demo($0)).pin }
    let text = "\(Self.host) \(pins[0]) \(pins[1])"
    let configuration = try PinConfiguration(file: try folder.file("pins.txt", Array(text.utf8)))
    #expect(configuration.format == .okHttp)
    #expect(configuration.table.entries.map { "\($0.pattern)" } == [Self.host])
    let missing = #expect(throws: ConfigurationError.self) {
      try PinConfiguration(file: "\(folder.path)/none.txt")
    }
    #expect(missing?.description.contains("none.txt") == true)
    let bad = try folder.file("bad.txt", Array("\(Self.host) sha256/none".utf8))
    let error = #expect(throws: ConfigurationError.self) { try PinConfiguration(file: bad) }
    #expect(error?.file == bad && error?.line == 1)
  }

  @Test("a verdict on a client names the client, and one on a server does not")
  func client() throws {
    let clients = try Certificate.certificates(inFile: Self.demo("clients.pem"))
    let validator = PathValidator(anchors: try AnchorSet(file: Self.demo("clients-root.pem")))
    let path = try validator.validate([clients[0]], for: .client)
    let client = Verdict(.validPath, host: nil, path: path, at: .now).client
    #expect(client?.name == "ada" && client?.identities == ["ada@demo.example"])
    #expect(client?.leaf == clients[0])
    #expect(Verdict(.validPath, host: Self.host, path: path, at: .now).client == nil)
    #expect(Verdict(.nothingChecked, host: nil, path: nil, at: .now).client == nil)
  }

  @Test("AFNetworking's policy without pins says that it rejects every server")
  func withoutPins() throws {
    let policy = AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [])
    #expect("\(policy)".contains("it rejects every server"))
    let chain = try Certificate.certificates(inFile: Self.demo("chain.pem"))
    let trust = ServerTrust(chain: chain, anchors: try AnchorSet(file: Self.demo("root.pem")))
    let error = #expect(throws: TrustError.self) { try policy.evaluate(trust, for: Self.host) }
    #expect(error?.description.contains("no pinned certificates") == true)
    #expect("\(AFSecurityPolicy.default())" == "nothing is pinned")
  }

  @Test("a range of addresses is read, or is an error that shows one")
  func ranges() throws {
    #expect(try AddressRange("10.0.0.0/8").contains([10, 1, 2, 3]))
    #expect(try "\(AddressRange("10.0.0.0/8"))" == "10.0.0.0/8")
    let error = #expect(throws: FetchError.self) { try AddressRange("10.0.0.0/33") }
    #expect(error?.description == "\"10.0.0.0/33\" is not a range of addresses, such as 10.0.0.0/8")
  }

  @Test("what is printed is for people: no names of modules, no bytes")
  func printing() throws {
    let chain = try Certificate.certificates(inFile: Self.demo("chain.pem"))
    let anchors = try AnchorSet(file: Self.demo("root.pem"))
    let manager = try TrustManager(
      pins: [Self.host: [chain[0].pin, chain[1].pin]], anchors: anchors)
    let validator = PathValidator(anchors: anchors)
    let values: [Any] = [
      manager, TrustManager(anchors: anchors), validator,
      try manager.evaluate(chain, host: Self.host),
      ServerTrust(chain: chain, validator: validator), AFSecurityPolicy.default(),
      try PKCS12(file: CommittedVectors.path("identities/files/openssl-default.p12")),
      try CertificateBundle(file: Self.demo("chain.pem")), Revocation(),
      Question(chain, for: .client),
      ServerTrustManager(evaluators: [
        Self.host: PinnedCertificatesTrustEvaluator(certificates: chain),
        "h.example": CompositeTrustEvaluator(evaluators: [
          DefaultTrustEvaluator(), RevocationTrustEvaluator(),
        ]),
      ]),
    ]
    for value in values {
      let text = "\(value)"
      #expect(!text.contains("Holdfast") && !text.contains("Storage"), "\(text)")
      #expect(!text.contains("[48, 130") && text.count < 500, "\(text)")
    }
    #expect("\(manager)".contains(Self.host) && "\(manager)".hasSuffix("other hosts are rejected"))
  }
}
