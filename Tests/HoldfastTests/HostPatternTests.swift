import Holdfast
import TestSupport
import Testing

/// Patterns of hosts, and tables of them.
@Suite("Host patterns") struct HostPatternTests {
  private let pins: PinSet
  private let others: PinSet

  init() throws {
    let pin = { (byte: UInt8) in try Pin(digest: (0..<32).map { byte &+ $0 }) }
    pins = try PinSet([pin(1), pin(2)])
    others = try PinSet([pin(3), pin(4)])
  }

  @Test("a pattern matches the hosts of its form and no other")
  func matching() throws {
    let rows: [(String, [String], [String])] = [
      ("good.com", ["good.com", "GOOD.com", "good.com."], ["www.good.com", "notgood.com", "com"]),
      (
        "*.good.com", ["www.good.com", "WWW.good.com."],
        ["good.com", "a.b.good.com", "wwwgood.com"]
      ),
      (
        "**.good.com",
        ["good.com", "www.good.com", "a.b.good.com", "sub.www.good.com.www.good.com"],
        ["notgood.com", "good.com.evil.com", "good.co.uk", "xgood.com"]
      ),
      ("GOOD.com.", ["good.com"], ["www.good.com"]),
      ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2", "good.com"]),
      ("2001:db8::1", ["[2001:DB8::1]", "2001:db8:0::1"], ["2001:db8::2"]),
    ]
    for (text, inside, outside) in rows {
      let pattern = try HostPattern(text)
      let table = try PinTable([.init(pattern, pins)])
      for host in inside + outside {
        let name = try HostName(host)
        #expect(pattern.matches(name) == inside.contains(host), "\(text) \(host)")
        #expect(
          table.selection(for: name)
            == (inside.contains(host) ? .pinned(pattern, pins) : .unknown), "\(text) \(host)")
      }
    }
  }

  @Test("a text that is not a pattern is rejected with the reason")
  func rejections() throws {
    for text in [
      "", "https://good.com", "good.com:443", "w*.good.com", "*", "*.*.good.com", "*good.com",
      "gøød.com", "good..com", "*.192.0.2.1", "good.com/",
    ] {
      #expect(throws: HostPatternError.self, "\(text)") { try HostPattern(text) }
    }
    #expect(throws: HostPatternError.wildcardWithSubdomains("*.good.com")) {
      try HostPattern("*.good.com", includingSubdomains: true)
    }
    #expect(throws: HostPatternError.self) {
      try HostPattern("192.0.2.1", includingSubdomains: true)
    }
  }

  @Test("the most specific entry counts, and an exclusion overrides a wider entry")
  func nearest() throws {
    let wide = try HostPattern("good.com", includingSubdomains: true)
    let one = try HostPattern("*.b.good.com")
    let exact = try HostPattern("a.b.good.com")
    let open = try HostPattern("open.good.com", includingSubdomains: true)
    let table = try PinTable([
      .init(wide, pins), .init(one, others), .init(exact, pins), .init(excluding: open),
    ])
    let rows: [(String, PinTable.Selection)] = [
      ("good.com", .pinned(wide, pins)), ("b.good.com", .pinned(wide, pins)),
      ("x.b.good.com", .pinned(one, others)), ("a.b.good.com", .pinned(exact, pins)),
      ("y.x.b.good.com", .pinned(wide, pins)), ("open.good.com", .excluded(open)),
      ("x.open.good.com", .excluded(open)), ("evil.com", .unknown),
    ]
    for (host, expected) in rows {
      #expect(table.selection(for: try HostName(host)) == expected, "\(host)")
    }
  }

  @Test("united entries count together")
  func united() throws {
    let wide = try HostPattern("**.good.com")
    let narrow = try HostPattern("*.good.com")
    let table = try PinTable([.init(wide, pins), .init(narrow, others)], overlap: .united)
    guard case .pinned(let pattern, let set) = table.selection(for: try HostName("www.good.com"))
    else {
      Issue.record("not pinned")
      return
    }
    #expect(pattern == narrow)
    #expect(Set(set.pins) == Set(pins.pins + others.pins))
    #expect(table.selection(for: try HostName("good.com")) == .pinned(wide, pins))
  }

  @Test("united entries use the anchors that they agree on, and otherwise all anchors")
  func unitedAnchors() throws {
    let certificate = Pin(try SignedCertificate.root())
    func united(_ first: PinSet.Anchoring, _ second: PinSet.Anchoring) throws -> PinSet.Anchoring? {
      let table = try PinTable(
        [
          .init(
            HostPattern("**.good.com"),
            PinSet([certificate], anchoring: first, backup: .waived)),
          .init(
            HostPattern("*.good.com"),
            PinSet([certificate], anchoring: second, backup: .waived)),
        ], overlap: .united)
      let selection = table.selection(for: try HostName("www.good.com"))
      guard case .pinned(_, let set) = selection else { return nil }
      return set.anchoring
    }
    let all: [PinSet.Anchoring] = [.manager, .managerAndPins, .pinsOnly]
    for (first, second) in all.flatMap({ first in all.map { (first, $0) } }) {
      #expect(try united(first, second) == (first == second ? first : .managerAndPins))
    }
  }

  @Test("two entries for the same hosts, and exclusions without a wider entry, are errors")
  func tables() throws {
    let pattern = try HostPattern("good.com")
    #expect(throws: PinTableError.duplicate(pattern)) {
      try PinTable([.init(pattern, pins), .init(try HostPattern("GOOD.COM."), others)])
    }
    #expect(throws: PinTableError.nothingToExclude(pattern)) {
      try PinTable([.init(excluding: pattern)])
    }
    #expect(throws: PinTableError.nothingToExclude(pattern)) {
      try PinTable([.init(excluding: pattern), .init(try HostPattern("evil.com"), pins)])
    }
  }

  @Test("a table of ten thousand entries answers like a search through all its patterns")
  func large() throws {
    var entries: [PinTable.Entry] = []
    for index in 0..<10_000 {
      let reach = HostPattern.Reach.allCases[index % 4]
      let host = try HostName("h\(index / 2).d\(index % 97).example")
      entries.append(.init(try HostPattern(host, reach), pins))
    }
    let table = try PinTable(entries)
    for index in stride(from: 0, to: 5000, by: 250) {
      for prefix in ["", "www.", "a.b."] {
        let host = try HostName("\(prefix)h\(index).d\(index * 2 % 97).example")
        let expected = entries.contains { $0.pattern.matches(host) }
        #expect((table.selection(for: host) != .unknown) == expected, "\(host)")
      }
    }
  }
}
