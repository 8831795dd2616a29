internal import HoldfastCertificates
package import HoldfastPaths

/// A case of C2SP's x509-limbo.
package struct LimboCase: Sendable {
  /// The case's name, such as `rfc5280::nc::permitted-dns-match`.
  package let id: String
  /// Whether there is a valid path.
  package let isValid: Bool
  /// The anchors, in PEM.
  package let anchors: [String]
  /// Certificates that the path may go through, in PEM, in any order.
  package var intermediates: [String]
  /// The certificate to validate, in PEM.
  package let leaf: String
  fileprivate let isServer: Bool
  /// The time of validation in ISO 8601; nil is now.
  fileprivate let time: String?
  /// The bits of key usage that the leaf must allow.
  fileprivate let keyUsage: [String]
  /// The extended key usages that the path must allow; none stands for those of a server or client.
  fileprivate let extendedKeyUsage: [String]
  /// The names that must be there: one for a server, any number for a client.
  fileprivate let names: [(kind: String, value: String)]
  /// How many intermediates a path may have; nil is any number.
  fileprivate let maximumDepth: Int?
  /// Revocation lists, in PEM.
  fileprivate let lists: [String]

  init(_ test: SuiteCase) throws(VectorError) {
    id = try test.value("id", .string)
    let expected = try test.value("expected_result", .string)
    guard ["SUCCESS", "FAILURE"].contains(expected) else {
      throw test.error("expected_result", "expected SUCCESS or FAILURE")
    }
    isValid = expected == "SUCCESS"
    anchors = try test.value("trusted_certs", .strings)
    intermediates = try test.value("untrusted_intermediates", .strings)
    leaf = try test.value("peer_certificate", .string)
    isServer = try test.value("validation_kind", .string) == "SERVER"
    time = try test.optional("validation_time", .string)
    keyUsage = try test.value("key_usage", .strings)
    extendedKeyUsage = try test.value("extended_key_usage", .strings)
    let server = try test.object("expected_peer_name")
    var peers = server.map { [$0] } ?? []
    if server == nil { peers = try test.objects("expected_peer_names") }
    names = try peers.map { name throws(VectorError) in
      (try name.value("kind", .string), try name.value("value", .string))
    }
    maximumDepth = try test.optional("max_chain_depth", .int)
    lists = try test.value("crls", .strings)
  }

  /// Reads the suite, or a further part of it.
  package static func load(_ suite: String = "limbo") throws(VectorError) -> [LimboCase] {
    var cases: [LimboCase] = []
    for test in try VectorSuites.cases(of: suite, list: "testcases") {
      cases.append(try LimboCase(test))
    }
    return cases
  }
}

