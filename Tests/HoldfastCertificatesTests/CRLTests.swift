import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

@Suite("CRLs")
struct CRLTests {
  @Test("the fields of CRLs are those that OpenSSL prints")
  func fields() throws {
    let printed = try RevocationMaterial.fields()
    let crls = try RevocationMaterial.blocks("lists.pem")
    #expect(crls.count == 18)
    for (name, der) in crls {
      let list = try CRL(der: der)
      var ours = ["Last Update: \(list.thisUpdate.openSSLMessage)"]
      if let next = list.nextUpdate { ours.append("Next Update: \(next.openSSLMessage)") }
      if let number = list.number { ours.append("number \(number)") }
      if let base = list.extensions.baseNumber { ours.append("base \(base)") }
      for entry in list.entries {
        ours.append("Serial Number: \(entry.serialNumber)".uppercased())
        ours.append("Revocation Date: \(entry.revocationDate.openSSLMessage)")
        if let reason = entry.reason { ours.append("\(reason)") }
      }
      #expect(ours.sorted() == facts(try #require(printed[name])).sorted(), "\(name)")
      #expect(list.version == 2 && list.deviations.isEmpty)
    }
  }

  private func facts(_ lines: [String]) -> [String] {
    var facts: [String] = []
    let reasons = [
      "Key Compromise": "keyCompromise", "CA Compromise": "cACompromise",
      "Affiliation Changed": "affiliationChanged", "Superseded": "superseded",
      "Cessation Of Operation": "cessationOfOperation", "Certificate Hold": "certificateHold",
      "Remove From CRL": "removeFromCRL",
    ]
    for (line, next) in zip(lines, lines.dropFirst() + [""]) {
      if line.hasPrefix("Last Update") || line.hasPrefix("Next Update") { facts.append(line) }
      if line.hasPrefix("Serial Number") { facts.append(line.uppercased()) }
      if line.hasPrefix("Revocation Date") { facts.append(line) }
      if line.hasSuffix("CRL Number:") { facts.append("number 0\(next)") }
      if line.hasPrefix("X509v3 Delta CRL Indicator") { facts.append("base 0\(next)") }
      if line.hasSuffix("CRL Reason Code:") { facts.append(reasons[next] ?? next) }
    }
    return facts
  }

  @Test("the scope of a CRL is read in full")
  func scopes() throws {
    func point(_ name: String) throws -> IssuingDistributionPoint {
      let list = try CRL(der: RevocationMaterial.block(name, in: "lists.pem"))
      return try #require(list.extensions.issuingDistributionPoint)
    }
    #expect(try point("users").onlyContainsUserCerts)
    #expect(try point("authorities").onlyContainsCACerts)
    #expect(try point("attributes").onlyContainsAttributeCerts)
    #expect(try point("indirect").indirectCRL)
    #expect(try point("reason-keys").onlySomeReasons?.names == ["keyCompromise", "cACompromise"])
    guard case .full(let names) = try point("place1").name else {
      Issue.record("not a full name")
      return
    }
    #expect(names.map { "\($0)" } == ["URI:http://crl.test/1"])
    guard case .relative = try point("relative").name else {
      Issue.record("not a relative name")
      return
    }
  }

  @Test("the issuer of an entry applies to the entries after it")
  func carriedIssuers() throws {
    let list = try CRL(der: RevocationMaterial.block("indirect", in: "lists.pem"))
    let issuers = list.entries.map { $0.certificateIssuer.map { "\($0)" }.joined() }
    #expect(issuers[0] == "")
    #expect(issuers[1].contains("CN=Root"))
    #expect(issuers[2].contains("CN=Authority"))
    #expect(issuers[3] == issuers[2])
    for entry in list.entries {
      #expect(list.entries(for: entry.serialNumber) == [entry])
    }
  }

