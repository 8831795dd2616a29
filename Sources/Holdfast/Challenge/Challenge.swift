/// What a connection asks its session: who is this server, or who are you.
///
/// It is a value with the fields of Foundation's `URLAuthenticationChallenge`, and its decision is
/// what the session does with it.
public struct Challenge: Sendable {
  /// What is asked.
  public var method: Method
  /// The host that asks, or is asked about.
  public var host: String
  /// How often an answer to the same challenge has failed before.
  public var previousFailureCount: Int

  /// A challenge.
  public init(_ method: Method, host: String, previousFailureCount: Int = 0) {
    self.method = method
    self.host = host
    self.previousFailureCount = previousFailureCount
  }

  /// What is asked.
  @nonexhaustive
  public enum Method: Sendable {
    /// Whether the server is trusted: what it has shown, or nil if that is not known.
    case serverTrust(ServerTrust?)
    /// A certificate of the client's, from one of these authorities; none for any.
    case clientCertificate(authorities: [DistinguishedName])
    /// A name and a password. RFC 7617.
    case httpBasic
    /// A name and a password. RFC 7616.
    case httpDigest
    /// A name and a password, as Windows asks for it.
    case ntlm
    /// A ticket or a password. RFC 4559.
    case negotiate
    /// A form of HTML.
    case htmlForm
    /// Whatever the protocol has by default.
    case unspecified
  }
}

/// What a session does with a challenge, by the numbers of Foundation.
public enum ChallengeDisposition: Int, Sendable, Hashable, CaseIterable {
  /// The connection goes on with the credential.
  case useCredential = 0
  /// The system decides as if there were no delegate: its anchors, and no pins.
  case performDefaultHandling = 1
  /// The connection ends. This, and only this, refuses a server.
  case cancel = 2
  /// This way of authentication is passed over for the next. It refuses nothing: a server that is
  /// turned down with it is asked about again, by default, and that may well trust it.
  case rejectProtectionSpace = 3
}

/// The answer to a challenge.
@nonexhaustive
public enum ChallengeDecision: Sendable {
  /// The server is trusted. Keep the verdict for sessions that are resumed.
  case trustServer(Verdict)
  /// The client shows who it is.
  case useCredential(ClientCredential)
  /// The system decides.
  case performDefaultHandling
  /// The server is refused, and the connection ends.
  case cancel(TrustError)
  /// The credential has failed before; another way of authentication may be tried.
  case rejectProtectionSpace

  /// What the session does.
  public var disposition: ChallengeDisposition {
    switch self {
    case .trustServer, .useCredential: .useCredential
    case .performDefaultHandling: .performDefaultHandling
    case .cancel: .cancel
    case .rejectProtectionSpace: .rejectProtectionSpace
    }
  }
}

/// What a client shows of itself. The private key stays where it is.
@nonexhaustive
public enum ClientCredential: Sendable, Hashable {
  /// A chain of certificates, the client's own first, whose key the caller has.
  case certificates([Certificate])
  /// A name and a password.
  case password(user: String, password: String)
}
