public import Holdfast

extension PinConfiguration {
  /// A table in the format of another system, and what is lost in it.
  public struct Written: Sendable, Hashable {
    /// The file, or the value of the option.
    public let text: String

    /// The differences in the other system, each beginning with `weaker`, `stricter` or
    /// `different`.
    public let losses: [Remark]
  }

  /// Writes a table for another system.
  ///
  /// What the other system cannot express is listed in `losses`; a host that it would not pin at
  /// all is an error.
  ///
  /// - Parameter placing: For NSPinnedDomains, whose pins are either for leaves or for CAs: where
  ///   to put pins that count for both. `.leaf` is for leaves, any other scope for CAs; with nil
  ///   such pins are an error.
  public static func write(
    _ table: PinTable, as format: Format, placing: PinScope? = nil
  ) throws(ConfigurationError) -> Written {
    var writer = ConfigurationWriter(format: format, placing: placing)
    for entry in table.entries { try writer.add(entry, in: table) }
    guard !writer.rows.isEmpty else { throw ConfigurationError(.nothingPinned) }
    if table.overlap == .mostSpecific, [.okHttp, .nsPinnedDomains].contains(format),
      table.entries.count > 1
    {
      writer.lose("all hosts", .weaker, "where entries overlap, the target uses the pins of all")
    }
    if table.overlap == .united, [.trustKit, .android].contains(format), table.entries.count > 1 {
      writer.lose("all hosts", .stricter, "where entries overlap, the target uses only the nearest")
    }
    if format == .curl {
      writer.lose(
        "all hosts", .different,
        "curl compares the pins with the server of every URL, whatever its host, and since 2026 not "
          + "after a redirect to another host")
    }
    return Written(text: try writer.text(), losses: writer.losses.all)
  }

  /// Writes the configuration for another system.
  ///
  /// As `write(_:as:placing:)` of its table; `losses` also has what the other system does with hosts
  /// that the configuration does not name.
  public func written(
    as target: Format, placing: PinScope? = nil
  ) throws(ConfigurationError) -> Written {
    let written = try PinConfiguration.write(table, as: target, placing: placing)
    var others = Remarks()
    switch (otherHosts, target.otherHosts) {
    case (.reject, .validate):
      others.lose(
        "other hosts", .weaker, "\(target.name) trusts them without pins; here they are rejected")
    case (.validate, .reject):
      others.lose("other hosts", .stricter, "\(target.name) compares the pins with them, too")
    case (.reject, .reject), (.validate, .validate): break
    }
    if transparencyOfOtherHosts == .require {
      others.lose("other hosts", .weaker, "certificate transparency is not required of them there")
    }
    return Written(text: written.text, losses: written.losses + others.all)
  }
}

/// Collects what can be written of each entry, and what is lost.
struct ConfigurationWriter {
  let format: PinConfiguration.Format
  let placing: PinScope?
  private(set) var rows: [Row] = []
  private(set) var losses = Remarks()

  /// The written part of one entry.
  struct Row {
    let host: String
    let reach: HostPattern.Reach
    /// The SHA-256 pins of keys; empty for an excluded host.
    let pins: [ScopedPin]
    let set: PinSet?
    /// Whether certificates must be in public logs.
    let transparency: TransparencyCheck.Exception?
  }

  init(format: PinConfiguration.Format, placing: PinScope?) {
    self.format = format
    self.placing = placing
  }

  mutating func lose(_ subject: String, _ direction: Remarks.Direction, _ message: String) {
    losses.lose(subject, direction, message)
  }

  mutating func add(_ entry: PinTable.Entry, in table: PinTable) throws(ConfigurationError) {
    let host = "\(entry.pattern.host)"
    if entry.pattern.host.address != nil, format == .trustKit {
      throw ConfigurationError(
        .cannotExpress("\(format.name) has no pins for addresses"), key: host)
    }
    if entry.trust != nil {
      lose(host, .different, "\(format.name) does not get the anchors and rules of the host's own")
    }
    if let transparency = entry.transparency, format != .android {
      lose(
        host, transparency == .require ? .weaker : .stricter,
        "\(format.name) says nothing of certificate transparency")
      if entry.pins == nil, !table.hasPins(above: entry.pattern) { return }
    }
    guard entry.decidesPins else { return }
    guard let set = entry.pins else {
      switch format {
      case .trustKit, .android:
        rows.append(
          Row(
            host: host, reach: entry.pattern.reach, pins: [], set: nil,
            transparency: entry.transparency))
      default: lose(host, .stricter, "\(format.name) cannot exclude it: the host is pinned")
      }
      return
    }
    let pins = try pins(of: set, host)
    loseOptions(of: set, host)
    rows.append(
      Row(
        host: host, reach: reach(of: entry.pattern), pins: pins, set: set,
        transparency: entry.transparency))
  }

