internal import HoldfastCertificates

/// What all validations of one validator share.
///
/// What asks the memory is not inlined: a larger function would count references to it, and on many
/// cores all would write to the same count.
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
  /// Whether the memory has a fact.
  @inline(never)
  func knows(_ fact: SignatureMemory.Fact) -> Bool { memory?.knows(fact) ?? false }

  /// Whether the memory has the signature on an authority's certificate as one under a key.
  @inline(never)
  func knows(_ certificate: Certificate, under key: Octets) -> Bool {
    memory?.knows(authority: certificate, under: key) ?? false
  }

  /// The same for the key of the anchor at a place.
  @inline(never)
  func knows(_ certificate: Certificate, underAnchorAt place: Int) -> Bool {
    guard let memory else { return false }
    return anchors.isKnown(certificate, at: place, in: memory)
  }

  /// Has the memory keep a signature that verified.
  @inline(never)
  func remember(_ fact: SignatureMemory.Fact) {
    memory?.remember(fact)
  }

  /// Has the memory keep a key.
  @inline(never)
  func remember(_ key: PreparedKey) {
    memory?.remember(key)
  }
}
