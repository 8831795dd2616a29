internal import HoldfastCertificates

/// Where checks report broken rules: the first one ends the check, unless all are to be recorded.
struct RuleLog {
  /// Whether a broken rule is written down and the check goes on.
  let recordsAll: Bool

  /// The certificate that is looked at, as a place in the path.
  var index = 0

  /// What was broken, if all is recorded.
  private(set) var broken: [Broken] = []

  init(recordsAll: Bool) {
    self.recordsAll = recordsAll
  }

  /// Reports a broken rule.
  mutating func report(_ rule: Rule, _ octets: Range<Int>? = nil) throws(Stop) {
    try report(Broken(rule, octets, index: index))
  }

  /// Reports a broken rule, with its place in the path.
  mutating func report(_ next: Broken) throws(Stop) {
    guard recordsAll else { throw .broken(next) }
    broken.append(next)
  }

  /// Takes what a check threw that knows of no log: a broken rule is reported for the certificate
  /// that is looked at.
  mutating func take(_ stop: Stop) throws(Stop) {
    guard case .broken(var next) = stop else { throw stop }
    next.index = index
    try report(next)
  }
}
