internal import HoldfastCertificates

/// What RFC 5280 §4 and the Baseline Requirements ask of whoever issues, as far as a validator can
/// see it in a certificate.
struct ProfileChecks {
  let rules: ValidationRules

  func checkLeaf(
    _ leaf: Certificate, _ purpose: Purpose, _ log: inout RuleLog
  ) throws(Stop) {
  }

  func checkIssuer(_ issuer: Certificate, _ log: inout RuleLog) throws(Stop) {
  }

  func checkAnchor(_ anchor: Certificate, _ log: inout RuleLog) throws(Stop) {
  }
}
