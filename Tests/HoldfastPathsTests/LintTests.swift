import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

@Suite("Lint") struct LintTests {
  @Test("the table has a row for each name, and each says what, where and how bad")
  func table() {
    #expect(Requirement.all.count(where: \.isLinted) == 64)
    #expect(Set(Requirement.all.map(\.id)).count == Requirement.all.count)
    for row in Requirement.all {
      #expect(!row.text.isEmpty && !row.source.isEmpty, "\(row.id)")
      #expect(row.id.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(row.id)")
    }
  }

  /// The certificates that Vectors/lint has, each named for the check that it breaks.
  private static let files = CommittedVectors.names(in: "lint").filter {
    $0.hasSuffix(".pem") && !$0.hasPrefix("good")
  }
  .map { String($0.dropLast(4)) }

  @Test("each check has a certificate that breaks it")
  func complete() {
    let ids = Requirement.all.filter(\.isLinted).map(\.id)
    #expect(Self.files.sorted() == ids.sorted())
  }

  @Test("a certificate breaks the check for which it was made", arguments: files)
  func made(file: String) throws {
    let certificate = try Certificate(pem: try CommittedVectors.text("lint/\(file).pem"))
    let found = certificate.lint().map(\.requirement.id)
    #expect(found.contains(file), "\(found)")
  }

  @Test("good certificates break nothing", arguments: ["good", "good-rsa", "good-short"])
  func good(file: String) throws {
    let certificate = try Certificate(pem: try CommittedVectors.text("lint/\(file).pem"))
    let found = certificate.lint().filter { $0.requirement.severity > .notice }
    #expect(found.map(\.description) == [])
  }

  @Test("a row of the schedule counts from its first second until the next row's")
  func dates() throws {
    let row = try #require(Requirement.all.first { $0.id == "leaf-at-most-200-days" })
    for (text, counts) in [
      ("2026-03-14T23:59:59Z", false), ("2026-03-15T00:00:00Z", true),
      ("2027-03-14T23:59:59Z", true), ("2027-03-15T00:00:00Z", false),
    ] {
      #expect(row.applies(toIssuanceAt: try #require(Timestamp(text))) == counts, "\(text)")
    }
  }

  @Test(
    "the checks find what zlint's tests expect of its own files",
    .enabled(
      if: VectorSuites.has("certificate-corpus") && VectorSuites.has("certificate-corpus-second"),
      "\(VectorSuites.absence(of: "certificate-corpus"))"))
  func zlint() throws {
    var files: [String: Certificate] = [:]
    var unread: Set<String> = []
    for part in ["certificate-corpus", "certificate-corpus-second"] {
      for test in try VectorSuites.cases(of: part) {
        let id = try test.value("id", .string)
        guard id.hasPrefix("zlint/") else { continue }
        let name = String(id.dropFirst(6).dropLast(4))
        let der = try test.value("der", .base64)
        do throws(ParseError) {
          files[name] = try Certificate(der: der)
        } catch {
          unread.insert(name)
        }
      }
    }
    var differences: [String] = []
    let rows = try CommittedVectors.lines("lint/zlint.txt")
    for row in rows {
      let differs = row.count > 4 ? row[4] : nil
      guard let certificate = files[row[2]] else {
        if differs != "unread" || !unread.contains(row[2]) {
          differences.append(
            "\(row[2]) \(unread.contains(row[2]) ? "cannot be read" : "is absent")")
        }
        continue
      }
      let isFound = certificate.lint().contains { $0.requirement.id == row[0] }
      let agrees = isFound == (row[3] == "finding")
      if agrees == (differs != nil) { differences.append(row.joined(separator: " ")) }
    }
    #expect(rows.count == 55)
    #expect(differences == [])
  }
}
