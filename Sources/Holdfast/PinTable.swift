/// The pins of each host, and for some whom their certificates may come from.
///
/// A look-up takes one step per label of the host, however many entries there are.
public struct PinTable: Sendable, Hashable {
  /// The entries in order.
  public let entries: [Entry]

  /// What happens if several entries apply to a host.
  public let overlap: Overlap

  /// The indices of the entries by their pattern's host, narrowest reach first.
  private var indices: [[UInt8]: [Int]] = [:]

  /// Whether an entry says anything of transparency: most tables do not, and need no look-up.
  private var asksTransparency = false

  /// Whether an entry has a trust of its own.
  private var hasTrust = false

  /// The pins of some hosts, or their exclusion; and whom their certificates may come from.
  public struct Entry: Sendable, Hashable {
    /// The hosts.
    public var pattern: HostPattern
    /// Their pins; nil for hosts that are excluded from a wider entry, or of which the entry says only
    /// whom to trust.
    public var pins: PinSet?
    /// Whom their certificates may come from; nil as the wider entry says, or else the manager.
    public var trust: HostTrust?
    /// Whether their certificates must be in public logs; nil as the wider entry says, or else the
    /// manager.
    public var transparency: TransparencyCheck.Exception?

    /// Whether the pins of a wider entry count for the hosts if this one has none.
    private var keepsWiderPins = false

    /// Whether the entry says something of pins: which, or that there are none.
    package var decidesPins: Bool { pins != nil || !keepsWiderPins }
  }

  /// What happens if several entries apply to a host.
  public enum Overlap: Sendable, Hashable {
    /// Only the nearest entry counts: the one with the longest host and, among those, the narrowest
    /// reach.
    case mostSpecific
    /// The pins of all entries count together, as in OkHttp and NSPinnedDomains.
    ///
    /// A set that has expired never unites. If it is the nearest, it decides alone, by its
    /// `Expiry.Action`, just as under `mostSpecific`: no wider set stands in for it. If it is a
    /// wider one, it no longer counts for this host, whatever its action is. So an expired pin
    /// never admits a host that `mostSpecific` would reject. The denied pins of all entries count,
    /// expired or not.
    ///
    /// What is united is enforced as soon as one of the sets is: from the start, or from the
    /// earliest `enforcedFrom` among them. Then the pins of a set that by
    /// itself would only report count as well, and so do its denied pins and required scopes.
    case united
  }

  /// Creates a table without entries.
  public init() {
    entries = []
    overlap = .mostSpecific
  }

  /// Creates a table of entries.
  ///
  /// Two entries with the same pattern are an error, and so is an exclusion from nothing that says
  /// nothing else.
  ///
  /// - Parameter entries: The entries, in any order.
  public init(
    _ entries: [Entry], overlap: Overlap = .mostSpecific
  ) throws(PinTableError) {
    self.entries = entries
    self.overlap = overlap
    for (index, entry) in entries.enumerated() {
      let name = PinTable.key(of: entry.pattern.host)
      guard indices[name]?.contains(where: { entries[$0].pattern == entry.pattern }) != true else {
        throw .duplicate(entry.pattern)
      }
      indices[name, default: []].append(index)
    }
    indices = indices.mapValues { indices in
      indices.sorted { entries[$0].pattern.reach < entries[$1].pattern.reach }
    }
    asksTransparency = entries.contains { $0.transparency != nil }
    hasTrust = entries.contains { $0.trust != nil }
    for entry in entries where entry.pins == nil && entry.transparency == nil && entry.trust == nil
    {
      guard hasPins(above: entry.pattern) else { throw .nothingToExclude(entry.pattern) }
    }
  }

  /// Creates a table from the text of patterns: `example.com`, `*.example.com` for exactly one more
  /// label, `**.example.com` for the host and all names below it.
  ///
  /// - Parameters:
  ///   - trust: Whom the certificates of hosts may come from, by pattern; see `HostTrust`. Hosts of these
  ///     patterns need no pins.
  ///   - excluded: Patterns of hosts that are left out of a wider entry.
  public init(
    _ hosts: [String: PinSet], trust: [String: HostTrust] = [:], excluding excluded: [String] = [],
    overlap: Overlap = .mostSpecific
  ) throws(PinTableError) {
    var entries: [Entry] = []
    do throws(HostPatternError) {
      // A dictionary has no order.
      for (text, pins) in hosts.sorted(by: { $0.key < $1.key }) {
        entries.append(Entry(try HostPattern(text), pins))
      }
      for text in excluded { entries.append(Entry(excluding: try HostPattern(text))) }
      // An entry of the same pattern gets the trust, and only one does.
      let count = entries.count
      for (text, trust) in trust.sorted(by: { $0.key < $1.key }) {
        let pattern = try HostPattern(text)
        if let index = entries[..<count].firstIndex(where: {
          $0.pattern == pattern && $0.trust == nil
        }) {
          entries[index].trust = trust
        } else {
          entries.append(Entry(pattern, trust: trust))
        }
      }
    } catch {
      throw .badPattern(error)
    }
    try self.init(entries, overlap: overlap)
  }

