#if OpenSSL
  internal import CHoldfastOpenSSL
  public import Holdfast
  internal import HoldfastDER

  /// Why a TLS connection could not be made, or has ended.
  ///
  /// The errors of a `TLSClient` name its server: the host, and the port if it is not the usual one.
  /// Without a client, as where a verifier is installed on a context of the caller's, there is none.
  @nonexhaustive
  public enum TLSError: Error, Sendable {
    /// The host is neither a name nor an address; a port is a separate argument.
    case invalidHost(String, HostNameError)
    /// The name to connect to has no address; with the resolver's message.
    case noAddress(host: String, String)
    /// No address of the host accepts connections; with the system's message for each of them.
    case unreachable(host: String, port: UInt16, String)
    /// The caller's time limit has passed; with whose answer did not come, if it was not that of a
    /// server that is connected: the resolver's, or those of these addresses.
    case timeout(host: String? = nil, from: String? = nil)
    /// The peer has closed or reset the connection.
    case closed(host: String? = nil)
    /// The server's answer to STARTTLS is not what its protocol requires.
    case startTLS(StartTLS, answer: String, host: String? = nil)
    /// The peer was rejected here.
    case rejected(TLSRejection)
    /// The peer ended the connection with this alert. RFC 8446 §6.2.
    case alert(UInt8, host: String? = nil)
    /// OpenSSL does not accept the certificate or the key as an identity, or the certificate has
    /// expired, and the server asks for it.
    case unusableIdentity(String)
    /// The server has sent this many bytes without completing the handshake.
    case handshakeTooLong(Int, host: String? = nil)
    /// The context is one of DTLS, which is not supported.
    case datagrams
    /// A verifier was to be installed for clients on a server's context, or the other way around.
    case wrongSide
    /// The server's first bytes are no record of TLS; with the printable ones of their first line.
    case notTLS(answer: String, host: String? = nil)
    /// OpenSSL's message: the two have nothing in common, for example.
    case openSSL(String, host: String? = nil)
  }

  extension TLSError: HoldfastError {
    /// The stable identifier of what is wrong.
    public var code: String {
      let code: ErrorCode
      switch self {
      case .rejected(let rejection): return rejection.code
      case .invalidHost: code = .invalidHost
      case .noAddress: code = .noAddress
      case .unreachable: code = .unreachable
      case .timeout: code = .timeout
      case .closed: code = .connectionLost
      case .startTLS: code = .startTLS
      case .alert(let number, _): code = TLSAlertText.code(of: number)
      case .unusableIdentity: code = .unusableIdentity
      case .handshakeTooLong: code = .handshakeTooLong
      case .datagrams: code = .datagrams
      case .wrongSide: code = .wrongSide
      case .notTLS: code = .notTLS
      case .openSSL: code = .tls
      }
      return code.rawValue
    }

    /// Whether the next attempt may succeed.
    public var isTransient: Bool {
      switch self {
      case .noAddress, .unreachable, .timeout, .closed: true
      case .rejected(let rejection): rejection.isTransient
      case .invalidHost, .startTLS, .alert, .unusableIdentity, .handshakeTooLong, .datagrams,
        .wrongSide, .notTLS, .openSSL:
        false
      }
    }

    /// The host and the port, the code, and the message.
    public var fields: [(key: String, value: String)] {
      switch self {
      case .rejected(let rejection): rejection.fields
      case .noAddress(let host, _): fields(server: Printable.text(host), message: textBesideHost)
      case .unreachable(let host, let port, _):
        fields(
          server: TLSError.server(Printable.text(host), port: "\(port)"), message: textBesideHost)
      default: fields(server: shown(host), message: textBesideHost)
      }
    }

    /// What is wrong, in one plain sentence.
    public var summary: String {
      switch self {
      case .invalidHost(_, let error): error.summary
      case .noAddress(let host, _): "There is no server of the name \(host)."
      case .unreachable(let host, _, _): "\(host) cannot be reached."
      case .timeout(let host, _): "\(shown(host) ?? "The server") did not answer in time."
      case .closed(let host): "\(shown(host) ?? "The server") ended the connection."
      case .alert(let number, let host): TLSAlertText.summary(of: number, from: shown(host))
      case .rejected(let rejection): rejection.summary
      case .unusableIdentity: "The client certificate cannot be used."
      case .startTLS(_, _, let host), .handshakeTooLong(_, let host), .notTLS(_, let host),
        .openSSL(_, let host):
        TLSError.summary(ofConnectionTo: shown(host))
      case .datagrams, .wrongSide: TLSError.summary(ofConnectionTo: nil)
      }
    }

    private static func summary(ofConnectionTo host: String?) -> String {
      guard let host else { return "No secure connection could be made." }
      return "No secure connection to \(host) could be made."
    }

    /// What went wrong. What a server or the caller wrote is shown with control characters escaped.
    public var description: String {
      switch self {
      case .noAddress(let host, let reason): "\(Printable.text(host)) has no address: \(reason)"
      case .unreachable(let host, let port, let reason):
        "cannot connect to \(TLSError.server(Printable.text(host), port: "\(port)")): \(reason)"
      default: (shown(host).map { "\($0): " } ?? "") + textBesideHost
      }
    }

    /// The server, as the error names it in front of what is said of it.
    private var host: String? {
      switch self {
      case .timeout(let host, _), .closed(let host), .startTLS(_, _, let host), .alert(_, let host),
        .handshakeTooLong(_, let host), .notTLS(_, let host), .openSSL(_, let host):
        host
      default: nil
      }
    }

    private func shown(_ host: String?) -> String? { host.map(Printable.text) }

    /// Returns the error with the server, if it does not name one.
    func naming(_ server: String) -> TLSError {
      switch self {
      case .timeout(nil, let from): .timeout(host: server, from: from)
      case .closed(nil): .closed(host: server)
      case .startTLS(let kind, let answer, nil): .startTLS(kind, answer: answer, host: server)
      case .alert(let number, nil): .alert(number, host: server)
      case .handshakeTooLong(let count, nil): .handshakeTooLong(count, host: server)
      case .notTLS(let answer, nil): .notTLS(answer: answer, host: server)
      case .openSSL(let reason, nil): .openSSL(reason, host: server)
      case .rejected(let rejection): .rejected(rejection.at(server))
      default: self
      }
    }

    /// How errors name a server: `a.example`, or `a.example:8443` if the port is not the usual one.
    package static func server(_ host: String, port: String, usual: String = "443") -> String {
      if port == usual { return host }
      return host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// What went wrong, beside the name of the host.
    package var textBesideHost: String {
      switch self {
      case .invalidHost(let host, let error):
        "\"\(Printable.text(Printable.redacted(host)))\" is not a host: \(error)"
      case .noAddress(_, let reason): "no address: \(reason)"
      case .unreachable(_, _, let reason): "cannot connect: \(reason)"
      case .timeout(_, let from): "no answer in time" + (from.map { " from \($0)" } ?? "")
      case .closed: "the server closed the connection"
      case .startTLS(let kind, let answer, _):
        "no STARTTLS for \(kind.rawValue): the server answered \"\(Printable.text(answer))\""
      case .rejected(let rejection): "\(rejection)"
      case .alert(let number, _): TLSAlertText.description(of: number)
      case .unusableIdentity(let reason): "the client certificate cannot be used: \(reason)"
      case .handshakeTooLong(let count, _):
        "the server sent \(count) bytes without completing the handshake"
      case .datagrams: "DTLS contexts are not supported"
      case .wrongSide:
        "the context is for the other side: installOnClient takes a client's, installOnServer a server's"
      case .notTLS(let answer, _):
        "the server does not speak TLS"
          + (answer.isEmpty ? "" : ": its answer begins with \"\(Printable.text(answer))\"")
      case .openSSL(let reason, _): "TLS failed: \(reason)"
      }
    }

    /// Returns the oldest error in OpenSSL's queue of this thread; the others are dropped.
    static func latest() -> TLSError {
      let code = ERR_get_error()
      ERR_clear_error()
      let reason = holdfast_error_reason(code)
      let firstAlert = SSL_AD_REASON_OFFSET
      if holdfast_error_is_of_ssl(code) == 1, firstAlert...firstAlert + 255 ~= reason {
        return .alert(UInt8(reason - firstAlert))
      }
      if holdfast_error_is_of_ssl(code) == 1, reason == SSL_R_UNEXPECTED_EOF_WHILE_READING {
        return .closed()
      }
      // SAFETY: the string is constant, or nil.
      guard let text = unsafe ERR_reason_error_string(code) else {
        return .openSSL("error \(code)")
      }
      return .openSSL(unsafe String(cString: text))
    }
  }

  /// A protocol that starts in clear text and switches to TLS.
  public enum StartTLS: String, Sendable, CaseIterable {
    /// RFC 3207.
    case smtp
    /// RFC 9051 §6.2.1.
    case imap
    /// RFC 2595 §4.
    case pop3
    /// PostgreSQL's SSLRequest.
    case postgres

    /// The usual port of such servers.
    public var port: UInt16 {
      switch self {
      case .smtp: 25
      case .imap: 143
      case .pop3: 110
      case .postgres: 5432
      }
    }
  }

  extension StartTLS {
    /// Requests TLS from the server, up to the last byte in clear text.
    func negotiate(on socket: Socket, until deadline: Deadline) throws(TLSError) {
      switch self {
      case .smtp:
        try expect(socket, deadline) { $0.hasPrefix("220") }
        try socket.write(Array("EHLO localhost\r\n".utf8), until: deadline)
        try expect(socket, deadline) { $0.hasPrefix("250") }
        try socket.write(Array("STARTTLS\r\n".utf8), until: deadline)
        try expect(socket, deadline) { $0.hasPrefix("220") }
      case .imap:
        try expect(socket, deadline) { $0.hasPrefix("* OK") }
        try socket.write(Array("a STARTTLS\r\n".utf8), until: deadline)
        try expect(socket, deadline) { $0.hasPrefix("a OK") }
      case .pop3:
        try expect(socket, deadline) { $0.hasPrefix("+OK") }
        try socket.write(Array("STLS\r\n".utf8), until: deadline)
        try expect(socket, deadline) { $0.hasPrefix("+OK") }
      case .postgres:
        // The length 8 and the code 80877103.
        try socket.write([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F], until: deadline)
        let answer = try socket.read(atMost: 1, until: deadline)
        guard answer == [UInt8(ascii: "S")] else {
          throw .startTLS(self, answer: String(decoding: answer, as: UTF8.self))
        }
      }
    }

    /// The longest line, and the most lines in one answer.
    private static let maximumLine = 1024
    private static let maximumLines = 100

    /// Reads an answer up to its last line, byte by byte, because what follows belongs to TLS.
    private func expect(
      _ socket: Socket, _ deadline: Deadline, _ isGood: (String) -> Bool
    ) throws(TLSError) {
      for _ in 0..<StartTLS.maximumLines {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), line.count < StartTLS.maximumLine {
          let byte = try socket.read(atMost: 1, until: deadline)
          guard !byte.isEmpty else { throw .closed() }
          line += byte
        }
        let text = String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        // RFC 5321 §4.2: a hyphen after the code means that more lines follow.
        if self == .smtp, text.utf8.dropFirst(3).first == UInt8(ascii: "-") { continue }
        // RFC 9051 §7: skip lines that do not answer our command.
        if self == .imap, text.hasPrefix("* "), !text.hasPrefix("* OK"), !text.hasPrefix("* BYE") {
          continue
        }
        guard isGood(text) else { throw .startTLS(self, answer: text) }
        return
      }
      throw .startTLS(self, answer: "more than \(StartTLS.maximumLines) lines")
    }
  }
#endif
