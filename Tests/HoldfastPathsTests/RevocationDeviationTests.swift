import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

/// What deviates in CRLs and OCSP responses is noted where it stands.
@Suite("Encoding deviations of CRLs and OCSP responses") struct RevocationDeviationTests {
  @Test(
    "empty entry extensions and a UTCTime as invalidityDate are recorded once, with the position")
  func crls() throws {
    let date = Made.extension("2.5.29.24", SignedRevocation.utc("251230000000Z"))
    let list = try SignedRevocation.list(
      by: "CA", 2, [(1, nil), (2, []), (3, date), (4, []), (5, date)])
    let empty = try #require(
      list.der.firstRange(of: [0x02, 1, 2] + SignedRevocation.utc("251230000000Z")))
    let value = try #require(list.der.firstRange(of: date)).upperBound - 15
    #expect(
      list.deviations == [
        .emptyEntryExtensions(at: empty.upperBound + 2), .invalidityDateInUTCTime(at: value),
      ])
    #expect(Array(list.entries).map(\.invalidityDate).compactMap { $0 }.count == 2)
    #expect(
      list.deviations.map { "\($0)" }.allSatisfy { $0.contains("[RFC 5280 §5.") })
    let right = Made.extension("2.5.29.24", SignedRevocation.time("20251230000000Z"))
    let plain = try SignedRevocation.list(by: "CA", 2, [(1, nil), (2, right)])
    #expect(plain.deviations.isEmpty)
  }

  @Test("an explicit criticality of FALSE is recorded in entries and in responses")
  func encodedDefault() throws {
    var written = Made.extension("1.3.6.1.4.1.55738.1", isCritical: true, [0x05, 0x00])
    let offset = try #require(written.firstRange(of: [0x01, 0x01, 0xFF]))
    written[offset.upperBound - 1] = 0x00
    func start(in der: [UInt8]) throws -> Int {
      try #require(der.firstRange(of: written)).lowerBound + offset.lowerBound
    }
    let list = try SignedRevocation.list(by: "CA", 2, [(1, written), (2, written)])
    #expect(list.deviations == [.defaultEncoded(at: try start(in: list.der))])
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let single = SignedRevocation.single(leaf, of: root, extensions: written)
    let response = try SignedRevocation.answer([single, single], by: root, 1)
    #expect(response.basic?.deviations == [.defaultEncoded(at: try start(in: response.der))])
  }

  @Test("critical timestamps of a response are recorded, an unknown critical extension is not")
  func ocspResponses() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    func answer(_ id: String, isCritical: Bool) throws -> BasicOCSPResponse? {
      let single = SignedRevocation.single(
        leaf, of: root,
        extensions: Made.extension(id, isCritical: isCritical, [0xDE, 0xAD, 0xBE, 0xEF]))
      return try SignedRevocation.answer([single, single], by: root, 1).basic
    }
    let timestamps = "1.3.6.1.4.1.11129.2.4.5"
    let critical = try #require(try answer(timestamps, isCritical: true))
    #expect(critical.deviations == [.criticalExtension(.ocspCertificateTimestamps)])
    #expect(critical.unknownCriticalExtension == nil)
    #expect("\(critical.deviations)".contains("signedCertificateTimestamps is critical"))
    #expect(try answer(timestamps, isCritical: false)?.deviations == [])
    let unknown = try #require(try answer("1.3.6.1.4.1.55738.1", isCritical: true))
    #expect(unknown.deviations.isEmpty)
    #expect(unknown.unknownCriticalExtension == OID("1.3.6.1.4.1.55738.1"))
  }

  @Test("empty alternative names of a certificate are recorded, and refused if they are critical")
  func alternativeNames() throws {
    let certificate = try SignedCertificate.leaf(
      by: "Root", 1, names: []
    ) {
      $0.extensions = [Made.extension("2.5.29.17", Made.der(0x30, []))]
    }
    #expect(certificate.deviations == [.emptyExtension(.subjectAltName)])
    #expect(certificate.extensions.subjectAlternativeNames.isEmpty)
    let error = #expect(throws: ParseError.self) {
      try SignedCertificate.leaf(by: "Root", 1, names: []) {
        $0.extensions = [Made.alternativeNames([])]
      }
    }
    #expect(error?.field == .extension(.subjectAltName))
  }
}