/// Runs x509-limbo.
package struct LimboRunner: SuiteRunner {
  private let rules: ValidationRules?

  /// - Parameter rules: Without any, each MUST on issuance that can be seen, as limbo asks for it:
  ///   RFC 5280's alone for the cases of `rfc5280::`, and those of the Baseline Requirements too for the
  ///   others. The cases of `crl::` are about lists, and their issuers need not keep each MUST.
  package init(rules: ValidationRules? = nil) {
    self.rules = rules
  }

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "testcases").forEachCase { test throws(VectorError) in
      let test = try LimboCase(test)
      // Among the chains of other projects; x509test is run by its own name, under stricter rules.
      if test.id.hasPrefix("x509test::") {
        let reason = "x509test is a suite of its own"
        report.skip(test.id, expected: test.isValid ? "SUCCESS" : "FAILURE", reason: reason)
      } else {
        run(test, into: &report)
      }
    }
  }

  /// Judges cases.
  package func report(_ cases: [LimboCase]) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases { run(test, into: &report) }
    return report
  }

  private func run(_ test: LimboCase, into report: inout ConformanceReport) {
    let expected = test.isValid ? "SUCCESS" : "FAILURE"
    do throws(Unanswerable) {
      let rule = try refusal(test)
      report.add(
        test.id, expected: expected, actual: rule == nil ? "SUCCESS" : "FAILURE", rule: rule)
    } catch {
      report.skip(test.id, expected: expected, reason: error.reason)
    }
  }

  private struct Unanswerable: Error {
    let reason: String
  }

  /// Why the certificate is refused; nil if it is accepted.
  private func refusal(_ test: LimboCase) throws(Unanswerable) -> String? {
    let leaf: Certificate
    do throws(ParseError) {
      leaf = try Certificate(pem: test.leaf)
    } catch {
      return "unreadable: \(error)"
    }
    guard let time = time(test.time) else {
      throw Unanswerable(reason: "no time: \(test.time ?? "")")
    }
    var rules = rules ?? ownRules(test)
    rules.maximumPathLength = test.maximumDepth
    let question = SuiteQuestion(
      anchors: test.anchors.compactMap(Certificate.readable(pem:)), leaf: leaf,
      intermediates: test.intermediates.compactMap(Certificate.readable(pem:)),
      rules: rules, purposes: try purposes(test), time: time,
      revocation: test.lists.isEmpty
        ? nil
        : Revocation(
          .required(of: .leaf), lists: test.lists.compactMap(CertificateList.readable(pem:))))
    return question.answer().rule
  }

  private func ownRules(_ test: LimboCase) -> ValidationRules {
    if test.id.hasPrefix("crl::") { return .webPKI }
    return test.id.hasPrefix("rfc5280::") ? .strictRFC5280 : .strict
  }

  /// A moment of ISO 8601; parts of a second are cut off, as certificates count whole ones.
  private func time(_ text: String?) -> Timestamp? {
    guard let text else { return .now }
    guard let dot = text.firstIndex(of: ".") else { return Timestamp(text) }
    let rest = text[dot...].dropFirst().drop { $0.isNumber }
    return Timestamp(String(text[..<dot] + rest))
  }

  /// A purpose for each name and each use of the key that is asked for.
  private func purposes(_ test: LimboCase) throws(Unanswerable) -> [Purpose] {
    var purpose = test.isServer ? Purpose.anyServer : Purpose.client
    if !test.extendedKeyUsage.isEmpty {
      purpose.extendedKeyUsages = []
      for name in test.extendedKeyUsage {
        guard let usage = LimboRunner.usages[name] else {
          throw Unanswerable(reason: "unknown usage \(name)")
        }
        if usage != .anyExtendedKeyUsage { purpose.extendedKeyUsages.append(usage) }
      }
    }
    var identities: [ReferenceIdentity?] = test.names.isEmpty ? [purpose.identity] : []
    for name in test.names { identities.append(try identity(name.kind, name.value)) }
    var bits: [KeyUsage] = test.keyUsage.isEmpty ? [purpose.keyUsage] : []
    for name in test.keyUsage {
      guard let bit = LimboRunner.bits[name] else {
        throw Unanswerable(reason: "unknown key usage \(name)")
      }
      bits.append(bit)
    }
    return identities.flatMap { identity in
      bits.map { bit in
        purpose.identity = identity
        purpose.keyUsage = bit
        return purpose
      }
    }
  }

  private func identity(
    _ kind: String, _ value: String
  ) throws(Unanswerable) -> ReferenceIdentity {
    do throws(HostNameError) {
      if kind == "RFC822" { return .mailbox(try Mailbox(value)) }
      if kind == "DNS" || kind == "IP" { return .host(try HostName(value)) }
    } catch {
      throw Unanswerable(reason: "\(value): \(error)")
    }
    throw Unanswerable(reason: "unknown kind of name \(kind)")
  }

  private static let usages: [String: OID] = [
    "anyExtendedKeyUsage": .anyExtendedKeyUsage, "serverAuth": .serverAuth,
    "clientAuth": .clientAuth, "codeSigning": .codeSigning, "emailProtection": .emailProtection,
    "timeStamping": .timeStamping, "OCSPSigning": .ocspSigning,
  ]

  private static let bits: [String: KeyUsage] = [
    "digitalSignature": .digitalSignature, "contentCommitment": .nonRepudiation,
    "nonRepudiation": .nonRepudiation, "keyEncipherment": .keyEncipherment,
    "dataEncipherment": .dataEncipherment, "keyAgreement": .keyAgreement,
    "keyCertSign": .keyCertSign, "cRLSign": .cRLSign, "encipherOnly": .encipherOnly,
    "decipherOnly": .decipherOnly,
  ]
}
