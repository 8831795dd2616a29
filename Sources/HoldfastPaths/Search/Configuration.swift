internal import HoldfastCertificates

/// What all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let memory: SignatureMemory?
  let revocation: Revocation?

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, memory: SignatureMemory?,
    revocation: Revocation?
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.memory = memory
    self.revocation = revocation
  }

  /// The same with another knowledge of revocations.
  func with(_ revocation: Revocation) -> Configuration {
    Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
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

  /// Has the memory keep a signature that verified.
  func remember(_ fact: SignatureMemory.Fact) {
    memory?.remember(fact)
  }

  /// Has the memory keep a key.
  func remember(_ key: PreparedKey) {
    memory?.remember(key)
  }
}