  /// Creates a table that pins nothing, and says whom the certificates of hosts may come from:
  /// `["**.bank.example": HostTrust(anchors: bank)]`.
  public init(trust: [String: HostTrust]) throws(PinTableError) {
    try self.init([String: PinSet](), trust: trust)
  }

  /// Creates a table from the text of patterns and of their pins, at least two for each:
  /// `["api.example.com": ["sha256/…", "sha256/…"]]`.
  ///
  /// - Parameter excluded: Patterns of hosts that are left out of a wider entry.
  public init(
    _ hosts: [String: [String]], excluding excluded: [String] = []
  ) throws(PinTableError) {
    var pins: [String: [Pin]] = [:]
    for (host, texts) in hosts.sorted(by: { $0.key < $1.key }) {
      pins[host] = try texts.enumerated().map { (index, text) throws(PinTableError) in
        do throws(PinError) { return try Pin(text) } catch {
          throw .badPin(host, index: index, error)
        }
      }
    }
    try self.init(pins, excluding: excluded)
  }

  /// Creates a table from the text of patterns and from their pins, at least two for each:
  /// `["api.example.com": [certificate.pin, backup.pin]]`.
  ///
  /// - Parameter excluded: Patterns of hosts that are left out of a wider entry.
  @_disfavoredOverload  // An empty dictionary is one of text.
  public init(
    _ hosts: [String: [Pin]], excluding excluded: [String] = []
  ) throws(PinTableError) {
    var sets: [String: PinSet] = [:]
    for (host, pins) in hosts.sorted(by: { $0.key < $1.key }) {
      do throws(PinSetError) { sets[host] = try PinSet(pins) } catch { throw .badPins(host, error) }
    }
    try self.init(sets, excluding: excluded)
  }

  /// The table's answer for a host.
  package enum Selection: Sendable, Hashable {
    /// No entry applies.
    case unknown
    /// The host is excluded from a wider entry.
    case excluded(HostPattern)
    /// The host is pinned; the pattern is that of the nearest entry.
    case pinned(HostPattern, PinSet)
  }

  /// Returns whether a host is pinned or excluded at a time, and by which entry.
  package func selection(for host: HostName, at time: Timestamp = .now) -> Selection {
    guard let index = index(for: host) else { return .unknown }
    let pattern = entries[index].pattern
    return counting(at: index, for: host, time).map { .pinned(pattern, $0.set) }
      ?? .excluded(pattern)
  }

  /// Returns the times at which the pins of a host change: when a set that may count expires or
  /// begins to be enforced.
  package func changes(for host: HostName) -> [Timestamp] {
    index(for: host).map { changes(at: $0, for: host) } ?? []
  }

  /// Returns what the nearest entry that says so says of transparency, however entries overlap.
  package func transparency(for host: HostName) -> TransparencyCheck.Exception? {
    guard asksTransparency else { return nil }
    return nearest(to: host) { $0.transparency != nil }.flatMap { entries[$0].transparency }
  }

  /// Returns the index of the nearest entry that says whom the certificates of a host may come from.
  func trustIndex(for host: HostName) -> Int? {
    hasTrust ? nearest(to: host) { $0.trust != nil } : nil
  }

  /// Whether an entry with pins applies to some host of a pattern.
  package func hasPins(above pattern: HostPattern) -> Bool {
    // `*.a.example` pins names below `**.a.example`, although not its host.
    let isPinned = entries(of: pattern.host).contains {
      $0.pins != nil && $0.pattern.reach == .oneLabelBelow
    }
    return isPinned || nearest(to: pattern.host) { $0.pins != nil } != nil
  }

  /// Returns the entries whose pattern is of a host, narrowest first.
  package func entries(of host: HostName) -> [Entry] {
    (indices[PinTable.key(of: host)] ?? []).map { entries[$0] }
  }

