internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths
@_spi(MerkleTrees) internal import HoldfastTransparency

/// One of our own cases: a text file with a few lines of `key: value`, then the certificates in
/// PEM, the leaf first, then a line `anchor:` and the anchors.
///
/// ```
/// about:   an excluded DNS subtree covers the names below it
/// cites:   RFC 5280 §4.2.1.10
/// made-by: make/name_constraints.py excluded-subdomain
/// time:    2026-01-01T00:00:00Z
/// purpose: server www.bad.example
/// expect:  reject nameExcluded at 0
/// -----BEGIN CERTIFICATE-----
/// ```
///
/// CRLs (`X509 CRL`) and OCSP responses (`OCSP RESPONSE`) may follow among the certificates;
/// responses that cannot be read are left out. `revocation:` is `ignored`, `given`, `leaf` or
/// `required`; without that line revocation is not asked for.
///
/// `program:` is what a root program demands of paths to the anchors, in the words of
/// `ProgramConstraint.init(words:)`, and `logged:` the times at which logs saw the leaf, or `none`.
/// With `public: yes` the anchors are roots of the web; `domains:` are the SPIFFE trust domains that they
/// belong to.
///
/// `rules:` may name a preset (`webPKI`, `rfc5280`, `apple`, `strict`, `strictRFC5280`); it is
/// `webPKI` without. What is changed in it may follow: `maximumLeafValidity=` and a number of
/// seconds, `maximumPathLength=` and a number, `rejectsAnchorAsLeaf`, `requiresExplicitPolicy`, `schedule`, and
/// `veto` for a caller who takes no path at all. `expect:` is `accept`, or `reject`, which may be
/// followed by the rule and by `at` and the index of the certificate, or `unreadable`, which may be
/// followed by `at` and the index of the first certificate that cannot be read, and that by `in`
/// and the field. Lines that begin with `#` do not count.
package struct ChainCase: Sendable {
  /// The file's name without `.case`.
  package let id: String
  /// What must be said.
  package let expected: String
  private let question: SuiteQuestion

  /// Reads one file.
  package init(_ file: VectorFile) throws(VectorError) {
    let lines = try CaseLines(file)
    id = file.name.hasSuffix(".case") ? String(file.name.dropLast(5)) : file.name
    expected = try lines.value("expect")
    guard let verdict = expected.split(separator: " ").first,
      ["accept", "reject", "unreadable"].contains(verdict)
    else { throw lines.error("expect: \(expected)") }
    guard !lines.chain.isEmpty else { throw lines.error("no certificate") }
    question = try lines.question()
  }

  /// Reads a file, or all files that end in `.case` in a folder and the folders below it.
  package static func load(at path: String) throws(VectorError) -> [ChainCase] {
    var cases: [ChainCase] = []
    for file in try files(at: path) { cases.append(try ChainCase(file)) }
    return cases
  }

  /// A file, or all files that end in `.case` in a folder and the folders below it.
  static func files(at path: String) throws(VectorError) -> [VectorFile] {
    let names = caseNames(in: path).sorted()
    if names.isEmpty { return try VectorFile.files(at: path) }
    var files: [VectorFile] = []
    for name in names {
      var file = try VectorFile(readFrom: "\(path)/\(name)")
      file.name = name
      files.append(file)
    }
    return files
  }

  /// The cases in a folder and in those below it, without the path of the folder.
  private static func caseNames(in folder: String, depth: Int = 0) -> [String] {
    guard depth < 8, let names = Platform.names(inFolder: folder) else { return [] }
    return names.filter { !$0.hasPrefix(".") }.flatMap { name in
      name.hasSuffix(".case")
        ? [name] : caseNames(in: "\(folder)/\(name)", depth: depth + 1).map { "\(name)/\($0)" }
    }
  }

  /// Runs cases; on demand each is asked twice of one validator, and the second answer counts.
  package static func report(_ cases: [ChainCase], twice: Bool = false) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases { test.run(twice: twice, into: &report) }
    return report
  }

  fileprivate func run(twice: Bool = false, into report: inout ConformanceReport) {
    let rule = unreadable == nil ? question.answer(twice: twice).rule : nil
    let actual = unreadable ?? rule.map { "reject \($0)" } ?? "accept"
    // An expectation may say less than the answer does.
    let isMet = actual == expected || actual.hasPrefix(expected + " ")
    report.add(id, expected: expected, actual: actual, rule: rule, passed: isMet)
  }

  /// The first certificate that cannot be read, and the field.
  private var unreadable: String? {
    for (index, der) in (question.chain + question.anchors).enumerated() {
      do throws(ParseError) {
        _ = try Certificate(der: der)
      } catch {
        return "unreadable at \(index) in \(error.fieldName)"
      }
    }
    return nil
  }
}

