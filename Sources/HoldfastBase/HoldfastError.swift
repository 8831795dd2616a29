/// An error of this library. All its public errors conform.
///
/// `description` tells an engineer what was found, where, and which document forbids it; `logLine` is
/// the first of it on one line, with the host. `summary` can be shown to the people who use a program:
///
/// ```swift
/// print((error as? any HoldfastError)?.summary ?? "No secure connection could be made.")
/// ```
///
/// Programs act on `code` and `isTransient`, and give `fields` to a structured log.
public protocol HoldfastError: Error, Loggable {
  /// What is wrong, in one plain sentence.
  var summary: String { get }

  /// The stable identifier of what is wrong, such as `pin_mismatch` or `expired`: a label for metrics,
  /// and a reason to act on. Of an error that wraps another it is the inner one's. The article "The
  /// codes of errors" has all of them.
  var code: String { get }

  /// Whether the same call may succeed in a moment without any change: a server did not answer, for
  /// example. Whether a request may be repeated is another question: see `HTTPError.wasSent`.
  var isTransient: Bool { get }

  /// What is known, for a structured log: the host and the port where there are any, the code, then
  /// what else has a name, and last the message. The values are plain text without control characters.
  ///
  /// ```swift
  /// var metadata: Logger.Metadata = [:]
  /// for (key, value) in error.fields { metadata[key] = .string(value) }
  /// ```
  var fields: [(key: String, value: String)] { get }
}

extension HoldfastError {
  /// Whether the same may succeed in a moment. It may not, unless an error says otherwise.
  public var isTransient: Bool { false }

  /// The code and the message.
  public var fields: [(key: String, value: String)] { fields(message: "\(self)") }

  /// The server, what is wrong, and the code: `a.example:8443: no answer in time code=timeout`. The
  /// line has no double quotes, so that it can stand between them. Without a server it begins with the
  /// mailbox or the SPIFFE ID that was asked about.
  public var logLine: String {
    var (host, port, message) = ("", "", "")
    for (key, value) in fields {
      switch key {
      case "host": host = value
      case "mailbox", "spiffe_id": host = host.isEmpty ? value : host
      case "port": port = value
      case "message": message = value
      default: break
      }
    }
    var line = ""
    if !host.isEmpty {
      let isAddress = !port.isEmpty && host.utf8.contains(0x3A)
      line = (isAddress ? "[\(host)]" : host) + (port.isEmpty ? ": " : ":\(port): ")
    }
    line += "\(message) code=\(code)"
    // Scalars, because a Character may join a quote with what follows it.
    var shown = ""
    for scalar in line.unicodeScalars {
      shown.unicodeScalars.append(Self.isControl(scalar) ? " " : scalar == "\"" ? "'" : scalar)
    }
    return shown
  }

  /// Whether some programs end a line at a scalar, or obey it.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }

  /// The fields as text: `host=a.example port=8443 code=timeout message="no answer in time"`. A value
  /// with a space, a quote or `=` stands in double quotes, and quotes and backslashes in it are escaped.
  public var logfmt: String {
    fields.map { "\($0.key)=\(Self.quoted($0.value))" }.joined(separator: " ")
  }

  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      !isControl(scalar) && scalar != " " && scalar != "\"" && scalar != "=" && scalar != "\\"
    }
    if isPlain && !value.isEmpty { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(isControl(scalar) ? " " : scalar)
    }
    return text + "\""
  }

  /// Makes the fields of an error.
  ///
  /// - Parameters:
  ///   - server: The host, with a port that is not the usual one.
  ///   - message: What is wrong, without the server; it may have several lines.
  package func fields(
    server: String? = nil, message: String, _ details: [(key: String, value: String)] = []
  ) -> [(key: String, value: String)] {
    var fields: [(key: String, value: String)] = []
    if let server {
      let (host, port) = Self.parts(of: server)
      fields.append((key: "host", value: host))
      if let port { fields.append((key: "port", value: port)) }
    }
    fields.append((key: "code", value: code))
    return fields + details + [(key: "message", value: Self.onOneLine(message))]
  }

  /// Splits `a.example:8443` or `[::1]:8443`.
  private static func parts(of server: String) -> (host: String, port: String?) {
    let bytes = server.utf8
    guard let colon = bytes.lastIndex(of: 0x3A) else { return (server, nil) }
    let (host, port) = (server[..<colon], server[server.index(after: colon)...])
    if host.utf8.first == 0x5B, host.utf8.last == 0x5D {
      return (String(host.dropFirst().dropLast()), String(port))
    }
    // An address of several colons has no port without brackets.
    let isPort = !host.utf8.contains(0x3A) && port.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    return isPort ? (String(host), String(port)) : (server, nil)
  }
}

/// A value whose `description` may have several lines, and that also fits on one line of a log.
///
/// All errors of this library conform, and the answers that list something: verdicts, mismatched
/// pins, sets and tables of pins, reports.
public protocol Loggable: CustomStringConvertible {
  /// What a log needs, on one line: the host once, where there is one, and each fact once.
  ///
  /// ```swift
  /// logger.warning("\(error.logLine)")
  /// ```
  var logLine: String { get }
}

extension Loggable {
  /// The description on one line. A line that ends with a colon introduces the next; other lines are
  /// separated by semicolons.
  public var logLine: String { Self.onOneLine(description) }

  /// Returns a text on one line.
  package static func onOneLine(_ lines: String) -> String {
    var text = ""
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").joined(separator: " ")
      guard !words.isEmpty else { continue }
      if !text.isEmpty { text += text.hasSuffix(":") ? " " : "; " }
      text += words
    }
    return text
  }
}
