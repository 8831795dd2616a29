#if OpenSSL
  internal import Dispatch
  internal import HoldfastDER

  extension Address {
    /// Looks up the addresses of a host; it may block for long.
    typealias Resolver = @Sendable (_ host: String, _ port: UInt16) -> Result<[Address], TLSError>

    /// Returns the addresses of a host, in the order in which to try them.
    ///
    /// `getaddrinfo` cannot be interrupted. So it has a queue of its own, whose thread of Dispatch is left
    /// behind if it has not answered by the deadline, and is free again when the resolver gives up.
    static func resolve(
      _ host: String, port: UInt16, until deadline: Deadline,
      with resolver: @escaping Resolver = systemAddresses
    ) throws(TLSError) -> [Address] {
      let answer = Answer()
      DispatchQueue(label: "holdfast.resolver").async {
        let result = resolver(host, port)
        answer.result.withLock { $0 = result }
        answer.isThere.signal()
      }
      let wait = DispatchTime.now() + .milliseconds(Int(deadline.milliseconds))
      guard answer.isThere.wait(timeout: wait) == .success,
        let result = answer.result.withLock({ $0 })
      else { throw .timeout(from: "the resolver") }
      return inTurns(try result.get())
    }

    private final class Answer: Sendable {
      let isThere = DispatchSemaphore(value: 0)
      let result = Guarded<Result<[Address], TLSError>?>(nil)
    }

    /// Returns the addresses with their families in turns, the resolver's first choice first.
    /// RFC 8305 §4.
    static func inTurns(_ addresses: [Address]) -> [Address] {
      let preferred = addresses.filter { $0.family == addresses.first?.family }
      let others = addresses.filter { $0.family != addresses.first?.family }
      return (0..<max(preferred.count, others.count)).flatMap { index in
        preferred.dropFirst(index).prefix(1) + others.dropFirst(index).prefix(1)
      }
    }
  }
#endif
