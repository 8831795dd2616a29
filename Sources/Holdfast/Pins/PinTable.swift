public import HoldfastPaths
internal import HoldfastHashes

/// Which pins are for which hosts.
///
/// Look-ups cost the same with one entry and with ten thousand: one step for each label of the host.
public struct PinTable: Sendable {
  let storage: Storage

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
    let storage = Storage(entries, overlap)
    if let pattern = storage.duplicate { throw .duplicate(pattern) }
    for entry in entries where entry.pins == nil {
      guard entries.contains(where: { $0.pins != nil && $0.pattern.isAbove(entry.pattern) }) else {
        throw .nothingToExclude(entry.pattern)
      }
    }
    self.storage = storage
  }

  /// A table of hosts as `HostPattern` reads them: `example.com`, `*.example.com` for one label more,
  /// `**.example.com` for the host and all below it.
  public init(
    _ hosts: [String: PinSet], overlap: Overlap = .mostSpecific
  ) throws(PinTableError) {
    var entries: [Entry] = []
    // A dictionary has no order, and the fingerprint is of the entries in theirs.
    for (text, pins) in hosts.sorted(by: { $0.key < $1.key }) {
      do throws(HostPatternError) {
        entries.append(Entry(try HostPattern(text), pins))
      } catch {
        throw .badPattern(error)
      }
    }
    try self.init(entries, overlap: overlap)
  }

  /// The entries in their order.
  public var entries: [Entry] { storage.entries }

  /// What happens when a host is in several entries.
  public var overlap: Overlap { storage.overlap }

  /// What a table says of a host.
  public enum Selection: Sendable, Hashable {
    /// Nothing.
    case unknown
    /// It is left out of a wider entry.
    case excluded(HostPattern)
    /// It is pinned; the pattern is that of the nearest entry.
    case pinned(HostPattern, PinSet)
  }

  /// What the table says of a host.
  public func selection(for host: HostName) -> Selection {
    guard let place = storage.place(for: host) else { return .unknown }
    let pattern = storage.entries[place].pattern
    guard let pins = storage.pins(at: place, for: host)?.set else { return .excluded(pattern) }
    return .pinned(pattern, pins)
  }
}

extension HostPattern {
  /// Whether some host of the other pattern is one of this.
  fileprivate func isAbove(_ other: HostPattern) -> Bool {
    guard self != other else { return false }
    if matches(other.host) { return true }
    // `*.a.example` below `**.example`, and names below a pattern without its own host.
    return reach == .hostAndSubdomains && other.host == host
      || reach == .oneLabelBelow && other.host == host
  }
}

/// Why entries make no table.
@nonexhaustive
public enum PinTableError: Error, Sendable, Hashable {
  /// Two entries are for the same hosts.
  case duplicate(HostPattern)
  /// An entry leaves out hosts that no other entry pins.
  case nothingToExclude(HostPattern)
  /// A text is no pattern of hosts.
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

extension PinTable {
  /// What all copies of a table share: the entries, and where the hosts of each stand.
  ///
  /// An open table of hashes; that of a name is taken from its last character on, so that one pass
  /// over a host gives those of all names that it is below.
  final class Storage: Sendable {
    let entries: [Entry]
    let overlap: Overlap
    let matchers: [PinMatcher?]
    /// The first pattern that is there twice.
    let duplicate: HostPattern?
    private let slots: [Int32]
    private let nodes: [Node]

    /// A host, and the entry of each reach, or -1.
    private struct Node {
      let name: [UInt8]
      var entries: [4 of Int32]
    }

    init(_ entries: [Entry], _ overlap: Overlap) {
      self.entries = entries
      self.overlap = overlap
      matchers = entries.map { $0.pins.map(PinMatcher.init) }
      var size = 16
      while size < 2 * entries.count { size *= 2 }
      var slots = [Int32](repeating: -1, count: size)
      var nodes: [Node] = []
      var duplicate: HostPattern?
      for (index, entry) in entries.enumerated() {
        let name = Storage.key(of: entry.pattern.host)
        var slot = Int(truncatingIfNeeded: Storage.hash(name)) & (size - 1)
        while slots[slot] >= 0, nodes[Int(slots[slot])].name != name {
          slot = (slot + 1) & (size - 1)
        }
        if slots[slot] < 0 {
          slots[slot] = Int32(nodes.count)
          nodes.append(Node(name: name, entries: [4 of Int32](repeating: -1)))
        }
        let node = Int(slots[slot])
        let reach = entry.pattern.reach.place
        if nodes[node].entries[reach] >= 0 {
          duplicate = duplicate ?? entry.pattern
        } else {
          nodes[node].entries[reach] = Int32(index)
        }
      }
      self.slots = slots
      self.nodes = nodes
      self.duplicate = duplicate
    }

