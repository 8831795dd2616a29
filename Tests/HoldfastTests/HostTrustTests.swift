import Holdfast
import TestSupport
import Testing

/// Partners under several private CAs, with one manager.
@Suite("Trust by host") struct HostTrustTests {
  private let time = SignedCertificate.time
  /// The roots of partner A, of partner B, and of all other hosts.
  private let (a, b, own): (Certificate, Certificate, Certificate)

  init() throws {
    a = try SignedCertificate.root("CA of A", 1)
    b = try SignedCertificate.root("CA of B", 2)
    own = try SignedCertificate.root("Own CA", 3)
  }

  /// Makes a server's certificate of one of the three CAs.
  private func chain(_ host: String, by root: Certificate) throws -> [Certificate] {
    let (name, key): (String, UInt64) =
      root == a ? ("CA of A", 1) : root == b ? ("CA of B", 2) : ("Own CA", 3)
    return [try SignedCertificate.leaf(by: name, key, names: [Made.dns(host)])]
  }

  private func trust(
    _ root: Certificate, rules: ValidationRules? = nil, _ revocation: Revocation? = nil
  ) -> HostTrust {
    HostTrust(anchors: AnchorSet([root]), rules: rules, revocation: revocation)
  }

  private func manager(
    _ table: PinTable, _ revocation: Revocation? = nil,
    otherHosts: TrustManager.OtherHosts = .validate
  ) -> TrustManager {
    TrustManager(
      pins: table, anchors: AnchorSet([own]), rules: .rfc5280, revocation: revocation,
      otherHosts: otherHosts)
  }

  /// Which of the CAs may issue for a host, by their letters.
  private func issuers(of host: String, _ manager: TrustManager) throws -> String {
    var letters = ""
    for (letter, root) in [("a", a), ("b", b), ("o", own)] {
      let chain = try chain(host, by: root)
      do throws(TrustError) {
        let verdict = try manager.evaluate(chain, host: host, at: time)
        #expect(verdict.path?.anchor.certificate == root)
        letters += letter
      } catch {
        guard case .invalidPath = error else { letters += "!"; continue }
      }
    }
    return letters
  }

  @Test(
    "only the CA of the nearest entry with a trust may issue for a host",
    arguments: [
      ("a.example", "a"), ("x.y.a.example", "a"), ("b.example", "o"), ("x.b.example", "b"),
      ("x.y.b.example", "o"), ("own.a.example", "o"), ("b.a.example", "b"), ("other.example", "o"),
      ("a.example.other.example", "o"),
    ])
  func hosts(host: String, expected: String) throws {
    let table = try PinTable(trust: [
      "**.a.example": trust(a), "*.b.example": trust(b), "b.a.example": trust(b),
      // As the manager, within what is A's.
      "own.a.example": HostTrust(),
    ])
    #expect(try issuers(of: host, manager(table)) == expected)
    // A host of an entry is no unknown one; others are.
    let strict = manager(table, otherHosts: .reject)
    let isKnown = expected != "o" || host == "own.a.example"
    #expect(try issuers(of: host, strict) == (isKnown ? expected : "!!!"))
  }

