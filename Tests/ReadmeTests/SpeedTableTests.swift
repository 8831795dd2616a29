import Foundation
import Testing

/// The README quotes only what was measured: its table of speed against the file it names.
@Suite("The README's speed table") struct SpeedTableTests {
  @Test("every number is in the file of Benchmarks/results that the table names")
  func numbers() throws {
    let readme = try #require(SourceTree.text(of: "README.md"))
    let table = try #require(SpeedTable(readme), "no table between its two marks")
    let text = try #require(SourceTree.text(of: table.file), "no \(table.file)")
    #expect(table.rows.count == 7)
    let wrong = try table.differences(from: Data(text.utf8))
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test("the pictures in the README exist, each with colours for dark mode")
  func pictures() throws {
    let readme = try #require(SourceTree.text(of: "README.md"))
    let pictures = readme.matches(of: #/\]\((Benchmarks\/results\/[^)]*\.svg)\)/#).map(\.output.1)
    #expect(pictures.count == 2)
    for picture in pictures {
      let text = try #require(SourceTree.text(of: String(picture)))
      #expect(text.contains("prefers-color-scheme: dark"))
    }
  }

  @Test("a changed number is detected, and so is one that was never measured")
  func bites() throws {
    let measured = """
      {"rows": [{"subject": "validate", "name": "P-256", "toFastestPeer": {"median": 0.5321},
        "figures": {"cold": {"time": {"median": 75.316}}, "Go": {"refused": "says: invalid"}}}]}
      """
    func differences(_ row: String) throws -> [String] {
      let readme = """
        <!-- measured: file -->
        | chain | cold | Go | cold to fastest peer |
        |---|--:|--:|--:|
        \(row)
        <!-- end -->
        """
      return try #require(SpeedTable(readme)).differences(from: Data(measured.utf8))
    }
    #expect(try differences("| P-256 | 75.3 | – | 0.53 |").isEmpty)
    #expect(try differences("| P-256 | 75.2 | – | 0.53 |").count == 1)
    #expect(try differences("| P-256 | 75.3 | 12 | 0.54 |").count == 2)
    #expect(try differences("| P-384 | 75.3 | – | 0.53 |").count == 1)
  }
}

/// A table of a text between `<!-- measured: FILE -->` and `<!-- end -->`.
private struct SpeedTable {
  let file: String
  let columns: [String]
  let rows: [(name: String, cells: [String])]

  init?(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("<!-- measured: ") }),
      let end = lines[start...].firstIndex(of: "<!-- end -->"), end > start + 2
    else { return nil }
    file = String(lines[start].dropFirst("<!-- measured: ".count).dropLast(" -->".count))
    let cells = lines[(start + 1)..<end].map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    guard let head = cells.first else { return nil }
    columns = Array(head.dropFirst())
    rows = cells.dropFirst(2).map { ($0.first ?? "", Array($0.dropFirst())) }
  }

  /// What stands in the table and not in the file of results.
  func differences(from json: Data) throws -> [String] {
    let results = try JSONDecoder().decode(Results.self, from: json)
    return rows.flatMap { name, cells -> [String] in
      let row = results.rows.first { $0.subject == "validate" && $0.name == name }
      guard let row, cells.count == columns.count else { return ["\(name): not measured"] }
      return zip(columns, cells).compactMap { column, cell in
        let value = row.value(of: column)
        return SpeedTable.shows(cell, value)
          ? nil : "\(name), \(column): \(cell) is not \(value.map { "\($0)" } ?? "there")"
      }
    }
  }

  /// Whether a cell is a number rounded, or a dash for none.
  private static func shows(_ cell: String, _ value: Double?) -> Bool {
    guard let value else { return cell == "–" }
    guard let shown = Double(cell) else { return false }
    let decimals = cell.split(separator: ".").dropFirst().first?.count ?? 0
    let unit = (0..<decimals).reduce(1.0) { unit, _ in unit / 10 }
    return abs(shown - value) <= unit * 0.501
  }

  private struct Results: Decodable {
    let rows: [Row]
  }

  private struct Row: Decodable {
    let subject: String
    let name: String
    let toFastestPeer: Times?
    let figures: [String: Figure]

    func value(of column: String) -> Double? {
      column == "cold to fastest peer" ? toFastestPeer?.median : figures[column]?.time?.median
    }
  }

  private struct Figure: Decodable {
    let time: Times?
  }

  private struct Times: Decodable {
    let median: Double
  }
}