  private mutating func pins(
    of set: PinSet, _ host: String
  ) throws(ConfigurationError) -> [ScopedPin] {
    var kept: [ScopedPin] = []
    var seen: Set<Pin> = []
    for pin in set.pins {
      guard pin.pin.subject == .publicKey, pin.pin.algorithm == .sha256 else {
        lose(host, .stricter, "\(pin.pin) is left out: the target pins only keys by SHA-256")
        continue
      }
      switch format {
      case .curl:
        guard pin.scope.contains(.leaf) else {
          lose(host, .stricter, "\(pin.pin) is left out: the target compares only the leaf's key")
          continue
        }
        if pin.scope != .leaf {
          lose(host, .stricter, "\(pin.pin) is compared there only with the leaf's key")
        }
      case .nsPinnedDomains:
        if pin.scope.contains(.leaf), pin.scope != .leaf, placing == nil {
          throw ConfigurationError(
            .cannotExpress(
              "\(pin.pin) has no scope, and the target asks for leaf or CA pins: give it one"
            ), key: host)
        }
      default:
        if pin.scope != .any {
          lose(host, .weaker, "\(pin.pin) matches there anywhere, not only as \(pin.scope)")
        }
      }
      if seen.insert(pin.pin).inserted { kept.append(pin) }
    }
    guard !kept.isEmpty else {
      throw ConfigurationError(
        .cannotExpress("\(format.name) can express none of the pins"), key: host)
    }
    if kept.count == 1, format == .trustKit, set.mode != .reportOnly {
      throw ConfigurationError(
        .cannotExpress("\(format.name) requires a backup pin, and there is a single pin"),
        key: host)
    }
    return kept
  }

  private mutating func loseOptions(of set: PinSet, _ host: String) {
    for pin in set.denied { lose(host, .weaker, "the target cannot deny \(pin)") }
    if !set.requiredScopes.isEmpty, format != .nsPinnedDomains {
      lose(host, .weaker, "one pin is enough there; here one of each scope is required")
    }
    if set.requiredScopes.isEmpty, format == .nsPinnedDomains,
      set.pins.contains(where: { $0.scope == .leaf }),
      set.pins.contains(where: { $0.scope != .leaf })
    {
      lose(host, .stricter, "the target requires a leaf pin and a CA pin")
    }
    if set.mode == .reportOnly, format != .trustKit {
      lose(host, .stricter, "the target enforces the pins; here they are only reported")
    }
    if let start = set.mode.start {
      lose(host, .stricter, "the target enforces the pins at once; here from \(start)")
    }
    if set.anchoring != .manager {
      lose(host, .stricter, "pins are not anchors there: the chain must end at a system anchor")
    }
    if let expiry = set.expiry, let action = set.actionAfterExpiry {
      switch format {
      case .trustKit, .android:
        if action != .failOpen {
          lose(
            host, .weaker,
            "the target stops pinning at \(expiry.time); here \(action.words)")
        }
        if expiry.time.secondsSince1970 % 86_400 != 0 {
          lose(
            host, .different, "dates have no time there: \(expiry.time) is cut to its day")
        }
      default: lose(host, .different, "the pins do not expire there; here at \(expiry.time)")
      }
    }
    if !set.reportURIs.isEmpty, format != .trustKit {
      lose(host, .different, "nothing is reported there")
    }
  }

  private mutating func reach(of pattern: HostPattern) -> HostPattern.Reach {
    let host = "\(pattern.host)"
    switch (format, pattern.reach) {
    case (_, .host), (.okHttp, _): return pattern.reach
    case (.curl, _): return .host
    case (.nsPinnedDomains, .hostAndSubdomains):
      lose(host, .weaker, "names two or more labels below are not pinned there")
      return .hostAndOneLabelBelow
    case (.nsPinnedDomains, .oneLabelBelow):
      lose(host, .stricter, "the host itself is also pinned there")
      return .hostAndOneLabelBelow
    case (.nsPinnedDomains, _), (_, .hostAndSubdomains): return pattern.reach
    case (_, .oneLabelBelow):
      lose(host, .stricter, "the host itself and all names below it are also pinned there")
      return .hostAndSubdomains
    case (_, .hostAndOneLabelBelow):
      lose(host, .stricter, "all names below the host are pinned there, however deep")
      return .hostAndSubdomains
    }
  }
}

extension PinConfiguration.Written: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
