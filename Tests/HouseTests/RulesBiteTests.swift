import Testing

/// Each rule sees a breach, on its line, and lets the same thing done well pass.
@Suite("the rules bite") struct RulesBiteTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let rule: HouseRule
    var path = "Sources/HoldfastDER/Sample.swift"
    let bad: [String]
    let good: [String]
    var testDescription: String { rule.name }
  }

  static let samples = [
    Sample(
      rule: .unsafeFiles, bad: ["let x = unsafe p.pointee", "unsafe f()"],
      good: ["let unsafely = 1", "// unsafe is a word", "print(\"unsafe\")"]),
    Sample(
      rule: .safetyComments, bad: ["// why\nlet a = unsafe b()", "// SAFETY: x\n\nunsafe f()"],
      good: [
        "// SAFETY: p lives on\nlet a = unsafe b()", "unsafe f()  // SAFETY: it does",
        "var a = unsafe b\n// SAFETY: a copy\nunsafe f(&a)",
      ]),
    Sample(
      rule: .traps,
      bad: [
        "let a = b!", "a()!.c", "x = try! f()", "let a = b as! C", "var a: Int!", "a[0]! += 1",
        "fatalError()", "precondition(a > 0)", "assert(a)", "preconditionFailure(\"never\")",
        "print(\"\\(a!)\")", "if a! == b {}",
      ],
      good: [
        "if a != b {}", "guard !a else { return }", "f(!a, [!b])", "// stop! here", "\"a!\"",
        "let s = #\"a!\"#", "/* a! */", "assertion(a)", "let a = \"\"\"\nb!\n\"\"\"",
      ]),
    Sample(rule: .swallowedErrors, bad: ["let a = try? b()"], good: ["let a = try b()"]),
    Sample(
      rule: .printing, bad: ["print(a)", "dump(a)"],
      good: ["printed(a)", "// print(a)", "let print = 1"]),
    Sample(
      rule: .uncheckedSendable,
      bad: ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"],
      good: ["struct A: Sendable {}"]),
    Sample(
      rule: .standardExtensions,
      bad: [
        "extension Array {\n  func f() {}\n}", "extension [UInt8] {\n  package var a: Int { 1 }\n}",
      ],
      good: [
        "extension Array {\n  fileprivate func f() {\n    let a = 1\n  }\n}",
        "extension OID {\n  func f() {}\n}",
      ]),
    Sample(rule: .gmpMemory, bad: ["mp_set_memory_functions(a, b, c)"], good: ["mpn_sqr(a, b, 4)"]),
    Sample(
      rule: .unsafeFlags, path: "Package.swift", bad: [".unsafeFlags([\"-Ounchecked\"])"],
      good: [".strictMemorySafety()"]),
    Sample(
      rule: .layers,
      bad: [
        "import Foundation", "public import HoldfastCertificates", "@testable import Holdfast",
        "internal import CHoldfastGMP", "import struct Foundation.Data", "import Glibc",
      ],
      good: ["import Synchronization", "let text = \"import Foundation\"", "// import of anything"]),
    Sample(
      rule: .layers, path: "Sources/HoldfastPaths/Sample.swift",
      bad: ["import Holdfast", "import FoundationEssentials", "import CHoldfastSHA"],
      good: ["package import HoldfastDER", "internal import HoldfastSignatures"]),
    Sample(
      rule: .layers, path: "Sources/HoldfastSignatures/Natural.swift",
      bad: ["import HoldfastDER"], good: ["internal import CHoldfastGMP"]),
    Sample(
      rule: .citations,
      bad: [
        "// RFC5280 §4", "// RFC 5280, §4.1", "/// RFC 5280 section 4.2", "// see Section 4.2",
        "// § 4.1", "// RFC 5280 4.2.1.10", "// RFC 5280 §6.1.4(k)", "let a = \"RFC-8017\"",
      ],
      good: [
        "// RFC 5280 §6.1.4 (k)", "// X.690 §8.1.3", "let a = \"RFC 5280 §6.1.3 (a)(2)\"",
        "// this section is short", "// https://www.rfc-editor.org/rfc/rfc5280",
        "// FIPS 186-5 §6.4",
      ]),
    Sample(
      rule: .openEnds, bad: ["// \("TO" + "DO"): later", "f()  // \("FIX" + "ME")"],
      good: ["// nothing to do", "let a = \"XXX\""]),
    Sample(
      rule: .deadCode,
      bad: [
        "// let a = 1", "// func f(a: Int) {", "// if a == b {", "// }", "// import Foundation",
        "// reader.skip(4)",
      ],
      good: [
        "// let the reader decide", "// if it ends here, it is malformed", "/// let a = 1",
        "// Returns f(x), not x.", "let a = 1  // f(x)",
      ]),
    Sample(
      rule: .machinePaths,
      bad: ["// see \("/wo" + "rk/notes")", "let a = \"\("/ho" + "me/me/a.pem")\""],
      good: ["// /etc/ssl/certs", "// the work/life balance", "// https://example.com/home/a"]),
  ]

  @Test("a breach is seen", arguments: samples)
  func bites(sample: Sample) {
    for text in sample.bad {
      let file = SourceFile(path: sample.path, text: text)
      let breaches = sample.rule.breaches(in: file)
      #expect(!breaches.isEmpty, "\(sample.rule.name) does not see: \(text)")
    }
    for text in sample.good {
      let breaches = sample.rule.breaches(in: SourceFile(path: sample.path, text: text))
      #expect(breaches.isEmpty, "\(sample.rule.name) takes offence at: \(text)")
    }
  }

  @Test("a file of 400 lines may stay, one of 401 may not")
  func fileLength() {
    for (count, breaches) in [(400, 0), (401, 1)] {
      let text = String(repeating: "a\n", count: count)
      for folder in [
        "Sources/HoldfastDER", "Tests/HoldfastDERTests", "Benchmarks/Sources", "Examples",
      ] {
        let file = SourceFile(path: "\(folder)/A.swift", text: text)
        #expect(HouseRule.fileLength.breaches(in: file).count == breaches)
      }
    }
  }

  @Test("every rule has a sample")
  func complete() {
    let tested = Set(Self.samples.map(\.rule.name) + [HouseRule.fileLength.name])
    #expect(tested == Set(HouseRule.all.map(\.name)))
  }

  @Test("an allowance covers its file and its line only")
  func allowance() {
    let file = SourceFile(path: "Sources/HoldfastDER/A.swift", text: "a!\nb!\n")
    let allowance = HouseRule.Allowance(
      "trap", "Sources/HoldfastDER/A.swift", line: "b!", because: "a sample")
    #expect(HouseRule.traps.breaches(in: file).map { allowance.covers($0) } == [false, true])
  }
}
