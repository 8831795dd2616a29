import Foundation
import HoldfastConformance
import HoldfastPaths
import HoldfastSystem
import TestSupport
import Testing

/// `Vectors/judge`: the suite that other verifiers run, too.
@Suite("The judge") struct JudgeTests {
  /// A few of its cases.
  private static let sample = Result { try python("make.py", ["-", "--sample", "95"]) }

  @Test("Holdfast gives the verdict, the path, the rule and the certificate of a sample")
  func sample() throws {
    let report = try Self.report(on: try Self.sample.get())
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details)")
    #expect(report.passed >= 5)
  }

  @Test("and those of all cases")
  func allHeavy() throws {
    let report = try Self.report(on: try Self.python("make.py", ["-"]))
    #expect(report.failed == 0 && report.skipped == 0, "\(report.details)")
    #expect(report.passed >= 1_500)
  }

  @Test(
    "a right verdict with another path, rule or certificate does not pass",
    arguments: ["\"rule\": \"", "\"certificate\": [\""])
  func strictness(member: String) throws {
    var text = String(decoding: try Self.sample.get(), as: UTF8.self)
    for changed in [member, "\"expected_path\": [\""] {
      text = text.replacingOccurrences(of: changed, with: "\(changed)0")
    }
    let report = try Self.report(on: Array(text.utf8))
    #expect(report.passed == 0 && report.failed >= 5, "\(report.summary)")
  }

  @Test("rules.txt has each rule and its section, and the suite has a case of each")
  func rules() throws {
    let rows = try CommittedVectors.text("judge/rules.txt").split(separator: "\n").map {
      $0.components(separatedBy: " | ")
    }
    #expect(rows.map { $0[0] } == Rule.allCases.map { $0.name })
    #expect(rows.map { $0[2] } == Rule.allCases.map { $0.citation })
    let counts = String(decoding: try Self.python("make.py", ["--rules"]), as: UTF8.self)
      .split(separator: "\n")
    #expect(counts.count == rows.count)
    #expect(counts.filter { $0.hasSuffix(" 0") }.isEmpty)
  }

  @Test("a word for every failure is no reason, and one for a rule is right of that rule alone")
  func reasons() throws {
    let suite = try Self.sample.get()
    let cases = String(decoding: suite, as: UTF8.self).components(separatedBy: "{\"id\": \"")
    let folder = try ScratchFolder()
    var files = [try folder.file("suite.json", suite)]
    let words = [
      ("OpenSSL", "certificate verify failed"), ("GnuTLS", "invalid"),
      ("rustls-webpki", "UnknownIssuer"),
      ("Go", "UnknownAuthorityError x509: certificate signed by unknown authority"),
      ("pyca", "candidates exhausted: all candidates exhausted with no interior errors"),
      ("OpenSSL 3", "certificate revoked"),
    ]
    for (peer, word) in words {
      // Every case is rejected, with this word.
      let lines = cases.dropFirst().map {
        """
        {"id": "\($0.prefix { $0 != "\"" })", "result": "FAILURE", "reason": "\(word)", "path": null}

        """
      }
      let answers = "{\"peer\": \"\(peer)\", \"does\": []}\n" + lines.joined()
      files.append(try folder.file(peer, answers.utf8))
    }
    let table = String(decoding: try Self.python("compare.py", files), as: UTF8.self)
    let rows = table.split(separator: "\n").dropFirst(2).prefix(words.count).map {
      $0.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    }
    #expect(rows.map { $0[0] } == words.map { $0.0 })
    let revoked = cases.filter { $0.contains("\"rule\": \"revoked\"") }.count
    let failures = cases.filter { $0.contains("\"expected_result\": \"FAILURE\"") }.count
    #expect(rows.map { $0[3] } == ["0", "0", "0", "0", "0", "\(failures)"])
    #expect(rows.last?[4].hasPrefix("\(revoked) (") == true && revoked > 0 && failures > revoked)
  }

  /// The output of a program of `Vectors/judge`.
  private static func python(_ program: String, _ words: [String]) throws -> [UInt8] {
    try System.output(
      of: ["python3", CommittedVectors.path("judge/\(program)")] + words, limit: 64 << 20)
  }

  private static func report(on suite: [UInt8]) throws -> ConformanceReport {
    let file = VectorFile(name: "judge.json", path: "judge.json", bytes: suite)
    return try ConformanceSuite.judge.run(files: [file])
  }
}
