/// The pins of a host, and what happens if none of them is found.
///
/// A path satisfies the set if it has one of the pins where that pin counts, and none of the denied
/// pins.
public struct PinSet: Sendable, Hashable {
  /// The pins, of which at least one must be on the path.
  public let pins: [ScopedPin]

  /// Pins that must not be anywhere on the path, such as stolen keys or distrusted CAs. They do not
  /// expire: whatever becomes of the others, they count in the set's mode.
  public let denied: [Pin]

  /// Scopes, each of which must be satisfied by a pin of exactly that scope; empty if any pin
  /// suffices.
  ///
  /// A required scope for which there is no pin can never be satisfied.
  public let requiredScopes: [PinScope]

  /// Whether a path without the pins is rejected or only reported.
  public let mode: Mode

  /// When the pins expire, and what happens then; nil for never.
  public let expiry: Expiry?

  /// The anchors at which paths may end.
  public let anchoring: Anchoring

  /// Whether a second pin is required, for the day on which the first key is lost.
  public let backup: Backup

  /// Where the pins are, if there are many.
  let index: PinIndex?

  /// Where to send reports of violations. Nothing here sends them.
  public var reportURIs: [String] = []

  /// What happens on a violation.
  public enum Mode: Sendable, Hashable {
    /// The path is rejected.
    case enforced
    /// The path is rejected from this time on, and before it only reported.
    case enforcedFrom(Timestamp)
    /// The mismatch is reported, and the connection continues.
    case reportOnly

    /// When enforcement begins, if it begins later.
    package var start: Timestamp? { if case .enforcedFrom(let time) = self { time } else { nil } }
  }

  /// An expiry date and what happens then.
  public struct Expiry: Sendable, Hashable {
    /// The first moment at which the pins no longer count.
    public var time: Timestamp
    /// What happens from then on.
    public var action: Action

    /// What happens to a host whose pins have expired. A set that is `reportOnly` never rejects:
    /// `failClosed` then means `reportOnly`.
    public enum Action: Sendable, Hashable, CaseIterable {
      /// Every connection is rejected until there are new pins.
      case failClosed
      /// The pins are still compared; a mismatch is reported, and the connection continues.
      case reportOnly
      /// The host is treated as not pinned, but for its denied pins: an attacker who can set the
      /// clock can turn pinning off.
      case failOpen

      /// What happens then, in words.
      package var words: String {
        switch self {
        case .failClosed: "every connection is rejected"
        case .reportOnly: "what the pins miss is reported"
        case .failOpen: "nothing is pinned"
        }
      }
    }

    /// Creates an expiry.
    ///
    /// - Parameter time: The first moment at which the pins no longer count.
    public init(at time: Timestamp, action: Action = .failClosed) {
      self.time = time
      self.action = action
    }

    /// Reads a date such as `2028-01-01`, meaning its first second in UTC, or an RFC 3339 time.
    /// Other text throws, so that it never makes a set that does not expire.
    public init(at text: String, action: Action = .failClosed) throws(PinSetError) {
      guard let time = Timestamp(text) else { throw .badTime(text) }
      self.init(at: time, action: action)
    }
  }

  /// The anchors at which paths may end. Only pins made from a certificate can be anchors.
  public enum Anchoring: Sendable, Hashable {
    /// The anchors of the manager; pins only narrow them.
    case manager
    /// The manager's anchors and the certificates of the pins.
    case managerAndPins
    /// The certificates of the pins alone: for self-signed servers and private CAs.
    case pinsOnly
  }

  /// Whether a second pin is required.
  public enum Backup: Sendable, Hashable {
    /// A single pin is an error. RFC 7469 §4.3.
    case required
    /// A single pin is enough: if its key is lost, every client is locked out.
    case waived
  }

  /// Creates a set of pins.
  ///
  /// - Parameters:
  ///   - denied: Pins that must not be anywhere on the path.
  ///   - requiredScopes: Scopes, each of which needs a pin of exactly that scope; empty if any pin
  ///     suffices.
  ///   - expiry: When the pins expire, and what happens then; nil for never.
  ///   - anchoring: The anchors at which paths may end. All but `.manager` need a pin that was made
  ///     from a certificate.
  ///   - backup: Whether a second pin is required; by default, a single one is an error.
  public init(
    _ pins: [ScopedPin], denied: [Pin] = [], requiredScopes: [PinScope] = [],
    mode: Mode = .enforced, expiry: Expiry? = nil, anchoring: Anchoring = .manager,
    backup: Backup = .required
  ) throws(PinSetError) {
    self.pins = pins
    self.denied = denied
    self.requiredScopes = requiredScopes
    self.mode = mode
    self.expiry = expiry
    self.anchoring = anchoring
    self.backup = backup
    index = PinIndex(pins)
    try check()
  }

