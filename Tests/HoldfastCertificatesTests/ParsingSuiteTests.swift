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
    "every parsing case has BoringSSL's answer",
    .enabled(
      if: VectorSuites.has("bssl-der-parsing"), "\(VectorSuites.absence(of: "bssl-der-parsing"))"))
  func derParsing() throws {
    var report = ConformanceReport()
    for test in try VectorSuites.cases(of: "bssl-der-parsing") {
      var actual = "accept"
      let operation = try test.value("op", .string)
      let input = try test.value("input", .base64)
      let rejectsQualifiers = try test.optional("reject_unknown_qualifiers", .bool) ?? false
      do throws(DERError) {
        try run(operation, input, rejectsQualifiers)
      } catch {
        actual = "reject"
      }
      report.add(
        try test.value("id", .string), expected: try test.value("expected", .string),
        actual: actual)
    }
    try expectNothingUnlisted(report, of: "bssl-der-parsing")
  }

  @Test(
    "every algorithm identifier and name case has BoringSSL's answer",
    .enabled(
      if: VectorSuites.has("bssl-signature-algorithm") && VectorSuites.has("bssl-name-match"),
      "\(VectorSuites.absence(of: "bssl-name-match"))"),
    arguments: [ConformanceSuite.bsslSignatureAlgorithm, .bsslNameMatch])
  func identifiersAndNames(suite: ConformanceSuite) throws {
    let report = try suite.run()
    try expectNothingUnlisted(report, of: suite.rawValue)
    #expect(report.skipped == 0 && report.passed > 40)
  }
}

/// Runs an operation of the suite; throws where the input is rejected.
private func run(
  _ operation: String, _ bytes: [UInt8], _ rejectsQualifiers: Bool
) throws(DERError) {
  switch operation {
  case "certificate_full":
    try asDER { () throws(ParseError) in _ = try Certificate(der: bytes) }
  case "certificate_outer":
    var field = ParseError.Field.structure
    _ = try DERReader.readSigned(bytes, &field)
  case "tbs_certificate":
    let algorithm = element(.sequence, element(.objectIdentifier, ("1.3.101.112" as OID).content))
    let whole = element(.sequence, bytes + algorithm + element(.bitString, [0]))
    var field = ParseError.Field.structure
    var deviations: [EncodingDeviation] = []
    _ = try CertificateOutline(whole, &field, &deviations)
  case "ParseName": _ = try DistinguishedName(der: bytes)
  case "ParseBool", "ParseBoolRelaxed":
    let input = element(.boolean, bytes)
    var reader = DERReader(input)
    _ = try reader.readBoolean(in: input)
  case "ParseUint64", "ParseUint8":
    let input = element(.integer, bytes)
    var reader = DERReader(input)
    _ = try reader.readUInt64(upTo: operation == "ParseUint8" ? 255 : .max, in: input)
  case "IsValidInteger":
    let input = element(.integer, bytes)
    var reader = DERReader(input)
    _ = try reader.readInteger(in: input)
  case "ParseBitString":
    let input = element(.bitString, bytes)
    var reader = DERReader(input)
    _ = try reader.readBitString(in: input)
  case "ParseUTCTime":
    let input = element(.utcTime, bytes)
    var reader = DERReader(input)
    _ = try reader.readTime(in: input)
  case "ParseGeneralizedTime":
    let input = element(.generalizedTime, bytes)
    var reader = DERReader(input)
    _ = try reader.readTime(in: input)
  case "ParseIA5String": try NameString.check(.ia5String, DERReader(bytes), in: bytes)
  case "ParseVisibleString": try NameString.check(.visibleString, DERReader(bytes), in: bytes)
  case "ParsePrintableString": try NameString.check(.printableString, DERReader(bytes), in: bytes)
  case "ParseTeletexStringAsLatin1":
    try NameString.check(.teletexString, DERReader(bytes), in: bytes)
  case "ParseBmpString": try NameString.check(.bmpString, DERReader(bytes), in: bytes)
  case "ParseUniversalString": try NameString.check(.universalString, DERReader(bytes), in: bytes)
  default: try runExtension(operation, bytes, rejectsQualifiers)
  }
}

private func runExtension(
  _ operation: String, _ bytes: [UInt8], _ rejectsQualifiers: Bool
) throws(DERError) {
  let oids: [String: OID] = [
    "ParseCertificatePoliciesExtension": .certificatePolicies,
    "ParseCertificatePoliciesExtensionOids": .certificatePolicies,
    "ParseEKUExtension": .extKeyUsage, "ParseKeyUsage": .keyUsage,
    "ParseAuthorityInfoAccess": .authorityInfoAccess,
    "ParseCrlDistributionPoints": .cRLDistributionPoints,
    "ParseAuthorityKeyIdentifier": .authorityKeyIdentifier,
    "ParseSubjectKeyIdentifier": .subjectKeyIdentifier, "general_names": .subjectAltName,
  ]
  guard let oid = oids[operation] else {
    Issue.record("unknown operation \(operation)")
    return
  }
  let fields = element(.objectIdentifier, oid.content) + element(.octetString, bytes)
  let input = element(.sequence, element(.sequence, fields))
  var field = ParseError.Field.extensions
  var deviations: [EncodingDeviation] = []
  let extensions = try Extensions(DERReader(input), in: input, &field, &deviations)
  if rejectsQualifiers {
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
