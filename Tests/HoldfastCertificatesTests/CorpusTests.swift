import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import Testing

@Suite("Certificates of others")
struct CorpusTests {
  @Test(
    "certificates that every reader takes are read, those that all refuse are refused, and the fields agree",
    .enabled(
      if: VectorSuites.has("certificate-corpus"),
      "\(VectorSuites.absence(of: "certificate-corpus"))"))
  func corpus() throws { try run("certificate-corpus") }

  @Test(
    "the same of the second half",
    .enabled(
      if: VectorSuites.has("certificate-corpus-second"),
      "\(VectorSuites.absence(of: "certificate-corpus-second"))"))
  func second() throws { try run("certificate-corpus-second") }

  private func run(_ suite: String) throws {
    var report = ConformanceReport()
    var varying = (read: 0, refused: 0)
    for test in try CorpusCertificate.load(suite) {
      var actual = "accept"
      var rule: String?
      do throws(ParseError) {
        let certificate = try Certificate(der: test.der.bytes)
        if let fields = test.fields {
          let differences = certificate.differences(from: fields)
          if !differences.isEmpty {
            actual = "accept with other fields"
            rule = differences.joined(separator: "; ")
          }
        }
      } catch {
        actual = "reject"
        rule = "\(error)"
      }
      if test.expected == .varies && actual != "accept with other fields" {
        if actual == "accept" { varying.read += 1 } else { varying.refused += 1 }
        continue
      }
      let expected = test.expected == .varies ? "accept" : test.expected.rawValue
      report.add(test.id, expected: expected, actual: actual, rule: rule)
    }
    try expectNothingUnlisted(report, of: "certificate-corpus")
    print(
      "\(suite), no agreement among readers: \(varying.read) read, \(varying.refused) refused"
    )
  }

  @Test("every root of the system's bundle is read")
  func systemRoots() throws {
    let path = "/etc/ssl/certs/ca-certificates.crt"
    guard let octets = try? Platform.readFile(path, limit: 16 << 20) else {
      print("ABSENT: \(path), so the system's roots were not read")
      return
    }
    let bundle = CertificateBundle(octets)
    #expect(bundle.errors.isEmpty, "\(bundle.errors)")
    #expect(bundle.certificates.count > 50)
  }
}

extension Certificate {
  /// What differs from the fields that pyca/cryptography found.
  fileprivate func differences(from fields: CorpusCertificate.Fields) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ mine: Value, _ theirs: Value) {
      if mine != theirs { differences.append("\(name) \(mine) is not \(theirs)") }
    }
    compare("version", "v\(version)", fields.version)
    if !serialNumber.isNegative {
      compare("serial", trimmed("\(serialNumber)"), trimmed(fields.serial))
    }
    compare("issuer", issuer.der.array, fields.issuer.bytes)
    compare("subject", subject.der.array, fields.subject.bytes)
    compare("notBefore", "\(notBefore)", padded(fields.notBefore))
    compare("notAfter", "\(notAfter)", padded(fields.notAfter))
    compare("signature algorithm", "\(signatureAlgorithm.oid)", fields.signatureAlgorithm)
    compare("TBS digest", HashAlgorithm.sha256.hash(tbs.array).array, fields.tbsSHA256.bytes)
    compare("fingerprint", fingerprint(), fields.sha256.bytes)
    let pin = HashAlgorithm.sha256.hash(publicKey.der.array).array
    compare("pin", Base64.text(of: pin), fields.spkiPin)
    if let theirs = fields.extensions {
      compare(
        "extensions", extensions.map { "\($0.oid) \($0.isCritical)" },
        theirs.map { "\($0.oid) \($0.isCritical)" })
    }
    if let theirs = fields.dnsNames {
      let mine = extensions.subjectAlternativeNames.compactMap { name -> [UInt8]? in
        if case .dns(let text) = name { text.bytes.array } else { nil }
      }
      compare("DNS names", mine, theirs.map { Array($0.utf8) })
    }
    if let theirs = fields.ipAddresses {
      let mine = extensions.subjectAlternativeNames.compactMap { name -> String? in
        if case .ip(let address) = name { "\(address)" } else { nil }
      }
      compare("IP addresses", mine, theirs)
    }
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
