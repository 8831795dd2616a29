internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastJSON

/// Runs certificates, real and made, beside the fields that another reader found in them
/// (`certificate-corpus`). Where the other readers differ (`varies`) any answer is right, unless it
/// is the right answer with other fields.
struct CorpusRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let expected = try test.value("expected", .string)
    let der = try test.value("der", .base64)
    let fields = try test.object("fields")
    let certificate: Certificate
    do throws(ParseError) {
      certificate = try Certificate(der: der)
    } catch {
      return try report.add(
        test, actual: "reject", rule: "\(error)", passed: expected != "accept")
    }
    let differences = try fields.map { fields throws(VectorError) in
      try certificate.differences(from: fields)
    }
    let isSame = differences?.isEmpty ?? true
    try report.add(
      test, actual: isSame ? "accept" : "accept with other fields",
      rule: isSame ? nil : differences?.joined(separator: "; "),
      passed: isSame && expected != "reject")
  }
}

extension Certificate {
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
      try fields.optional("extensions", .list(of: .extension)))
    let names = extensions.subjectAlternativeNames
    compare(
      "DNS names",
      names.compactMap { name -> [UInt8]? in
        if case .dns(let text) = name { text.bytes.array } else { nil }
      }, try fields.optional("san_dns", .list(of: .string))?.map { Array($0.utf8) })
    compare(
      "IP addresses",
      names.compactMap { name -> String? in
        if case .ip(let address) = name { "\(address)" } else { nil }
      }, try fields.optional("san_ip", .list(of: .string)))
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

extension SuiteCase.Form {
  /// `["2.5.29.17", false]`: the OID of an extension and whether it is critical.
  fileprivate static var `extension`: SuiteCase.Form<String> {
    .init(name: "an OID and a truth value") { value in
      guard case .array(let pair) = value, pair.count == 2, case .string(let oid) = pair[0],
        case .bool(let isCritical) = pair[1]
      else { return nil }
      return "\(oid) \(isCritical)"
    }
  }
}

/// Runs BoringSSL's names (`bssl-name-match`), each the content of an RDNSequence. RFC 5280 §7.1.
struct NameMatchRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    func name(_ member: String) throws(VectorError) -> DistinguishedName? {
      let content = try test.value(member, .base64)
      do throws(DERError) {
        return try DistinguishedName(whole: DERWriting.element(.sequence, content))
      } catch {
        return nil
      }
    }
    var actual = "no-match"
    switch try test.value("op", .string) {
    case "normalize": actual = try name("input") == nil ? "reject" : "accept"
    case "match":
      if let a = try name("a"), let b = try name("b"), a.matches(b) { actual = "match" }
    case "in_subtree":
      let child = try name("name")
      if let child, let parent = try name("parent"), child.isInSubtree(of: parent) {
        actual = "match"
      }
    default: throw test.error("op", "is unknown")
    }
    try report.add(test, actual: actual)
  }
}

/// Runs BoringSSL's identifiers of signature algorithms (`bssl-signature-algorithm`).
struct SignatureAlgorithmRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let input = try test.value("input", .base64)
    var isKnown = false
    do throws(DERError) {
      isKnown = try SignatureAlgorithm(whole: input).scheme != nil
    } catch {}
    try report.add(test, actual: isKnown ? "accept" : "reject")
  }
}
