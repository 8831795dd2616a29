internal import Holdfast
package import HoldfastCertificates
internal import HoldfastPaths

/// What the OCSP response that a server has stapled says of its certificate, as far as it can be
/// verified.
package enum StapleStatus: String, Sendable {
  case good, revoked
  /// The responder does not know the certificate.
  case unknown
  /// It does not count: it cannot be read, is not current, is about another certificate or is not
  /// signed by an authorized responder, or no path to an anchor tells who that is.
  case unusable

  /// - Parameters:
  ///   - der: The response as it was sent.
  ///   - chain: What the server has sent, as far as it can be read.
  package init(
    of der: [UInt8], for chain: [Certificate], _ host: HostName, at time: Timestamp,
    _ validator: PathValidator
  ) {
    self = .unusable
    let response: OCSPResponse
    do throws(ParseError) {
      response = try OCSPResponse(der: der)
    } catch {
      return
    }
    // The response alone, without CRLs.
    var revocation = Revocation(.ifAvailable, ocspResponses: [response])
    if let known = validator.revocation {
      (revocation.signers, revocation.tolerance) = (known.signers, known.tolerance)
      revocation.maximumAge = known.maximumAge
    }
    let diagnosis = validator.diagnose(
      chain, for: .server(host), at: time, revocation: Revocation(.ignored))
    guard let (certificates, anchor) = StapleStatus.path(of: diagnosis) else { return }
    var checker = RevocationChecker(
      revocation, validator.rules, anchor: anchor, pool: chain, at: time)
    do throws(CheckFailure) {
      self = StapleStatus(
        try checker.check(certificates[0], below: Array(certificates.dropFirst())))
    } catch {
      return
    }
  }

  private init(_ found: CertificateRevocation) {
    self =
      switch found.status {
      case .good: .good
      case .revoked: .revoked
      case .unknown, .notApplicable:
        found.facts.contains { $0.outcome == .unknownToResponder } ? .unknown : .unusable
      @unknown default: .unusable
      }
  }

  /// The valid path or, of a server that is rejected, one on which only the leaf breaks a rule: its
  /// issuer is authorized all the same.
  private static func path(of diagnosis: Diagnosis) -> ([Certificate], TrustAnchor)? {
    if let path = diagnosis.path { return (path.certificates, path.anchor) }
    for attempt in diagnosis.attempts where attempt.signatures == .verified {
      if let anchor = attempt.anchor, attempt.violations.allSatisfy({ $0.index == 0 }) {
        return (attempt.certificates, anchor)
      }
    }
    return nil
  }
}
