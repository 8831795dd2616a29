public import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER

/// A URL of a certificate that may be fetched: `http`, a DNS name, and a port that is allowed.
///
/// CAs publish over `http` (CA/B BR §7.1.2.7.7), and what they publish is signed. Only plain URLs
/// are accepted, about which no two parsers disagree: no credentials, no byte outside printable
/// ASCII. Private CAs use hosts that public ones do not: an address, in its usual notation alone, is
/// accepted if one of the allowed ranges contains it, and a name without a dot if there are such
/// ranges. To what address that name leads is known only when the socket is opened.
public struct FetchURL: Sendable, Hashable {
  /// The URL, without a fragment.
  public let text: String
  /// The host.
  public let host: HostName
  /// The port.
  public let port: UInt16

  /// The longest URL, in bytes. The limit is ours.
  package static let maximumLength = 2_048

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - ports: The ports that are allowed.
  ///   - ranges: The addresses that are allowed instead of a name: `Fetching.allowedRanges`.
  public init(
    _ text: String, ports: Set<UInt16> = [80], ranges: [AddressRange] = []
  ) throws(FetchError) {
    func refuse(_ reason: String) -> FetchError { .invalidURL(printable(text), reason: reason) }
    var bytes = Array(text.utf8)
    guard bytes.count <= FetchURL.maximumLength else {
      throw refuse("it has more than \(FetchURL.maximumLength) bytes")
    }
    guard bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x5C }) else {
      throw refuse("it has a character that URLs do not have")
    }
    let scheme = Array("http://".utf8)
    guard bytes.count > scheme.count,
      zip(bytes, scheme).allSatisfy({ Bytes.lowercased($0) == $1 })
    else { throw refuse("its scheme is not http") }
    if let fragment = bytes.firstIndex(of: 0x23) { bytes.removeSubrange(fragment...) }
    let rest = bytes[scheme.count...]
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains(0x40) else { throw refuse("it has credentials") }
    // RFC 3986 §3.2.2: an IPv6 address stands in brackets.
    let bracket = authority.first == 0x5B ? authority.firstIndex(of: 0x5D) : nil
    let colon = authority[(bracket ?? authority.startIndex)...].firstIndex(of: 0x3A) ?? end
    do throws(HostNameError) {
      host = try HostName(String(decoding: authority[..<colon], as: UTF8.self))
    } catch {
      throw refuse("\(error)")
    }
    if let address = host.address {
      guard ranges.contains(where: { $0.contains(address.bytes) }) else {
        throw .hostNotAllowed(printable(text), reason: "its host is an address, not a name")
      }
    } else {
      guard !FetchURL.endsInNumber(host.bytes) else {
        throw refuse("its host is an address in another notation, not a name")
      }
      guard host.isQualified || !ranges.isEmpty else {
        throw .hostNotAllowed(printable(text), reason: HostName.notQualified)
      }
    }
    let digits = authority[colon...].dropFirst()
    guard colon == end || !digits.isEmpty && digits.allSatisfy(Bytes.isDigit),
      let port = digits.isEmpty ? 80 : UInt16(String(decoding: digits, as: UTF8.self))
    else { throw refuse("its port is not a number") }
    guard ports.contains(port) else { throw .portNotAllowed(printable(text), port: port) }
    self.port = port
    let suffix = rest[end...]
    var canonical = scheme
    canonical.reserveCapacity(bytes.count + 8)
    canonical += host.authority.utf8
    if port != 80 { canonical += ":\(port)".utf8 }
    if suffix.first != 0x2F { canonical.append(0x2F) }
    canonical += suffix
    self.text = String(decoding: canonical, as: UTF8.self)
  }

  /// Whether resolvers may take a name for an IPv4 address, such as `127.1` or `0x7f.0.0.1`: its
  /// last label is a number.
  private static func endsInNumber(_ name: [UInt8]) -> Bool {
    let label = name.lastIndex(of: 0x2E).map { name[($0 + 1)...] } ?? name[...]
    return label.allSatisfy(Bytes.isDigit) || label.starts(with: "0x".utf8)
  }
}

extension FetchURL {
  /// The text tells everything: host and port are parts of it.
  public static func == (a: FetchURL, b: FetchURL) -> Bool { a.text == b.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension FetchURL: CustomStringConvertible {
  /// The URL.
  public var description: String { text }
}

extension HostName {
  /// Whether it is an address, or a name of several labels. To what address another name leads
  /// depends on the machine that looks it up.
  package var isQualified: Bool { address != nil || bytes.contains(0x2E) }

  /// What is wrong with a host that is not.
  package static let notQualified = "its host is a name without a dot"

  /// The host as URLs have it. RFC 3986 §3.2.2.
  fileprivate var authority: String { address?.bytes.count == 16 ? "[\(self)]" : "\(self)" }
}

/// Returns what a certificate says so that a message can have it, without a user and a password.
private func printable(_ text: String) -> String {
  let plain = text.utf8.map { 0x20...0x7E ~= $0 ? $0 : 0x3F }
  return String(Printable.redacted(String(decoding: plain, as: UTF8.self)).prefix(200))
}
