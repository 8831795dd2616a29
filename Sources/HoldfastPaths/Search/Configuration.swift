internal import HoldfastCertificates

/// What all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let memory: SignatureMemory?
  let revocation: Revocation?
  /// Whether the path is that of a signer of lists or answers. Then the memory is only asked, because
  /// the path is part of a larger question.
  let isForSigner: Bool

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, memory: SignatureMemory?,
    revocation: Revocation?, isForSigner: Bool = false
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.memory = memory
    self.revocation = revocation
    self.isForSigner = isForSigner
  }

  /// The same with what is known of revocations replaced, if there is something.
  func with(_ revocation: Revocation?) -> Configuration {
    guard let revocation else { return self }
    return Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }
}

/// What the memory is told once a path is accepted as a whole, and not before.
struct Learned {
  /// Signatures that verified.
  var facts: [SignatureMemory.Fact] = []
  /// The keys that verified them.
  var keys: [PreparedKey] = []

  /// Adds what was learned elsewhere.
  mutating func add(_ other: Learned) {
    facts += other.facts
    keys += other.keys
  }
}
