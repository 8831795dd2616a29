#if OpenSSL
  import Foundation
  import Holdfast
  import Testing

  @testable import HoldfastOpenSSL

  /// How a client finds an address of a host that answers, and what it says if there is none.
  @Suite("The addresses of a host", .timeLimit(.minutes(10))) struct AddressTests {
    /// A listening socket of loopback. A silent one has no place for another connection: the system
    /// drops what asks for one, as a firewall does.
    private final class Listener {
      private var descriptors: [CInt] = []
      let address: Address
      let port: UInt16

      init(_ text: String, port: UInt16 = 0, isSilent: Bool = false) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        descriptors = [listener]
        let wanted = try Listener.look(text, port)
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // SAFETY: the name has this size, and lives for the call.
        let isBound = unsafe Listener.with(wanted) { unsafe bind(listener, $0, $1) == 0 }
        let isListening = listen(listener, isSilent ? 0 : 16) == 0
        let hasName = unsafe withUnsafeMutablePointer(to: &name) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe getsockname(listener, $0, &size) == 0
          }
        }
        guard isBound, isListening, hasName else { throw Unusable() }
        self.port = UInt16(bigEndian: name.sin_port)
        address = try Listener.look(text, self.port)
        guard isSilent else { return }
        for _ in 0..<3 {
          let descriptor = socket(
            AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
          descriptors.append(descriptor)
          _ = unsafe Listener.with(address) { unsafe connect(descriptor, $0, $1) }
        }
      }

      private static func with<Value>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Value
      ) -> Value {
        // SAFETY: the bytes are an address of this length.
        unsafe address.bytes.withUnsafeBytes { bytes in
          unsafe body(
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
      }

      deinit { for descriptor in descriptors { close(descriptor) } }

      static func look(_ text: String, _ port: UInt16) throws -> Address {
        try #require(try Address.systemAddresses(of: text, port: port).get().first)
      }
    }

    private struct Unusable: Error {}

    @Test("the second address is tried while the first is silent")
    func silentFirst() throws {
      let good = try Listener("127.0.0.1")
      let silent = try Listener("127.0.0.2", port: good.port, isSilent: true)
      let start = ContinuousClock.now
      _ = try Socket.connect(
        to: [silent.address, good.address], port: good.port, for: "a.example",
        until: Deadline(after: .seconds(60)))
      // RFC 8305 §8: 250 ms.
      #expect(ContinuousClock.now - start > .milliseconds(200))
      #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("after an address that refuses, the next one is tried at once")
    func refusing() throws {
      let good = try Listener("127.0.0.1")
      let refusing = try Listener.look("127.0.0.2", good.port)
      _ = try Socket.connect(
        to: Array(repeating: refusing, count: 1000) + [good.address], port: good.port,
        for: "a.example", until: Deadline(after: .seconds(60)))
    }

    @Test("the error names the addresses that were tried, and what became of each")
    func texts() throws {
      let silent = try Listener("127.0.0.2", isSilent: true)
      let refusing = try Listener.look("127.0.0.3", silent.port)
      func text(_ addresses: [Address], host: String = "a.example") -> String? {
        let error = #expect(throws: TLSError.self) {
          try Socket.connect(
            to: addresses, port: silent.port, for: host,
            until: Deadline(after: .milliseconds(600)))
        }
        return error?.textBesideHost
      }
      #expect(
        text([refusing, silent.address, silent.address])
          == "no answer in time from 127.0.0.2, 127.0.0.2; Connection refused (127.0.0.3)")
      #expect(text([refusing]) == "cannot connect: Connection refused (127.0.0.3)")
      // A host that is an address need not be named again.
      #expect(text([silent.address], host: "127.0.0.2") == "no answer in time")
      #expect(text([refusing], host: "127.0.0.3") == "cannot connect: Connection refused")
    }

    @Test("families are tried in turns, the resolver's first choice first")
    func turns() throws {
      func turns(_ texts: [String]) throws -> [String] {
        Address.inTurns(try texts.map { try Listener.look($0, 443) }).map(\.text)
      }
      // RFC 8305 §4.
      #expect(
        try turns(["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "192.0.2.2"])
          == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "2001:db8::3"])
      #expect(try turns(["192.0.2.1", "192.0.2.2", "::1"]) == ["192.0.2.1", "::1", "192.0.2.2"])
      #expect(try turns(["192.0.2.1"]) == ["192.0.2.1"])
      #expect(Address.inTurns([]).isEmpty)
    }

    @Test("a resolver that does not answer is not waited for beyond the time")
    func silentResolver() throws {
      let isDone = DispatchSemaphore(value: 0)
      let error = #expect(throws: TLSError.self) {
        try Address.resolve("a.example", port: 443, until: Deadline(after: .milliseconds(50))) {
          _, _ in
          isDone.wait()
          return .success([])
        }
      }
      isDone.signal()
      #expect(
        error.map { "\($0.naming("a.example"))" }
          == "a.example: no answer in time from the resolver")
    }

    @Test("what the resolver says of a name without an address is the error")
    func noAddress() {
      let error = #expect(throws: TLSError.self) {
        try Address.resolve("a.invalid", port: 443, until: Deadline(after: .seconds(60))) {
          host, _ in .failure(.noAddress(host: host, "Name or service not known"))
        }
      }
      #expect(error.map { "\($0)" } == "a.invalid has no address: Name or service not known")
    }
  }
#endif
