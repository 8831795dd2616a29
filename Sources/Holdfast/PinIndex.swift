/// Where the pins of a large set are. One by one they would be compared with every place of a path.
struct PinIndex: Sendable {
  /// The positions in the set of each pin.
  private var positions: [Pin: [Int]] = [:]
  /// A pin of each kind: of keys or certificates, and by which hash.
  private var kinds: [Pin] = []

  /// The number of pins up to which comparing them is as fast.
  private static let fewPins = 32

  /// Creates the index of a set; nil if it has few pins.
  init?(_ pins: [ScopedPin]) {
    guard pins.count > PinIndex.fewPins else { return nil }
    positions.reserveCapacity(pins.count)
    for (position, pin) in pins.lazy.map({ $0.pin }).enumerated() {
      positions[pin, default: []].append(position)
      if !kinds.contains(where: { $0.subject == pin.subject && $0.algorithm == pin.algorithm }) {
        kinds.append(pin)
      }
    }
  }

  /// Returns the pins of the set that a place of a path holds, in the order of the set.
  func pins(of set: [ScopedPin], on element: PathElement) -> [ScopedPin] {
    var found: [Int] = []
    for kind in kinds {
      guard let digest = element.digest(for: kind) else { continue }
      found += positions[Pin(of: kind.subject, kind.algorithm, digest.array)] ?? []
    }
    return found.sorted().map { set[$0] }
  }
}

/// The index follows from the pins, which are compared where sets are.
extension PinIndex: Hashable {
  static func == (a: PinIndex, b: PinIndex) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
