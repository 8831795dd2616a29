internal import Holdfast
internal import HoldfastPaths

/// Support for policies that do not require a valid path.
extension PathValidator {
  /// Returns the certificates that signatures link to a leaf, whatever else is wrong with them: the
  /// leaf first, then its issuers, their issuers and so on, including those of anchors.
  ///
  /// This is the union of all paths that names and signatures link, complete or not; it proves only
  /// who signed what. A certificate that was merely sent along is not in it. A signature counts if
  /// the rules accept its algorithm and key. If a limit is reached, the rest is left out.
  func linkedCertificates(from chain: [Certificate]) -> [Certificate] {
    guard let leaf = chain.first else { return [] }
    var budget = Budget(limits)
    var linked = [leaf]
    let sent = chain.dropFirst().prefix(limits.candidates)
    var next = 0
    do throws(CheckFailure) {
      while next < linked.count {
        let child = linked[next]
        next += 1
        let roots = try anchors.anchors(named: child.issuer, &budget).compactMap(\.certificate)
        for issuer in roots + sent where !linked.contains(issuer) {
          try budget.spendComparedBytes(child.issuerSize)
          if child.issuerMatches(subjectOf: issuer),
            try acceptsSignature(on: child, by: issuer, &budget)
          {
            linked.append(issuer)
          }
        }
      }
    } catch {
      // A limit was reached: return what was found so far.
    }
    return linked
  }
}