    /// The place of the nearest entry for a host.
    func place(for host: HostName) -> Int? {
      var place: Int?
      visit(host) { place = $0 }
      return place
    }

    /// The pins that count when the entry at a place is the nearest; nil if that one excludes.
    func pins(at place: Int, for host: HostName) -> PinMatcher? {
      let sets = sets(at: place, for: host)
      return sets.count > 1 ? PinMatcher(PinSet(uniting: sets)) : matchers[place]
    }

    /// The sets that count when the entry at a place is the nearest; none if that one excludes.
    func sets(at place: Int, for host: HostName) -> [PinSet] {
      guard let nearest = entries[place].pins else { return [] }
      guard overlap == .united else { return [nearest] }
      var sets: [PinSet] = []
      visit(host, all: true) { place in
        if let set = entries[place].pins { sets.append(set) }
      }
      return sets
    }

    /// Hands over the entries for a host, the farthest first; unless all are wanted only the nearest
    /// of each name.
    private func visit(_ host: HostName, all: Bool = false, _ take: (Int) -> Void) {
      let name = host.address == nil ? host.octets : Storage.key(of: host)
      let isAddress = host.address != nil
      var labels = 1
      for octet in name where octet == 0x2E { labels += 1 }
      var hash = Storage.seed
      var place = name.count
      while place > 0 {
        place -= 1
        hash = (hash ^ UInt64(name[place])) &* Storage.prime
        guard place == 0 || name[place - 1] == 0x2E else { continue }
        labels -= 1
        if isAddress && place > 0 { continue }
        guard let node = node(hash, name, from: place) else { continue }
        // The narrowest reach comes last.
        for reach in 0..<4 {
          let entry = nodes[node].entries[reach]
          if entry >= 0, HostPattern.Reach.covers(reach, labels) { take(Int(entry)) }
        }
      }
    }

    /// The node whose name is the rest of another from a place on.
    private func node(_ hash: UInt64, _ name: [UInt8], from start: Int) -> Int? {
      var slot = Int(truncatingIfNeeded: Storage.mixed(hash)) & (slots.count - 1)
      while slots[slot] >= 0 {
        let index = Int(slots[slot])
        if Storage.isEqual(nodes[index].name, name, from: start) { return index }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }

    private static func isEqual(_ a: [UInt8], _ b: [UInt8], from start: Int) -> Bool {
      guard a.count == b.count - start else { return false }
      for place in a.indices where a[place] != b[start + place] { return false }
      return true
    }

    private static func key(of host: HostName) -> [UInt8] {
      host.address == nil ? host.octets : Array("\(host)".utf8)
    }

    // FNV-1a of 64 bits, from the end. The entries come from whoever configures, never from a peer,
    // so nobody can fill the table with equal hashes.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    private static func hash(_ name: [UInt8]) -> UInt64 {
      mixed(name.reversed().reduce(seed) { ($0 ^ UInt64($1)) &* prime })
    }

    /// The low bits of FNV depend on the low bits of its input alone.
    private static func mixed(_ hash: UInt64) -> UInt64 { hash ^ hash >> 29 ^ hash >> 47 }
  }
}

extension HostPattern.Reach {
  /// The widest first: a later one is nearer to the host.
  fileprivate var place: Int {
    switch self {
    case .hostAndSubdomains: 0
    case .hostAndOneLabelBelow: 1
    case .oneLabelBelow: 2
    case .host: 3
    }
  }

  /// `covers(labels:)` of the reach at a place, without a copy of its entry.
  fileprivate static func covers(_ place: Int, _ labels: Int) -> Bool {
    switch place {
    case 0: true
    case 1: labels <= 1
    case 2: labels == 1
    default: labels == 0
    }
  }
}

extension PinTable {
  /// SHA-256 over all that the table says: another table has another one.
  public var fingerprint: [UInt8] {
    var text = "\(overlap)\n"
    for entry in entries {
      text += "\(entry.pattern) "
      text += entry.pins.map(\.canonicalText) ?? "excluded"
      text += "\n"
    }
    return HashAlgorithm.sha256.hash(Array(text.utf8)).array
  }
}
