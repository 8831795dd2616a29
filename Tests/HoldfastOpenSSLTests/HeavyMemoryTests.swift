#if OpenSSL
  import CHoldfastOpenSSL
  import Foundation
  import Holdfast
  import TestSupport
  import Testing

  @testable import HoldfastOpenSSL

  /// What OpenSSL's objects keep of ours is released with them.
  @Suite("The memory of handshakes") struct HeavyMemoryTests {
    /// In a process of its own, as other tests need memory, too.
    @Test("ten times as many handshakes, of all kinds, do not make the process grow by 2 MiB")
    func growth() async {
      await #expect(processExitsWith: .success) {
        try HeavyMemoryTests.work(rounds: 10)
        let first = try HeavyMemoryTests.residentKilobytes()
        try HeavyMemoryTests.work(rounds: 100)
        #expect(try HeavyMemoryTests.residentKilobytes() - first < 2048)
      }
    }

    /// New and resumed sessions, peers that are rejected, and connections that end in the middle, on
    /// contexts that are freed in each round.
    private static func work(rounds: Int) throws {
      for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
        for _ in 0..<rounds {
          let server = try MemoryContext(.server, version, presenting: MemoryMaterial.server())
          try server.verifyClients(MemoryMaterial.verifier())
          func client(_ identity: MemoryIdentity, pins: [Certificate]) throws -> MemoryContext {
            let context = try MemoryContext(.client, version, presenting: identity)
            let manager = try MemoryMaterial.manager(pins: pins)
            try context.verifyServers(
              TLSVerifier(manager, clock: { MemoryMaterial.time }), host: MemoryMaterial.host)
            return context
          }
          let good = try client(MemoryMaterial.client(), pins: [MemoryMaterial.root()])
          let foreign = try client(MemoryMaterial.client(by: "Foreign", 7), pins: [])
          let mistaken = try client(MemoryMaterial.client(), pins: [MemoryMaterial.issuer()])
          for steps in 0..<4 {
            let first = try MemoryHandshake(good, server)
            #expect(first.run().client.isDone)
            #expect(
              try MemoryHandshake(good, server, session: first.session).run().client.isResumed)
            #expect(try MemoryHandshake(mistaken, server).run().client.decision == .pins)
            #expect(
              try MemoryHandshake(foreign, server).run().server.decision
                == .rejected(.issuerNotFound))
            for _ in 0..<steps { _ = try MemoryHandshake(good, server).begin() }
          }
        }
      }
    }

    private static func residentKilobytes() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(Int(line.split(separator: " ")[1]))
    }
  }
#endif
