/// Why a server is not trusted.
///
/// The errors name the host. Those of a connection that is not at the usual port also name the port,
/// as in `a.example:8443`.
@nonexhaustive
public enum TrustError: Error, Sendable {
  /// The host is not a DNS name or an IP address, but a URL or a name with a port, for example.
  case invalidHost(String, HostNameError)
  /// There is no host to compare with the certificate of a server.
  case noHost
  /// The server presented no certificate.
  case emptyChain(host: String)
  /// A presented certificate cannot be read; 0 is the leaf. The host is nil if it is not known where
  /// the chain is read.
  case invalidCertificate(host: String? = nil, index: Int, ParseError)
  /// The stapled OCSP response cannot be read. The host is nil if it is not known where the response
  /// is read.
  case invalidStaple(host: String? = nil, ParseError)
  /// Nothing is configured for the host, and such hosts are rejected.
  case unknownHost(String)
  /// There is no valid path, even without regard to pins.
  indirect case invalidPath(PathError)
  /// There are valid paths, but none satisfies the pins.
  indirect case pinMismatch(PinMismatch)
  /// None of the pins is among the certificates that an evaluator compared.
  case noPinFound(host: String?, expected: [Pin], seen: [Certificate])
  /// The pins have expired, and the set fails closed.
  case pinsExpired(host: String, Timestamp)
  /// There is a valid path to a public anchor, but the certificate is not in public logs as
  /// required, or there is no usable log list and that is required, too.
  indirect case insufficientTransparency(host: String, TransparencyReport)
  /// A policy rejected the server, for this reason. The host is nil if the policy does not know it.
  case rejected(reason: String, host: String? = nil)
  /// A custom evaluator threw this error. The host is nil if the error begins with it.
  case custom(any Error, host: String? = nil)

  /// Returns the error with the host, if it does not begin with it.
  package func naming(_ host: String?) -> TrustError {
    guard let host else { return self }
    return switch self {
    case .invalidCertificate(nil, let index, let error):
      .invalidCertificate(host: host, index: index, error)
    case .invalidStaple(nil, let error): .invalidStaple(host: host, error)
    case .rejected(let reason, nil):
      .rejected(reason: TrustError.text(reason, beside: host), host: host)
    case .custom(let error, nil)
    where !TrustError.line(of: error).utf8.starts(with: "\(host): ".utf8):
      .custom(error, host: host)
    default: self
    }
  }

  /// Returns the error with the server of the connection: `a.example:8443`.
  package func at(_ server: String) -> TrustError {
    switch self {
    case .emptyChain: return .emptyChain(host: server)
    case .invalidCertificate(_, let index, let error):
      return .invalidCertificate(host: server, index: index, error)
    case .invalidStaple(_, let error): return .invalidStaple(host: server, error)
    case .unknownHost: return .unknownHost(server)
    case .invalidPath(var error):
      error.server = server
      return .invalidPath(error)
    case .pinMismatch(var mismatch):
      mismatch.server = server
      return .pinMismatch(mismatch)
    case .noPinFound(_, let expected, let seen):
      return .noPinFound(host: server, expected: expected, seen: seen)
    case .pinsExpired(_, let time): return .pinsExpired(host: server, time)
    case .insufficientTransparency(_, let report):
      return .insufficientTransparency(host: server, report)
    case .rejected(let reason, _?): return .rejected(reason: reason, host: server)
    case .custom(let error, let host?): return .custom(error, host: host.isEmpty ? host : server)
    case .invalidHost, .noHost, .rejected(_, nil), .custom(_, nil): return self
    }
  }

  /// Returns the error with the entry whose trust has decided.
  func judged(by pattern: HostPattern) -> TrustError {
    guard case .invalidPath(var error) = self else { return self }
    error.entry = "\(pattern)"
    return .invalidPath(error)
  }

  /// An error of any type, on one line.
  private static func line(of error: any Error) -> String {
    let words = ErrorWords(error)
    return words.known?.logLine ?? onOneLine(words.text)
  }

  /// A text without the host in front of it.
  private static func text(_ text: String, beside host: String) -> String {
    let start = "\(host): ".utf8
    return text.utf8.starts(with: start) ? String(text.utf8.dropFirst(start.count)) ?? text : text
  }

  /// `host: ` in front of what is said of it; nothing without a host.
  private static func prefix(_ host: String?) -> String { host.map { "\($0): " } ?? "" }
}

extension TrustError: HoldfastError {
  /// The stable identifier of what is wrong: of the path's error that of the broken rule.
  public var code: String {
    switch self {
    case .invalidPath(let error): error.code
    case .custom(let error, _): ErrorWords(error).known?.code ?? ErrorCode.rejected.rawValue
    case .invalidHost: ErrorCode.invalidHost.rawValue
    case .noHost: ErrorCode.noHost.rawValue
    case .emptyChain: ErrorCode.noCertificate.rawValue
    case .invalidCertificate: ErrorCode.invalidCertificate.rawValue
    case .invalidStaple: ErrorCode.invalidStaple.rawValue
    case .unknownHost: ErrorCode.unknownHost.rawValue
    case .pinMismatch(let mismatch): mismatch.code
    case .noPinFound: ErrorCode.pinMismatch.rawValue
    case .pinsExpired: ErrorCode.pinsExpired.rawValue
    case .insufficientTransparency(_, let report):
      report.isEvaluated ? ErrorCode.notInLogs.rawValue : ErrorCode.logsNotEvaluated.rawValue
    case .rejected: ErrorCode.rejected.rawValue
    }
  }

