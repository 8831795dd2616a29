import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// Each path is given from the certificate below the anchor to the leaf.
@Suite("Policies") struct PolicyGraphTests {
  private struct Step {
    var policies: [String] = []
    var mappings: [(String, String)] = []
    var require: Int?
    var inhibitMapping: Int?
    var inhibitAny: Int?
    var isSelfIssued = false
    /// The type and the value of a qualifier, in a critical extension.
    var qualifier: (String, [UInt8])?
  }

  private static let any = "2.5.29.32.0"
  private static func oid(_ text: String) -> String { text == "any" ? any : "1.2.3.\(text)" }

  private func certificate(_ step: Step) throws -> Certificate {
    var extensions: [UInt8] = []
    if !step.policies.isEmpty {
      let qualifiers = step.qualifier.map { Made.der(0x30, Made.der(0x30, Made.oid($0.0) + $0.1)) }
      let list = step.policies.flatMap {
        Made.der(0x30, Made.oid(Self.oid($0)) + (qualifiers ?? []))
      }
      extensions += Made.extension(
        "2.5.29.32", isCritical: qualifiers != nil, Made.der(0x30, list))
    }
    if !step.mappings.isEmpty {
      let list = step.mappings.flatMap {
        Made.der(0x30, Made.oid(Self.oid($0.0)) + Made.oid(Self.oid($0.1)))
      }
      extensions += Made.extension("2.5.29.33", Made.der(0x30, list))
    }
    if step.require != nil || step.inhibitMapping != nil {
      let require = step.require.map { Made.der(0x80, [UInt8($0)]) } ?? []
      let inhibit = step.inhibitMapping.map { Made.der(0x81, [UInt8($0)]) } ?? []
      extensions += Made.extension("2.5.29.36", Made.der(0x30, require + inhibit))
    }
    if let skip = step.inhibitAny {
      extensions += Made.extension("2.5.29.54", Made.der(0x02, [UInt8(skip)]))
    }
    let name = Made.name("CN=Made Issuer")
    return extensions.isEmpty
      ? try Made.certificate(subject: step.isSelfIssued ? name : [])
      : try Made.certificate(subject: step.isSelfIssued ? name : [], extensions)
  }

  /// The policies for which a path is valid, with `any` for nil, or the rule that it breaks.
  private func result(
    _ steps: [Step], _ inputs: PolicyInputs = PolicyInputs(), below anchor: Step? = nil
  ) throws -> String {
    var checks = PolicyChecks(inputs, certificates: steps.count)
    let anchor = try anchor.map(certificate)
    var budget = Budget()
    var log = Violations(recordsAll: false)
    let certificates = try steps.map(certificate)
    do throws(CheckFailure) {
      if let anchor { try checks.applyAnchor(anchor, &log, &budget) }
      for (index, certificate) in certificates.enumerated() {
        let isLast = index == certificates.count - 1
        try checks.process(certificate, isLast: isLast, &log, &budget)
        if isLast {
          guard let policies = try checks.wrapUp(certificate, &log) else { return "any" }
          return policies.map { String("\($0)".dropFirst(6)) }.sorted().joined(separator: " ")
        }
        try checks.prepareForNext(certificate, &log, &budget)
      }
      return ""
    } catch {
      switch error {
      case .violation(let violation): return violation.rule.name
      case .limitReached(let limit): return limit.name
      }
    }
  }

  private func inputs(_ acceptable: [String]? = nil, explicit: Bool = false) -> PolicyInputs {
    var inputs = PolicyInputs()
    inputs.acceptable = acceptable?.compactMap { OID(Self.oid($0)) }
    inputs.requiresExplicitPolicy = explicit
    return inputs
  }

