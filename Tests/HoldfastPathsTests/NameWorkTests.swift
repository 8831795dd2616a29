import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// What names cost, and what pays for it.
@Suite("The cost of name comparisons") struct NameWorkTests {
  /// A relative name with this number of attributes.
  private func wide(_ count: Int) -> [UInt8] {
    let attributes = (0..<count).map { number in
      Made.der(0x30, Made.oid("2.5.4.3") + Made.der(0x0C, [UInt8(0x41 + number)]))
    }
    return Made.der(0x31, attributes.flatMap { $0 })
  }

  private func name(_ content: [UInt8]) throws -> DistinguishedName {
    try DistinguishedName(der: Made.der(0x30, content))
  }

  private func text(_ text: String, _ tag: UInt8 = 0x0C, type: String = "2.5.4.3") -> [UInt8] {
    Made.der(
      0x31, Made.der(0x30, Made.oid(type) + Made.der(tag, Array(text.utf8))))
  }

  @Test("a relative name of 17 attributes is rejected, with its field and byte; one of 16 is read")
  func wideNames() throws {
    #expect(try Made.certificate(subject: wide(16)).subject.relativeNames[0].count == 16)
    let error = #expect(throws: ParseError.self) {
      try Made.certificate(subject: wide(17))
    }
    #expect(error?.field == .subject)
    #expect(error?.problem == .der(.tooMany(limit: 16)))
    // Each attribute has ten bytes, of which the last is what follows the rejected one.
    let taken = try Made.certificate(subject: wide(16))
    let end = taken.subject.der.range.upperBound
    // Seventeen have a longer header of the set and the name than sixteen have, and of all around.
    #expect(error.map { $0.offset - end } == 0, "\(String(describing: error)), \(end)")
  }

  @Test(
    "matching names have the same hash, whatever their order, case, spaces and string type",
    arguments: [
      ("a b", " A  B "), ("abc", "ABC"), ("", "  "), ("1234567 9abcdef h", " 1234567  9ABCDEF H"),
    ])
  func equalHashes(one: String, other: String) throws {
    let a = try name(text(one))
    let b = try name(text(other))
    #expect(a.matches(b))
    #expect(a.matchingHash == b.matchingHash)
    // PrintableString, BMPString and UniversalString: RFC 5280 §7.1 compares them as characters.
    for (tag, padding) in [(0x13, 0), (0x1E, 1), (0x1C, 3)] as [(UInt8, Int)] {
      let bytes = other.utf8.flatMap { [UInt8](repeating: 0, count: padding) + [$0] }
      let same = try name(
        Made.der(0x31, Made.der(0x30, Made.oid("2.5.4.3") + Made.der(tag, bytes))))
      #expect(a.matches(same))
      #expect(a.matchingHash == same.matchingHash)
    }
  }

  @Test("names that differ only in the position of spaces or attributes have different hashes")
  func differentHashes() throws {
    let names = try [
      text("a b"), text("ab"), text("a") + text("b"), text("b") + text("a"),
      text("a b", type: "2.5.4.10"), text("a b", 0x14), text("a b", 0x1A), text("a  b", 0x14),
      text("12345678abcdefgh"), text("12345678 abcdefgh"), text("1234567 8abcdefgh"),
    ].map(name)
    #expect(Set(names.map(\.matchingHash)).count == names.count)
  }

  @Test(
    "names that cannot be prepared for comparison are recognized",
    arguments: [
      ("Evil", 0x0C, true), ("Evil", 0x13, true), ("Evil", 0x16, true), ("Evil", 0x14, false),
      ("Evil", 0x1A, false), ("Evil", 0x1B, false), ("Evil", 0x19, false), ("12", 0x12, false),
      ("Ev\u{1}il", 0x0C, false), ("Ev\u{7F}il", 0x0C, false), ("Évil", 0x0C, false),
    ] as [(String, UInt8, Bool)])
  func preparation(value: String, tag: UInt8, isPrepared: Bool) throws {
    let one = try name(text("DE", 0x13, type: "2.5.4.6") + text(value, tag))
    #expect(one.canBePrepared == isPrepared)
    let base = try name(text("DE", 0x13, type: "2.5.4.6") + text("Other"))
    #expect(!one.isInSubtree(of: base))
    #expect(one.mayBeInSubtree(of: base) == !isPrepared)
    #expect(base.mayBeInSubtree(of: one) == !isPrepared)
    let elsewhere = try name(text("FR", 0x13, type: "2.5.4.6") + text("Other"))
    #expect(!one.mayBeInSubtree(of: elsewhere))
  }

  @Test("an index of subtrees also finds names that cannot be compared", arguments: [0, 40])
  func indexedDoubts(more: Int) throws {
    // More than 2,048 pairs of names and subtrees are looked up in an index.
    let bases = (0..<more).map { Made.directory("O=Base \($0)") }
    let teletex = Made.der(0xA4, Made.der(0x30, text("Evil", 0x14, type: "2.5.4.10")))
    let hosts = (0..<100).map { Made.dns("h\($0).example") }
    let root = try SignedCertificate.root()
    func rule(excluded: [UInt8], subject: String, _ names: [[UInt8]]) throws -> Rule? {
      let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.extensions = [Made.nameConstraints(excluded: bases + [excluded])]
      }
      let leaf = try SignedCertificate.leaf(
        by: "Middle", 2, names: hosts + names + [Made.dns(SignedCertificate.host)]
      ) { $0.subject = subject }
      return Search(leaf: leaf, others: [middle], anchors: [root]).error?.rejections.first?.rule
    }
    let evil = Made.directory("O=Evil")
    #expect(try rule(excluded: evil, subject: "O=Good", []) == nil)
    #expect(try rule(excluded: evil, subject: "O=Good", [teletex])?.name == "nameExcluded")
    #expect(try rule(excluded: teletex, subject: "O=Good", [])?.name == "nameExcluded")
    #expect(try rule(excluded: teletex, subject: "OU=Good", []) == nil)
  }

  /// The same letters in every name, in capitals below and small above, so that each comparison
  /// folds all of them.
  private func longNames() throws -> Search {
    let letters = String(repeating: "ab", count: 1_000)
    let anchors = try (0..<40).map { number in
      try SignedCertificate.authority(letters, 500 + number, by: letters, 500 + number)
    }
    let others = try (0..<40).map { number in
      try SignedCertificate.authority("N", 10 + number, by: letters.uppercased(), 5)
    }
    let leaf = try SignedCertificate.leaf(by: "N", 6)
    return Search(leaf: leaf, others: others, anchors: anchors, rules: .rfc5280)
  }

  @Test("the bytes that a search compares are limited, and the limit is named")
  func comparedBytes() throws {
    var search = try longNames()
    search.limits.work = 100_000
    #expect(search.error?.cause == .limitReached(.work(100_000)))
    // A path that needs no more than a few comparisons is found below a small limit.
    let root = try SignedCertificate.root()
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "Middle", 2)
    search = Search(leaf: leaf, others: [middle], anchors: [root])
    search.limits.work = 200
    #expect(search.path == [leaf, middle, root])
    search.limits.work = 10
    #expect(search.error?.cause == .limitReached(.work(10)))
    #expect(search.error?.headline.hasSuffix("limit of 10 units of work reached") == true)
  }

  @Test(
    "a search whose certificates exhaust the budget before it begins says so, and names the leaf")
  func construction() throws {
    let others = try (0..<20).map { number in
      try SignedCertificate.authority("M\(number)", 2, by: "Root", 1)
    }
    let leaf = try SignedCertificate.leaf(by: "M1", 2)
    var search = Search(leaf: leaf, others: others, anchors: [try SignedCertificate.root()])
    search.limits.work = 20
    let error = try #require(search.error)
    #expect(error.cause == .limitReached(.work(20)))
    #expect(error.leaf == leaf)
    #expect(error.rejections.isEmpty)
  }

  @Test("a rejection of many certificates with long names stays short")
  func shortRejectionsHeavy() throws {
    let long = String(repeating: "long name ", count: 300)
    let others = try (0..<66).map { number in
      try SignedCertificate.authority("Same", 300, by: "\(long)\(number)", 300)
    }
    let leaf = try SignedCertificate.leaf(by: "Same", 300) { $0.subject = "CN=\(long)" }
    let search = Search(leaf: leaf, others: others, anchors: [try SignedCertificate.root()])
    let error = try #require(search.error)
    #expect(error.rejections.count == 64)
    #expect("\(error)".utf8.count <= 4096)
  }

  /// X.690 §11.6: the elements of a SET OF are in ascending order.
  @Test("a diagnosis reports at most eight encoding deviations of a certificate")
  func fewFindings() throws {
    let unsorted = Made.der(
      0x31,
      ["b", "a"].flatMap { Made.der(0x30, Made.oid("2.5.4.3") + Made.der(0x0C, Array($0.utf8))) })
    let names = (0..<100).map { _ in unsorted }.flatMap { $0 }
    let odd = try Made.certificate(
      subject: names, Made.alternativeNames(Made.dns(SignedCertificate.host)))
    #expect(odd.deviations.count == 100)
    let validator = PathValidator(
      anchors: AnchorSet([try SignedCertificate.root()]), rules: .strict, cache: nil)
    let diagnosis = validator.diagnose(
      [odd], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
    let attempt = try #require(diagnosis.attempts.first)
    #expect(attempt.violations.filter { $0.rule.name == "encoding" }.count == 8)
  }

  @Test(
    "a shortened name begins like the whole name",
    arguments: [
      ("CN=Example,O=Some", 100), ("CN=Example,O=Some", 12), ("CN=ÄÖÜÄÖÜÄÖÜ", 8),
      ("CN=\u{1F600}\u{1F600}\u{1F600}", 5), ("CN=x", 0),
    ])
  func cutNames(whole: String, limit: Int) throws {
    let one = try name(Made.name(whole))
    let short = one.text(limit: limit)
    guard one.description.utf8.count > limit else {
      #expect(short == one.description)
      return
    }
    #expect(short.hasSuffix("..."))
    #expect(short.utf8.count <= limit + 3)
    #expect(one.description.utf8.starts(with: short.utf8.dropLast(3)))
  }
}
