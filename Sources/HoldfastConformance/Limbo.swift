internal import HoldfastCertificates
internal import HoldfastDER
package import HoldfastPaths

/// A case of C2SP's x509-limbo, with certificates and CRLs as the bytes of their PEM.
package struct LimboCase: Sendable {
  /// The case's name, such as `rfc5280::nc::permitted-dns-match`.
  package let id: String
  /// Whether there is a valid path.
  package let isValid: Bool
  package let anchors: [[UInt8]]
  /// Certificates that the path may go through, in any order.
  package var intermediates: [[UInt8]]
  /// The certificate to validate.
  package let leaf: [UInt8]
  fileprivate let isServer: Bool
  fileprivate let time: Timestamp
  /// The bits of key usage that the leaf must allow.
  fileprivate let keyUsage: [String]
  /// The extended key usages that the path must allow; none stands for those of a server or client.
  fileprivate let extendedKeyUsage: [String]
  /// The names that must be there: one for a server, any number for a client.
  fileprivate let names: [(kind: String, value: String)]
  /// How many intermediates a path may have; nil is any number.
  fileprivate let maximumDepth: Int?
  fileprivate let crls: [[UInt8]]

  init(_ test: SuiteCase) throws(VectorError) {
    id = try test.value("id", .string)
    isValid = try test.value(
      "expected_result", .text("SUCCESS or FAILURE") { ["SUCCESS": true, "FAILURE": false][$0] })
    anchors = try test.value("trusted_certs", .list(of: .pem))
    intermediates = try test.value("untrusted_intermediates", .list(of: .pem))
    leaf = try test.value("peer_certificate", .pem)
    isServer = try test.value("validation_kind", .string) == "SERVER"
    time = try test.optional("validation_time", .time) ?? .now
    keyUsage = try test.value("key_usage", .list(of: .string))
    extendedKeyUsage = try test.value("extended_key_usage", .list(of: .string))
    let server = try test.object("expected_peer_name")
    let peers = server == nil ? try test.objects("expected_peer_names") : []
    names = try (server.map { [$0] } ?? peers).map { name throws(VectorError) in
      (try name.value("kind", .string), try name.value("value", .string))
    }
    maximumDepth = try test.optional("max_chain_depth", .int)
    crls = try test.value("crls", .list(of: .pem))
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
  ///   others. The cases of `crl::` are about CRLs, and their issuers need not keep each MUST.
  package init(rules: ValidationRules? = nil) {
    self.rules = rules
  }

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "testcases").forEachCase { test throws(VectorError) in
      run(try LimboCase(test), into: &report)
    }
  }

  /// Runs cases.
  package func report(_ cases: [LimboCase]) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases { run(test, into: &report) }
    return report
  }

  private func run(_ test: LimboCase, into report: inout ConformanceReport) {
    let expected = test.isValid ? "SUCCESS" : "FAILURE"
    // Among the chains of other projects; x509test is run by its own name, under stricter rules.
    if test.id.hasPrefix("x509test::") {
      return report.skip(test.id, expected: expected, reason: "x509test is a suite of its own")
    }
    do throws(Unanswerable) {
      let answer = try question(test).answer()
      let actual = answer.path == nil ? "FAILURE" : "SUCCESS"
      report.add(test.id, expected: expected, actual: actual, rule: answer.rule)
    } catch {
      report.skip(test.id, expected: expected, reason: error.reason)
    }
  }

  private func question(_ test: LimboCase) throws(Unanswerable) -> SuiteQuestion {
    var rules = rules ?? ownRules(test)
    rules.maximumPathLength = test.maximumDepth
    let crls = test.crls.compactMap(CRL.readable)
    return SuiteQuestion(
      anchors: test.anchors, chain: [test.leaf] + test.intermediates, rules: rules,
      purposes: try purposes(test), time: test.time,
      revocation: test.crls.isEmpty ? nil : Revocation(.required(of: .leaf), crls: crls))
  }

  private func ownRules(_ test: LimboCase) -> ValidationRules {
    if test.id.hasPrefix("crl::") { return .webPKI }
    return test.id.hasPrefix("rfc5280::") ? .strictRFC5280 : .strict
  }

  /// A purpose for each name and each use of the key that is asked for.
  private func purposes(_ test: LimboCase) throws(Unanswerable) -> [Purpose] {
    var purpose = test.isServer ? Purpose.anyServer : Purpose.client
    if !test.extendedKeyUsage.isEmpty {
      let usages = try test.extendedKeyUsage.map { name throws(Unanswerable) in
        try known(name, among: LimboRunner.usages)
      }
      purpose.extendedKeyUsages = usages.filter { $0 != .anyExtendedKeyUsage }
    }
    let identities: [ReferenceIdentity?] =
      try test.names.isEmpty
      ? [nil]
      : test.names.map { name throws(Unanswerable) in try identity(name.kind, name.value) }
    let bits =
      try test.keyUsage.isEmpty
      ? [purpose.keyUsage]
      : test.keyUsage.map { name throws(Unanswerable) in try known(name, among: LimboRunner.bits) }
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
    throw Unanswerable(reason: "\(kind) is unknown")
  }

  private func known<Value>(
    _ name: String, among values: [String: Value]
  ) throws(Unanswerable) -> Value {
    guard let value = values[name] else { throw Unanswerable(reason: "\(name) is unknown") }
    return value
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

/// Why a case cannot be run.
private struct Unanswerable: Error {
  let reason: String
}
