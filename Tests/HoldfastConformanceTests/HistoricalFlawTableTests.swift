import Foundation
import HoldfastConformance
import TestSupport
import Testing

/// `Vectors/flaws/historical.txt` says by tag what covers each flaw that validators have had.
@Suite("Flaws of the past") struct HistoricalFlawTableTests {
  /// The flaws by group: how many tags each has, without a gap.
  private static let groups: [(letter: String, count: Int)] = [
    ("D", 55), ("S", 49), ("P", 29), ("N", 25), ("C", 30), ("L", 11), ("R", 17), ("K", 13),
    ("X", 19),
  ]

  private struct Row {
    let tag: String
    let items: [String]
    let controls: [String]
  }

  private let root: String
  private let rows: [Row]
  /// What is expected of each case, by name.
  private let expectations: [String: String]

  init() throws {
    root = CommittedVectors.root
    let text = try String(contentsOfFile: "\(root)/Vectors/flaws/historical.txt", encoding: .utf8)
    rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let halves = line.split(separator: "|", omittingEmptySubsequences: false)
      let words = halves[0].split(separator: " ").map(String.init)
      return Row(
        tag: words.first.map { String($0.dropLast()) } ?? "", items: Array(words.dropFirst()),
        controls: halves.dropFirst().flatMap { $0.split(separator: " ").map(String.init) })
    }
    var expectations: [String: String] = [:]
    let files = try #require(FileManager.default.enumerator(atPath: "\(root)/Vectors"))
    for case let name as String in files where name.hasSuffix(".case") {
      let text = try String(contentsOfFile: "\(root)/Vectors/\(name)", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("expect:") }
      let words = try #require(line, "\(name)").split(separator: " ").dropFirst()
      expectations[String((name as NSString).lastPathComponent.dropLast(5))] =
        words.joined(separator: " ")
    }
    self.expectations = expectations
  }

  /// All functions of tests as `File.function`.
  private static func tests(under folder: String) throws -> Set<String> {
    var tests: Set<String> = []
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let file = (name as NSString).lastPathComponent.dropLast(6)
      for line in text.split(separator: "\n") {
        let words = line.split(whereSeparator: { " (:<".contains($0) })
        for (word, next) in zip(words, words.dropFirst()) where word == "func" {
          tests.insert("\(file).\(next)")
        }
      }
    }
    return tests
  }

  /// The cases that a word with or without a star stands for.
  private func cases(_ word: String) -> [String] {
    let parts = word.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return expectations[word] == nil ? [] : [word] }
    return expectations.keys.filter {
      $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1])
        && $0.utf8.count >= parts[0].utf8.count + parts[1].utf8.count
    }
  }

  @Test("the table has all 248 flaws, each once")
  func tags() {
    let expected = Self.groups.flatMap { group in
      (1...group.count).map { group.letter + ($0 < 10 ? "0\($0)" : "\($0)") }
    }
    #expect(expected.count == 248)
    #expect(rows.map(\.tag) == expected)
  }

  @Test("each flaw is covered by existing cases, tests or suites")
  func items() throws {
    let tests = try Self.tests(under: "\(root)/Tests")
    let lint = try String(contentsOfFile: "\(root)/Scripts/checks/lint_rules.py", encoding: .utf8)
    for row in rows {
      #expect(!row.items.isEmpty, "\(row.tag)")
      for item in row.items {
        if item.hasPrefix("suite:") {
          let isKnown = VectorSuites.known.contains(String(item.dropFirst(6)))
          #expect(isKnown, "\(row.tag): \(item)")
        } else if item.hasPrefix("lint:") {
          #expect(lint.contains("(\"\(item.dropFirst(5))\","), "\(row.tag): \(item)")
        } else if item.contains(".") {
          let isThere = tests.contains(item)
          #expect(isThere, "\(row.tag): \(item)")
        } else {
          #expect(!cases(item).isEmpty, "\(row.tag): \(item)")
        }
      }
    }
  }

  @Test("each flaw has a control that is accepted")
  func controls() {
    for row in rows {
      #expect(!row.controls.isEmpty, "\(row.tag)")
      let isOnlyCases = row.items.allSatisfy { !$0.contains(".") && !$0.contains(":") }
      for control in row.controls {
        if control == "itself" {
          #expect(!isOnlyCases, "\(row.tag)")
          continue
        }
        let names = cases(control)
        #expect(!names.isEmpty, "\(row.tag): \(control)")
        for name in names { #expect(expectations[name] == "accept", "\(row.tag): \(name)") }
      }
    }
  }

  @Test("every case of the folder is about a flaw of the table")
  func everyCase() throws {
    let listed = Set(rows.flatMap { $0.items + $0.controls }.flatMap(cases))
    let folder = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Vectors/flaws")
    let names = folder.filter { $0.hasSuffix(".case") }.map { String($0.dropLast(5)) }
    #expect(names.filter { !listed.contains($0) }.sorted() == [])
  }

  @Test(
    "the tags are those of the museum, if it is available",
    .enabled(
      if: VectorSuites.path(ofFile: "museum/museum-second.json") != nil,
      "ABSENT: museum (looked in \(VectorSuites.folders))"))
  func published() throws {
    struct Flaw: Decodable { let tag: String }
    var published: [String] = []
    for name in ["museum", "museum-second"] {
      let path = try #require(VectorSuites.path(ofFile: "museum/\(name).json"))
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      published += try JSONDecoder().decode([Flaw].self, from: data).map(\.tag)
    }
    #expect(published.count == 248)
    #expect(published.sorted() == rows.map(\.tag).sorted())
  }
}
