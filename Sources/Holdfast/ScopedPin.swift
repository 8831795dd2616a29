/// The roles on a path in which a pin counts.
public struct PinScope: OptionSet, Sendable, Hashable {
  /// The roles as bits.
  public let rawValue: UInt8
  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The server's certificate, even if it is itself an anchor.
  public static let leaf = PinScope(rawValue: 1)
  /// The certificates between the server's and the anchor.
  public static let intermediate = PinScope(rawValue: 2)
  /// The anchor.
  public static let anchor = PinScope(rawValue: 4)
  /// Every certificate but the server's.
  public static let authority: PinScope = [.intermediate, .anchor]
  /// All roles.
  public static let any: PinScope = [.leaf, .intermediate, .anchor]
}

extension PinScope: CustomStringConvertible {
  /// `leaf`, `intermediate or anchor`, `any`.
  public var description: String {
    if self == .any { return "any" }
    let names: [(PinScope, String)] = [
      (.leaf, "leaf"), (.intermediate, "intermediate"), (.anchor, "anchor"),
    ]
    return names.filter { contains($0.0) }.map { $0.1 }.joined(separator: " or ")
  }
}

/// A pin, where it counts, and its purpose.
public struct ScopedPin: Sendable, Hashable {
  /// The pin.
  public var pin: Pin

  /// Where it counts.
  public var scope: PinScope

  /// A name for it: `backup key in the safe`.
  public var label: String?

  /// Whether it is for a developer's debugging proxy: a match always adds a warning to the verdict.
  public var isForDebugging: Bool

  /// Creates a pin with its scope.
  ///
  /// - Parameters:
  ///   - scope: The roles on the path in which the pin counts.
  ///   - label: A name for messages; it is not compared.
  ///   - isForDebugging: Whether the pin is for a debugging proxy, so that a match adds a warning
  ///     to the verdict.
  public init(
    _ pin: Pin, in scope: PinScope = .any, label: String? = nil, isForDebugging: Bool = false
  ) {
    self.pin = pin
    self.scope = scope
    self.label = label
    self.isForDebugging = isForDebugging
  }
}
