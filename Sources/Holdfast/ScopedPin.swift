/// In which places of a path a pin counts.
public struct PinScope: OptionSet, Sendable, Hashable {
  /// The places as bits.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The certificate of the server, even where it is an anchor itself.
  public static let leaf = PinScope(rawValue: 1)
  /// The certificates between server and anchor.
  public static let intermediate = PinScope(rawValue: 2)
  /// The anchor.
  public static let anchor = PinScope(rawValue: 4)
  /// Every certificate but the server's.
  public static let authority: PinScope = [.intermediate, .anchor]
  /// All places.
  public static let any: PinScope = [.leaf, .intermediate, .anchor]
}

extension PinScope: CustomStringConvertible {
  /// `leaf`, `intermediate or anchor`, `any`.
  public var description: String {
    if self == .any { return "any" }
    let names: [(PinScope, String)] = [
      (.leaf, "leaf"), (.intermediate, "intermediate"), (.anchor, "anchor"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
  }
}

/// A pin, where it counts, and what it is there for.
public struct ScopedPin: Sendable, Hashable {
  /// The pin.
  public var pin: Pin

  /// Where it counts.
  public var scope: PinScope

  /// What people call it: `backup key in the safe`.
  public var label: String?

  /// Whether it is there for a developer's proxy: what it lets through is always said aloud.
  public var isForDebugging: Bool

  /// A pin with its place.
  public init(
    _ pin: Pin, in scope: PinScope = .any, label: String? = nil, isForDebugging: Bool = false
  ) {
    self.pin = pin
    self.scope = scope
    self.label = label
    self.isForDebugging = isForDebugging
  }
}