  @Test("every serial number is found, and no other")
  func index() throws {
    let count = isDebug ? 2_100 : 200_000
    var serials: [[UInt8]] = [[0x00], [0xDC], [0x80] + [UInt8](repeating: 1, count: 40), [0xDC]]
    var numbers = SeededNumbers(seed: 1)
    while serials.count < count {
      let bytes = numbers.bytes(8)
      if bytes[0] != 0, bytes[0] != 0xFF { serials.append(bytes) }
    }
    let list = try CRL(der: ListMaker(serials: serials).der)
    #expect(list.count == count)
    var missing = 0
    for (offset, bytes) in serials.enumerated() {
      let found = list.entries(for: try serialNumber(bytes))
      if found.isEmpty || !found.allSatisfy({ $0.serialNumber.bytes.array == bytes }) {
        missing += 1
      }
      if offset == 1 { #expect(found.count == 2) }
    }
    #expect(missing == 0)
    let present = Set(serials)
    for bytes in serials.dropFirst(4).prefix(1000).map({ $0 + [0x01] })
    where !present.contains(bytes) {
      #expect(list.entries(for: try serialNumber(bytes)).isEmpty)
    }
  }

  @Test("many equal serial numbers are all kept, in their order")
  func duplicates() throws {
    let maker = ListMaker(serials: [[UInt8]](repeating: [0x05], count: 5_000))
    let list = try CRL(der: maker.der)
    #expect(list.entries(for: try serialNumber([0x05])).count == 5_000)
    #expect(list.entries(for: try serialNumber([0x06])).isEmpty)
  }

  /// An issuer may choose its serial numbers so that all look-ups are of equal ones.
  @Test("a look-up takes as long among equal serial numbers as among different ones")
  func lookUpOfDuplicates() throws {
    let count = 50_000
    let equal = try CRL(der: ListMaker(serials: [[UInt8]](repeating: [5, 0, 0], count: count)).der)
    let different = try CRL(
      der: ListMaker(serials: (0..<count).map { [5, UInt8($0 >> 8), UInt8($0 & 0xFF)] }).der)
    let number = try serialNumber([5, 0, 0])
    func time(_ list: CRL) -> Duration {
      ContinuousClock().measure {
        for _ in 0..<100 { #expect(list.hasEntry(for: number)) }
      }
    }
    _ = time(different)
    // One by one they would take a thousand times as long.
    #expect(time(equal) < time(different) * 100)
    #expect(equal.entries(for: number).count == count)
    #expect(different.entries(for: number).count == 1)
    #expect(try !equal.hasEntry(for: serialNumber([6, 0, 0])))
  }

  private func serialNumber(_ bytes: [UInt8]) throws -> SerialNumber {
    let list = try CRL(der: ListMaker(serials: [bytes]).der)
    return try #require(Array(list.entries).first).serialNumber
  }

  @Test(
    "CRLs that BoringSSL calls malformed are rejected, and the others are read",
    .enabled(
      if: VectorSuites.has("bssl-crl"), "\(VectorSuites.absence(of: "bssl-crl"))"))
  func malformed() throws {
    // These are well formed; what is wrong with them is for those who verify.
    let readable: Set = [
      "invalid_mismatched_signature_algorithm", "invalid_issuer_keyusage_no_crlsign",
      "invalid_key_rollover_issuer_keyusage_no_crlsign",
      "invalid_idp_onlycontainsusercerts_v1_leaf",
      // Read with a deviation: lists of public CAs are like this.
      "invalid_revoked_empty_sequence",
    ]
    let cases = try VectorSuites.cases(of: "bssl-crl")
    #expect(!cases.isEmpty)
    for test in cases {
      let id = try test.value("id", .string)
      let der = try test.value("crl", .base64)
      let isRead: Bool
      do throws(ParseError) {
        _ = try CRL(der: der)
        isRead = true
      } catch {
        isRead = false
      }
      let expected = !id.hasPrefix("invalid_") || readable.contains(id)
      #expect(isRead == expected, "\(id)")
    }
  }
}

@Suite("Malformed CRLs")
struct CRLFaultTests {
  private func error(_ maker: ListMaker) -> ParseError? {
    do throws(ParseError) {
      _ = try CRL(der: maker.der)
      return nil
    } catch {
      return error
    }
  }

  @Test("a scope without content or with an empty set of reasons is rejected")
  func emptyScopes() {
    // 2.5.29.28
    let oid: [UInt8] = [0x55, 0x1D, 0x1C]
    for value in [[0x30, 0x00], [0x30, 0x03, 0x83, 0x01, 0x00]] as [[UInt8]] {
      let error = error(ListMaker(extensions: [(oid, value)]))
      #expect(error?.field == .extension(.issuingDistributionPoint))
    }
  }

  @Test("numbers beyond 20 bytes or below zero are rejected")
  func numbers() {
    let oid: [UInt8] = [0x55, 0x1D, 0x14]
    let long: [UInt8] = [0x02, 21, 0x01] + [UInt8](repeating: 0, count: 20)
    #expect(error(ListMaker(extensions: [(oid, long)]))?.problem == .der(.integerOutOfRange))
    #expect(
      error(ListMaker(extensions: [(oid, [2, 1, 0x80])]))?.problem == .der(.integerOutOfRange))
    let longest: [UInt8] = [0x02, 21, 0x00, 0x80] + [UInt8](repeating: 0, count: 19)
    #expect(error(ListMaker(extensions: [(oid, longest)])) == nil)
    #expect(
      error(ListMaker(extensions: [(oid, [2, 1, 1]), (oid, [2, 1, 1])]))?.problem
        == .der(.duplicate))
  }

