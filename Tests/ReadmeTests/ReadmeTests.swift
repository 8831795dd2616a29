import Foundation
import Testing

/// The code in the README and in the articles is code that is compiled.
@Suite("README and articles") struct ReadmeTests {
  private static let readme = SourceTree.text(of: "README.md")

  @Test(
    "every example is in a compiled file",
    .enabled(if: readme != nil, "ABSENT: README.md, its examples are not checked"))
  func examples() throws {
    let readme = try #require(Self.readme)
    let compiled = ["Tests/ReadmeTests", "Tests/Wire"].flatMap {
      SourceTree.texts(in: $0, ending: ".swift")
    }
    let articles = SourceTree.texts(in: "Sources", ending: ".md", within: ".docc/")
    #expect(articles.count > 4)
    let missing = ([readme] + articles).flatMap { Self.blocks(of: $0) }.filter { block in
      !compiled.contains { Self.holds($0, block) }
    }
    let list = missing.joined(separator: "\n--\n")
    #expect(missing.isEmpty, "not in Tests/ReadmeTests or Tests/Wire:\n\(list)")
  }

  @Test(
    "the files that documents link to or name exist",
    arguments: [
      "README.md", "CONTRIBUTING.md", "SECURITY.md", "Sources/README.md",
      "Sources/Holdfast/Holdfast.docc/HowItWorks.md",
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
