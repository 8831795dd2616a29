import HoldfastConformance
import HoldfastDER
import Testing

@testable import HoldfastCertificates

/// Fails for every case that is wrong and not listed, and for every listed one that is right.
func expectNothingUnlisted(_ report: ConformanceReport, of suite: String) throws {
  let complaints = try Divergences.load(for: suite).complaints(about: report)
  #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  print("\(suite): \(report.summary)")
}

@Suite("Parsing suites")
struct ParsingSuiteTests {
  @Test(
    "BoringSSL's parsing cases have its answers",
    .enabled(
      if: VectorSuites.has("bssl-der-parsing"), "\(VectorSuites.absence(of: "bssl-der-parsing"))"))
  func derParsing() throws {
    var report = ConformanceReport()
    for test in try DERParsingCase.load() {
      var actual = "accept"
      do throws(DERError) { try run(test) } catch { actual = "reject" }
      report.add(test.id, expected: test.expected.rawValue, actual: actual)
    }
    try expectNothingUnlisted(report, of: "bssl-der-parsing")
  }

  @Test(
    "BoringSSL's algorithm identifiers have its answers",
    .enabled(
      if: VectorSuites.has("bssl-signature-algorithm"),
      "\(VectorSuites.absence(of: "bssl-signature-algorithm"))"))
  func signatureAlgorithms() throws {
    var report = ConformanceReport()
    for test in try SignatureAlgorithmCase.load() {
      var actual = "reject"
      do throws(DERError) {
        let algorithm = try SignatureAlgorithm(der: test.input.bytes)
        if algorithm.scheme != .unknown { actual = "accept" }
      } catch {}
      report.add(test.id, expected: test.expected.rawValue, actual: actual)
    }
    try expectNothingUnlisted(report, of: "bssl-signature-algorithm")
  }

  @Test(
    "BoringSSL's names match, or not, as it says",
    .enabled(
      if: VectorSuites.has("bssl-name-match"), "\(VectorSuites.absence(of: "bssl-name-match"))"))
  func nameMatching() throws {
    var report = ConformanceReport()
    for test in try NameMatchCase.load() {
      let actual =
        switch test.operation {
        case .normalize: name(test.input) == nil ? "reject" : "accept"
        case .match: answer(name(test.a), name(test.b)) { $0.matches($1) }
        case .inSubtree: answer(name(test.name), name(test.parent)) { $0.isInSubtree(of: $1) }
        }
      report.add(test.id, expected: test.expected, actual: actual)
    }
    try expectNothingUnlisted(report, of: "bssl-name-match")
  }

  private func name(_ content: Base64Bytes?) -> DistinguishedName? {
    guard let content else { return nil }
    do throws(DERError) {
      return try DistinguishedName(content: content.bytes, checksStrings: true)
    } catch {
      return nil
    }
  }

  private func answer(
    _ a: DistinguishedName?, _ b: DistinguishedName?,
    _ question: (DistinguishedName, DistinguishedName) -> Bool
  ) -> String {
    guard let a, let b else { return "no-match" }
    return question(a, b) ? "match" : "no-match"
  }
}

/// Runs an operation of the suite; throws where the input is refused.
private func run(_ test: DERParsingCase) throws(DERError) {
  let octets = test.input.bytes
  switch test.operation {
  case "certificate_full":
    try asDER { () throws(ParseError) in _ = try Certificate(der: octets) }
  case "certificate_outer":
    var field = ParseError.Field.structure
    _ = try CertificateOutline.readParts(octets, &field)
  case "tbs_certificate":
    let algorithm = element(.sequence, element(.objectIdentifier, OID.ed25519.content))
    let whole = element(.sequence, octets + algorithm + element(.bitString, [0]))
    var field = ParseError.Field.structure
    var deviations: [EncodingDeviation] = []
    _ = try CertificateOutline(
      whole, takesPaddedSerialNumber: false, &field, &deviations)
  case "ParseName": _ = try DistinguishedName(der: octets)
  case "ParseBool", "ParseBoolRelaxed":
    let input = element(.boolean, octets)
    var reader = DERReader(input)
    _ = try reader.readBoolean(in: input)
  case "ParseUint64", "ParseUint8":
    let input = element(.integer, octets)
    var reader = DERReader(input)
    _ = try reader.readUInt64(upTo: test.operation == "ParseUint8" ? 255 : .max, in: input)
  case "IsValidInteger":
    let input = element(.integer, octets)
    var reader = DERReader(input)
    _ = try reader.readInteger(in: input)
  case "ParseBitString":
    let input = element(.bitString, octets)
    var reader = DERReader(input)
    _ = try reader.readBitString(in: input)
  case "ParseUTCTime":
    let input = element(.utcTime, octets)
    var reader = DERReader(input)
    _ = try reader.readTime(in: input)
  case "ParseGeneralizedTime":
    let input = element(.generalizedTime, octets)
    var reader = DERReader(input)
    _ = try reader.readTime(in: input)
  case "ParseIA5String": try NameString.check(.ia5String, DERReader(octets), in: octets)
  case "ParseVisibleString": try NameString.check(.visibleString, DERReader(octets), in: octets)
  case "ParsePrintableString": try NameString.check(.printableString, DERReader(octets), in: octets)
  case "ParseTeletexStringAsLatin1":
    try NameString.check(.teletexString, DERReader(octets), in: octets)
  case "ParseBmpString": try NameString.check(.bmpString, DERReader(octets), in: octets)
  case "ParseUniversalString": try NameString.check(.universalString, DERReader(octets), in: octets)
  default: try runExtension(test)
  }
}

private func runExtension(_ test: DERParsingCase) throws(DERError) {
  let oids: [String: OID] = [
    "ParseCertificatePoliciesExtension": .certificatePolicies,
    "ParseCertificatePoliciesExtensionOids": .certificatePolicies,
    "ParseEKUExtension": .extKeyUsage, "ParseKeyUsage": .keyUsage,
    "ParseAuthorityInfoAccess": .authorityInfoAccess,
    "ParseCrlDistributionPoints": .cRLDistributionPoints,
    "ParseAuthorityKeyIdentifier": .authorityKeyIdentifier,
    "ParseSubjectKeyIdentifier": .subjectKeyIdentifier, "general_names": .subjectAltName,
  ]
  guard let oid = oids[test.operation] else {
    Issue.record("unknown operation \(test.operation)")
    return
  }
  let fields = element(.objectIdentifier, oid.content) + element(.octetString, test.input.bytes)
  let input = element(.sequence, element(.sequence, fields))
  var field = ParseError.Field.extensions
  var deviations: [EncodingDeviation] = []
  let extensions = try Extensions(DERReader(input), in: input, &field, &deviations)
  if test.rejectsUnknownQualifiers {
    for case .other in extensions.certificatePolicies.flatMap(\.qualifiers) {
      throw DERError(.badValue, at: 0)
    }
  }
}

private func asDER(_ body: () throws(ParseError) -> Void) throws(DERError) {
  do throws(ParseError) { try body() } catch { throw DERError(.badValue, at: error.offset) }
}

/// The DER of an element with a length of at most four bytes.
func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
  let count = content.count
  if count < 0x80 { return [tag.rawValue, UInt8(count)] + content }
  let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
  return [tag.rawValue, 0x80 | UInt8(length.count)] + length + content
}
