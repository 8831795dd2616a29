internal import HoldfastCertificates

/// What all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let memory: SignatureMemory?
  let revocation: Revocation?
  /// Whether the memory is only asked, because the path that is looked for is part of a larger
  /// question.
  let onlyAsksMemory: Bool

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, memory: SignatureMemory?,
    revocation: Revocation?, onlyAsksMemory: Bool = false
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.memory = memory
    self.revocation = revocation
    self.onlyAsksMemory = onlyAsksMemory
  }

  /// The same with another knowledge of revocations.
  func with(_ revocation: Revocation) -> Configuration {
    Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }
}

/// What the memory is told once a path is accepted as a whole, and not before.
struct Learned {
  /// Signatures that verified.
  var facts: [SignatureMemory.Fact] = []
  /// The keys that verified them.
  var keys: [PreparedKey] = []

  var isEmpty: Bool { facts.isEmpty && keys.isEmpty }

  /// Adds what was learned elsewhere.
  mutating func add(_ other: Learned) {
    facts += other.facts
    keys += other.keys
  }
}

/// The memory. Taken out first, it would be counted as a reference by each thread that asks.
extension Configuration {
  /// Whether there is one.
  var remembers: Bool { memory != nil }

  /// Whether the memory has a fact.
  func knows(_ fact: SignatureMemory.Fact) -> Bool { memory?.knows(fact) ?? false }

  /// Whether the memory has the signature on an authority's certificate as one under a key.
  func knows(_ certificate: Certificate, under key: Octets) -> Bool {
    memory?.knows(authority: certificate, under: key) ?? false
  }

  /// The same for the key of the anchor at a place.
  func knows(_ certificate: Certificate, underAnchorAt place: Int) -> Bool {
    memory?.knows(authority: certificate, underAnchorAt: place, of: anchors) ?? false
  }

  /// Has the memory keep signatures that verified, and keys.
  func remember(_ learned: Learned) {
    for fact in learned.facts { memory?.remember(fact) }
    for key in learned.keys { memory?.remember(key) }
  }
}
