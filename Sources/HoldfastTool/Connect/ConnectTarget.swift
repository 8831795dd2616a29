internal import HoldfastCertificates

/// A server to connect to.
struct ConnectTarget: Sendable {
  /// Where to connect.
  let address: String
  let port: UInt16
  /// The host that the certificate must be for.
  let host: HostName

  /// `address:port`, as the user writes it.
  var name: String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }

  /// - Parameter text: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or an IPv6 address.
  init?(_ text: String, defaultPort: UInt16, host: HostName?) {
    var (address, rest) = (text[...], Substring())
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
  }
}