  /// Returns the index of the nearest entry that says something of a host's pins.
  func index(for host: HostName) -> Int? {
    nearest(to: host) { $0.decidesPins }
  }

  /// Returns the set that counts at a time if the entry at an index is the nearest, and the sets
  /// that it unites, the nearest last; nil if the entry is an exclusion.
  func counting(
    at index: Int, for host: HostName, _ time: Timestamp
  ) -> (set: PinSet, united: [PinSet])? {
    guard let nearest = entries[index].pins else { return nil }
    guard overlap == .united else { return (nearest, [nearest]) }
    let all = sets(for: host)
    let united =
      nearest.hasExpired(at: time) ? [nearest] : all.filter { !$0.hasExpired(at: time) }
    // Pins expire, denied ones do not.
    let denied = all.filter { !united.contains($0) }.flatMap { $0.denied }
    let isAlone = united.count == 1 && denied.isEmpty
    return (isAlone ? nearest : PinSet(uniting: united, denied: denied), united)
  }

  /// Returns the times at which the sets change that count if the entry at an index is the nearest.
  func changes(at index: Int, for host: HostName) -> [Timestamp] {
    guard let nearest = entries[index].pins else { return [] }
    let sets = overlap == .united ? sets(for: host) : [nearest]
    return sets.flatMap { [$0.expiry?.time, $0.mode.start].compactMap { $0 } }
  }

  /// Returns the sets of all entries for a host, expired or not, the nearest last.
  private func sets(for host: HostName) -> [PinSet] {
    var sets: [PinSet] = []
    _ = nearest(to: host) { entry in
      if let set = entry.pins { sets.append(set) }
      return false
    }
    return sets.reversed()
  }

  /// Returns the index of the nearest entry for a host that is one of those looked for; nil if there
  /// is none.
  private func nearest(to host: HostName, _ isLookedFor: (Entry) -> Bool) -> Int? {
    var name = PinTable.key(of: host)[...]
    var labels = 0
    while true {
      for index in indices[Array(name)] ?? []
      where entries[index].pattern.reach.covers(labels: labels) && isLookedFor(entries[index]) {
        return index
      }
      guard host.address == nil, let dot = name.firstIndex(of: 0x2E) else { return nil }
      name = name[(dot + 1)...]
      labels += 1
    }
  }

  private static func key(of host: HostName) -> [UInt8] {
    host.address == nil ? host.bytes : Array("\(host)".utf8)
  }
}

extension PinTable.Entry {
  /// Creates an entry that pins hosts.
  ///
  /// - Parameters:
  ///   - trust: Whom their certificates may come from; nil as the wider entry says, or else the
  ///     manager.
  ///   - transparency: Whether certificates of these hosts must be in public logs; nil as the wider
  ///     entry says, or else the manager.
  public init(
    _ pattern: HostPattern, _ pins: PinSet, trust: HostTrust? = nil,
    transparency: TransparencyCheck.Exception? = nil
  ) {
    self.init(pattern: pattern, pins: pins, trust: trust, transparency: transparency)
  }

  /// Creates an entry that pins nothing, and says whom the certificates of hosts may come from. The
  /// pins of a wider entry still count.
  ///
  /// - Parameter transparency: Whether certificates of these hosts must be in public logs; nil as
  ///   the wider entry says, or else the manager.
  public init(
    _ pattern: HostPattern, trust: HostTrust, transparency: TransparencyCheck.Exception? = nil
  ) {
    self.init(pattern: pattern, trust: trust, transparency: transparency, keepsWiderPins: true)
  }

  /// Creates an entry that excludes hosts from the pins of a wider one, or that pins nothing and says
  /// only whether certificates must be in public logs.
  ///
  /// - Parameter transparency: Whether certificates of these hosts must be in public logs; nil as
  ///   the wider entry says, or else the manager.
  public init(excluding pattern: HostPattern, transparency: TransparencyCheck.Exception? = nil) {
    self.init(pattern: pattern, transparency: transparency)
  }
}

extension PinTable: Loggable {
  /// Each pattern, followed by its pins and its trust.
  public var description: String {
    entries.map { entry in
      var lines = entry.pins.map { "\($0)".split(separator: "\n").map { "\n  \($0)" } } ?? []
      if let trust = entry.trust { lines.append("\n  trust: \(trust)") }
      let exclusion = entry.pins == nil && entry.decidesPins ? " not pinned" : ""
      return "\(entry.pattern):" + exclusion + lines.joined()
    }.joined(separator: "\n")
  }
}