  /// Whether a custom error says so: nothing else mends itself.
  public var isTransient: Bool {
    guard case .custom(let error, _) = self else { return false }
    return ErrorWords(error).known?.isTransient ?? false
  }

  /// The host, the code, what is known, and the message.
  public var fields: [(key: String, value: String)] {
    switch self {
    case .invalidPath(let error): error.fields
    case .pinMismatch(let mismatch):
      fields(
        server: mismatch.server ?? "\(mismatch.host)", message: mismatch.textBesideHost,
        mismatch.details)
    case .emptyChain(let host): fields(server: host, message: "presented no certificate")
    case .unknownHost(let host):
      fields(server: host, message: "nothing is configured for it, and such hosts are rejected")
    case .invalidCertificate(let host, let index, let error):
      fields(server: host, message: "certificate \(index + 1) of the chain: \(error)")
    case .invalidStaple(let host, let error):
      fields(server: host, message: "stapled OCSP response: \(error)")
    case .noPinFound(let host, let expected, let seen):
      fields(server: host, message: TrustError.noPin(of: nil, expected, seen))
    case .pinsExpired(let host, let time):
      fields(server: host, message: "its pins expired at \(time)")
    case .insufficientTransparency(let host, let report):
      fields(server: host, message: report.summary)
    case .custom(let error, let host): fields(of: ErrorWords(error), host)
    case .rejected(let reason, let host): fields(server: host, message: reason)
    case .invalidHost, .noHost: fields(message: "\(self)")
    }
  }

  /// The fields of an error of any type.
  private func fields(of error: ErrorWords, _ host: String?) -> [(key: String, value: String)] {
    if host == nil, let known = error.known { return known.fields }
    return fields(server: host, message: error.known?.fields.last?.value ?? error.text)
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch self {
    case .invalidHost(_, let error): error.summary
    case .noHost: "The server could not be identified."
    case .emptyChain(let host): "\(host) presented no certificate."
    case .invalidCertificate(let host, _, _):
      "A certificate of \(host ?? "the server") cannot be read."
    case .invalidStaple(let host, _):
      "The proof that the certificate of \(host ?? "the server") is not revoked cannot be read."
    case .unknownHost(let host): "Connections to \(host) are not allowed."
    case .invalidPath(let error): error.summary
    case .pinMismatch(let mismatch): "The keys of \(mismatch.host) are not the expected ones."
    case .noPinFound(let host, _, _):
      "The keys of \(host ?? "the server") are not the expected ones."
    case .pinsExpired(let host, _): "The expected keys of \(host) are out of date."
    case .insufficientTransparency(let host, let report):
      report.isEvaluated
        ? "The certificate of \(host) is not in public logs as required."
        : "It is not known whether the certificate of \(host) is in public logs."
    case .rejected: "The server is not accepted by this program."
    case .custom(let error, _):
      ErrorWords(error).known?.summary ?? "The server is not accepted by this program."
    }
  }

  /// What is wrong, with the expected pins and those found.
  public var description: String {
    switch self {
    case .invalidHost(let host, let error):
      "invalid host \"\(Printable.text(Printable.redacted(host)))\": \(error)"
    case .noHost: "no host to compare with the server's certificate"
    case .emptyChain(let host): "\(host) presented no certificate"
    case .invalidCertificate(let host, let index, let error):
      "\(TrustError.prefix(host))certificate \(index + 1) of the chain: \(error)"
    case .invalidStaple(let host, let error):
      "\(TrustError.prefix(host))stapled OCSP response: \(error)"
    case .unknownHost(let host): "nothing is configured for \(host), and such hosts are rejected"
    case .invalidPath(let error): "\(error)"
    case .pinMismatch(let mismatch): "\(mismatch)"
    case .noPinFound(let host, let expected, let seen):
      TrustError.noPin(of: host, expected, seen)
    case .pinsExpired(let host, let time): "the pins of \(host) expired at \(time)"
    case .insufficientTransparency(let host, let report): "\(host): \(report)"
    case .rejected(let reason, let host): TrustError.prefix(host) + reason
    case .custom(let error, let host): TrustError.prefix(host) + ErrorWords(error).text
    }
  }

  private static func noPin(of host: String?, _ expected: [Pin], _ seen: [Certificate]) -> String {
    let pinsCertificates = expected.first?.subject == .certificate
    let found = seen.map { "\(pinsCertificates ? Pin($0) : Pin(keyOf: $0)) \($0.shortName)" }
    return "no pinned \(pinsCertificates ? "certificate" : "key") is on a path"
      + (host.map { " of \($0)" } ?? "") + list("seen", found)
      + list("pinned", expected.map { "\($0)" })
  }

  private static func list(_ heading: String, _ lines: [String]) -> String {
    "\n  \(heading):" + (lines.isEmpty ? " none" : lines.map { "\n    \($0)" }.joined())
  }
}

extension HostName {
  /// Reads the host of an evaluation.
  package init(evaluating host: String) throws(TrustError) {
    do throws(HostNameError) {
      try self.init(host)
    } catch {
      throw .invalidHost(host, error)
    }
  }

  /// Returns a host in canonical form; nil if the text is not a host.
  package static func canonical(_ host: String) -> String? {
    do throws(HostNameError) { return try HostName(host).description } catch { return nil }
  }
}
