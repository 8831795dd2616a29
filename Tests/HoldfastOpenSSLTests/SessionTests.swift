#if OpenSSL
  import CHoldfastOpenSSL
  import Holdfast
  import Synchronization
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// Sessions and tickets, and how long their verdicts hold.
  @Suite("Sessions of TLS") struct SessionTests {
    static let versions: [CInt] = [TLS1_2_VERSION, TLS1_3_VERSION]

    private static func rules(hasOwnRule: Bool) -> ValidationRules {
      var rules = ValidationRules.rfc5280
      if hasOwnRule { rules.check = { _, _ in nil } }
      return rules
    }

    @Test(
      "a client resumes kept sessions, and none whose verdict had a rule of the caller's",
      arguments: versions, [false, true])
    func client(version: CInt, hasOwnRule: Bool) throws {
      let clock = MemoryClock()
      let validator = try MemoryMaterial.validator(Self.rules(hasOwnRule: hasOwnRule))
      let verifier = TLSVerifier(validator, clock: { clock.now })
      let server = try MemoryContext(.server, version, presenting: try MemoryMaterial.server())
      // A context for each connection, as libcurl has them.
      let sessions = TLSSessions()
      func connect() throws -> MemoryHandshake.End {
        let client = try MemoryContext(.client, version)
        try client.verifyServers(
          verifier, host: MemoryMaterial.host, sessions: sessions.place("a"))
        let ends = try MemoryHandshake(client, server).run()
        #expect(ends.client.isDone && ends.client.error == nil)
        return ends.client
      }
      #expect(try !connect().isResumed)
      clock.advance(bySeconds: 1)
      for _ in 0..<3 {
        #expect(try connect().isResumed == !hasOwnRule)
        clock.advance(bySeconds: 1)
      }
    }

    @Test("a connection of a limited context ends when its server does nothing but change keys")
    func endlessUpdates() throws {
      for isLimited in [true, false] {
        let calls = Mutex(0)
        let note: @Sendable () -> Void = { calls.withLock { $0 += 1 } }
        let server = try MemoryContext(.server, presenting: try MemoryMaterial.server())
        let client = try MemoryContext(.client)
        try client.verifyServers(
          MemoryMaterial.verifier(), host: MemoryMaterial.host, sessions: TLSSessions().place("a"),
          onEndlessHandshake: isLimited ? note : nil)
        let number = try MemoryHandshake(client, server).updateKeys(atMost: 12_000)
        // A message of 5 bytes in a record with 22 more: 9,709 of them exceed 256 KiB.
        #expect((number != nil) == isLimited)
        #expect(number.map { 9_000...9_709 ~= $0 } != false, "\(String(describing: number))")
        #expect(calls.withLock { $0 } == (isLimited ? 1 : 0))
      }
    }

    @Test(
      "a server resumes tickets, and none whose verdict had a rule of the caller's",
      arguments: versions, [false, true])
    func server(version: CInt, hasOwnRule: Bool) throws {
      let clock = MemoryClock()
      let validator = try MemoryMaterial.validator(Self.rules(hasOwnRule: hasOwnRule))
      let server = try MemoryContext(.server, version, presenting: try MemoryMaterial.server())
      try server.verifyClients(TLSVerifier(validator, clock: { clock.now }))
      let client = try MemoryContext(
        .client, version, presenting: try MemoryMaterial.client())
      try client.verifyServers(
        MemoryMaterial.verifier(), host: MemoryMaterial.host)
      let first = try MemoryHandshake(client, server)
      #expect(first.run().server.isDone)
      clock.advance(bySeconds: 1)
      let second = try MemoryHandshake(client, server, session: first.session).run()
      #expect(second.client.isDone && second.server.isDone)
      #expect(second.server.isResumed == !hasOwnRule)
    }

    @Test("a session is offered to its own service, and to no other", arguments: versions)
    func services(version: CInt) throws {
      let server = try MemoryContext(.server, version, presenting: try MemoryMaterial.server())
      let verifier = try MemoryMaterial.verifier()
      let sessions = TLSSessions()
      var resumed: [Bool] = []
      for service in ["a", "b", "a", "b"] {
        let client = try MemoryContext(.client, version)
        try client.verifyServers(
          verifier, host: MemoryMaterial.host, sessions: sessions.place(service))
        resumed.append(try MemoryHandshake(client, server).run().client.isResumed)
      }
      #expect(resumed == [false, false, true, true])
    }

    @Test(
      "a kept session is resumed although its connection was cut off, and not after a fatal alert",
      arguments: versions, [.shutDown, .cut, .garbage] as [MemoryHandshake.Ending])
    func ends(version: CInt, ending: MemoryHandshake.Ending) throws {
      let server = try MemoryContext(.server, version, presenting: try MemoryMaterial.server())
      let verifier = try MemoryMaterial.verifier()
      let sessions = TLSSessions()
      func handshake() throws -> MemoryHandshake {
        let client = try MemoryContext(.client, version)
        try client.verifyServers(
          verifier, host: MemoryMaterial.host, sessions: sessions.place("a"))
        return try MemoryHandshake(client, server)
      }
      do {
        let ends = try handshake().run(ending)
        #expect(ends.client.isDone && (ends.client.error == nil) == (ending == .shutDown))
      }
      #expect(try handshake().run().client.isResumed == (ending != .garbage))
    }

    /// RFC 8446 §6.2. OpenSSL sends decode_error itself where a connection has been cut off.
    @Test("a fatal alert forgets the session, except the one that tells of a connection's end")
    func alerts() throws {
      let server = try MemoryContext(.server, TLS1_2_VERSION, presenting: MemoryMaterial.server())
      for (number, level, isSent, isKept) in [
        (50, 2, true, true), (50, 2, false, false), (40, 2, true, false), (40, 2, false, false),
        (0, 1, false, true), (90, 1, true, true),
      ] as [(UInt8, CInt, Bool, Bool)] {
        let place = TLSSessions().place("a")
        let client = try MemoryContext(.client, TLS1_2_VERSION)
        try client.verifyServers(
          MemoryMaterial.verifier(), host: MemoryMaterial.host, sessions: place)
        try place.keep(TLS1_2_VERSION)
        try MemoryHandshake(client, server).report(alert: number, level: level, isSent: isSent)
        #expect(place.take() == isKept, "\(number)")
      }
    }

    @Test("1,024 services have a session, and one more takes the place of another")
    func capacity() throws {
      let sessions = TLSSessions()
      func count() -> Int { (0...1_024).count { sessions.place("\($0)").take() } }
      for number in 0..<1_024 { try sessions.place("\(number)").keep(TLS1_2_VERSION) }
      #expect(count() == 1_024)
      try sessions.place("7").keep(TLS1_2_VERSION)
      #expect(count() == 1_024)
      try sessions.place("1024").keep(TLS1_2_VERSION)
      #expect(count() == 1_024 && sessions.place("1024").take())
    }

    /// RFC 8446 appendix C.4.
    @Test("a session of TLS 1.3 is taken once, and one of TLS 1.2 again and again")
    func taken() throws {
      for version in Self.versions {
        let place = TLSSessions().place("a")
        try place.keep(version)
        #expect(place.take() && place.take() == (version == TLS1_2_VERSION))
        place.forget()
        #expect(!place.take())
      }
    }

    @Test("a session that the program offers is kept for its own verifier, and dropped for another")
    func offered() throws {
      let server = try MemoryContext(.server, TLS1_2_VERSION, presenting: MemoryMaterial.server())
      let verifiers = [try MemoryMaterial.verifier(), try MemoryMaterial.verifier()]
      func handshake(_ verifier: TLSVerifier, _ session: MemorySession?) throws -> MemoryHandshake {
        let client = try MemoryContext(.client, TLS1_2_VERSION)
        try client.verifyServers(
          verifier, host: MemoryMaterial.host, sessions: TLSSessions().place("a"))
        return try MemoryHandshake(client, server, session: session)
      }
      let first = try handshake(verifiers[0], nil)
      #expect(first.run().client.isDone)
      for (verifier, isResumed) in zip(verifiers, [true, false]) {
        let ends = try handshake(verifier, first.session).run()
        #expect(ends.client.decision == .accepted && ends.client.isResumed == isResumed)
      }
    }

    @Test("a connection serves more requests while its verdict holds and the caller allows it")
    func requests() throws {
      let clock = MemoryClock()
      let allows = Mutex(true)
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.notAfter = "260102120000Z" }
      let validator = try MemoryMaterial.validator()
      let verifier = TLSVerifier(validator, clock: { clock.now })
      let client = try MemoryContext(.client)
      try client.verifyServers(
        verifier, host: MemoryMaterial.host, sessions: TLSSessions().place("a"),
        allowsReuse: { allows.withLock { $0 } })
      let handshake = try MemoryHandshake(
        client, MemoryContext(.server, presenting: MemoryIdentity([leaf])))
      #expect(handshake.run().client.isDone)
      let other = TLSVerifier(validator, clock: { clock.now })
      func mayRequest(_ host: String = MemoryMaterial.host) -> Bool {
        handshake.mayRequest(verifier, host: host)
      }
      #expect(!handshake.mayRequest(other, host: MemoryMaterial.host))
      // The first request follows the handshake, which has decided about it.
      allows.withLock { $0 = false }
      #expect(mayRequest())
      #expect(!mayRequest())
      allows.withLock { $0 = true }
      #expect(mayRequest() && !mayRequest("other.example"))
      clock.advance(byDays: 2)
      #expect(!mayRequest())
    }

    @Test("a session of another verifier is not offered")
    func verifiers() throws {
      let server = try MemoryContext(.server, presenting: try MemoryMaterial.server())
      let sessions = TLSSessions()
      for _ in 0..<2 {
        let client = try MemoryContext(.client)
        try client.verifyServers(
          MemoryMaterial.verifier(), host: MemoryMaterial.host, sessions: sessions.place("a"))
        #expect(try !MemoryHandshake(client, server).run().client.isResumed)
      }
    }
  }
#endif
