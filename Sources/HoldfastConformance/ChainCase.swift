internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// One of our own cases: a text file with a few lines of `key: value`, then the certificates in PEM,
/// the leaf first, then a line `anchor:` and the anchors.
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
/// Revocation lists (`X509 CRL`) and OCSP responses (`OCSP RESPONSE`) may follow among the certificates;
/// those that cannot be read are left out. `revocation:` is `ignored`, `given`, `leaf` or `required`;
/// without that line revocation is not asked for.
///
/// `rules:` may name a preset (`webPKI`, `rfc5280`, `apple`, `strict`, `strictRFC5280`); it is `webPKI`
/// without. What is changed in it may follow: `maximumLeafValidity=` and a number of seconds,
/// `maximumPathLength=` and a number, `refusesAnchorAsLeaf`, `requiresExplicitPolicy`, and `veto` for a
/// caller who takes no path at all.
/// `expect:` is `accept`, or `reject`, which may be followed by the rule and by `at` and the index of
/// the certificate, or `unreadable`, which may be followed by `at` and the index of the first certificate
/// that cannot be read, and that by `in` and the field. Lines that begin with `#` do not count.
package struct ChainCase: Sendable {
  /// The file's name without `.case`.
  package let id: String
  /// What the case shows.
  package let about: String
  /// What must be said.
  package let expected: String

  let question: Question

  /// What is asked, or why nothing can be.
  enum Question {
    case path(SuiteQuestion)
    /// The first certificate that cannot be read.
    case unreadable(index: Int, ParseError)
  }

  /// Reads one file.
  package init(_ file: VectorFile) throws(VectorError) {
    var lines = Lines(file.path)
    for line in try file.text().split(whereSeparator: \.isNewline) { try lines.take(line) }
    id = file.name.hasSuffix(".case") ? String(file.name.dropLast(5)) : file.name
    about = lines.values["about"] ?? ""
    expected = try lines.value("expect")
    guard let verdict = expected.split(separator: " ").first,
      ["accept", "reject", "unreadable"].contains(verdict)
    else { throw lines.error("expect: \(expected)") }
    if let (index, error) = lines.unreadable {
      question = .unreadable(index: index, error)
      return
    }
    guard let leaf = lines.chain.first else { throw lines.error("no certificate") }
    guard let time = Timestamp(try lines.value("time")) else { throw lines.error("no such time") }
    question = .path(
      SuiteQuestion(
        anchors: lines.anchors, leaf: leaf, intermediates: Array(lines.chain.dropFirst()),
        rules: try lines.rules(), purposes: [try lines.purpose()], time: time,
        revocation: try lines.revocation()))
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
      for file in try VectorFile.files(at: "\(path)/\(name)") {
        files.append(VectorFile(name: name, path: file.path, bytes: file.bytes))
      }
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

  fileprivate func run(twice: Bool, into report: inout ConformanceReport) {
    let actual: String
    let rule: String?
    switch question {
    case .path(let question):
      rule = (twice ? question.secondAnswer() : question.answer()).rule
      actual = rule.map { "reject \($0)" } ?? "accept"
    case .unreadable(let index, let error):
      rule = nil
      actual = "unreadable at \(index) in \(error.fieldName)"
    }
    // An expectation may say less than the answer does.
    let isMet = actual == expected || actual.hasPrefix(expected + " ")
    report.add(id, expected: expected, actual: actual, rule: rule, passed: isMet)
  }
}

/// Runs our own cases.
struct ChainRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try ChainCase(file).run(twice: false, into: &report)
  }
}

/// What the lines of a case that were read have said.
private struct Lines {
  let path: String
  var values: [String: String] = [:]
  var chain: [Certificate] = []
  var anchors: [Certificate] = []
  var lists: [CertificateList] = []
  var answers: [OCSPResponse] = []
  /// The first certificate that cannot be read, and its place among all.
  var unreadable: (index: Int, ParseError)?
  private var pem: String?
  private var isAnchor = false

