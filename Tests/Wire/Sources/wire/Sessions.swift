import COpenSSL
import Holdfast
import HoldfastOpenSSL
import Synchronization

/// A clock that tests set.
final class Clock: Sendable {
  private let offset = Atomic(0)
  func step(days: Int) { offset.store(days * 86_400, ordering: .relaxed) }
  var now: Timestamp { Timestamp.now.advanced(bySeconds: Int64(offset.load(ordering: .relaxed))) }
}

/// Sessions, client certificates and reasons between contexts of libssl, joined in memory.
struct Sessions {
  let material: Material
  let version: CInt
  var table = Table()
  private let owned = Owned()

  /// The contexts and sessions of all tests, which are freed at the end.
  private final class Owned {
    var contexts: [OpaquePointer] = []
    var sessions: [OpaquePointer] = []
    deinit {
      for session in sessions { SSL_SESSION_free(session) }
      for context in contexts { SSL_CTX_free(context) }
    }
  }

  init(_ material: Material, version: CInt) {
    self.material = material
    self.version = version
  }

  var label: String { version == TLS1_3_VERSION ? "TLS 1.3 " : "TLS 1.2 " }

  func context(
    server name: String? = nil, client: String? = nil
  ) throws -> OpaquePointer {
    let context = wire_context(name == nil ? 0 : 1, version)
    owned.contexts.append(context)
    if let file = name ?? client {
      precondition(
        wire_use(context, material.path("\(file).pem"), material.path("\(file).key")) == 1)
    }
    return context
  }

  /// What one handshake came to.
  struct Outcome {
    var client: String
    var server: String
    var isResumed: Bool
    /// The session of the client.
    var session: OpaquePointer?
  }

  func text(_ outcome: TLSOutcome?) -> String {
    switch outcome {
    case .accepted?: return "accepted"
    case .rejected(let rejection)?:
      switch rejection.reason {
      case .sessionNotValid: return "rejected session, alert \(rejection.alert)"
      case .noHost: return "no host"
      case .severalHosts: return "several hosts"
      case .certificatesNotSeen: return "not seen"
      default: break
      }
      return "rejected \(rejection.rule?.name ?? "pins"), alert \(rejection.alert)"
    case nil: return "not asked"
    }
  }

  /// Connects a client to a server, with a session if there is one.
  func connect(
    _ client: OpaquePointer, _ server: OpaquePointer, host: String = "wire.example",
    session: OpaquePointer? = nil
  ) throws -> Outcome {
    try connect(client, server, session: session) { end, _ in
      wire_set_name(end, host)
      try TLSVerifier.setHost(host, of: end)
    }
  }

  /// Connects a client to a server, whose ends are prepared first.
  ///
  /// - Parameter isLate: Whether the server asks for a certificate after the handshake.
  func connect(
    _ client: OpaquePointer, _ server: OpaquePointer, session: OpaquePointer? = nil,
    isLate: Bool = false, preparing: (OpaquePointer, OpaquePointer) throws -> Void
  ) throws -> Outcome {
    let (clientEnd, serverEnd) = (wire_new(client), wire_new(server))
    defer {
      SSL_free(clientEnd)
      SSL_free(serverEnd)
    }
    try preparing(clientEnd, serverEnd)
    if let session { SSL_set_session(clientEnd, session) }
    wire_join(clientEnd, serverEnd)
    var isDone = wire_handshake(clientEnd, serverEnd) == 1
    if isDone, isLate { isDone = wire_ask_late(clientEnd, serverEnd) == 1 }
    var outcome = Outcome(
      client: text(TLSVerifier.outcome(of: clientEnd)),
      server: text(TLSVerifier.outcome(of: serverEnd)),
      isResumed: SSL_session_reused(clientEnd) == 1, session: nil)
    if isDone {
      SSL_shutdown(clientEnd)
      SSL_shutdown(serverEnd)
      outcome.session = SSL_get1_session(clientEnd)
      if let session = outcome.session { owned.sessions.append(session) }
    } else if outcome.client == "accepted" {
      outcome.client = "failed"
    }
    return outcome
  }

  mutating func expect(_ name: String, _ expected: String, _ outcome: Outcome) {
    table.row(
      label + name, expected: expected,
      got: "\(outcome.client)\(outcome.isResumed ? ", resumed" : "")")
  }

