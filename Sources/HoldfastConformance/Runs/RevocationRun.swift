internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Runs BoringSSL's revocation lists and OCSP responses (`bssl-crl`, `bssl-ocsp`).
///
/// What is asked is the list or the response alone: the issuers are vouched for.
public enum RevocationRun {
  /// Runs cases of one list and one certificate.
  public static func report(_ cases: [CRLCase]) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases {
      let lists = CertificateList.readable(der: test.crl.bytes).map { [$0] } ?? []
      let answer = answer(
        Revocation(lists: lists), certificate: test.certificate, issuer: test.issuer,
        anchor: test.secondIssuer, time: test.time, age: test.maximumAgeSeconds)
      report.add(test.id, expected: test.expected, answer)
    }
    return report
  }

  /// Runs cases of one response and one certificate; the request must be the same, too.
  public static func report(_ cases: [OCSPCase]) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases {
      if let request = request(test), request != test.request.bytes {
        report.add(test.id, expected: "\(test.request)", actual: "another request")
        continue
      }
      // A response that cannot be read says nothing.
      let answers = OCSPResponse.readable(der: test.response.bytes).map { [$0] } ?? []
      let answer = answer(
        Revocation(lists: [], answers: answers), certificate: test.certificate,
        issuer: test.issuer, anchor: nil, time: test.time, age: test.maximumAgeSeconds)
      report.add(test.id, expected: test.expected, answer)
    }
    return report
  }

  private static func request(_ test: OCSPCase) -> [UInt8]? {
    guard let certificate = read(test.certificate), let issuer = read(test.issuer)
    else { return nil }
    return OCSPRequest(OCSPCertificateID(of: certificate, issuerKey: issuer.publicKey)).der
  }

  private static func read(_ octets: Base64Bytes?) -> Certificate? {
    guard let octets else { return nil }
    // One certificate has a serial number that is not DER, and its issuer answers for it.
    do throws(ParseError) {
      return try Certificate(derWithPaddedSerialNumber: octets.bytes)
    } catch {
      return nil
    }
  }

  private static func answer(
    _ revocation: Revocation, certificate: Base64Bytes, issuer: Base64Bytes,
    anchor: Base64Bytes?, time: String, age: Int
  ) -> CertificateRevocation? {
    var revocation = revocation
    revocation.maximumAge = Int64(age)
    var rules = ValidationRules.rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.signatures.allowsSHA1 = true
    guard let certificate = read(certificate), let issuer = read(issuer),
      let time = Timestamp(time)
    else { return nil }
    var checker = RevocationChecker(
      revocation, rules, anchor: TrustAnchor(read(anchor) ?? issuer), pool: [issuer], at: time)
    do throws(CheckFailure) { return try checker.check(certificate, below: [issuer]) } catch {
      return nil
    }
  }
}

extension ConformanceReport {
  fileprivate mutating func add(
    _ id: String, expected: ExpectedRevocation, _ found: CertificateRevocation?
  ) {
    let actual: ExpectedRevocation =
      switch found?.status {
      case .good: .good
      case .revoked: .revoked
      default: .unknown
      }
    add(
      id, expected: expected.rawValue, actual: actual.rawValue,
      rule: found?.facts.map { "\($0)" }.joined(separator: "; ") ?? "unreadable")
  }
}

extension OCSPResponse {
  /// The answer in DER or nil; suites hold some that must not be readable.
  static func readable(der octets: [UInt8]) -> OCSPResponse? {
    do throws(ParseError) { return try OCSPResponse(der: octets) } catch { return nil }
  }

  /// The answer in a PEM text or nil.
  static func readable(pem text: String) -> OCSPResponse? {
    PEMText(Array(text.utf8)).blocks.first.flatMap { readable(der: $0.bytes) }
  }
}

extension CertificateList {
  /// The list in DER or nil; suites hold some that must not be readable.
  static func readable(der octets: [UInt8]) -> CertificateList? {
    do throws(ParseError) { return try CertificateList(der: octets) } catch { return nil }
  }

  /// The list in a PEM text or nil.
  static func readable(pem text: String) -> CertificateList? {
    do throws(ParseError) { return try CertificateList(pem: text) } catch { return nil }
  }
}
