#if NIO
  public import Holdfast

  /// What a program does wrong with a verifier.
  @nonexhaustive
  public enum NIOVerifierError: Error, Sendable, Hashable {
    /// `certificateVerification` of the context is `.none`, so NIOSSL would ignore every decision.
    case verificationIsOff
    /// The verifier decides about clients: it cannot serve a client, and checks no host.
    case verifiesClients
    /// The verifier decides about servers: it cannot serve a server, and needs a host.
    case verifiesServers
    /// More was written to a peer before it was accepted than may wait.
    case tooMuchBeforeDecision
  }

  extension NIOVerifierError: HoldfastError {
    /// The stable identifier of what is wrong.
    public var code: String {
      let code: ErrorCode =
        switch self {
        case .verificationIsOff: .verificationIsOff
        case .verifiesClients: .verifiesClients
        case .verifiesServers: .verifiesServers
        case .tooMuchBeforeDecision: .tooMuchBeforeDecision
        }
      return code.rawValue
    }

    /// What is wrong, in one plain sentence.
    public var summary: String {
      self == .tooMuchBeforeDecision
        ? "The program sends too early." : "The program's TLS configuration is wrong."
    }

    /// What is wrong, and what to set.
    public var description: String {
      switch self {
      case .verificationIsOff:
        "certificateVerification of the TLSConfiguration is .none, so NIOSSL ignores the decision: "
          + "set .fullVerification on a client, .noHostnameVerification on a server"
      case .verifiesClients:
        "this verifier decides about clients, and checks no host; for a client, make one of a "
          + "TrustManager"
      case .verifiesServers:
        "this verifier decides about servers, and needs their host; for a server, make one with "
          + "NIOVerifier(clients:)"
      case .tooMuchBeforeDecision:
        "more than 16 MiB were written before the peer was accepted: write after "
          + "TLSUserEvent.handshakeCompleted"
      }
    }
  }
#endif
