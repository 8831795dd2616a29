internal import HoldfastPaths

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
    let bytes = Array(text.utf8)
    var address = text
    var port = defaultPort
    let colons = bytes.count { $0 == UInt8(ascii: ":") }
    if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
      address = String(decoding: bytes[1..<end], as: UTF8.self)
      let rest = String(decoding: bytes[(end + 1)...], as: UTF8.self)
      if !rest.isEmpty {
        guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()) else { return nil }
        port = number
      }
    } else if colons == 1, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      address = String(decoding: bytes[..<colon], as: UTF8.self)
      guard let number = UInt16(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) else {
        return nil
      }
      port = number
    }
    guard port > 0 else { return nil }
    if let host {
      self.host = host
    } else {
      do throws(HostNameError) {
        self.host = try HostName(address)
      } catch {
        return nil
      }
    }
    self.address = address
    self.port = port
  }
}
