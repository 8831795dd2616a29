import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import HoldfastTrustStores
import TestSupport
import Testing

@Suite("Trust stores") struct TrustStoreTests {
  private let limit = Timestamp("2025-06-01T00:00:00Z")

  private func read(_ text: String) throws(TrustStoreError) -> TrustStore {
    try TrustStore(Array(text.utf8), source: "made")
  }

  @Test(
    "a root in DER is that root, whatever format the lines in its fields have",
    arguments: ["BEGINDATA\n", "[p11-kit-object-v1]\n", "trust_anchors {\n", "-----BEGIN "])
  func linesInside(line: String) throws {
    let outer = try SignedCertificate.root(holding: "x\n\(line)")
    let store = try TrustStore(outer.der, source: "made")
    #expect(store.format == .certificates && store.entries.map(\.certificate) == [outer])
    let inner = try SignedCertificate.root("Inner", 2)
    let root = try SignedCertificate.root(holding: "x\n\(inner.pem)y")
    #expect(try TrustStore(root.der, source: "made").entries.map(\.certificate) == [root])
  }

  @Test("certdata.txt gives each purpose its own trust and date")
  func certdata() throws {
    let store = try read(try StoreTexts.certdata())
    #expect(store.format == .certdata)
    #expect(store.problems == [])
    #expect(store.entries.map(\.certificate) == (try StoreTexts.certificates()))
    #expect(store.entries.map(\.label) == ["Root 0", "Root 1", "Root 2"])
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [true, false, false])
    #expect(store.entries.map { $0.isTrusted(for: .emailProtection) } == [true, true, false])
    #expect(store.entries.map(\.serversIssuedUntil) == [limit, nil, nil])
    #expect(store.entries.map(\.isPublic) == [true, true, true])
    #expect(store.entries[0].line == 5)
    let sets = store.entries[0].constraints.programs[0].alternatives
    #expect(sets.map(\.issuedUntil) == [limit, nil])
    #expect("\(store)" == "made (certdata): 3 certificates, 1 for servers")
  }

  @Test("a certificate without trust and a date that is none are not trusted, with line and label")
  func damagedCertdata() throws {
    let text = try StoreTexts.certdata()
    let date = StoreTexts.octal(Array("250601000000Z".utf8))
    let bad = StoreTexts.octal(Array("259901000000Z".utf8))
    let store = try read(text.replacing(date, with: bad))
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [false, false, false])
    #expect(
      store.problems.map(\.description) == [
        "trust store, line 5, \"Root 0\": CKA_NSS_SERVER_DISTRUST_AFTER is missing or has a value "
          + "that is not allowed"
      ])
    let alone = try read(text.replacing("CKO_NSS_TRUST", with: "CKO_OTHER"))
    #expect(alone.problems.map(\.problem) == [.noTrust, .noTrust, .noTrust])
    #expect(alone.problems.map(\.label) == ["Root 0", "Root 1", "Root 2"])
    let cut = #expect(throws: TrustStoreError.self) { try read(text.replacing("\nEND", with: "")) }
    #expect(cut?.label == "Root 0")
    #expect(cut?.problem == .syntax("expected END"))
    #expect(cut?.line == 11)
  }

  @Test("p11-kit's files have dates, distrust and stapled extensions")
  func p11Kit() throws {
    let store = try read(try StoreTexts.p11Kit())
    #expect(store.format == .p11Kit)
    #expect(store.problems == [])
    #expect(store.entries.map(\.label) == ["Root 0", "Root 1", "Root 2"])
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [true, false, false])
    #expect(store.entries.map { $0.isTrusted(for: .emailProtection) } == [true, true, false])
    #expect(store.entries.map(\.serversIssuedUntil) == [limit, nil, nil])
    #expect(store.entries.map(\.isPublic) == [true, false, false])
  }

  @Test("a stapled extension that cannot be read makes its certificate untrusted")
  func unreadableStaple() throws {
    let text = try StoreTexts.p11Kit().replacing("%30%13", with: "%30%12")
    let store = try read(text)
    #expect(store.entries.map { $0.isTrusted(for: .emailProtection) } == [true, false, false])
    #expect(store.problems.map(\.problem) == [.unknownConstraint("2.5.29.37")])
  }

  @Test("Chrome's sets of constraints apply as its newest version has them")
  func chrome() throws {
    let (textproto, certificates) = try StoreTexts.chrome()
    let store = try TrustStore(
      chrome: Array(textproto.utf8), certificates: Array(certificates.utf8))
    #expect(store.problems == [])
    #expect(store.program.source == "root store version 34")
    #expect(store.entries[0].label == "Root \"0\"")
    let first = store.entries[0].constraints.programs[0].alternatives
    #expect(first.count == 1)
    #expect(first[0].loggedUntil == limit)
    #expect(first[0].enforcesExpiry)
    let second = store.entries[1].constraints.programs[0].alternatives
    #expect(second.map(\.dnsNames) == [["example.com", ".tr"]])
    #expect(second.map(\.loggedAfter) == [Timestamp(secondsSince1970: 5)])
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [true, true, false])
    let error = #expect(throws: TrustStoreError.self) { try read(textproto) }
    #expect(error?.problem == .certificatesMissing)
  }

  @Test("a constraint that is not known makes the anchor untrusted, with line and label")
  func unknownConstraint() throws {
    let (textproto, certificates) = try StoreTexts.chrome()
    let store = try TrustStore(
      chrome: Array(textproto.replacing("sct_all_after_sec", with: "moon_phase").utf8),
      certificates: Array(certificates.utf8))
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [true, false, false])
    #expect(store.problems.map(\.problem) == [.unknownConstraint("moon_phase")])
    #expect(store.problems[0].line == 16)
  }

  @Test("our JSON has sets of conditions, and an empty list of them is distrust")
  func json() throws {
    let store = try read(try StoreTexts.json())
    #expect(store.format == .json)
    #expect(store.problems == [])
    #expect("\(store.program)" == "Example, intranet of 2026-11-01")
    #expect(store.entries.map { $0.isTrusted(for: .serverAuth) } == [true, true, false])
    #expect(store.entries.map(\.isPublic) == [false, true, false])
    let sets = store.entries[0].constraints.programs[0].alternatives
    #expect(sets[0].issuedUntil == limit)
    #expect(sets[1].dnsNames == ["example.com"])
    #expect(sets[1].policies == ["1.2.3"])
    #expect(sets[1].enforcesExpiry)
  }

  @Test(
    "a misspelled member of our JSON is an error with its path",
    arguments: [
      ("\"issuedUntil\"", "\"issuedTill\"", "anchors[0].conditions[0]"),
      ("\"public\": true", "\"public\": 1", "anchors[1]"),
      ("2025-06-01T00:00:00Z", "2025-06-31T00:00:00Z", nil),
    ])
  func misspelled(word: String, other: String, label: String?) throws {
    let store = try read(try StoreTexts.json().replacing(word, with: other))
    #expect(store.entries.count == 2)
    #expect(store.problems.count == 1)
    #expect(store.problems.first?.label == label)
  }

  @Test("certificates in PEM are anchors without constraints")
  func certificates() throws {
    let all = try StoreTexts.certificates()
    let store = try read(all.map(\.pem).joined())
    #expect(store.format == .certificates)
    #expect(store.entries.map(\.certificate) == all)
    #expect(store.entries.allSatisfy { $0.constraints == TrustAnchor.Constraints() })
    #expect(throws: TrustStoreError.self) { try read("nothing") }
  }

  @Test("texts cut at any place or with a changed byte give an error or a store, never more trust")
  func damageHeavy() throws {
    let (textproto, certificates) = try StoreTexts.chrome()
    let texts = [try StoreTexts.certdata(), try StoreTexts.p11Kit(), try StoreTexts.json()]
    let whole = try StoreTexts.certificates()
    for text in texts.map({ Array($0.utf8) }) + [Array(textproto.utf8)] {
      for index in stride(from: 0, to: text.count, by: 29) {
        var flipped = text
        flipped[index] ^= 1
        for damaged in [Array(text[..<index]), flipped] {
          do throws(TrustStoreError) {
            let store =
              text.count == textproto.utf8.count
              ? try TrustStore(chrome: damaged, certificates: Array(certificates.utf8))
              : try TrustStore(damaged, source: "made")
            #expect(store.entries.allSatisfy { whole.contains($0.certificate) } || index > 0)
          } catch {
            #expect(!error.description.isEmpty && !error.summary.isEmpty)
          }
        }
      }
    }
  }
}
