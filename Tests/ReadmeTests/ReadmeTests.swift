import Foundation
import Holdfast
import TestSupport
import Testing

/// The code in the README and in the articles is code that is compiled.
@Suite("README and articles") struct ReadmeTests {
  private static let readme = SourceTree.text(of: "README.md")

  @Test(
    "every example is in a compiled file",
    .enabled(if: readme != nil, "ABSENT: README.md, its examples are not checked"))
  func examples() throws {
    let readme = try #require(Self.readme)
    let compiled = ["Tests/ReadmeTests", "Tests/Wire", "Examples/NIO"].flatMap {
      SourceTree.texts(in: $0, ending: ".swift")
    }
    let cells = Self.cells(of: readme)
    #expect(cells.count > 15)
    let articles = SourceTree.texts(in: "Sources", ending: ".md", within: ".docc/")
    #expect(articles.count > 4)
    let missing = (cells + ([readme] + articles).flatMap { Self.blocks(of: $0) }).filter { block in
      !compiled.contains { Self.holds($0, block) }
    }
    let list = missing.joined(separator: "\n--\n")
    #expect(missing.isEmpty, "not in Tests/ReadmeTests or Tests/Wire:\n\(list)")
  }

  @Test(
    "the files that documents link to or name exist",
    arguments: [
      "README.md", "CONTRIBUTING.md", "SECURITY.md", "AUDIT.md", "Documentation/Recipes.md",
      "Documentation/ThreatModel.md", "Documentation/Assurance/RevokedCertificates.md",
      "Scripts/README.md", "Sources/README.md", "Sources/Holdfast/Holdfast.docc/HowItWorks.md",
    ])
  func files(document: String) throws {
    let text = try #require(SourceTree.text(of: document))
    let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
    let links = text.matches(of: #/\]\(([^)#:]+)(?:#[^)]*)?\)/#).map { "\(folder)\($0.1)" }
    let names = text.matches(of: #/`([A-Za-z\/+]+\.swift)`/#).map { String($0.1) }
    #expect(links.count + names.count > 0 || document == "Sources/README.md")
    let known = SourceTree.paths(in: "Sources", ending: ".swift")
    #expect(links.filter { !SourceTree.exists($0) } == [])
    #expect(
      names.filter { name in
        !known.contains { "Sources/\($0)".hasSuffix("/\(name)") || "Sources/\($0)" == name }
      } == [])
  }

  @Test("the README is at most 200 lines long")
  func length() throws {
    #expect(try #require(Self.readme).count { $0 == "\n" } <= 200)
  }

  @Test("what the README shows of a proxy is what the demo's proxy gets")
  func refusal() throws {
    let readme = try #require(Self.readme)
    let code = try #require(Self.blocks(of: readme).first)
    let pins = code.matches(of: #/"(sha256/[^"]*)"/#).map { String($0.1) }
    #expect(pins.count == 2)
    let root = try Certificate.certificates(inFile: CommittedVectors.path("demo/proxy-root.pem"))
    let chain = try Certificate.certificates(inFile: CommittedVectors.path("demo/proxy-chain.pem"))
    let manager = try TrustManager(pins: ["www.demo.example": pins], anchors: AnchorSet(root))
    let error = try #require(throws: TrustError.self) {
      try manager.evaluate(
        chain, host: "www.demo.example", at: try #require(Timestamp("2026-11-21T12:00:00Z")))
    }
    #expect(readme.contains("```\n\(error)\n```\n"), "\(error)")
    #expect(readme.replacing("\n", with: " ").contains("\"\(error.summary)\""), "\(error.summary)")
  }

  @Test("a line that the article for those on call explains is in a golden file or a table")
  func headlines() throws {
    let folder = "Sources/Holdfast/Holdfast.docc"
    let article = try #require(SourceTree.text(of: "\(folder)/OnCall.md"))
    let errors = try #require(SourceTree.text(of: "\(folder)/WhatErrorsSay.md"))
    let said =
      ([errors, " \(CertificateRevocation.Status.unknown(.notStapled))"]
      + ["Tests/HoldfastToolTests/Golden", "Vectors/explanations"].flatMap {
        SourceTree.texts(in: $0, ending: ".txt")
      }).joined(separator: "\n")
    let cells = article.matches(of: #/(?m)^\| (`[^|]*`) \|/#).map { $0.1 }
    let lines = cells.flatMap { $0.matches(of: #/`([^`]*)`/#).map { String($0.1) } }
    #expect(lines.count > 20)
    // Words in capitals stand for names and times of any kind.
    let placeholder = #/(CN=|DNS:)?\b(LEAF|CA|ROOT|HOST|OTHER|NAME|TIME|ADDRESS)\b/#
      .wordBoundaryKind(.simple)
    let missing = lines.filter { line in
      let parts = line.split(separator: placeholder, omittingEmptySubsequences: true)
        .map { NSRegularExpression.escapedPattern(for: String($0)) }
      let pattern = parts.joined(separator: #"[^\n]{1,120}?"#)
      return said.range(of: pattern, options: .regularExpression) == nil
    }
    #expect(missing == [], "in \(folder)/OnCall.md")
  }

  @Test("a block changed in only one place is detected, and an indented one is found")
  func bites() {
    let readme = "Text\n```swift\nlet a = 1\n\nif a == 1 {\n  f()\n}\n```\nand\n```\nplain\n```\n"
    let blocks = Self.blocks(of: readme)
    #expect(blocks == ["let a = 1\n\nif a == 1 {\n  f()\n}"])
    let indented = "func g() {\n  let a = 1\n\n  if a == 1 {\n    f()\n  }\n}\n"
    #expect(blocks.allSatisfy { Self.holds(indented, $0) })
    let changed = indented.replacingOccurrences(of: "f()", with: "f(a)")
    #expect(!blocks.contains { Self.holds(changed, $0) })
  }

  static func blocks(of text: String) -> [String] {
    var blocks: [String] = []
    var open: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let lines = open { blocks.append(lines.joined(separator: "\n")) }
        open = open == nil && line == "```swift" ? [] : nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  /// The code in the second column of a table: code spans, one for each line.
  static func cells(of text: String) -> [String] {
    text.matches(of: #/(?m)^\| [^|]* \| (`.*`) \|$/#).map { match in
      match.1.split(separator: "<br>").map { $0.dropFirst().dropLast() }.joined(separator: "\n")
    }
  }

  /// Whether the lines of a block follow each other in a file, whatever their indentation.
  static func holds(_ text: String, _ block: String) -> Bool {
    func trimmed(_ text: String) -> String {
      "\n"
        + text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n") + "\n"
    }
    return trimmed(text).contains(trimmed(block))
  }
}
