internal import HoldfastPaths

/// Which pins are for which hosts.
///
/// A look-up takes one step for each label of the host, whatever the number of entries.
public struct PinTable: Sendable, Hashable {
  /// The entries in their order.
  public let entries: [Entry]

  /// What happens when a host is in several entries.
  public let overlap: Overlap

  /// The indices of the entries of each host of a pattern, the narrowest reach first.
  private let indices: [[UInt8]: [Int]]

  /// What is for some hosts.
  public struct Entry: Sendable, Hashable {
    /// The hosts.
    public var pattern: HostPattern
    /// Their pins; nil for hosts that are not pinned though a wider entry would pin them.
    public var pins: PinSet?

    /// Pins for some hosts.
    public init(_ pattern: HostPattern, _ pins: PinSet) {
      self.pattern = pattern
      self.pins = pins
    }

    /// Hosts that are left out of a wider entry.
    public init(excluding pattern: HostPattern) {
      self.pattern = pattern
      pins = nil
    }
  }

  /// What happens when a host is in several entries.
  public enum Overlap: Sendable, Hashable {
    /// The nearest entry counts and no other: the longest host; of equal hosts the narrowest reach.
    case mostSpecific
    /// The pins of all count together, as with OkHttp and NSPinnedDomains.
    case united
  }

  /// A table of entries.
  ///
  /// Two entries of one pattern are an error, and so is one that excludes what no other entry pins.
  public init(
    _ entries: [Entry], overlap: Overlap = .mostSpecific
  ) throws(PinTableError) {
    var indices: [[UInt8]: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      let name = PinTable.key(of: entry.pattern.host)
      guard indices[name]?.contains(where: { entries[$0].pattern == entry.pattern }) != true else {
        throw .duplicate(entry.pattern)
      }
      indices[name, default: []].append(index)
    }
    self.indices = indices.mapValues { indices in
      indices.sorted { entries[$0].pattern.reach.width < entries[$1].pattern.reach.width }
    }
    for entry in entries where entry.pins == nil {
      guard entries.contains(where: { $0.pins != nil && $0.pattern.isAbove(entry.pattern) }) else {
        throw .nothingToExclude(entry.pattern)
      }
    }
    self.entries = entries
    self.overlap = overlap
  }

  /// A table of hosts as `HostPattern` reads them: `example.com`, `*.example.com` for one label more,
  /// `**.example.com` for the host and all below it.
  public init(
    _ hosts: [String: PinSet], overlap: Overlap = .mostSpecific
  ) throws(PinTableError) {
    var entries: [Entry] = []
    // A dictionary has no order of its own.
    for (text, pins) in hosts.sorted(by: { $0.key < $1.key }) {
      do throws(HostPatternError) {
        entries.append(Entry(try HostPattern(text), pins))
      } catch {
        throw .badPattern(error)
      }
    }
    try self.init(entries, overlap: overlap)
  }

  /// What a table says about a host.
  package enum Selection: Sendable, Hashable {
    /// Nothing.
    case unknown
    /// It is excluded from a wider entry.
    case excluded(HostPattern)
    /// It is pinned; the pattern is that of the nearest entry.
    case pinned(HostPattern, PinSet)
  }

  /// What the table says about a host.
  package func selection(for host: HostName) -> Selection {
    guard let index = index(for: host) else { return .unknown }
    let pattern = entries[index].pattern
    let sets = sets(at: index, for: host)
    guard let first = sets.first else { return .excluded(pattern) }
    return .pinned(pattern, sets.count > 1 ? PinSet(uniting: sets) : first)
  }

  /// The index of the nearest entry for a host.
  func index(for host: HostName) -> Int? {
    var nearest: Int?
    visit(host) { index in
      nearest = index
      return false
    }
    return nearest
  }

  /// The sets that count when the entry at an index is the nearest; none if that one excludes.
  func sets(at index: Int, for host: HostName) -> [PinSet] {
    guard let nearest = entries[index].pins else { return [] }
    guard overlap == .united else { return [nearest] }
    var sets: [PinSet] = []
    visit(host) { index in
      if let set = entries[index].pins { sets.append(set) }
      return true
    }
    return sets.reversed()
  }

  /// Hands over the indices of the entries for a host, the nearest first, as long as more are wanted.
  private func visit(_ host: HostName, _ takesMore: (Int) -> Bool) {
    var name = PinTable.key(of: host)[...]
    var labels = 0
    while true {
      for index in indices[Array(name)] ?? []
      where entries[index].pattern.reach.covers(labels: labels) {
        guard takesMore(index) else { return }
      }
      guard host.address == nil, let dot = name.firstIndex(of: 0x2E) else { return }
      name = name[(dot + 1)...]
      labels += 1
    }
  }

  private static func key(of host: HostName) -> [UInt8] {
    host.address == nil ? host.octets : Array("\(host)".utf8)
  }
}

extension HostPattern {
  /// Whether some host of the other pattern is one of this.
  fileprivate func isAbove(_ other: HostPattern) -> Bool {
    if matches(other.host) { return true }
    // `*.a.example` below `**.example`, and names below a pattern without its own host.
    return reach == .hostAndSubdomains && other.host == host
      || reach == .oneLabelBelow && other.host == host
  }
}

/// Why entries are not a valid table.
@nonexhaustive
public enum PinTableError: Error, Sendable, Hashable {
  /// Two entries are for the same hosts.
  case duplicate(HostPattern)
  /// An entry leaves out hosts that no other entry pins.
  case nothingToExclude(HostPattern)
  /// Text is not a host pattern.
  case badPattern(HostPatternError)
}

extension PinTableError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .duplicate(let pattern): "there are two entries for \(pattern)"
    case .nothingToExclude(let pattern):
      "\(pattern) is excluded, but no wider entry would pin it"
    case .badPattern(let error): "\(error)"
    }
  }
}

extension PinTable: CustomStringConvertible {
  /// Each pattern, and its pins below it.
  public var description: String {
    entries.map { entry in
      guard let pins = entry.pins else { return "\(entry.pattern): not pinned" }
      let lines = "\(pins)".split(separator: "\n").map { "\n  \($0)" }
      return "\(entry.pattern):" + lines.joined()
    }.joined(separator: "\n")
  }
}
