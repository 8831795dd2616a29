public import HoldfastPaths

/// The hosts that an entry of pins is for.
///
/// The host is brought into one form when the pattern is made, as is every host that is compared
/// with it: capitals and a last dot make no difference.
public struct HostPattern: Sendable, Hashable {
  /// The host: a DNS name, or an address, which has nothing below it.
  public let host: HostName

  /// How far down from the host the pattern goes.
  public let reach: Reach

  /// How far down from its host a pattern goes.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// The host itself.
    case host
    /// The host and every name below it.
    case hostAndSubdomains
    /// The names with one label more, without the host: `*.example.com`.
    case oneLabelBelow
    /// The host and the names with one label more.
    case hostAndOneLabelBelow
  }

  /// A pattern.
  public init(_ host: HostName, _ reach: Reach = .host) throws(HostPatternError) {
    guard host.address == nil || reach == .host else { throw .addressWithReach(host) }
    self.host = host
    self.reach = reach
  }

  /// Reads `example.com`, `*.example.com` (one label more, without the host) or `**.example.com` (the
  /// host and all below it), as OkHttp writes patterns; an address means itself.
  ///
  /// - Parameter includingSubdomains: Whether a pattern without a wildcard goes down all the way.
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

  /// Whether a host is one of those that the pattern is for.
  public func matches(_ other: HostName) -> Bool {
    guard host.address == nil, other.address == nil else { return host == other }
    guard let below = HostPattern.labels(of: other, below: host) else { return false }
    return reach.covers(labels: below)
  }

  /// How many labels a name has more than one that it is below or equal to; nil for another name.
  private static func labels(of name: HostName, below parent: HostName) -> Int? {
    guard name.octets.count >= parent.octets.count, name.octets.hasSuffix(parent.octets) else {
      return nil
    }
    let rest = name.octets.dropLast(parent.octets.count)
    guard let last = rest.last else { return 0 }
    return last == 0x2E ? rest.count { $0 == 0x2E } : nil
  }
}

extension HostPattern.Reach {
  /// Whether a pattern is for names with this many labels more than its host.
  func covers(labels: Int) -> Bool {
    switch self {
    case .host: labels == 0
    case .oneLabelBelow: labels == 1
    case .hostAndOneLabelBelow: labels <= 1
    case .hostAndSubdomains: true
    }
  }

  /// The order of patterns of one host, the narrowest first.
  var width: Int {
    switch self {
    case .host: 0
    case .oneLabelBelow: 1
    case .hostAndOneLabelBelow: 2
    case .hostAndSubdomains: 3
    }
  }
}

extension HostPattern: CustomStringConvertible {
  /// `example.com`, `*.example.com`, `**.example.com`; with `+*.` for a host and one label more.
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
  /// `*.` is one label, and subdomains are all: only one can be meant.
  case wildcardWithSubdomains(String)
  /// An address has no names below it.
  case addressWithReach(HostName)
}

extension HostPatternError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .badHost(let text, let error): "\"\(text)\": \(error)"
    case .misplacedWildcard(let text):
      "\"\(text)\": a wildcard must be the whole first label, \"*.\" or \"**.\""
    case .wildcardWithSubdomains(let text):
      "\"\(text)\" is one label below, subdomains are all of them: choose one"
    case .addressWithReach(let host): "\(host) is an address, which has no names below it"
    }
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
    self.suffix(suffix.count).elementsEqual(suffix)
  }
}
