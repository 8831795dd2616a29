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
  func with(_ revocation: Revocation?) -> Configuration {
    guard let revocation else { return self }
    return Configuration(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
  }
}