  @Test("a refusal names the entry whose trust has decided")
  func reasons() throws {
    let manager = manager(try PinTable(trust: ["**.a.example": trust(a)]))
    let chain = try chain("api.a.example", by: b)
    let error = try #require(
      throws: TrustError.self,
      performing: { try manager.evaluate(chain, host: "api.a.example", at: time) })
    #expect(error.code == "issuer_not_found")
    #expect(error.logLine.hasPrefix("api.a.example: "))
    #expect(error.logLine.contains(" (by the trust of **.a.example alone) code="))
    #expect("\(error)".contains("\n  only the trust of the entry **.a.example counts for the host"))
    #expect(error.fields.contains { $0.key == "entry" && $0.value == "**.a.example" })
    // The manager's own refusals name none.
    let other = try #require(
      throws: TrustError.self,
      performing: { try manager.evaluate(chain, host: "other.example", at: time) })
    #expect(!other.logLine.contains("by the trust") && !other.fields.contains { $0.key == "entry" })
  }

  @Test("a verdict on a host of one entry is none on a host of another")
  func verdicts() throws {
    let names = ["a.example", "b.example"]
    let manager = manager(
      try PinTable(trust: ["a.example": trust(a), "b.example": trust(b)]))
    // One certificate of A's has both names.
    let leaf = try SignedCertificate.leaf(by: "CA of A", 1, names: names.map { Made.dns($0) })
    for _ in 0..<2 {
      // The signature is known from the first time, and B's trust does not profit.
      let verdict = try manager.evaluate([leaf], host: names[0], at: time)
      #expect(verdict.isValid(for: names[0], at: time))
      #expect(!verdict.isValid(for: names[1], at: time))
      #expect(throws: TrustError.self) { try manager.evaluate([leaf], host: names[1], at: time) }
    }
  }

  @Test("pins of a wider entry count below a trust, and an exclusion ends pins and no trust")
  func pins() throws {
    let spare = try Pin(digest: Array(7..<39))
    let of = { (root: Certificate) in try PinSet([Pin(keyOf: root), spare]) }
    let table = try PinTable([
      PinTable.Entry(try HostPattern("**.example"), of(b)),
      PinTable.Entry(try HostPattern("**.a.example"), trust: trust(a)),
      PinTable.Entry(try HostPattern("**.b.example"), trust: trust(b)),
      PinTable.Entry(excluding: try HostPattern("free.a.example")),
      PinTable.Entry(try HostPattern("c.example"), of(own), trust: HostTrust()),
    ])
    let manager = manager(table, otherHosts: .reject)
    func reason(_ host: String, by root: Certificate) throws -> String {
      let chain = try chain(host, by: root)
      do throws(TrustError) {
        switch try manager.evaluate(chain, host: host, at: time).reason {
        case .pinned: return "pinned"
        case .excluded: return "excluded"
        default: return "?"
        }
      } catch {
        return error.code
      }
    }
    #expect(try reason("b.example", by: b) == "pinned")
    #expect(try reason("a.example", by: a) == "pin_mismatch")
    #expect(try reason("a.example", by: b) == "issuer_not_found")
    #expect(try reason("free.a.example", by: a) == "excluded")
    #expect(try reason("free.a.example", by: own) == "issuer_not_found")
    #expect(try reason("c.example", by: own) == "pinned")
    // A pin may be an anchor beside those of the entry, or in their place.
    for (anchoring, expected) in [
      (PinSet.Anchoring.managerAndPins, "ab"), (.pinsOnly, "b"), (.manager, "a"),
    ] {
      let pins = try PinSet([Pin(b), spare].map { ScopedPin($0) }, anchoring: anchoring)
      let table = try PinTable([
        PinTable.Entry(try HostPattern("a.example"), pins, trust: trust(a))
      ])
      let chains = try [("a", a), ("b", b), ("o", own)].map { ($0, try chain("a.example", by: $1)) }
      let reached = chains.filter { _, chain in
        do throws(TrustError) {
          _ = try self.manager(table).evaluate(chain, host: "a.example", at: time)
          return true
        } catch {
          // There is a path that lacks the pin.
          if case .pinMismatch = error { return true }
          return false
        }
      }
      #expect(reached.map { $0.0 }.joined() == expected, "\(anchoring)")
    }
  }

  @Test("rules and revocation data of an entry take the place of the manager's")
  func rulesAndRevocation() throws {
    let revoked = try SignedRevocation.list(by: "CA of A", 1, [(1, nil)])
    let required = Revocation(.required(of: .leaf), crls: [revoked])
    var strict = ValidationRules.rfc5280
    strict.check = { certificate, index in
      index == 0 ? Violation("\(certificate.shortName) is not what B issues") : nil
    }
    let table = try PinTable(trust: [
      "a.example": trust(a, required), "b.example": trust(b, Revocation(.ignored)),
      "strict.b.example": trust(b, rules: strict, Revocation(.ignored)),
      "c.example": HostTrust(revocation: Revocation(.ignored)),
    ])
    let unknown = Revocation(.required(of: .leaf))
    let manager = manager(table, unknown)
    let rows: [(String, Certificate, String?)] = [
      ("a.example", a, "revoked"), ("b.example", b, nil), ("strict.b.example", b, "veto"),
      ("c.example", own, nil), ("other.example", own, "revocation_unknown"),
    ]
    for (host, root, code) in rows {
      var found: String?
      let chain = try chain(host, by: root)
      do throws(TrustError) {
        let verdict = try manager.evaluate(chain, host: host, at: time)
        #expect(verdict.isValid(for: host, at: time))
      } catch {
        found = error.code
      }
      #expect(found == code, "\(host)")
    }
  }

  @Test("a pattern has one trust, an exclusion may have one, and the table says what it has")
  func tables() throws {
    let spare = try Pin(digest: Array(7..<39))
    let pins = try PinSet([Pin(keyOf: a), spare])
    let (first, second) = (trust(a), trust(a))
    #expect(first == first && first != second)
    let table = try PinTable(["**.a.example": pins], trust: ["**.A.example": first])
    #expect(table.entries.count == 1 && table.entries[0].trust == first)
    #expect(table.entries[0].pins == pins)
    #expect("\(table)".contains("\n  trust: 1 anchor of its own"))
    let twice = PinTableError.duplicate(try HostPattern("a.example"))
    #expect(throws: twice) {
      try PinTable(trust: ["a.example": first, "A.example": second])
    }
    let excluded = try PinTable(
      ["**.example": pins], trust: ["a.example": first], excluding: ["a.example"])
    #expect(excluded.entries.count == 2)
    #expect("\(excluded)".contains("a.example: not pinned\n  trust: "))
  }
}