  @Test("a policy counts when every certificate has it, or anyPolicy for it")
  func plain() throws {
    #expect(try result([Step(policies: ["1"]), Step(policies: ["1", "2"])]) == "1")
    #expect(try result([Step(policies: ["any"]), Step(policies: ["1", "2"])]) == "1 2")
    #expect(try result([Step(policies: ["1", "2"]), Step(policies: ["any"])]) == "1 2")
    #expect(try result([Step(policies: ["any"]), Step(policies: ["any"])]) == "any")
    #expect(try result([Step(policies: ["1"]), Step(policies: ["2"])]) == "")
    #expect(try result([Step(policies: ["1"]), Step()]) == "")
  }

  @Test("policies are found again in whatever order certificates list them")
  func orders() throws {
    let lists = [["9", "2", "7", "1"], ["1", "7", "3", "9"], ["3", "9", "8", "1"]]
    #expect(try result(lists.map { Step(policies: $0) }) == "1 9")
    // Below anyPolicy, new ones join those that are there.
    let joined = [["9", "any", "2"], ["any", "5", "9", "1"], ["1", "2", "5", "9", "7"]]
    #expect(try result(joined.map { Step(policies: $0) }) == "1 2 5 7 9")
    #expect(try result((joined.dropLast() + [["2", "any"]]).map { Step(policies: $0) }) == "any")
  }

