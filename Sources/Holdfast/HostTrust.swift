/// Whom the certificates of some hosts may come from and how strictly they are judged, in place of
/// what a `TrustManager` says of all hosts.
///
/// ```swift
/// let table = try PinTable(trust: [
///   "**.bank.example": HostTrust(anchors: try AnchorSet(file: "bank-ca.pem")),
///   "api.post.example": HostTrust(anchors: try AnchorSet(file: "post-ca.pem"), rules: .rfc5280),
/// ])
/// let manager = TrustManager(pins: table, anchors: try .system(), otherHosts: .validate)
/// ```
///
/// The nearest entry with a trust decides alone: the anchors of wider entries and of the manager do
/// not count beside it. What a trust leaves out is the manager's, so one without anything ends that
/// of a wider entry. Trusts are equal if one is a copy of the other.
public struct HostTrust: Sendable {
  /// The anchors; nil for those of the manager.
  public let anchors: AnchorSet?

  /// The rules; nil for those of the manager.
  public let rules: ValidationRules?

  /// Revocation data, and how strictly to apply it; nil for that of the manager. `Revocation(.ignored)`
  /// checks none.
  public let revocation: Revocation?

  /// Rules may have a function, and two functions cannot be compared.
  private let identity = Identity()

  private final class Identity: Sendable {}

  /// Creates a trust.
  ///
  /// - Parameters:
  ///   - anchors: The anchors; nil for those of the manager.
  ///   - rules: The rules; nil for those of the manager.
  ///   - revocation: Revocation data; nil for that of the manager.
  public init(
    anchors: AnchorSet? = nil, rules: ValidationRules? = nil, revocation: Revocation? = nil
  ) {
    self.anchors = anchors
    self.rules = rules
    self.revocation = revocation
  }
}

extension HostTrust: Hashable {
  /// Whether one is a copy of the other.
  public static func == (a: HostTrust, b: HostTrust) -> Bool { a.identity === b.identity }

  /// Hashes which one it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension HostTrust: CustomStringConvertible {
  /// What is in place of the manager's: `2 anchors, rules of its own`.
  public var description: String {
    var parts: [String] = []
    if let count = anchors?.anchors.count {
      parts.append("\(count) anchor\(count == 1 ? "" : "s")")
    }
    if rules != nil { parts.append("rules") }
    if revocation != nil { parts.append("revocation") }
    return parts.isEmpty ? "as the manager's" : parts.joined(separator: ", ") + " of its own"
  }
}

extension TrustManager {
  /// The anchors and rules for some hosts, with the anchors that are made of pins.
  struct Judge: Sendable {
    let validator: PathValidator
    /// The anchors that are made of pins, by their certificates.
    private let pinned: [Certificate: TrustAnchor]
    /// The validators of entries whose pins are anchors, by the index of the entry.
    private var anchored: [Int: PathValidator] = [:]

    init(_ validator: PathValidator, _ pins: PinTable) {
      self.validator = validator
      let sets = pins.entries.map { $0.pins }
      let anchoring = sets.compactMap { $0 }.filter { $0.anchoring != .manager }
      pinned = validator.anchors.anchors(
        pinning: anchoring.flatMap { $0.certificates },
        checksConstraints: validator.rules.anchors.checksConstraints)
      for (index, set) in sets.enumerated() {
        guard let set, set.anchoring != .manager else { continue }
        anchored[index] = validator.anchored(by: [set], pinned)
      }
    }

    /// Returns the validator with the anchors of the sets that count if the entry at an index is the
    /// nearest.
    func validator(_ index: Int, _ sets: [PinSet]) -> PathValidator {
      sets.count > 1 && !anchored.isEmpty
        ? validator.anchored(by: sets, pinned) : anchored[index] ?? validator
    }
  }
}
