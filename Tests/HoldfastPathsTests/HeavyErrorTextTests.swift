import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// What is printed of rejections, whatever the certificates say.
@Suite("The text of rejections") struct HeavyErrorTextTests {
  /// What is wrong with the words for an error, if anything is.
  private func complaints(_ error: PathError) -> [String] {
    var complaints: [String] = []
    let text = "\(error)"
    if text.utf8.count > 4096 { complaints.append("\(text.utf8.count) bytes") }
    // The sign of citations is the one exception from ASCII.
    if !text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "§" || " "..."~" ~= $0 }) {
      complaints.append("more than printable ASCII")
    }
    if let first = error.rejections.first, !text.contains("[\(first.violation.citation)]") {
      complaints.append("the text lacks \(first.violation.citation)")
    }
    return complaints
  }

  @Test(
    "limbo's rejections are at most 4 KiB of ASCII",
    .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
  func limbo() throws {
    var (wrong, count): ([String], Int) = ([], 0)
    for test in try LimboCase.load() {
      func read(_ ders: [[UInt8]]) -> [Certificate] {
        ders.flatMap { CertificateBundle($0).certificates }
      }
      guard let leaf = read([test.leaf]).first else { continue }
      let search = Search(
        leaf: leaf, others: read(test.intermediates), anchors: read(test.anchors),
        rules: !test.isValid ? .strict : .webPKI)
      // Another host than that of our own certificates: most are rejected for one rule more.
      guard let error = search.error else { continue }
      count += 1
      wrong += complaints(error).map { "\(test.id): \($0)" }
    }
    #expect(count > 1_000)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(5))")
  }

  @Test("rejections of hostile inputs are at most 4 KiB of ASCII")
  func hostile() throws {
    var (wrong, count): ([String], Int) = ([], 0)
    for (name, search) in try HostileShapes.all() {
      guard let error = search.error else { continue }
      count += 1
      wrong += complaints(error).map { "\(name): \($0)" }
    }
    #expect(count >= 8)
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("names of 20,000 letters, of control characters and of other scripts do not make it longer")
  func names() throws {
    let texts = [
      String(repeating: "x", count: 20_000), String(repeating: "\u{1B}[31m\u{202E}", count: 2_000),
      String(repeating: "ж\u{0}\n", count: 3_000),
    ]
    for text in texts {
      let leaf = try SignedCertificate.leaf(by: text, 2) { $0.subject = "CN=" + text }
      for others in [[], [try SignedCertificate.authority(text, 2, by: text + "a", 1)]] {
        let search = Search(leaf: leaf, others: others, anchors: [try SignedCertificate.root()])
        let error = try #require(search.error)
        let found = complaints(error)
        #expect(found.isEmpty, "\(found)")
      }
    }
  }
}
