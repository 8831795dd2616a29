import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport
import Testing

/// What each command says, compared with files that were read by eye.
///
/// A file of `Golden` begins with its command line, as it is typed in the root of the package; the
/// status, the results and the messages follow. `Scripts/golden` writes them anew.
@Suite("Golden files") struct GoldenTests {
  private static let root = CommittedVectors.root
  private static let folder = "\(root)/Tests/HoldfastToolTests/Golden"

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".txt") }.sorted()
  }

  @Test("the output of each command equals its reviewed file")
  func golden() throws {
    let names = try Self.names()
    #expect(names.count > 200)
    for name in names {
      let path = "\(Self.folder)/\(name)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let line = String(text.prefix { $0 != "\n" })
      let said = try Self.said(line)
      #expect(try GoldenFile.text(path, renewedAs: said) == said, "\(name)")
    }
  }

  /// The situations that everybody meets; `Scripts/golden` writes each as text, JSON and page.
  private static let situations = [
    "self-signed", "expired", "not-yet-valid", "wrong-host", "missing-intermediate",
    "untrusted-root", "revoked", "weak-key", "wrong-pin", "wrong-purpose", "constrained-name",
    "authority-first", "private-root", "damaged-signature", "other-signer", "two-issuers",
    "unreadable-intermediate", "algorithms-differ", "null-parameters", "mailbox-in-subject",
    "path-length",
  ]

  @Test("the first line says what is wrong, the second what to do", arguments: situations)
  func headlines(name: String) throws {
    func lines(_ suffix: String) throws -> [String] {
      let path = "\(Self.folder)/headline-\(name)\(suffix).txt"
      return try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    }
    let text = Array(try lines("").drop { $0 != "results:" }.dropFirst())
    // Programs count the broken rules themselves.
    let reason = try #require(text[0].split(separator: ": ", maxSplits: 1).last)
      .replacing(#/ \(\d+ more rules? (?:is|are) broken\)$/#, with: "")
    #expect(text[0].hasPrefix("✗ ") && text[1].hasPrefix("  hint: "))
    let json = try lines("-json").joined()
    let escaped = reason.replacing("§", with: "\\u00a7")
    #expect(
      json.contains("\"reason\":\"\(escaped)\",\"hints\":[\"\(text[1].dropFirst(8))\""))
    #expect(try lines("-page").contains { $0.hasPrefix("<h1") && $0.contains("✗") })
    // A line that repeats a subject is not read.
    for line in text {
      let subjects = line.matches(of: /CN=[^,<]+/).map { String($0.output) }
      #expect(Set(subjects).allSatisfy { name in subjects.count { $0 == name } < 3 }, "\(line)")
    }
  }

  @Test("every command has a golden file as text, and as JSON if it supports JSON")
  func complete() throws {
    // The answers of batch, connect and get have times in them.
    let others = ["batch", "connect", "get"]
    for command in CLIRun.commands where !others.contains(command) {
      let files = try Self.names().filter { $0.prefix { $0 != "-" && $0 != "." } == command }
      let isJSON = { (name: String) in name.hasSuffix("json.txt") }
      #expect(files.contains { !isJSON($0) }, "\(command)")
      if CLIRun("help", command).results.contains("--json") {
        #expect(files.contains(where: isJSON), "\(command) as JSON")
      }
    }
  }

  /// What a command line says, without the place of the package.
  private static func said(_ line: String) throws -> String {
    let words = try #require(line.hasPrefix("$ holdfast") ? line.dropFirst(10) : nil)
      .split(separator: " ").map { word in
        let isPath = word.hasPrefix("Vectors/") || word.hasPrefix("Tests/")
        return isPath ? "\(root)/\(word)" : String(word)
      }
    let cli = CLIRun(words: words)
    let text = """
      \(line)
      status: \(cli.status.rawValue)
      messages:
      \(cli.messages)results:
      \(cli.results)
      """
    return text.replacing("\(root)/", with: "")
  }
}