  mutating func expectServer(_ name: String, _ expected: String, _ outcome: Outcome) {
    table.row(
      label + name, expected: expected,
      got: "\(outcome.server)\(outcome.isResumed ? ", resumed" : "")")
  }

  /// Sessions of a client.
  mutating func runClient() throws {
    let clock = Clock()
    let server = try context(server: "short")
    let client = try context()
    let verifier = TLSVerifier(try material.manager(["short"]), clock: { clock.now })
    try verifier.installOnClient(client)
    func session() throws -> OpaquePointer? { try connect(client, server).session }

    expect("a new session", "accepted", try connect(client, server))
    expect("resumed", "accepted, resumed", try connect(client, server, session: session()))

    let late = try session()
    clock.step(days: 2)
    expect(
      "resumed after the leaf has expired", "rejected session, alert certificateUnknown, resumed",
      try connect(client, server, session: late))
    table.row(
      label + "mayResume then", expected: "false",
      got: "\(late.map { verifier.mayResume($0, host: "wire.example") } ?? true)")
    expect(
      "a new session then", "rejected expired, alert certificateExpired",
      try connect(client, server))
    clock.step(days: 0)
    let early = try session()
    clock.step(days: -1)
    expect(
      "resumed before the verdict, by a clock set back",
      "rejected session, alert certificateUnknown, resumed",
      try connect(client, server, session: early))
    clock.step(days: 0)

    let other = try context()
    try TLSVerifier(try material.manager(["good"]), clock: { clock.now }).installOnClient(other)
    expect(
      "resumed under other pins", "rejected session, alert certificateUnknown, resumed",
      try connect(other, server, session: session()))
    expect(
      "a new session under other pins", "rejected pins, alert badCertificate",
      try connect(other, server))

    expect(
      "resumed for another host", "rejected session, alert certificateUnknown, resumed",
      try connect(client, server, host: "localhost", session: session()))

    let plain = try context()
    let unverified = try connect(plain, server).session
    expect(
      "resumed with a session that was never verified",
      "rejected session, alert certificateUnknown, resumed",
      try connect(client, server, session: unverified))
  }

  /// Certificates and sessions of clients, as a server verifies them.
  mutating func runServer() throws {
    let clock = Clock()
    func server(requiresCertificate: Bool = true) throws -> OpaquePointer {
      let context = try context(server: "good")
      let verifier = TLSVerifier(
        PathValidator(anchors: material.clientsRoot, rules: .rfc5280), clock: { clock.now })
      try verifier.installOnServer(context, requiresCertificate: requiresCertificate)
      return context
    }
    func client(_ name: String?) throws -> OpaquePointer {
      let context = try context(client: name)
      try TLSVerifier(try material.manager(["good"])).installOnClient(context)
      return context
    }
    let strict = try server()
    expectServer(
      "client certificate: good", "accepted", try connect(client("client-good"), strict))
    expectServer(
      "client certificate: expired", "rejected expired, alert certificateExpired",
      try connect(client("client-expired"), strict))
    expectServer(
      "client certificate: foreign", "rejected issuerNotFound, alert unknownCA",
      try connect(client("client-foreign"), strict))
    expectServer(
      "client certificate: that of a server",
      "rejected extendedKeyUsage, alert unsupportedCertificate",
      try connect(client("p256"), strict))
    let none = try connect(client(nil), strict)
    expectServer("client certificate: missing", "not asked", none)
    table.row(
      label + "client certificate: missing, the connection", expected: "rejected",
      got: none.session == nil ? "rejected" : "made")
    let lenient = try server(requiresCertificate: false)
    table.row(
      label + "client certificate: missing and not required", expected: "made",
      got: try connect(client(nil), lenient).session == nil ? "rejected" : "made")

    let ada = try client("client-short")
    let session = try connect(ada, strict).session
    expectServer(
      "client resumes", "not asked, resumed", try connect(ada, strict, session: session))
    expectServer(
      "client resumes with another server context", "accepted",
      try connect(ada, server(), session: session))
    let again = try connect(ada, strict).session
    clock.step(days: 2)
    expectServer(
      "client resumes after its certificate has expired",
      "rejected expired, alert certificateExpired", try connect(ada, strict, session: again))
    clock.step(days: 0)
    let stateful = try server()
    wire_set_no_tickets(stateful)
    let kept = try connect(ada, stateful).session
    expectServer(
      "client resumes without a ticket", "accepted", try connect(ada, stateful, session: kept))
  }
}
