internal import HoldfastCertificates

/// A server to connect to.
struct ConnectTarget: Sendable {
  /// Where to connect.
  private(set) var address: String
  private(set) var port: UInt16
  /// The host that the certificate must be for.
  let host: HostName

  /// `host:port`, as the user writes it.
  let name: String

  /// The same server, reached elsewhere.
  func reached(at other: ConnectTarget) -> ConnectTarget {
    var target = self
    (target.address, target.port) = (other.address, other.port)
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
    let lowercased = word.lowercased()
    guard lowercased.hasPrefix("localhost") || word.contains(where: { $0 == "." || $0 == ":" }),
      !ConnectTarget.fileEndings.contains(where: { lowercased.hasSuffix("." + $0) })
    else { return nil }
    self.init(word)
  }

  /// - Parameter text: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, an IPv6 address, or a URL.
  init?(_ text: String, defaultPort: UInt16 = 443, host: HostName? = nil) {
    var text = text[...]
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      guard ConnectTarget.schemes.contains(text[..<colon].lowercased()) else { return nil }
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
    name = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
