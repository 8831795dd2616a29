/// The hosts to which an entry of pins applies.
///
/// Hosts are brought into canonical form before they are compared: case and a trailing dot do not
/// matter.
public struct HostPattern: Sendable, Hashable {
  /// The host: a DNS name, or an address, which has no subdomains.
  public let host: HostName

  /// How far below the host the pattern reaches.
  public let reach: Reach

  /// How far below its host a pattern reaches, the narrowest first.
  public enum Reach: Sendable, Hashable, CaseIterable, Comparable {
    /// The host alone.
    case host
    /// Names with exactly one label more than the host: `*.example.com`.
    case oneLabelBelow
    /// The host, and names with exactly one label more.
    case hostAndOneLabelBelow
    /// The host and every name below it.
    case hostAndSubdomains

    /// Whether a pattern applies to names with this many labels more than its host.
    func covers(labels: Int) -> Bool {
      switch self {
      case .host: labels == 0
      case .oneLabelBelow: labels == 1
      case .hostAndOneLabelBelow: labels <= 1
      case .hostAndSubdomains: true
      }
    }
  }

  /// Creates a pattern.
  ///
  /// - Parameter reach: How far below the host the pattern reaches; for an address, only `.host`.
  public init(_ host: HostName, _ reach: Reach = .host) throws(HostPatternError) {
    guard host.address == nil || reach == .host else { throw .addressWithReach(host) }
    self.host = host
    self.reach = reach
  }

  /// Reads `example.com`, `*.example.com` (exactly one more label) or `**.example.com` (the host
  /// and all names below it), in OkHttp's notation; an address matches only itself.
  ///
  /// - Parameter includingSubdomains: Whether a pattern without a wildcard includes all names below
  ///   its host. With `*.` or an address it is an error.
  public init(_ text: String, includingSubdomains: Bool = false) throws(HostPatternError) {
    var rest = text[...]
    var reach: Reach = includingSubdomains ? .hostAndSubdomains : .host
    if rest.hasPrefix("**.") {
      reach = .hostAndSubdomains
      rest = rest.dropFirst(3)
    } else if rest.hasPrefix("*.") {
      guard !includingSubdomains else { throw .wildcardWithSubdomains(text) }
      reach = .oneLabelBelow
      rest = rest.dropFirst(2)
    }
    guard !rest.contains("*") else { throw .misplacedWildcard(text) }
    let host: HostName
    do throws(HostNameError) {
      host = try HostName(String(rest))
    } catch {
      throw .badHost(String(rest), error)
    }
    try self.init(host, reach)
  }

  /// Whether the pattern applies to a host.
  public func matches(_ other: HostName) -> Bool {
    guard host.address == nil, other.address == nil else { return host == other }
    guard let below = HostPattern.labels(of: other, below: host) else { return false }
    return reach.covers(labels: below)
  }

  /// Returns how many labels a name has in addition to a parent's; nil if it is neither the parent
  /// nor below it.
  private static func labels(of name: HostName, below parent: HostName) -> Int? {
    guard name.bytes.suffix(parent.bytes.count).elementsEqual(parent.bytes) else { return nil }
    let rest = name.bytes.dropLast(parent.bytes.count)
    guard let last = rest.last else { return 0 }
    return last == 0x2E ? rest.count { $0 == 0x2E } : nil
  }
}

extension HostPattern: CustomStringConvertible {
  /// `example.com`, `*.example.com`, `**.example.com`; `example.com+*.example.com` for a host and
  /// one more label.
  public var description: String {
    switch reach {
    case .host: "\(host)"
    case .hostAndSubdomains: "**.\(host)"
    case .oneLabelBelow: "*.\(host)"
    case .hostAndOneLabelBelow: "\(host)+*.\(host)"
    }
  }
}

/// Why text is not a host pattern.
@nonexhaustive
public enum HostPatternError: Error, Sendable, Hashable {
  /// The host of the pattern is not a DNS name or an IP address.
  case badHost(String, HostNameError)
  /// A wildcard is not the whole first label.
  case misplacedWildcard(String)
  /// `*.` means one label, subdomains mean all: the two cannot be combined.
  case wildcardWithSubdomains(String)
  /// An address has no names below it.
  case addressWithReach(HostName)
}

extension HostPatternError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidPattern.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The text is neither a host nor a pattern of hosts." }

  /// What is wrong.
  public var description: String {
    switch self {
    case .badHost(let text, _) where text.utf8.first == 0x2E && text.utf8.count > 1:
      "\"\(text)\" begins with a dot: write \"**\(text)\" for the host and all names below it, "
        + "\"*\(text)\" for one label more"
    case .badHost(let text, let error): "\"\(text)\": \(error)"
    case .misplacedWildcard(let text):
      "\"\(text)\": a wildcard must be the whole first label, \"*.\" or \"**.\""
    case .wildcardWithSubdomains(let text):
      "\"\(text)\" is one label below, subdomains are all of them: choose one"
    case .addressWithReach(let host): "\(host) is an address, which has no names below it"
    }
  }
}
