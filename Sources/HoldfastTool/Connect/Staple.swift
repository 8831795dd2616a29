internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastPaths

/// The OCSP response that a server has stapled to its certificate.
enum Staple {
  /// What the response says of the server's certificate, as far as it can be verified.
  enum Status: String, Sendable {
    case good, revoked
    /// The responder does not know the certificate.
    case unknown
    /// It does not count: it cannot be read, is not current, is about another certificate or is not
    /// signed by an authorized responder, or no path to an anchor tells who that is.
    case unusable
  }

  /// - Parameters:
  ///   - der: The response as it was sent.
  ///   - chain: What the server has sent, as far as it can be read.
  static func status(
    _ der: [UInt8], of chain: [Certificate], for host: HostName, at time: Timestamp,
    _ validator: PathValidator
  ) -> Status {
    let response: OCSPResponse
    do throws(ParseError) {
      response = try OCSPResponse(der: der)
    } catch {
      return .unusable
    }
    // The response alone, without CRLs.
    var revocation = Revocation(.ifAvailable, ocspResponses: [response])
    if let known = validator.revocation {
      (revocation.signers, revocation.tolerance) = (known.signers, known.tolerance)
    }
    let diagnosis = validator.diagnose(
      chain, for: .server(host), at: time, revocation: Revocation(.ignored))
    guard let (certificates, anchor) = path(of: diagnosis) else { return .unusable }
    var checker = RevocationChecker(
      revocation, validator.rules, anchor: anchor, pool: chain, at: time)
    var budget = Budget()
    do throws(CheckFailure) {
      return Status(
        try checker.check(certificates[0], below: Array(certificates.dropFirst()), &budget))
    } catch {
      return .unusable
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

extension Staple.Status {
  fileprivate init(_ found: CertificateRevocation) {
    self =
      switch found.status {
      case .good: .good
      case .revoked: .revoked
      case .unknown, .notApplicable:
        found.facts.contains { $0.outcome == .unknownToResponder } ? .unknown : .unusable
      @unknown default: .unusable
      }
  }
}
