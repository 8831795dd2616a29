internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Runs BoringSSL's revocation lists (`bssl-crl`): one list, one certificate, whose issuers are trusted.
struct CRLRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let list = CertificateList.readable(der: try test.value("crl", .base64))
      let revocation = Revocation(lists: list.map { [$0] } ?? [])
      try report.addRevocation(test, revocation, anchor: test.optional("issuer2", .base64))
    }
  }
}

/// Runs BoringSSL's OCSP responses (`bssl-ocsp`): one response, one certificate, whose issuer is
/// trusted. The request must be the same, too.
struct OCSPRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let certificate = Certificate.lenient(try test.value("certificate", .base64))
      let issuer = Certificate.lenient(try test.value("issuer", .base64))
      let request = try test.value("request", .base64)
      if let certificate, let issuer {
        let id = OCSPCertificateID(of: certificate, issuerKey: issuer.publicKey)
        guard OCSPRequest(id).der == request else {
          let id = try test.value("id", .string)
          return report.add(id, expected: "\(Bytes(request))", actual: "another request")
        }
      }
      // A response that cannot be read says nothing.
      let response = OCSPResponse.readable(der: try test.value("response", .base64))
      let revocation = Revocation(lists: [], answers: response.map { [$0] } ?? [])
      try report.addRevocation(test, revocation, anchor: nil)
    }
  }
}

extension Certificate {
  /// One certificate has a serial number that is not DER, and its issuer answers for it.
  fileprivate static func lenient(_ bytes: [UInt8]) -> Certificate? {
    do throws(ParseError) {
      return try Certificate(derWithPaddedSerialNumber: bytes)
    } catch {
      return nil
    }
  }
}

extension ConformanceReport {
  /// What a list or a response alone says of a certificate.
  fileprivate mutating func addRevocation(
    _ test: SuiteCase, _ given: Revocation, anchor: [UInt8]?
  ) throws(VectorError) {
    var revocation = given
    revocation.maximumAge = Int64(try test.value("max_age_seconds", .int))
    var rules = ValidationRules.rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.signatures.allowsSHA1 = true
    var found: CertificateRevocation?
    if let certificate = Certificate.lenient(try test.value("certificate", .base64)),
      let issuer = Certificate.lenient(try test.value("issuer", .base64)),
      let time = Timestamp(try test.value("time", .string))
    {
      let top = anchor.flatMap { Certificate.lenient($0) } ?? issuer
      var checker = RevocationChecker(
        revocation, rules, anchor: TrustAnchor(top), pool: [issuer], at: time)
      do throws(CheckFailure) { found = try checker.check(certificate, below: [issuer]) } catch {}
    }
    let actual =
      switch found?.status {
      case .good: "good"
      case .revoked: "revoked"
      default: "unknown"
      }
    add(
      try test.value("id", .string), expected: try test.value("expected", .string),
      actual: actual,
      rule: found?.facts.map { "\($0)" }.joined(separator: "; ") ?? "unreadable")
  }
}
