internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastPaths

/// A link between two certificates: the subject of one is the issuer of the other.
struct IssuerLink: Sendable {
  /// The indices of both certificates.
  let issuer: Int, subject: Int
  /// Whether the signature verifies.
  let isSigned: Bool

  /// Returns the links by name, at most `maximumIssuers` for each certificate, and the limit
  /// because of which links are missing, if any.
  static func all(
    among certificates: [Certificate], maximumIssuers: Int, limits: Limits
  ) -> (links: [IssuerLink], limitReached: LimitReached?) {
    let indices = Dictionary(grouping: certificates.indices) { certificates[$0].subjectHash }
    var budget = Budget(limits)
    var links: [IssuerLink] = []
    do throws(CheckFailure) {
      for (subject, child) in certificates.enumerated() {
        let first = links.count
        for issuer in indices[child.issuerHash] ?? [] where issuer != subject {
          guard links.count < first + maximumIssuers else { break }
          try budget.spendComparedBytes(child.issuerSize)
          guard child.issuerMatches(subjectOf: certificates[issuer]) else { continue }
          let key = certificates[issuer].publicKey
          try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
          let isSigned = child.isSigned(by: certificates[issuer])
          links.append(IssuerLink(issuer: issuer, subject: subject, isSigned: isSigned))
        }
      }
    } catch {
      if case .limitReached(let limit) = error { return (links, limit) }
    }
    return (links, nil)
  }
}