  @Test("exceeding the size limit is an error")
  func size() throws {
    let der = try RevocationMaterial.block("complete", in: "lists.pem")
    let error = #expect(throws: ParseError.self) {
      try CRL(der: der, maximumSize: 100)
    }
    #expect(error?.problem == .tooLarge(limit: 100))
    let tooLarge = #expect(throws: ParseError.self) {
      try CRL(der: [UInt8](repeating: 0, count: 67_108_865))
    }
    #expect(tooLarge?.problem == .tooLarge(limit: 67_108_864))
  }

  @Test("a CRL cut at any length is rejected, at an offset inside it")
  func truncations() throws {
    for name in ["indirect", "complete"] {
      let der = try RevocationMaterial.block(name, in: "lists.pem")
      for count in der.indices {
        do throws(ParseError) {
          _ = try CRL(der: Array(der[..<count]))
          Issue.record("\(count) bytes were read")
        } catch {
          #expect(error.offset <= count)
        }
      }
    }
  }

  @Test("a CRL with any bit changed is read or rejected")
  func bitFlips() throws {
    for name in ["indirect", "reason-keys"] {
      var der = try RevocationMaterial.block(name, in: "lists.pem")
      for index in der.indices {
        for bit in 0..<8 {
          der[index] ^= 1 << bit
          do throws(ParseError) {
            let list = try CRL(der: der)
            #expect(list.count == list.entries.reduce(0) { count, _ in count + 1 })
          } catch {
            #expect(0...der.count ~= error.offset && !"\(error)".isEmpty)
          }
          der[index] ^= 1 << bit
        }
      }
    }
  }
}

/// Puts together lists with a signature that is never verified.
struct ListMaker {
  var serials: [[UInt8]] = []
  var extensions: [(oid: [UInt8], value: [UInt8])] = []

  var der: [UInt8] {
    let time = DERWriting.element(.utcTime, Array("260501000000Z".utf8))
    let algorithm = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, OID("1.2.840.10045.4.3.2").content))
    var entries: [UInt8] = []
    for serial in serials {
      entries += DERWriting.element(.sequence, DERWriting.element(.integer, serial), time)
    }
    var list: [UInt8] = []
    for (oid, value) in extensions {
      list += DERWriting.element(
        .sequence, DERWriting.element(.objectIdentifier, oid),
        DERWriting.element(.octetString, value))
    }
    let tbs = DERWriting.element(
      .sequence, [0x02, 0x01, 0x01], algorithm, [0x30, 0x00], time, time,
      entries.isEmpty ? [] : DERWriting.element(.sequence, entries),
      list.isEmpty
        ? [] : DERWriting.element(.constructedContext(0), DERWriting.element(.sequence, list)))
    return DERWriting.element(.sequence, tbs, algorithm, [0x03, 0x02, 0x00, 0x00])
  }
}
