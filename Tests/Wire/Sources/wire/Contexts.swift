import COpenSSL
import Holdfast
import HoldfastOpenSSL

/// Server contexts chosen by name, certificates after the handshake, connections that are used
/// again, and what cannot be validated.
extension Sessions {
  /// A server with two contexts, A and B, of which it chooses by the name that the client sends.
  /// B's verifier accepts nobody.
  mutating func runContexts() throws {
    let validator = PathValidator(anchors: material.clientsRoot, rules: .rfc5280)
    for isStateless in [true, false] {
      let (a, b) = (try context(server: "good"), try context(server: "p256"))
      if !isStateless { for context in [a, b] { wire_set_no_tickets(context) } }
      try TLSVerifier(validator).installOnServer(a)
      try TLSVerifier { _ in throw TrustError.rejected(reason: "nobody") }.installOnServer(b)
      wire_switch(a, b)
      let client = try context(client: "client-good")
      try TLSVerifier(try material.manager(["good", "p256"])).installOnClient(client)
      func shake(_ name: String, _ session: OpaquePointer? = nil) throws -> Outcome {
        try connect(client, a, session: session) { end, _ in
          if !name.isEmpty { wire_set_name(end, name) }
          try TLSVerifier.setHost("wire.example", of: end)
        }
      }
      let kind = isStateless ? "by name, tickets: " : "by name, no tickets: "
      let first = try shake("a.example")
      expectServer(kind + "A", "accepted", first)
      expectServer(kind + "B", "rejected pins, alert badCertificate", try shake("b.example"))
      expectServer(
        kind + "B with a session of A", "rejected pins, alert badCertificate",
        try shake("b.example", first.session))
      expectServer(
        kind + "A again", isStateless ? "not asked, resumed" : "accepted",
        try shake("a.example", try shake("a.example").session))
      expectServer(
        kind + "no name, with a session of A", "accepted",
        try shake("", try shake("a.example").session))
    }
    if version == TLS1_3_VERSION { try runLateCertificates() }
    try runReuse()
    try runUnseen()
    var rejection = "installed"
    do throws(TLSError) {
      let datagrams = wire_datagram_context()
      defer { SSL_CTX_free(datagrams) }
      try TLSVerifier(validator).installOnClient(datagrams)
    } catch {
      if case .datagrams = error { rejection = "rejected" }
    }
    table.row(label + "a context of DTLS", expected: "rejected", got: rejection)
  }

  /// A certificate that the server asks for after the handshake: the ticket that follows has the
  /// range of its verdict.
  private mutating func runLateCertificates() throws {
    let clock = Clock()
    let server = try context(server: "good")
    let verifier = TLSVerifier(
      PathValidator(anchors: material.clientsRoot, rules: .rfc5280), clock: { clock.now })
    try verifier.installOnServer(server, requiresCertificate: false)
    let client = try context(client: "client-short")
    wire_allow_late_certificates(client)
    try TLSVerifier(try material.manager(["good"])).installOnClient(client)
    func prepare(_ client: OpaquePointer, _ server: OpaquePointer) throws {
      wire_set_name(client, "wire.example")
      try TLSVerifier.setHost("wire.example", of: client)
      wire_ask_nobody(server)
    }
    let first = try connect(client, server, preparing: prepare)
    expectServer("a certificate after the handshake: none yet", "not asked", first)
    let late = try connect(
      client, server, session: first.session, isLate: true, preparing: prepare)
    expectServer(
      "a certificate after the handshake: resumed, then asked", "accepted, resumed", late)
    expectServer(
      "a certificate after the handshake: the new ticket", "not asked, resumed",
      try connect(client, server, session: late.session))
    clock.step(days: 2)
    expectServer(
      "a certificate after the handshake: the ticket once it has expired",
      "rejected expired, alert certificateExpired",
      try connect(client, server, session: late.session))
  }

  /// `SSL_clear` ends a connection, and what was decided about it.
  private mutating func runReuse() throws {
    let (client, server) = (try context(), try context(server: "good"))
    try TLSVerifier(try material.manager(["good"])).installOnClient(client)
    let ends = (wire_new(client), wire_new(server))
    defer {
      SSL_free(ends.0)
      SSL_free(ends.1)
    }
    try TLSVerifier.setHost("wire.example", of: ends.0)
    wire_join(ends.0, ends.1)
    _ = wire_handshake(ends.0, ends.1)
    table.row(
      label + "a connection", expected: "accepted", got: text(TLSVerifier.outcome(of: ends.0)))
    SSL_shutdown(ends.0)
    SSL_clear(ends.0)
    table.row(
      label + "a connection after SSL_clear", expected: "not asked",
      got: text(TLSVerifier.outcome(of: ends.0)))
    // Its next handshake gets as far as the first message.
    SSL_do_handshake(ends.0)
    table.row(
      label + "a connection in its second handshake", expected: "not asked, no peer",
      got: text(TLSVerifier.outcome(of: ends.0))
        + (TLSVerifier.peer(of: ends.0) == nil ? ", no peer" : ""))
  }

  /// Certificates that passed the verifier by are not validated in another encoding.
  private mutating func runUnseen() throws {
    let (client, server) = (try context(), try context(server: "good"))
    try TLSVerifier(try material.manager(["good"])).installOnClient(client)
    wire_watch_messages(client)
    expect("a context whose message callback was replaced", "not seen", try connect(client, server))
  }
}