  /// Creates a set of pins that count everywhere on the path.
  ///
  /// - Parameters:
  ///   - denied: Pins that must not be anywhere on the path.
  ///   - expiry: When the pins expire, and what happens then; nil for never.
  ///   - anchoring: The anchors at which paths may end. All but `.manager` need a pin that was made
  ///     from a certificate.
  ///   - backup: Whether a second pin is required; by default, a single one is an error.
  public init(
    _ pins: [Pin], denied: [Pin] = [], mode: Mode = .enforced, expiry: Expiry? = nil,
    anchoring: Anchoring = .manager, backup: Backup = .required
  ) throws(PinSetError) {
    try self.init(
      pins.map { ScopedPin($0) }, denied: denied, mode: mode, expiry: expiry,
      anchoring: anchoring, backup: backup)
  }

  /// Creates a set of pins that count everywhere on the path, and that expire: from then on every
  /// connection is rejected.
  public init(_ pins: [Pin], expires time: Timestamp) throws(PinSetError) {
    try self.init(pins, expiry: Expiry(at: time))
  }

  /// Creates a set from the text of pins, each with its label, and that of a date or a time at which
  /// they expire:
  ///
  /// ```swift
  /// try PinSet(["current": "sha256/…", "backup": "sha256/…"], expires: "2028-01-01")
  /// ```
  ///
  /// - Parameter action: What happens from then on.
  public init(
    _ pins: KeyValuePairs<String, String>, expires time: String,
    action: Expiry.Action = .failClosed
  ) throws(PinSetError) {
    var scoped: [ScopedPin] = []
    for (index, (label, text)) in pins.enumerated() {
      scoped.append(ScopedPin(try Pin(text, at: index), label: label))
    }
    try self.init(scoped, expiry: try Expiry(at: time, action: action))
  }

  /// Creates a set from the text of pins, and that of a date or a time at which they expire.
  ///
  /// - Parameter action: What happens from then on.
  public init(
    _ pins: [String], expires time: String, action: Expiry.Action = .failClosed
  ) throws(PinSetError) {
    var read: [Pin] = []
    for (index, text) in pins.enumerated() { read.append(try Pin(text, at: index)) }
    try self.init(read, expiry: try Expiry(at: time, action: action))
  }

  private func check() throws(PinSetError) {
    guard !pins.isEmpty || !denied.isEmpty || !requiredScopes.isEmpty else { throw .noPins }
    if let useless = pins.first(where: { $0.scope.isEmpty }) { throw .noScope(useless.pin) }
    if let both = pins.first(where: { denied.contains($0.pin) }) {
      throw .pinnedAndDenied(both.pin)
    }
    let distinct = Set(pins.map { $0.pin })
    if backup == .required, distinct.count == 1 { throw .noBackup(pins[0].pin) }
    if let expiry, let start = mode.start, expiry.time <= start {
      throw .expiresBeforeItBegins(expiry.time)
    }
    if anchoring != .manager, !pins.contains(where: { $0.pin.certificate != nil }) {
      throw .nothingToAnchor
    }
  }

  /// What happens after the expiry, if there is one: a report-only set never rejects.
  package var actionAfterExpiry: Expiry.Action? {
    mode == .reportOnly && expiry?.action == .failClosed ? .reportOnly : expiry?.action
  }

  /// Whether a path without the pins is only reported at a time before the expiry.
  func isLenient(at time: Timestamp) -> Bool {
    mode == .reportOnly || mode.start.map { time < $0 } ?? false
  }

  /// The certificates of the pins that have one.
  var certificates: [Certificate] { pins.compactMap { $0.pin.certificate } }

  /// Whether the pins no longer count.
  func hasExpired(at time: Timestamp) -> Bool { expiry.map { $0.time <= time } ?? false }

