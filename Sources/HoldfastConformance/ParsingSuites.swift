internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// Runs certificates, real and made, beside the fields that another reader found in them
/// (`certificate-corpus`). Where the other readers differ (`varies`) any answer is right, unless it is
/// the right answer with other fields.
struct CorpusRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let id = try test.value("id", .string)
      let expected = try test.value("expected", .string)
      let der = try test.value("der", .base64)
      let fields = try test.object("fields")
      guard let certificate = Certificate.readable(der: der) else {
        let isRight = expected != "accept"
        return report.add(
          id, expected: expected, actual: "reject", rule: Certificate.problem(der),
          passed: isRight)
      }
      let differences = try fields.map { fields throws(VectorError) in
        try certificate.differences(from: fields)
      }
      let isSame = differences?.isEmpty ?? true
      report.add(
        id, expected: expected, actual: isSame ? "accept" : "accept with other fields",
        rule: isSame ? nil : differences?.joined(separator: "; "),
        passed: isSame && expected != "reject")
    }
  }
}

extension Certificate {
  /// Why a certificate cannot be read.
  fileprivate static func problem(_ der: [UInt8]) -> String? {
    do throws(ParseError) { _ = try Certificate(der: der) } catch { return "\(error)" }
    return nil
  }

  /// What differs from the fields that pyca/cryptography found.
  fileprivate func differences(from fields: SuiteCase) throws(VectorError) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ mine: Value, _ theirs: Value?) {
      if let theirs, mine != theirs { differences.append("\(name) \(mine) is not \(theirs)") }
    }
    compare("version", "v\(version)", try fields.value("version", .string))
    let serial = try fields.value("serial", .string)
    if !serialNumber.isNegative { compare("serial", trimmed("\(serialNumber)"), trimmed(serial)) }
    compare("issuer", issuer.der.array, try fields.value("issuer_der", .base64))
    compare("subject", subject.der.array, try fields.value("subject_der", .base64))
    compare("notBefore", "\(notBefore)", padded(try fields.value("not_before", .string)))
    compare("notAfter", "\(notAfter)", padded(try fields.value("not_after", .string)))
    compare(
      "signature algorithm", "\(signatureAlgorithm.oid)",
      try fields.value("signature_algorithm", .string))
    let digest = HashAlgorithm.sha256.hash(tbs.array).array
    compare("TBS digest", digest, try fields.value("tbs_sha256", .hex))
    compare("fingerprint", fingerprint(), try fields.value("sha256", .hex))
    let pin = HashAlgorithm.sha256.hash(publicKey.der.array).array
    compare("pin", Base64.text(of: pin), try fields.value("spki_sha256_pin", .string))
    compare(
      "extensions", extensions.map { "\($0.oid) \($0.isCritical)" },
      try fields.optional("extensions", .extensions))
    let names = extensions.subjectAlternativeNames
    compare(
      "DNS names",
      names.compactMap { name -> [UInt8]? in
        if case .dns(let text) = name { text.bytes.array } else { nil }
      }, try fields.optional("san_dns", .strings)?.map { Array($0.utf8) })
    compare(
      "IP addresses",
      names.compactMap { name -> String? in
        if case .ip(let address) = name { "\(address)" } else { nil }
      }, try fields.optional("san_ip", .strings))
    return differences
  }

  /// The corpus writes the year 1 with one digit.
  private func padded(_ time: String) -> String {
    String(repeating: "0", count: max(0, 20 - time.utf8.count)) + time
  }

  private func trimmed(_ hexadecimal: String) -> String {
    let digits = hexadecimal.drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }
}

/// Runs BoringSSL's names (`bssl-name-match`), each the content of an RDNSequence. RFC 5280 §7.1.
struct NameMatchRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let actual =
        switch try test.value("op", .string) {
        case "normalize": try name("input", test) == nil ? "reject" : "accept"
        case "match": try answer("a", "b", test) { $0.matches($1) }
        case "in_subtree": try answer("name", "parent", test) { $0.isInSubtree(of: $1) }
        default: throw test.error("op", "is unknown")
        }
      report.add(
        try test.value("id", .string), expected: try test.value("expected", .string),
        actual: actual)
    }
  }

  private func name(
    _ member: String, _ test: SuiteCase
  ) throws(VectorError) -> DistinguishedName? {
    let content = try test.value(member, .base64)
    do throws(DERError) {
      return try DistinguishedName(content: content, checksStrings: true)
    } catch {
      return nil
    }
  }

  private func answer(
    _ a: String, _ b: String, _ test: SuiteCase,
    _ question: (DistinguishedName, DistinguishedName) -> Bool
  ) throws(VectorError) -> String {
    guard let a = try name(a, test), let b = try name(b, test) else { return "no-match" }
    return question(a, b) ? "match" : "no-match"
  }
}

/// Runs BoringSSL's identifiers of signature algorithms (`bssl-signature-algorithm`).
struct SignatureAlgorithmRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let input = try test.value("input", .base64)
      var actual = "reject"
      do throws(DERError) {
        if try SignatureAlgorithm(der: input).scheme != .unknown { actual = "accept" }
      } catch {}
      report.add(
        try test.value("id", .string), expected: try test.value("expected", .string),
        actual: actual)
    }
  }
}
