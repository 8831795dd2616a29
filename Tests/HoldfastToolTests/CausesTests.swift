import Foundation
import Holdfast
import HoldfastAnswers
import HoldfastDER
@testable import HoldfastTool
import TestSupport
import Testing

/// The chains of `Vectors/causes`, with one fault each: what is said about it is true, and helps.
@Suite("Reasons, measured by the cause") struct CausesTests {
  private static let shared = Result { try Causes() }
  private let causes: Causes

  init() throws { causes = try CausesTests.shared.get() }

  @Test("there are at least 600 causes of 60 kinds, each once")
  func count() {
    #expect(causes.all.count >= 600)
    #expect(Set(causes.all.map(\.name)).count == causes.all.count)
    #expect(Set(causes.all.map(\.kind)).count >= 60)
  }

  @Test("the first reason names the rule, the certificate and the fact")
  func reasons() async {
    let wrong = await causes.complaints(step: isDebug ? 5 : 1) { try $0.reasonComplaint() }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20).joined(separator: "\n"))")
  }

  @Test("each hint, applied, makes the chain trusted or removes the reason")
  func hints() async {
    let wrong = await causes.complaints(step: isDebug ? 8 : 1) { try $0.hintComplaint() }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20).joined(separator: "\n"))")
  }

  @Test("text, JSON and page say the same, with and without all paths")
  func agreement() async {
    let wrong = await causes.complaints(step: isDebug ? 16 : 1) { try $0.agreementComplaint() }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20).joined(separator: "\n"))")
  }
}

extension CausesTests {
  @Test("batch and verify say the same, with files of PEM, and number what cannot be read")
  func files() throws {
    let scratch = try ScratchFolder()
    for name in [
      "duplicate-extension/Lower/alone", "cut-off/Upper/twin", "authority-first/Lower/alone",
      "missing-between/leaf/alone", "long-serial-number/Lower/bare-twin",
    ] {
      let cause = try #require(causes.all.first { $0.name == name })
      let error = try #require(try cause.error())
      let chain = try scratch.file("chain.pem", pem(cause.chain))
      let anchors = try scratch.file("anchors.pem", pem(cause.anchors))
      let verified = CLIRun(
        "verify", chain, "--anchors", anchors, "--host", cause.host, "--at", cause.time)
      #expect(verified.results.hasPrefix("✗ rejected: \(error.headline)"))
      let line: [String: Any] = [
        "chain": cause.chain.map { Data($0).base64EncodedString() },
        "anchors": cause.anchors.map { Data($0).base64EncodedString() },
        "host": cause.host, "time": cause.time,
      ]
      let lines = try scratch.file(
        "lines.ndjson", try JSONSerialization.data(withJSONObject: line))
      let answer = CLIRun("batch", lines)
      let object = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
      #expect(object?["reason"] as? String == error.headline, "\(answer.results)")
      #expect(object?["rule"] as? String == error.rejections.first?.rule.name)
    }
  }

  private func pem(_ ders: [[UInt8]]) -> [UInt8] {
    ders.flatMap { Array(PEMBlock.text(label: "CERTIFICATE", bytes: $0).utf8) }
  }
}

/// The cases, and what they share.
private struct Causes {
  let all: [Cause]