  @Test("policies that differ only after many bytes are told apart")
  func longIdentifiers() throws {
    let common = "4294967295.4294967295.4294967295"
    let (one, other) = ("\(common).1", "\(common).2")
    #expect(try result([Step(policies: [one]), Step(policies: [one, other])]) == one)
    #expect(try result([Step(policies: [one]), Step(policies: [other])]) == "")
    #expect(try result([Step(policies: [other, one]), Step(policies: [one])]) == one)
    #expect(
      try result([Step(policies: [one]), Step(policies: [other])], inputs(explicit: true))
        == "policyRequired")
  }

  @Test("if a policy is required, a path without one is rejected")
  func required() throws {
    let explicit = inputs(explicit: true)
    #expect(try result([Step(policies: ["1"]), Step(policies: ["1"])], explicit) == "1")
    #expect(
      try result([Step(policies: ["1"]), Step(policies: ["2"])], explicit) == "policyRequired")
    let later = [Step(policies: ["1"], require: 1), Step(policies: ["1"]), Step()]
    #expect(try result(later) == "policyRequired")
    // RFC 5280 §6.1.5 (a) counts the leaf too.
    let last = [Step(policies: ["1"], require: 2), Step(policies: ["1"]), Step()]
    #expect(try result(last) == "policyRequired")
    #expect(try result([Step(policies: ["1"], require: 3), Step(policies: ["1"]), Step()]) == "")
    // RFC 5280 §6.1.5 (b): what the leaf itself requires.
    #expect(
      try result([Step(policies: ["1"]), Step(policies: ["2"], require: 0)]) == "policyRequired")
  }

  /// All that a path breaks.
  private func violations(_ steps: [Step], _ inputs: PolicyInputs) throws -> [Violation] {
    var checks = PolicyChecks(inputs, certificates: steps.count)
    var budget = Budget()
    var log = Violations(recordsAll: true)
    let certificates = try steps.map(certificate)
    for certificate in certificates.dropLast() {
      try checks.process(certificate, isLast: false, &log, &budget)
      try checks.prepareForNext(certificate, &log, &budget)
    }
    try checks.process(certificates[steps.count - 1], isLast: true, &log, &budget)
    _ = try checks.wrapUp(certificates[steps.count - 1], &log)
    return log.all
  }

  @Test("that a policy is required is said once of each certificate, with the section that says so")
  func requiredOnce() throws {
    let steps = [Step(policies: ["1"]), Step(policies: ["2"]), Step(policies: ["3"])]
    let found = try violations(steps, inputs(explicit: true))
    #expect(found.map(\.citation) == ["RFC 5280 §6.1.3 (f)", "RFC 5280 §6.1.3 (f)"])
    #expect(Set(found.map(\.rule)) == [.policyRequired])
  }

  @Test("what a mapping to anyPolicy leaves of the policies is not judged, what follows is")
  func voidMapping() throws {
    let void = Step(policies: ["1"], mappings: [("1", "any")])
    let left = try violations([void, Step(policies: ["2"])], inputs(explicit: true))
    #expect(left.map(\.rule) == [.mappingOfAnyPolicy])
    var requiring = void
    requiring.require = 0
    for last in [[Step()], [Step(policies: ["2"]), Step(policies: ["3"])]] {
      let found = try violations([requiring] + last, inputs())
      #expect(found.map(\.rule) == [.mappingOfAnyPolicy, .policyRequired])
    }
  }

  @Test("the user's policies are intersected with those of the path")
  func acceptable() throws {
    let path = [Step(policies: ["1", "2"]), Step(policies: ["1", "2"])]
    #expect(try result(path, inputs(["2", "3"])) == "2")
    #expect(try result(path, inputs(["3"])) == "")
    #expect(try result(path, inputs(["3"], explicit: true)) == "policyRequired")
    #expect(try result(path, inputs(["any"])) == "1 2")
    let open = [Step(policies: ["any"]), Step(policies: ["any"])]
    #expect(try result(open, inputs(["2", "3"], explicit: true)) == "2 3")
  }

  @Test("a mapped policy continues under its new OID and is reported under the old one")
  func mapped() throws {
    let path = [Step(policies: ["1"], mappings: [("1", "2")]), Step(policies: ["2"])]
    #expect(try result(path) == "1")
    #expect(
      try result([Step(policies: ["1"], mappings: [("1", "2")]), Step(policies: ["1"])]) == "")
    let twice = [
      Step(policies: ["1"], mappings: [("1", "2"), ("1", "3"), ("1", "2")]),
      Step(policies: ["2", "3"], mappings: [("2", "4"), ("3", "4")]), Step(policies: ["4"]),
    ]
    #expect(try result(twice) == "1")
    // RFC 9618 §5.4: anyPolicy stands for the mapped policy too.
    let open = [Step(policies: ["any"], mappings: [("1", "2")]), Step(policies: ["2"])]
    #expect(try result(open) == "1")
    let bad = [Step(policies: ["any"], mappings: [("any", "2")]), Step(policies: ["2"])]
    #expect(try result(bad) == "mappingOfAnyPolicy")
  }

  /// RFC 9618 §5.4 and §5.5: each keeps the name under which the first issuer has it.
  @Test("a hundred policies that are mapped to one and back are all reported")
  func manyMapped() throws {
    let names = (1...100).map { "\($0)" }
    let path = [
      Step(policies: names, mappings: names.map { ($0, "101") }), Step(policies: ["101"]),
    ]
    #expect(try result(path) == names.sorted().joined(separator: " "))
    for name in ["1", "99"] {
      #expect(try result([Step(policies: names), Step(policies: [name])]) == name)
    }
  }

  @Test("policies that must not be mapped are dropped")
  func inhibited() throws {
    var inputs = PolicyInputs()
    inputs.inhibitsMapping = true
    let path = [
      Step(policies: ["1", "5"], mappings: [("1", "2")]), Step(policies: ["1", "2", "5"]),
    ]
    #expect(try result(path, inputs) == "5")
    let later = [
      Step(policies: ["1"], inhibitMapping: 0), Step(policies: ["1"], mappings: [("1", "2")]),
      Step(policies: ["2"]),
    ]
    #expect(try result(later) == "")
  }

  @Test("anyPolicy can be inhibited, except for self-issued certificates")
  func inhibitedAny() throws {
    let path = [Step(policies: ["1"], inhibitAny: 0), Step(policies: ["any"])]
    #expect(try result(path) == "")
    let selfIssued = [
      Step(policies: ["1"], inhibitAny: 0), Step(policies: ["any"], isSelfIssued: true),
      Step(policies: ["1"]),
    ]
    #expect(try result(selfIssued) == "1")
    var inputs = PolicyInputs()
    inputs.inhibitsAnyPolicy = true
    #expect(try result([Step(policies: ["any"])], inputs) == "")
  }

  /// RFC 5280 §4.2.1.4.
  /// RFC 5280 §4.2.1.4: CPSuri is an IA5String, UserNotice a SEQUENCE.
  @Test(
    "a critical extension with a qualifier of another type or value is rejected",
    arguments: [
      ("1.3.6.1.5.5.7.2.1", Made.der(0x16, [0x61]), "1"),
      ("1.3.6.1.5.5.7.2.1", Made.der(0x0C, [0x61]), "unknownCriticalExtension"),
      ("1.3.6.1.5.5.7.2.2", Made.der(0x30, []), "1"),
      ("1.3.6.1.5.5.7.2.2", Made.der(0x16, [0x61]), "unknownCriticalExtension"),
      ("1.2.9", Made.der(0x16, [0x61]), "unknownCriticalExtension"),
      ("1.2.9", Made.der(0x30, []), "unknownCriticalExtension"),
      ("1.2.9", Made.der(0x05, []), "unknownCriticalExtension"),
    ])
  func qualifiers(type: String, value: [UInt8], expected: String) throws {
    #expect(try result([Step(policies: ["1"], qualifier: (type, value))]) == expected)
  }

  /// RFC 5937 §3.2.
  @Test("an anchor's extensions count like an issuer's, but none is required")
  func anchors() throws {
    let path = [Step(policies: ["2"]), Step(policies: ["2"])]
    #expect(try result(path, below: Step()) == "2")
    #expect(try result([Step(), Step()], below: Step()) == "")
    #expect(try result(path, below: Step(policies: ["2", "3"])) == "2")
    #expect(try result(path, below: Step(policies: ["3"])) == "")
    #expect(try result(path, below: Step(policies: ["1"], mappings: [("1", "2")])) == "1")
    #expect(try result(path, below: Step(policies: ["3"], require: 0)) == "policyRequired")
    let any = [Step(policies: ["any"]), Step(policies: ["any"])]
    #expect(try result(any, below: Step(policies: ["1"], inhibitAny: 0)) == "")
  }

  /// A mapping of a policy that is nowhere else makes the list of policies a graph, and changes
  /// nothing that can be seen.
  @Test("the policy list and the policy graph give the same result")
  func listAndGraphHeavy() throws {
    var random = SeededNumbers(seed: 9618)
    var differing: [String] = []
    var words: Set<String> = []
    for _ in 0..<3000 {
      let steps = (0..<Int.random(in: 2...4, using: &random)).map { _ in
        var step = Step()
        step.policies = ["any", "1", "2", "3"].filter { _ in Bool.random(using: &random) }
        step.policies.shuffle(using: &random)
        step.inhibitAny = Int.random(in: 0..<6, using: &random) == 0 ? 0 : nil
        step.require = Int.random(in: 0..<6, using: &random) == 0 ? 1 : nil
        return step
      }
      let asked = Bool.random(using: &random) ? inputs() : inputs(["1", "3"])
      var mapped = steps
      mapped[0].mappings = [("98", "99")]
      let (list, graph) = (try result(steps, asked), try result(mapped, asked))
      if list != graph { differing.append("\(steps): \(list), \(graph)") }
      words.insert(list)
    }
    #expect(differing.isEmpty, "\(differing.joined(separator: "\n"))")
    #expect(words.count > 8)
  }

  /// RFC 9618 §3.2 describes the chain whose tree has 256^8 nodes.
  @Test("policies that all map to all cost time in proportion to their length")
  func bomb() throws {
    let names = (1...15).map(String.init)
    let all = names.flatMap { a in names.map { b in (a, b) } }
    let steps =
      [Step](repeating: Step(policies: names, mappings: all), count: 8) + [Step(policies: names)]
    #expect(try result(steps) == names.sorted().joined(separator: " "))

    let many = (1...120).map(String.init)
    let wide = [Step](repeating: Step(policies: many, mappings: [("1", "2")]), count: 9)
    #expect(try result(wide) == "work")
  }
}
