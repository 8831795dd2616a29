internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Runs BoringSSL's CRLs (`bssl-crl`): one CRL, one certificate, whose issuers are trusted.
struct CRLRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let crls = [try test.value("crl", .base64)].compactMap(CRL.readable)
    let anchor = try test.optional("issuer2", .base64)
    try report.addRevocation(test, Revocation(crls: crls), anchor: anchor)
  }
}

/// Runs BoringSSL's OCSP responses (`bssl-ocsp`): one response, one certificate, whose issuer is
/// trusted. The request must be the same, too.
struct OCSPRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let request = try test.value("request", .base64)
    if let certificate = Certificate.readable(try test.value("certificate", .base64)),
      let issuer = Certificate.readable(try test.value("issuer", .base64)),
      OCSPRequest(OCSPCertificateID(of: certificate, issuerKey: issuer.publicKey)).der != request
    {
      let id = try test.value("id", .string)
      return report.add(id, expected: "\(Bytes(request))", actual: "another request")
    }
    // A response that cannot be read says nothing.
    let ocspResponses = [try test.value("response", .base64)].compactMap(OCSPResponse.readable)
    try report.addRevocation(
      test, Revocation(crls: [], ocspResponses: ocspResponses), anchor: nil)
  }
}

extension ConformanceReport {
  /// What a CRL or an OCSP response alone says of a certificate.
  fileprivate mutating func addRevocation(
    _ test: SuiteCase, _ given: Revocation, anchor: [UInt8]?
  ) throws(VectorError) {
    var revocation = given
    // The times of a case are exact.
    revocation.tolerance = 0
    revocation.maximumAge = Int64(try test.value("max_age_seconds", .int))
    var rules = ValidationRules.rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.signatures.allowsSHA1 = true
    let time = try test.value("time", .time)
    var found: CertificateRevocation?
    if let certificate = Certificate.readable(try test.value("certificate", .base64)),
      let issuer = Certificate.readable(try test.value("issuer", .base64))
    {
      let top = anchor.flatMap(Certificate.readable) ?? issuer
      var checker = RevocationChecker(
        revocation, rules, anchor: TrustAnchor(top), pool: [issuer], at: time)
      do throws(CheckFailure) {
        found = try checker.check(certificate, below: [issuer])
      } catch {}
    }
    let actual =
      switch found?.status {
      case .good: "good"
      case .revoked: "revoked"
      default: "unknown"
      }
    let facts = found?.facts.map { "\($0)" }.joined(separator: "; ")
    try add(test, actual: actual, rule: facts ?? "unreadable")
  }
}