  init() throws {
    var certificates: [[UInt8]] = []
    for words in try CommittedVectors.lines("causes/certificates.txt") {
      let der = try #require(Data(base64Encoded: words[2]))
      certificates.append(Array(der))
    }
    let cache = SignatureCache()
    let ders = certificates
    let sources = try CommittedVectors.lines("causes/sources.txt").map {
      Array(try #require(Data(base64Encoded: $0[1])))
    }
    all = try CommittedVectors.lines("causes/cases.txt").map {
      try Cause($0, ders, sources, cache)
    }
    // The signatures that most cases share are verified once.
    _ = try all.first?.replacingFaults()?.error()
  }

  /// Returns what is wrong with the cases, on two processors at once.
  func complaints(
    step: Int = 1, _ check: @escaping @Sendable (Cause) throws -> String?
  ) async -> [String] {
    let indices = Array(stride(from: 0, to: all.count, by: step))
    return await withTaskGroup(of: [String].self) { group in
      for half in 0..<2 {
        let cases = indices.filter { $0 / step % 2 == half }.map { all[$0] }
        group.addTask {
          cases.compactMap { cause -> String? in
            do {
              return try check(cause).map { "\(cause.name): \($0)" }
            } catch {
              return "\(cause.name): \(error)"
            }
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}

/// A chain with one fault, and the right answer.
private struct Cause: Sendable {
  let name: String
  private let values: [String: String]
  private let ders: [[UInt8]]
  private let cache: SignatureCache
  /// What must give the status of the leaf; nil if none must.
  private var revocation: Revocation?
  /// What does give it.
  private var rightSource: Revocation?
  var chain: [[UInt8]]
  var anchors: [[UInt8]]
  var host: String
  var rules: String
  var time = "2026-06-15T12:00:00Z"

  var kind: Substring { name.prefix { $0 != "/" } }

  init(
    _ words: [String], _ ders: [[UInt8]], _ sources: [[UInt8]], _ cache: SignatureCache
  ) throws {
    name = words[0]
    values = Dictionary(
      uniqueKeysWithValues: words.dropFirst().map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
      })
    self.ders = ders
    self.cache = cache
    (chain, anchors, host, rules) = ([], [], "", "")
    chain = certificates("chain")
    anchors = certificates("anchors")
    host = values["host"] ?? "www.causes.example"
    rules = values["rules"] ?? "webPKI"
    func named(_ key: String) -> [[UInt8]] {
      (values[key] ?? "").split(separator: ",").compactMap { Int($0).map { sources[$0] } }
    }
    guard values["lists"] != nil || values["responses"] != nil else { return }
    revocation = Revocation(
      .required(of: .leaf), crls: try named("lists").map { try CRL(der: $0) },
      ocspResponses: try named("responses").map { try OCSPResponse(der: $0) })
    var right = Revocation(.required(of: .leaf))
    for der in named("source") {
      do throws(ParseError) { right.crls.append(try CRL(der: der)) } catch {
        right.ocspResponses.append(try OCSPResponse(der: der))
      }
    }
    rightSource = right
  }

  private func certificates(_ key: String, separator: Character = ",") -> [[UInt8]] {
    (values[key] ?? "").split(separator: separator).compactMap { Int($0).map { ders[$0] } }
  }

  private var purpose: Purpose {
    get throws {
      values["purpose"] == "client"
        ? .client : .server(try HostName(host))
    }
  }

  /// The question, as a TLS library asks it.
  func question() throws -> PathQuestion {
    let preset = try #require(RulePreset(rawValue: rules))
    let validator = PathValidator(
      anchors: AnchorSet(try anchors.map { try Certificate(der: $0) }), rules: preset.rules,
      cache: cache, revocation: revocation)
    let time = try #require(Timestamp(time))
    let question = try Question(der: chain, for: purpose, at: time)
    return PathQuestion(
      chain: question.chain, input: Answer.Input(purpose: try purpose, time: time),
      purpose: try purpose, time: time, validator: validator, unreadable: question.unreadable)
  }

  /// The error; nil if the chain is trusted.
  func error() throws -> PathError? {
    let question = try question()
    do throws(PathError) {
      _ = try question.validator.validate(question.question)
      return nil
    } catch {
      return error
    }
  }
}

extension Cause {
  func reasonComplaint() throws -> String? {
    guard let error = try error() else { return "it is trusted" }
    guard let first = error.rejections.first else { return "no reason" }
    let named: [UInt8]? =
      if case .unreadable(let found)? = first.violation.detail { found.der } else {
        first.certificate?.der
      }
    let right = certificates("at", separator: "|")
    let word = (values["word"] ?? "-").replacing("_", with: " ")
    if first.rule.name != values["rule"] { return "\(first.rule.name): \(error.headline)" }
    if !right.contains(where: { $0 == named }) { return "wrong certificate: \(error.headline)" }
    if !error.headline.contains(word) {
      return "no \"\(word)\", the word= of Vectors/causes/cases.txt and make.py: \(error.headline)"
    }
    return error.summary.hasSuffix(".") ? nil : error.summary
  }

  /// Every hint is applied by itself: what it asks for is done, with what the case has for that.
  func hintComplaint() throws -> String? {
    guard let error = try error(), let first = error.rejections.first else { return "no reason" }
    if error.hints.isEmpty { return "no hint: \(error.headline)" }
    for hint in error.hints {
      guard let changed = try applying(hint) else { return "cannot apply: \(hint)" }
      guard let next = try changed.error() else { continue }
      let second = next.rejections.first
      if second?.rule == first.rule, second?.certificate == first.certificate {
        return "no help: \(hint); \(next.headline)"
      }
    }
    return nil
  }

  /// The question after what a hint asks for; nil if the case has nothing for that.
  private func applying(_ hint: PathError.Hint) throws -> Cause? {
    var other = self
    func subjects(_ ders: [[UInt8]], _ name: DistinguishedName) throws -> [[UInt8]] {
      try ders.filter { try Certificate(der: $0).subject == name }
    }
    switch hint {
    case .missingIntermediate(let name, _):
      let found = try subjects(certificates("add"), name)
      other.chain += found
      return found.isEmpty ? nil : other
    case .missingRoot(let name, _):
      let found = try subjects(certificates("trust"), name)
      other.anchors += found
      return found.isEmpty ? nil : other
    case .crossSigned(let newer):
      let found = try subjects(certificates("trust"), newer.subject)
      other.anchors += found
      return found.isEmpty ? nil : other
    case .otherSigner(let certificate, let identifier):
      let found = try subjects(certificates("add") + certificates("good"), certificate.issuer)
        .filter {
          try identifier == nil
            || Certificate(der: $0).extensions.subjectKeyIdentifier == identifier
        }
      other.chain += found
      // Where no CA of this name has such a key, only the certificate itself can be replaced.
      return found.isEmpty ? replacingFaults() : other
    case .unknownRoot(let root, _):
      other.anchors.append(root.der)
      // What is its own anchor is trusted by the rules for private PKI.
      if root.der == chain.first { other.rules = "rfc5280" }
      return other
    case .anchorWithOtherKey:
      other.anchors += certificates("trust")
      return other.anchors == anchors ? replacingFaults() : other
    case .noAnchors:
      other.anchors = certificates("trust")
      return other.anchors.isEmpty ? nil : other
    case .notFirst(let certificate):
      other.chain = [certificate.der] + chain.filter { $0 != certificate.der }
      return other
    case .otherNames(_, let certificate):
      // What has a space in it is no host that could be asked for.
      guard case .dns(let name)? = certificate.extensions.subjectAlternativeNames.first,
        !name.bytes.contains(0x20)
      else { return replacingFaults() }
      other.host = "\(name)".replacing("*", with: "a")
      // The name of an address is none that could be asked for.
      return other.host == host ? replacingFaults() : other
    case .acceptedBy(let preset):
      other.rules = preset
      return try other.error() == nil ? other : nil
    case .leafExpired(let certificate), .leafNotYetValid(let certificate),
      .outsideValidity(let certificate):
      other.time = "\(certificate.notBefore)"
      let rule = try other.error()?.rejections.first?.rule
      return rule == .notYetValid || rule == .leafNotFirst ? replacingFaults() : other
    case .source, .remedy(.revocationUnknown):
      other.revocation = rightSource
      return other
    case .remedy(.leafIsCA):
      other.chain = certificates("add") + chain
      return other
    case .unreadable, .changed, .host, .isAnchorItself, .onHold, .precertificate, .remedy,
      .remedyAboveLeaf, .noBundle, .limit:
      return replacingFaults()
    }
  }

  /// The question with the right certificates instead of the faulty ones.
  func replacingFaults() -> Cause? {
    var other = self
    for pair in (values["good"] ?? "").split(separator: ",") {
      let numbers = pair.split(separator: ":").compactMap { Int($0) }
      other.chain = other.chain.map { $0 == ders[numbers[0]] ? ders[numbers[1]] : $0 }
      other.anchors = other.anchors.map { $0 == ders[numbers[0]] ? ders[numbers[1]] : $0 }
    }
    return other.chain == chain && other.anchors == anchors ? nil : other
  }

  func agreementComplaint() throws -> String? {
    guard let error = try error() else { return "it is trusted" }
    let question = try question()
    let diagnosis = question.validator.diagnose(question.question)
    if diagnosis.error?.rejections != error.rejections || diagnosis.error?.hints != error.hints {
      return "validate and diagnose differ"
    }
    if diagnosis.attempts != error.attempts { return "other attempts" }
    let short = question.answer
    let long = question.explained(short)
    let page = ExplanationPage(long, question).text
    let line =
      "✗ rejected: \(error.headline)"
      + PathError.more(rules: diagnosis.attempts.first.map { $0.violations.count - 1 } ?? 0)
    for answer in [short, long] {
      let text = answer.text(.plain)
      guard text.hasPrefix(line + "\n") else { return "text: \(text.prefix(200))" }
      let json = try JSONSerialization.jsonObject(with: Data(answer.json.utf8)) as? [String: Any]
      guard json?["reason"] as? String == error.headline,
        json?["rule"] as? String == error.rejections.first?.rule.name,
        (json?["rejections"] as? [[String: Any]])?.map({ $0["rule"] as? String })
          == error.rejections.map(\.rule.name)
      else { return "JSON: \(answer.json.prefix(300))" }
      guard (json?["hints"] as? [String])?.allSatisfy({ text.contains("  hint: \($0)\n") }) == true
      else { return "hints: \(text.prefix(300))" }
    }
    guard page.contains("\(Markup.name(line))</h1>") else { return "page: \(error.headline)" }
    return nil
  }
}
