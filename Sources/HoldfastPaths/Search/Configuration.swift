internal import HoldfastCertificates

/// What all validations of one validator share.
final class Configuration: Sendable {
  let anchors: AnchorSet
  let rules: ValidationRules
  let limits: Limits
  let memory: SignatureMemory?
  let revocation: RevocationChecker?

  init(
    anchors: AnchorSet, rules: ValidationRules, limits: Limits, memory: SignatureMemory?,
    revocation: RevocationChecker?
  ) {
    self.anchors = anchors
    self.rules = rules
    self.limits = limits
    self.memory = memory
    self.revocation = revocation
  }
}
