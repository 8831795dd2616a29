import HoldfastCertificates
import Testing

/// The cases are those that other implementations test, as facts: go-spiffe, rust-spiffe, py-spiffe. Where
/// these differ, the SPIFFE-ID standard decides.
@Suite("SPIFFE IDs") struct SPIFFEIDTests {
  /// What is wrong with a text, and where; nil for an ID.
  private func problem(_ text: String) -> SPIFFEIDError? {
    do throws(SPIFFEIDError) {
      _ = try SPIFFEID(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("an ID has a trust domain and a path, and is written as it was read")
  func parts() throws {
    let rows = [
      ("spiffe://trustdomain", "trustdomain", ""),
      ("spiffe://trustdomain/path", "trustdomain", "/path"),
      ("spiffe://trustdomain/path/Element", "trustdomain", "/path/Element"),
      ("spiffe://10.2.3.4/a", "10.2.3.4", "/a"), ("spiffe://a_b-c.d/.path", "a_b-c.d", "/.path"),
      ("spiffe://trustdomain/...", "trustdomain", "/..."),
      ("spiffe://trustdomain/..path", "trustdomain", "/..path"),
    ]
    for (text, domain, path) in rows {
      let id = try SPIFFEID(text)
      #expect("\(id)" == text && "\(id.trustDomain)" == domain && id.path == path)
      #expect(id.trustDomain == (try SPIFFETrustDomain(domain)))
    }
    #expect("\(SPIFFEID(try SPIFFETrustDomain("example.org")))" == "spiffe://example.org")
  }

  @Test(
    "text that is not an ID has an error with its place",
    arguments: [
      ("", .empty, 0), ("s", .scheme, 0), ("spiffe:/", .scheme, 0), ("Spiffe://a/b", .scheme, 0),
      ("https://a/b", .scheme, 0), (" spiffe://a/b", .scheme, 0), ("spiffe:a/b", .scheme, 0),
      ("spiffe://", .noTrustDomain, 9), ("spiffe:///", .noTrustDomain, 9),
      ("spiffe:///path", .noTrustDomain, 9), ("spiffe://a/", .trailingSlash, 10),
      ("spiffe://a//", .emptySegment, 10), ("spiffe://a//path", .emptySegment, 10),
      ("spiffe://a/path/", .trailingSlash, 15), ("spiffe://a/.", .dotSegment, 11),
      ("spiffe://a/./path", .dotSegment, 11), ("spiffe://a/path/../b", .dotSegment, 16),
      ("spiffe://a/..", .dotSegment, 11), ("spiffe://%61/path", .percentEncoding, 9),
      ("spiffe://a/%61", .percentEncoding, 11), ("spiffe://a?b", .query, 10),
      ("spiffe://a/b?c=d", .query, 12), ("spiffe://a#b", .fragment, 10),
      ("spiffe://a/b#", .fragment, 12), ("spiffe://u@a/b", .userInformation, 10),
      ("spiffe://a:443/b", .port, 10), ("spiffe://[::1]/b", .badTrustDomainCharacter(0x5B), 9),
      ("spiffe://Example/b", .badTrustDomainCharacter(0x45), 9),
      ("spiffe://exämple/b", .badTrustDomainCharacter(0xC3), 11),
      ("spiffe://a\n/b", .badTrustDomainCharacter(0x0A), 10),
      ("spiffe://a/b\n", .badPathCharacter(0x0A), 12), ("spiffe://a/b\0", .badPathCharacter(0), 12),
      ("spiffe://a/b c", .badPathCharacter(0x20), 12),
      ("spiffe://a/b:c", .badPathCharacter(0x3A), 12),
      ("spiffe://a\\b/c", .badTrustDomainCharacter(0x5C), 10),
      // A letter and a combining mark, which are one character to `String`.
      ("spiffe://a/e\u{301}", .badPathCharacter(0xCC), 12),
    ] as [(String, SPIFFEIDError.Problem, Int)])
  func problems(text: String, expected: SPIFFEIDError.Problem, offset: Int) {
    let error = problem(text)
    #expect(error?.problem == expected && error?.offset == offset)
  }

  @Test("trust domains and segments have the characters that the standard lists, and no others")
  func characters() {
    let digits = "0123456789.-_"
    let lower = "abcdefghijklmnopqrstuvwxyz"
    for byte in UInt8(0)...0x7F where byte != 0x2F {
      let character = Character(Unicode.Scalar(byte))
      let isInDomain = (lower + digits).contains(character)
      let isInPath = isInDomain || lower.uppercased().contains(character)
      #expect((problem("spiffe://trustdomain\(character)/path") == nil) == isInDomain)
      #expect((problem("spiffe://trustdomain/path\(character)") == nil) == isInPath)
    }
  }

  @Test("lengths are those of the standard")
  func lengths() {
    let domain = String(repeating: "a", count: 255)
    #expect(problem("spiffe://\(domain)/b") == nil)
    #expect(problem("spiffe://\(domain)a/b")?.problem == .trustDomainTooLong)
    let path = String(repeating: "a", count: 2048 - 11)
    #expect(problem("spiffe://a/\(path)") == nil)
    let error = problem("spiffe://a/\(path)b")
    #expect(error?.problem == .tooLong && error?.offset == 2048)
  }

  @Test("IDs that differ in one byte are different, and nothing is folded")
  func equality() throws {
    let id = try SPIFFEID("spiffe://a/b")
    #expect(id == (try SPIFFEID("spiffe://a/b")))
    for other in ["spiffe://a/B", "spiffe://a/b/c", "spiffe://a", "spiffe://b/b", "spiffe://a/b."] {
      #expect(try SPIFFEID(other) != id)
    }
    let sorted = try ["spiffe://a", "spiffe://a/b", "spiffe://b"].map { try SPIFFEID($0) }
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test(
    "the name of a trust domain is nothing else",
    arguments: [
      ("", .noTrustDomain, 0), ("spiffe://a", .notOnlyTrustDomain, 0),
      ("a/b", .notOnlyTrustDomain, 1),
      ("A", .badTrustDomainCharacter(0x41), 0), ("a:1", .port, 1),
      ("a b", .badTrustDomainCharacter(0x20), 1),
    ] as [(String, SPIFFEIDError.Problem, Int)])
  func trustDomains(text: String, expected: SPIFFEIDError.Problem, offset: Int) {
    let error = #expect(throws: SPIFFEIDError.self) { try SPIFFETrustDomain(text) }
    #expect(error?.problem == expected && error?.offset == offset)
  }

  @Test("peers are IDs, trust domains or both, and without any there are none")
  func peers() throws {
    let (foo, fooA, barA) = (
      try SPIFFEID("spiffe://foo.test"), try SPIFFEID("spiffe://foo.test/A"),
      try SPIFFEID("spiffe://bar.test/A")
    )
    let one = try SPIFFEPeers.id("spiffe://foo.test/A")
    #expect([foo, fooA, barA].map(one.contains) == [false, true, false])
    let domain = try SPIFFEPeers.trustDomain("foo.test")
    #expect([foo, fooA, barA].map(domain.contains) == [true, true, false])
    let both = SPIFFEPeers(ids: [barA], trustDomains: [foo.trustDomain])
    #expect([foo, fooA, barA].map(both.contains) == [true, true, true])
    #expect([foo, fooA, barA].map(SPIFFEPeers().contains) == [false, false, false])
    #expect("\(both)" == "spiffe://foo.test/* or spiffe://bar.test/A")
    #expect("\(SPIFFEPeers())" == "no SPIFFE ID")
  }
}
