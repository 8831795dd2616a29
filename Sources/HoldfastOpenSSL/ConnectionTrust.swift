#if OpenSSL
  internal import Holdfast
  internal import HoldfastDER

  /// Whether the server of a `TLSConnection` is still trusted, where the policy can change.
  ///
  /// The thread of the connection asks before each read and write. The thread of a change looks at the
  /// connections that are idle meanwhile, and shuts the socket of one whose server is no longer trusted.
  final class ConnectionTrust: Sendable {
    private struct State: Sendable {
      var verdict: Verdict
      /// Whether a read or a write is in progress, which ends as it would have.
      var isBusy = false
      var rejection: TLSRejection?
    }

    private let verifier: TLSVerifier
    private let socket: Socket
    private let peer: TLSPeer
    private let state: Guarded<State>

    init(_ verifier: TLSVerifier, _ socket: Socket, _ verdict: Verdict, _ peer: TLSPeer) {
      self.verifier = verifier
      self.socket = socket
      self.peer = peer
      state = Guarded(State(verdict: verdict))
    }

    /// Begins a read or a write; throws if the server is no longer trusted.
    func begin() throws(TLSRejection) {
      let (verdict, rejection) = state.withLock { state in
        state.isBusy = true
        return (state.verdict, state.rejection)
      }
      if let rejection = rejection ?? judge(verdict) {
        socket.shut()
        throw rejection
      }
    }

    /// Ends a read or a write. What has changed meanwhile is looked at now.
    func end() {
      state.withLock { $0.isBusy = false }
      reconsider()
    }

    /// Looks at the server again, unless a read or a write is in progress.
    func reconsider() {
      let verdict = state.withLock { $0.isBusy ? nil : $0.verdict }
      guard let verdict, judge(verdict) != nil, state.withLock({ !$0.isBusy }) else { return }
      socket.shut()
    }

    /// Returns why the server is no longer trusted; nil if it is.
    private func judge(_ verdict: Verdict) -> TLSRejection? {
      if verdict.isOfCurrentPolicy { return nil }
      let outcome = verifier.outcome(after: verdict, on: peer)
      return state.withLock { state in
        switch outcome {
        case .accepted(let new)?: state.verdict = new
        case .rejected(let rejection)?: state.rejection = rejection
        case nil: break
        }
        return state.rejection
      }
    }
  }

  /// The connections of a client whose policy can change.
  final class OpenConnections: Sendable {
    private struct Reference: Sendable {
      weak var trust: ConnectionTrust?
    }

    private let references = Guarded<[ObjectIdentifier: Reference]>([:])

    func add(_ trust: ConnectionTrust) {
      references.withLock { $0[ObjectIdentifier(trust)] = Reference(trust: trust) }
    }

    func remove(_ trust: ConnectionTrust) {
      _ = references.withLock { $0.removeValue(forKey: ObjectIdentifier(trust)) }
    }

    /// Looks at the idle ones again.
    func reconsider() {
      for reference in references.withLock({ Array($0.values) }) { reference.trust?.reconsider() }
    }
  }
#endif