  /// Unites sets that count, the nearest last, without checking them again: a path that all of them
  /// accept is accepted, unless it has one of the other denied pins.
  init(uniting sets: [PinSet], denied others: [Pin]) {
    pins = sets.flatMap { $0.pins }
    denied = sets.flatMap { $0.denied } + others
    requiredScopes = sets.flatMap { $0.requiredScopes }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let modes = sets.map { $0.mode }
    mode =
      modes.contains(.enforced)
      ? .enforced : modes.compactMap { $0.start }.min().map { .enforcedFrom($0) } ?? .reportOnly
    // When a wider set expires, the others remain; when the nearest does, it decides alone.
    expiry = sets.last?.expiry
    // In a mixture, only the single sets know whose pins are anchors: `TrustManager` asks each.
    let anchorings = Set(sets.map { $0.anchoring })
    anchoring = anchorings.count == 1 ? sets[0].anchoring : .managerAndPins
    backup = .waived
    // It is for one evaluation, in which comparing the pins takes no longer than an index.
    index = nil
    reportURIs = sets.flatMap { $0.reportURIs }
  }

  /// Creates the set of what remains of another after its expiry: its denied pins.
  init(deniedPinsOf set: PinSet) {
    pins = []
    denied = set.denied
    requiredScopes = []
    mode = set.mode
    expiry = set.expiry
    anchoring = .manager
    backup = .waived
    index = nil
    reportURIs = set.reportURIs
  }
}

extension Pin {
  /// Reads the text of a pin at an index of a list.
  fileprivate init(_ text: String, at index: Int) throws(PinSetError) {
    do throws(PinError) { try self.init(text) } catch { throw .badPin(index: index, error) }
  }
}

/// Why pins are not a valid set.
@nonexhaustive
public enum PinSetError: Error, Sendable, Hashable {
  /// There are neither pins nor denied pins.
  case noPins
  /// There is only one pin, and a backup was not waived.
  case noBackup(Pin)
  /// A pin counts nowhere.
  case noScope(Pin)
  /// A pin is also denied.
  case pinnedAndDenied(Pin)
  /// The set expires before it is enforced.
  case expiresBeforeItBegins(Timestamp)
  /// The pins should be anchors, but none was made from a certificate.
  case nothingToAnchor
  /// The text is not a date.
  case badTime(String)
  /// The text at this index is not a pin.
  case badPin(index: Int, PinError)
}

extension PinSetError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { row.code }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The pins do not make a valid set." }

  /// What is wrong.
  public var description: String { row.message }

  private var row: (code: String, message: String) {
    switch self {
    case .noPins: row(.noPins, "no pins")
    case .noBackup(let pin):
      row(
        .noBackup,
        "\(pin) is the only pin: add one of a key that is kept elsewhere, or waive it, as in "
          + "try PinTable([\"host\": PinSet([Pin(\"sha256/…\")], backup: .waived)])")
    case .noScope(let pin): row(.noScope, "\(pin) has an empty scope")
    case .pinnedAndDenied(let pin): row(.pinnedAndDenied, "\(pin) is both pinned and denied")
    case .expiresBeforeItBegins(let time):
      row(.expiresBeforeItBegins, "the pins expire at \(time), before they are enforced")
    case .nothingToAnchor:
      row(.nothingToAnchor, "no pin can be an anchor: a digest is not a certificate")
    case .badTime(let text):
      row(.invalidTime, "\"\(text)\" is neither a date such as 2028-01-01 nor an RFC 3339 time")
    case .badPin(let index, let error): row(.invalidPin, "pin \(index + 1): \(error)")
    }
  }

  /// Inlined, so that the code is known where it stands: the table of all codes is not linked for it.
  @inline(__always)
  private func row(_ code: ErrorCode, _ message: String) -> (code: String, message: String) {
    (code.rawValue, message)
  }
}

extension ScopedPin: CustomStringConvertible {
  /// `sha256/…  as leaf only, backup key in the safe`.
  public var description: String {
    let offset = scope == .any ? nil : "as \(scope) only"
    let rest = [offset, label, isForDebugging ? "for debugging" : nil].compactMap { $0 }
    return rest.isEmpty ? "\(pin)" : "\(pin)  \(rest.joined(separator: ", "))"
  }
}

extension PinSet: Loggable {
  /// A line for each pin and for each setting that is not the default.
  public var description: String {
    var lines = pins.map { "\($0)" } + denied.map { "never \($0)" }
    lines += requiredScopes.map { "a pin for \($0) is required" }
    if mode == .reportOnly { lines.append("reported only") }
    if let start = mode.start { lines.append("enforced from \(start)") }
    if let expiry, let action = actionAfterExpiry {
      lines.append("expires at \(expiry.time), then \(action.words)")
    }
    switch anchoring {
    case .manager: break
    case .managerAndPins: lines.append("the pins are anchors, too")
    case .pinsOnly: lines.append("the pins are the only anchors")
    }
    return lines.joined(separator: "\n")
  }
}