/// Runs our own cases.
struct ChainRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try ChainCase(file).run(into: &report)
  }
}

/// What the lines of a case say.
struct CaseLines {
  private(set) var chain: [[UInt8]] = []
  private(set) var anchors: [[UInt8]] = []
  private var crls: [[UInt8]] = []
  private var ocspResponses: [[UInt8]] = []
  private var values: [String: String] = [:]
  private let path: String

  init(_ file: VectorFile) throws(VectorError) {
    path = file.path
    var pem = ""
    for line in try file.text().split(whereSeparator: { $0.isNewline }) {
      if line.hasPrefix("-----BEGIN ") {
        pem = "\(line)\n"
      } else if !pem.isEmpty {
        pem += "\(line)\n"
        guard line.hasPrefix("-----END ") else { continue }
        take(pem)
        pem = ""
      } else if !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        values[String(line[..<colon])] = String(value)
      }
    }
  }

  /// Takes the lines and the certificates of a case of the judge.
  init(_ test: SuiteCase) throws(VectorError) {
    path = try test.value("id", .string)
    values = try test.value("settings", .members(of: .optionalString)).compactMapValues { $0 }
    values["time"] = try test.value("validation_time", .string)
    chain = [try test.value("peer_certificate", .pem)]
    chain += try test.value("untrusted_intermediates", .list(of: .pem))
    anchors = try test.value("trusted_certs", .list(of: .pem))
    crls = try test.value("crls", .list(of: .pem))
    ocspResponses = try test.value("ocsp_responses", .list(of: .pem))
  }

  /// The question of the case.
  func question() throws(VectorError) -> SuiteQuestion {
    guard let time = Timestamp(try value("time")) else { throw error("no such time") }
    return SuiteQuestion(
      anchors: anchors, arePublic: try arePublic(), programs: try programs(),
      trustDomains: try trustDomains(), trees: try trees(), logTimes: try logTimes(), chain: chain,
      rules: try rules(), purposes: [try purpose()], time: time, revocation: try revocation())
  }

  /// The anchors of a document of trust in Merkle trees.
  private func trees() throws(VectorError) -> [TrustAnchor] {
    guard let json = values["trees"] else { return [] }
    do throws(MerkleTrustError) {
      return try MerkleTrust(json: Array(json.utf8)).anchors
    } catch {
      throw self.error(error.description)
    }
  }

  private mutating func take(_ pem: String) {
    let der = PEMText(Array(pem.utf8)).blocks.first?.bytes ?? []
    // By its first line: a block that is empty or broken is still what it says.
    switch pem.prefix(while: { $0 != "\n" }) {
    case "-----BEGIN X509 CRL-----": crls.append(der)
    case "-----BEGIN OCSP RESPONSE-----": ocspResponses.append(der)
    default: if values["anchor"] == nil { chain.append(der) } else { anchors.append(der) }
    }
  }

  func error(_ reason: String) -> VectorError { .malformed(path: path, reason: reason) }

  func value(_ key: String) throws(VectorError) -> String {
    guard let value = values[key] else { throw error("no line \"\(key):\"") }
    return value
  }

  private func revocation() throws(VectorError) -> Revocation? {
    let demand: Revocation.Demand
    switch values["revocation"] {
    case nil: return nil
    case "ignored": demand = .ignored
    case "given": demand = .ifAvailable
    case "leaf": demand = .required(of: .leaf)
    case "required": demand = .required(of: .everyCertificate)
    case let word?: throw error("revocation: \(word)")
    }
    var revocation = Revocation(demand)
    // The times of a case are exact.
    revocation.tolerance = 0
    for crl in crls { revocation.addCRL(der: crl) }
    for response in ocspResponses { revocation.addOCSPResponse(der: response) }
    return revocation
  }

  private func arePublic() throws(VectorError) -> Bool {
    guard let word = values["public"] else { return false }
    guard word == "yes" else { throw error("public: \(word)") }
    return true
  }

  private func programs() throws(VectorError) -> [ProgramConstraint] {
    guard let text = values["program"] else { return [] }
    guard let constraint = ProgramConstraint(words: text) else { throw error("program: \(text)") }
    return [constraint]
  }

  private func trustDomains() throws(VectorError) -> Set<SPIFFETrustDomain>? {
    guard let text = values["domains"] else { return nil }
    var domains: Set<SPIFFETrustDomain> = []
    for word in text.split(separator: " ") {
      do throws(SPIFFEIDError) {
        domains.insert(try SPIFFETrustDomain(String(word)))
      } catch {
        throw self.error("domains: \(error)")
      }
    }
    return domains
  }

  private func logTimes() throws(VectorError) -> LeafLogTimes {
    guard let text = values["logged"] else { return .notEvaluated }
    if text == "none" { return .none }
    let times = text.split(separator: " ").compactMap { Timestamp(String($0)) }
    guard let first = times.min() else { throw error("logged: \(text)") }
    return .times(approved: first, any: first)
  }

  private func rules() throws(VectorError) -> ValidationRules {
    let words = (values["rules"] ?? "webPKI").split(separator: " ")
    let name = String(words.first ?? "")
    guard var rules = RulePreset(rawValue: name)?.rules else {
      throw error("no rules called \(name)")
    }
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      let number = parts.count > 1 ? Int(parts[1]) : nil
      switch (parts.first ?? "", number) {
      case ("maximumLeafValidity", let seconds?): rules.leaf.maximumValidity = seconds
      case ("maximumPathLength", let length?): rules.maximumPathLength = length
      case ("rejectsAnchorAsLeaf", nil): rules.leaf.acceptsAnchor = false
      case ("requiresExplicitPolicy", nil): rules.policies.requiresExplicitPolicy = true
      case ("schedule", nil): rules.schedule = .allAnchors
      case ("veto", nil): rules.check = { _, _ in Violation("no path is taken") }
      default: throw error("rules: \(word)")
      }
    }
    return rules
  }

  /// IDs, and names of trust domains.
  private func peers(_ text: String) throws(VectorError) -> SPIFFEPeers {
    var peers = SPIFFEPeers()
    for word in text.split(separator: " ").map(String.init) {
      do throws(SPIFFEIDError) {
        if word.hasPrefix("spiffe:") {
          peers.ids.insert(try SPIFFEID(word))
        } else {
          peers.trustDomains.insert(try SPIFFETrustDomain(word))
        }
      } catch {
        throw self.error("purpose: \(error)")
      }
    }
    return peers
  }

  private func purpose() throws(VectorError) -> Purpose {
    let text = try value("purpose")
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if words.first == "spiffe" { return .spiffe(try peers(words.last ?? "")) }
    do throws(HostNameError) {
      switch (words.first, words.dropFirst().first) {
      case ("server", let host?): return .server(try HostName(host))
      case ("server", nil): return .anyServer
      case ("email", let address?): return .email(try Mailbox(address))
      case ("client", _): return .client
      case ("codeSigning", _): return .codeSigning
      case ("timeStamping", _): return .timeStamping
      case ("ocspSigning", _): return .ocspSigning
      case ("any", _): return .any
      default: break
      }
    } catch {
      throw self.error("purpose: \(error)")
    }
    throw error("purpose: \(text)")
  }
}
