internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastSystem

/// A server to connect to.
struct ConnectTarget: Sendable {
  /// Where to connect.
  private(set) var address: String
  private(set) var port: UInt16
  /// The host that the certificate must be for.
  let host: HostName

  /// `host:port`, as the user writes it.
  let name: String

  /// Whether it is written as a name alone, which could be that of a file.
  var mayBeFile: Bool

  /// The same server, reached elsewhere.
  func reached(at other: ConnectTarget) -> ConnectTarget {
    var target = self
    (target.address, target.port, target.mayBeFile) = (other.address, other.port, false)
    return target
  }

  /// Schemes of URLs that begin with a TLS handshake on port 443, or lead there.
  private static let schemes = ["https", "http", "wss"]

  /// How names of files end that are not to be looked up as hosts if there is no such file.
  private static let fileEndings = [
    "cer", "conf", "crl", "crt", "csr", "der", "json", "key", "ocsp", "p12", "p7b", "p7c", "pem",
    "pfx", "plist", "txt", "xml",
  ]

  /// The server that a word names which could also be something else, such as a file.
  init?(likely word: String) {
    guard
      word.lowercased().hasPrefix("localhost")
        || word.contains(where: { $0 == "." || $0 == ":" })
    else { return nil }
    self.init(word)
    guard !endsLikeFile else { return nil }
  }

  /// The server that a word names which cannot be meant as a file: `HOST:PORT` or a URL.
  init?(explicit word: String) {
    self.init(word)
    guard !mayBeFile, !endsLikeFile else { return nil }
  }

  /// - Parameter text: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, an IPv6 address, or a URL.
  init?(_ text: String, defaultPort: UInt16 = 443, host: HostName? = nil) {
    var text = text[...]
    var isURL = false
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      guard ConnectTarget.schemes.contains(text[..<colon].lowercased()) else { return nil }
      isURL = true
      text = text[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    }
    var (address, rest) = (text, Substring())
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      (address, rest) = (text[..<end].dropFirst(), text[end...].dropFirst())
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      (address, rest) = (text[..<colon], text[colon...])
    }
    // What is left is a colon and the port, or nothing.
    guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    guard let port = rest.isEmpty ? defaultPort : UInt16(rest.dropFirst()), port > 0 else {
      return nil
    }
    if let host {
      self.host = host
    } else {
      do throws(HostNameError) {
        self.host = try HostName(String(address))
      } catch {
        return nil
      }
    }
    self.address = String(address)
    self.port = port
    mayBeFile = !isURL && rest.isEmpty
    name = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

extension ConnectTarget {
  /// Why a word names no server.
  static func problem(of word: String) -> String {
    word.contains("@")
      ? "no user or password is sent to a server: \(withoutUser)"
      : "expected HOST, HOST:PORT or a URL"
  }

  /// What helps if a word names a server with a user.
  static let withoutUser = "leave out what stands before the @"

  /// Whether the name has the ending of a file.
  private var endsLikeFile: Bool {
    let name = address.lowercased()
    return ConnectTarget.fileEndings.contains { name.hasSuffix("." + $0) }
  }

  /// That no file has the name, if it could be that of a file; nil if it could not, or there is one.
  ///
  /// - Parameter answers: Whether a server of the name answers. If so, a name of three labels, such
  ///   as `www.example.com`, is no mistake.
  func noFile(answers: Bool) -> String? {
    let labels = address.split(separator: ".")
    let isLikelyHost =
      labels.count > 2
      && !labels.contains { ConnectTarget.fileEndings.contains($0.lowercased()) }
    guard mayBeFile, host.address == nil, !(answers && isLikelyHost), !System.exists(address) else {
      return nil
    }
    return "there is no file \(printable(word: address))"
  }
}

/// What `inspect` and `pin` read from servers, of which nothing is verified.
enum ServerInput {
  static let connect: Option<Bool> = .flag(
    "--connect", "each name is a HOST[:PORT], whose certificates are not verified")

  /// What is read by a command that reads from servers.
  static func uses(_ uses: InputUse, _ call: Invocation) throws(UsageError) -> InputUse {
    guard call[connect] else { return uses }
    #if OpenSSL
      for name in call.operands where ConnectTarget(name) == nil {
        throw .notTarget(name)
      }
      return uses.union(.onlyServers)
    #else
      throw Command.withoutTLS
    #endif
  }
}
