import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

@testable import HoldfastTrustStores

@Suite("Facts of root programs") struct ProgramFactsTests {
  private let facts = ProgramFacts.mozilla

  @Test("every row of the embedded table is read, and no root occurs twice")
  func table() throws {
    let file = "\(CommittedVectors.root)/Sources/HoldfastTrustStores/MozillaFacts.swift"
    let text = String(decoding: try Platform.readFile(file, limit: 1 << 20), as: UTF8.self)
    let rows = text.matches(of: #/(?m)^ +[0-9a-f]{64} /#).count
    #expect(facts.facts.count == rows)
    #expect(rows > 150)
    #expect(Set(facts.facts.map(\.sha256)).count == rows)
    #expect(facts.facts.contains { $0.state == .trustedBelow("tr") })
  }

  @Test(
    "well-known roots have the states that Mozilla published",
    arguments: [
      // ISRG Root X1, GlobalSign Root CA, Entrust G2, Izenpe.com.
      ("96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6", "trusted"),
      ("ebd41040e4bb3ec742c9e381d31ef2a41a48b6685c96e7cef3c1df6cd4331c99", "not for servers"),
      (
        "43df5774b03e7fef5fe40d931a7bedf1bb2e6b42738c4e6d3841103d3aa7f339",
        "not for servers; limit 2024-11-30T23:59:59Z before that"
      ),
      (
        "2530cc8e98321502bad96f9b1fba1b099e2d299e0f4548bb914f363bc0d4531f",
        "trusted if issued until 2026-04-15T23:59:59Z"
      ),
    ])
  func wellKnown(sha256: String, state: String) throws {
    let fact = try #require(facts.facts.first { $0.sha256 == sha256 })
    #expect("\(fact.state)" == state)
  }

  @Test("a table is out of date after a year")
  func age() throws {
    let date = try #require(facts.program.date)
    #expect(!facts.isOutdated(at: date.advanced(bySeconds: 366 * 86_400)))
    #expect(facts.isOutdated(at: date.advanced(bySeconds: 366 * 86_400 + 1)))
  }

  @Test("an anchor that is not in the table is left as it is")
  func unknownAnchor() throws {
    let root = try Certificate(pem: try CommittedVectors.text("demo/root.pem"))
    let anchors = AnchorSet([root]).applying(facts)
    #expect(facts.fact(about: root) == nil)
    #expect(anchors.anchors == AnchorSet([root]).anchors)
  }

  @Test("what a program thinks of a root holds for another certificate of its key")
  func twin() throws {
    let blocks = try CommittedVectors.blocks("pinning/certificates.pem")
    func certificate(_ name: String) throws -> Certificate {
      try Certificate(der: try #require(blocks.first { $0.name == "# \(name)" }).der)
    }
    let (root, twin) = (try certificate("root-1"), try certificate("root-1-expired"))
    let facts = ProgramFacts(
      RootProgram("Test", date: nil, source: "a test"),
      lines: "219272d94a98b1f34a7348abd9297926afe27014f064fefacbbdbaecffe1e62e removed=2.60 Root 1")
    #expect(facts.fact(about: root) != nil && facts.fact(about: twin) == nil)
    let other = try certificate("root-2")
    for order in [[root, twin, other], [twin, other, root]] {
      let applied = AnchorSet(order, arePublic: true).applying(facts)
      #expect(applied.anchors.map(\.isPublic) == order.map { $0 != other })
      #expect(
        applied.anchors.map { $0.constraints.programs.map(\.alternatives.isEmpty) }
          == order.map { $0 == other ? [] : [true] })
    }
  }

  @Test("of several roots with one key, what a program demands of each holds for a certificate")
  func twins() throws {
    let blocks = try CommittedVectors.blocks("pinning/certificates.pem")
    func certificate(_ name: String) throws -> Certificate {
      try Certificate(der: try #require(blocks.first { $0.name == "# \(name)" }).der)
    }
    let (root, twin) = (try certificate("root-1"), try certificate("root-1-expired"))
    let unknown = try certificate("root-1-cross")
    let limit = try #require(Timestamp("2020-01-01T00:00:00Z"))
    let facts = ProgramFacts(
      RootProgram("Test", date: nil, source: "a test"),
      [
        .init(sha256: root.sha256, label: "Root", state: .trusted),
        .init(sha256: twin.sha256, label: "Twin", state: .trustedUntil(limit)),
      ])
    for order in [[root, twin, unknown], [unknown, twin, root]] {
      let applied = AnchorSet(order, arePublic: true).applying(facts)
      let anchor = try #require(applied.anchors.first { $0.certificate == unknown })
      let limits = anchor.constraints.programs.flatMap(\.alternatives).map(\.issuedUntil)
      #expect(Set(limits) == [nil, limit])
      #expect(anchor.isPublic)
    }
  }

  /// The demo's chains are valid for ten years.
  @Test("the schedule binds below roots of the program, and below no other anchor of the system")
  func schedule() throws {
    let root = try Certificate(pem: try CommittedVectors.text("demo/root.pem"))
    let own = try Certificate(pem: try CommittedVectors.text("demo/proxy-root.pem"))
    let facts = ProgramFacts(
      RootProgram("Test", date: nil, source: "a test"),
      lines: "d5579ab1f0b9db393dfa206f6a90ea7ed52c7ba150ccf06d95df5d9a1de4861c servers Demo")
    #expect(facts.fact(about: root)?.state == .trusted)
    let system = AnchorSet([root, own], arePublic: true)
    let applied = system.applying(facts)
    #expect(applied.anchors.map(\.isPublic) == [true, false])
    #expect(applied.anchors.map(\.isInRootProgram) == [true, false])
    #expect(system.anchors.map(\.isInRootProgram) == [false, false])
    let time = try #require(Timestamp("2026-11-21T00:00:00Z"))
    let purpose = try Purpose.server("www.demo.example")
    func rule(_ anchors: AnchorSet, _ file: String) throws -> Rule? {
      let chain = try Certificate.certificates(inPEM: try CommittedVectors.text(file))
      do throws(PathError) {
        _ = try PathValidator(anchors: anchors).validate(
          chain, for: purpose, at: time)
        return nil
      } catch {
        return error.rejections.first?.rule
      }
    }
    #expect(try rule(applied, "demo/chain.pem") == .validityTooLong)
    #expect(try rule(applied, "demo/proxy-chain.pem") == nil)
    #expect(try rule(system, "demo/chain.pem") == nil)
    #expect(try rule(system, "demo/proxy-chain.pem") == nil)
  }

  @Test("a store is compared with anchors: too many, without conditions, too few, agreed")
  func comparison() throws {
    let all = try StoreTexts.certificates()
    let store = try TrustStore(Array(try StoreTexts.certdata().utf8), source: "made")
    let comparison = StoreComparison(AnchorSet(all), against: store)
    #expect(comparison.unwanted.map(\.certificate) == [all[1], all[2]])
    #expect(comparison.unconstrained.map(\.certificate) == [all[0]])
    #expect(comparison.missing == [])
    #expect(comparison.agreed == 0)
    let fewer = StoreComparison(AnchorSet([all[1]]), against: store)
    #expect(fewer.missing.map(\.certificate) == [all[0]])
    let same = StoreComparison(store.anchors, against: store)
    #expect(same.agreed == 1)
    #expect(same.unconstrained.isEmpty)
  }

  @Test("paths below a store's anchors obey it: date, purpose and distrust")
  func validation() throws {
    let store = try TrustStore(Array(try StoreTexts.certdata().utf8), source: "certdata.txt")
    let chain = try Certificate.certificates(inPEM: try CommittedVectors.text("demo/chain.pem"))
    let time = try #require(Timestamp("2026-01-01T00:00:00Z"))
    // The demo's chain is valid for ten years, which the schedule forbids below a program's roots.
    var rules = ValidationRules.webPKI
    rules.schedule = .ignored
    let validator = PathValidator(anchors: store.anchors, rules: rules)
    let purpose = try Purpose.server("www.demo.example")
    // The chain is of 2025-01-01, before the limit.
    let path = try validator.validate(chain, for: purpose, at: time)
    #expect(path.anchor == store.anchors.anchors[0])
    let proxy = try Certificate.certificates(
      inPEM: try CommittedVectors.text("demo/proxy-chain.pem"))
    let error = #expect(throws: PathError.self) {
      try validator.validate(proxy, for: purpose, at: time)
    }
    #expect(error?.rejections.first?.rule == .programPurpose)
    #expect("\(try #require(error))".contains("Mozilla, certdata.txt"))
  }
}