  init(_ path: String) {
    self.path = path
  }

  func error(_ reason: String) -> VectorError { .malformed(path: path, reason: reason) }

  func value(_ key: String) throws(VectorError) -> String {
    guard let value = values[key] else { throw error("no line \"\(key):\"") }
    return value
  }

  mutating func take(_ line: Substring) throws(VectorError) {
    if line.hasPrefix("-----BEGIN ") {
      pem = "\(line)\n"
    } else if let text = pem {
      pem = "\(text)\(line)\n"
      guard line.hasPrefix("-----END ") else { return }
      try take(pem: "\(text)\(line)\n")
      pem = nil
    } else if line.hasPrefix("anchor:") {
      isAnchor = true
    } else if !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      values[String(line[..<colon])] = String(value)
    }
  }

  private mutating func take(pem text: String) throws(VectorError) {
    // By its first line: a block that is empty or broken is still what it says.
    switch text.prefix(while: { $0 != "\n" }) {
    case "-----BEGIN X509 CRL-----":
      if let list = CertificateList.readable(pem: text) { lists.append(list) }
    case "-----BEGIN OCSP RESPONSE-----":
      if let answer = OCSPResponse.readable(pem: text) { answers.append(answer) }
    default:
      do throws(ParseError) {
        let certificate = try Certificate(pem: text)
        if isAnchor { anchors.append(certificate) } else { chain.append(certificate) }
      } catch {
        if unreadable == nil { unreadable = (chain.count + anchors.count, error) }
      }
    }
  }

  func revocation() throws(VectorError) -> Revocation? {
    let demand: Revocation.Demand
    switch values["revocation"] {
    case nil: return nil
    case "ignored": demand = .ignored
    case "given": demand = .ifAvailable
    case "leaf": demand = .required(of: .leaf)
    case "required": demand = .required(of: .everyCertificate)
    case let word?: throw error("revocation: \(word)")
    }
    return Revocation(demand, lists: lists, answers: answers)
  }

  func rules() throws(VectorError) -> ValidationRules {
    let words = (values["rules"] ?? "webPKI").split(separator: " ")
    var rules: ValidationRules
    switch words.first ?? "" {
    case "webPKI": rules = .webPKI
    case "rfc5280": rules = .rfc5280
    case "apple": rules = .apple
    case "strict": rules = .strict
    case "strictRFC5280": rules = .strictRFC5280
    case let name: throw error("no rules called \(name)")
    }
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      let number = parts.count > 1 ? Int(parts[1]) : nil
      switch (parts.first ?? "", number) {
      case ("maximumLeafValidity", let seconds?): rules.leaf.maximumValidity = seconds
      case ("maximumPathLength", let length?): rules.maximumPathLength = length
      case ("refusesAnchorAsLeaf", nil): rules.leaf.acceptsAnchor = false
      case ("requiresExplicitPolicy", nil): rules.policies.requiresExplicitPolicy = true
      case ("veto", nil): rules.veto = { _ in "no path is taken" }
      default: throw error("rules: \(word)")
      }
    }
    return rules
  }

  func purpose() throws(VectorError) -> Purpose {
    let words = try value("purpose").split(separator: " ", maxSplits: 1).map(String.init)
    let name = words.count > 1 ? words[1] : nil
    switch words.first {
    case "server":
      guard let name else { return .anyServer }
      do throws(HostNameError) { return try .server(name) } catch { throw self.error("\(error)") }
    case "client": return .client
    case "email":
      guard let name else { throw error("e-mail address missing") }
      do throws(HostNameError) { return try .email(name) } catch { throw self.error("\(error)") }
    case "codeSigning": return .codeSigning
    case "timeStamping": return .timeStamping
    case "ocspSigning": return .ocspSigning
    case "any": return .any
    default: throw error("no such purpose")
    }
  }
}
