/// What `print` shows of pins.
extension ScopedPin: CustomStringConvertible {
  /// `sha256/…  as leaf only, backup key in the safe`.
  public var description: String { line }
}

extension PinSet: CustomStringConvertible {
  /// A line for each pin, and for what else differs from the usual.
  public var description: String {
    var lines = pins.map(\.line) + denied.map { "never \($0)" }
    lines += requiredScopes.map { "a pin for \($0) is required" }
    if mode == .reportOnly { lines.append("reported only") }
    if let enforcedFrom { lines.append("enforced from \(enforcedFrom)") }
    if let expiry { lines.append("expires at \(expiry.time), then \(expiry.action)") }
    switch anchoring {
    case .manager: break
    case .managerAndPins: lines.append("the pins are anchors, too")
    case .pinsOnly: lines.append("the pins are the only anchors")
    }
    return lines.joined(separator: "\n")
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
