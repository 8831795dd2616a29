import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

@Suite("Host names") struct HostNameTests {
  @Test(
    "a host is canonicalized",
    arguments: [
      ("Example.COM", "example.com"), ("example.com.", "example.com"), ("localhost", "localhost"),
      ("_sip.example.com", "_sip.example.com"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("2001:DB8::0:1", "2001:db8::1"),
      ("[::1]", "::1"), ("::", "::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("::fffe:192.0.2.128", "::fffe:c000:280"), ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
      ("3com.example", "3com.example"),
    ])
  func canonical(text: String, form: String) throws {
    #expect(try HostName(text).description == form)
    #expect(try HostName(text) == HostName(form))
    #expect(try IPAddress(text) == HostName(form).address)
  }

  @Test(
    "a text that is not a host is rejected with the reason and its position",
    arguments: [
      ("", HostNameError.Problem.empty, 0), ("bücher.example", .notASCII, 1),
      ("https://example.com/", .url, 6), ("example.com/path", .url, 11),
      ("example.com:443", .port, 11), ("192.0.2.1:443", .port, 9), ("[::1]:443", .port, 5),
      ("user@example.com", .emailAddress, 4), ("*.example.com", .wildcard, 0),
      ("fe80::1%eth0", .zoneIdentifier, 7), ("exam ple.com", .badCharacter(0x20), 4),
      ("example\0.com", .badCharacter(0), 7), (".example.com", .emptyLabel, 0),
      ("example..com", .emptyLabel, 8), ("example.com..", .emptyLabel, 12), (".", .emptyLabel, 0),
      ("-a.example", .hyphenAtEdge, 0), ("a-.example", .hyphenAtEdge, 1),
      ("a.1", .numericLastLabel, 2), ("192.0.2", .badIPv4Address, 0),
      ("192.0.2.01", .badIPv4Address, 0), ("192.0.2.256", .badIPv4Address, 0),
      ("192.0.2.1.", .badIPv4Address, 0), ("3232235777", .badIPv4Address, 0),
      ("1.2.3.4.5", .badIPv4Address, 0), ("[::1", .badIPv6Address, 0),
      ("1:2:3:4:5:6:7", .badIPv6Address, 0), ("1::2::3", .badIPv6Address, 4),
      ("1:2:3:4:5:6:7:8:9", .badIPv6Address, 16), ("12345::", .badIPv6Address, 0),
      ("1:2:3:4:5:6:7::8", .badIPv6Address, 0), ("::1.2.3", .badIPv4Address, 0),
      ("1:2:3:4:5:6:7:192.0.2.1", .badIPv6Address, 14), (":80", .badIPv6Address, 0),
      ("[192.0.2.1]", .badIPv6Address, 0),
    ])
  func rejected(text: String, problem: HostNameError.Problem, offset: Int) {
    let error = #expect(throws: HostNameError.self) { try HostName(text) }
    #expect(error?.problem == problem)
    #expect(error?.offset == offset)
  }

  @Test("labels may have 63 bytes and names 253")
  func lengths() throws {
    let label = String(repeating: "a", count: 63)
    let name = "\(label).\(label).\(label).\(String(repeating: "b", count: 61))"
    #expect(try HostName(name + ".").description.utf8.count == 253)
    #expect(throws: HostNameError.self) { try HostName("\(label)a.example") }
    #expect(throws: HostNameError.self) { try HostName(name + "b") }
  }

  /// RFC 9525 §6.3 and RFC 6125 §6.4.3 have the patterns; limbo's `webpki::san` the rest.
  @Test(
    "a dNSName matches a host as RFC 9525 says",
    arguments: [
      ("example.com", "example.com", true), ("EXAMPLE.com", "example.COM", true),
      ("example.com", "example2.com", false), ("example.com", "abc.example.com", false),
      ("abc.example.com", "example.com", false), ("*.example.com", "foo.example.com", true),
      ("*.example.com", "FOO.Example.com", true), ("*.example.com", "example.com", false),
      ("*.example.com", "foo.bar.example.com", false),
      ("ba*.example.com", "baz.example.com", false),
      ("*z.example.com", "baz.example.com", false), ("*zexample.com", "baz.example.com", false),
      ("foo.*.example.com", "foo.x.example.com", false),
      ("*.*.com", "foo.example.com", false), ("*", "localhost", false), ("*", "example.com", false),
      ("*.com", "example.com", false), ("*.", "example.", false),
      ("**.example.com", "a.example.com", false),
      ("example.com.", "example.com", false), (".example.com", "example.com", false),
      ("example.com\0", "example.com", false), ("*.example.com.", "a.example.com", false),
      ("xn--*.example.com", "xn--a.example.com", false), ("192.0.2.1", "192.0.2.1", false),
      ("*.0.2.1", "192.0.2.1", false), ("::1", "::1", false),
      (" example.com", "example.com", false),
    ])
  func dns(presented: String, host: String, isMatch: Bool) throws {
    let certificate = try Made.certificate(Made.alternativeNames(Made.dns(presented)))
    let names = certificate.extensions.subjectAlternativeNames
    #expect(try HostName(host).isNamed(in: names, wildcards: .belowLabels(2)) == isMatch)
  }

  @Test("the wildcard rule decides which wildcards match")
  func wildcards() throws {
    func counts(_ presented: String, _ host: String, _ rule: WildcardRule) throws -> Bool {
      try HostName(host).matches(dns: Bytes(Array(presented.utf8)), wildcards: rule)
    }
    #expect(try !counts("*.example.com", "a.example.com", .never))
    #expect(try counts("*.localhost", "a.localhost", .belowLabels(1)))
    #expect(try counts("*.a", "b.a", .belowLabels(1)))
    let longest = String(repeating: "a", count: 63) + ".example"
    #expect(try counts("*.\(longest)", "b.\(longest)", .belowLabels(2)))
    let rule = WildcardRule.belowPublicSuffixes(
      PublicSuffixes(list: "co.uk\ns3.amazonaws.com\ngithub.io\nco.jp"))
    for suffix in ["com", "co.uk", "s3.amazonaws.com", "github.io", "CO.JP"] {
      #expect(try !counts("*.\(suffix)", "a.\(suffix)", rule))
      #expect(try counts("*.a.\(suffix)", "b.a.\(suffix)", rule))
    }
    // Names of one owner: none is on the list that is published.
    for name in ["example.com", "web.de", "id.me"] {
      #expect(try counts("*.\(name)", "a.\(name)", rule), "\(name)")
      #expect(
        try counts("*.\(name)", "a.\(name)", ValidationRules.strict.leaf.wildcards), "\(name)")
    }
    let list = PublicSuffixes(list: "// made\ncom\n*.ck\n!www.ck\nexample.com")
    #expect(list.contains("example.com") && list.contains("any.ck") && list.contains("COM"))
    #expect(!list.contains("www.ck") && !list.contains("a.example.com"))
  }

  /// The first three are of the IANA root zone and RFC 3492 §7.1 (B) and (L), in small letters.
  @Test(
    "a public suffix beyond ASCII is that of its A-labels",
    arguments: [
      ("公司.cn", "xn--55qx5d.cn"), ("香港", "xn--j6w193g"), ("срб", "xn--90a3ac"),
      ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
      ("3年B組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"), ("KÖLN.example", "xn--kln-sna.example"),
    ])
  func suffixesBeyondASCII(suffix: String, aLabels: String) {
    let list = PublicSuffixes(list: "\(suffix)\n*.\(suffix)\n!www.\(suffix)\n")
    #expect(list.contains("child.\(aLabels)") && !list.contains("www.\(aLabels)"))
    #expect(list.contains(aLabels) && !list.contains("grand.child.\(aLabels)"))
  }

  @Test("a line with a label that no host name can have is left out")
  func suffixWithLongLabel() {
    let long = String(repeating: "ö", count: 64)
    let longAsALabel = (0..<40).map { String(UnicodeScalar(0x4E00 + 97 * $0) ?? "a") }.joined()
    let list = PublicSuffixes(
      list: "\(long).example\n\(longAsALabel).example\na..example\nkept.example")
    #expect(list == PublicSuffixes(list: "kept.example"))
  }

  @Test("an address is compared by its bytes, and never with a dNSName")
  func addresses() throws {
    let names = try Made.certificate(
      Made.alternativeNames(Made.dns("192.0.2.9"), Made.ip(192, 0, 2, 1))
    ).extensions.subjectAlternativeNames
    #expect(try HostName("192.0.2.1").isNamed(in: names, wildcards: .belowLabels(2)))
    #expect(try !HostName("192.0.2.9").isNamed(in: names, wildcards: .belowLabels(2)))
    #expect(try !HostName("::fffe:192.0.2.1").isNamed(in: names, wildcards: .belowLabels(2)))
  }

  /// RFC 4291 §2.5.5.2; OkHttp's `toCanonicalHost` gives the same.
  @Test("an IPv4-mapped address is the host with the IPv4 address, which has four bytes in a name")
  func mappedAddresses() throws {
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1]
    let plain = try HostName("192.0.2.1")
    for text in ["::ffff:192.0.2.1", "[::FFFF:c000:201]", "0:0:0:0:0:ffff:192.0.2.1"] {
      #expect(try HostName(text) == plain && HostName(text).description == "192.0.2.1", "\(text)")
      #expect(IPAddress(text)?.bytes == mapped, "\(text)")
    }
    #expect(HostName(try #require(IPAddress(mapped))) == plain)
    func isNamed(_ host: String, by address: [UInt8]) throws -> Bool {
      let names = try Made.certificate(Made.alternativeNames(Made.der(0x87, address)))
      return try HostName(host).isNamed(
        in: names.extensions.subjectAlternativeNames, wildcards: .never)
    }
    for host in ["192.0.2.1", "::ffff:192.0.2.1"] {
      #expect(try isNamed(host, by: [192, 0, 2, 1]) && !isNamed(host, by: mapped), "\(host)")
    }
  }

  @Test("a rejection comes with a hint")
  func hints() throws {
    func hint(_ host: String, _ name: String, _ names: [UInt8]...) throws -> HostHint? {
      let subject = Made.name("CN=\(name)")
      let certificate =
        names.isEmpty
        ? try Made.certificate(subject: subject)
        : try Made.certificate(subject: subject, Made.alternativeNames(names))
      return try HostName(host).hint(for: certificate)
    }
    #expect(try hint("a.example", "A.example") == .onlyInCommonName)
    #expect(try hint("a.example", "b.example") == nil)
    #expect(try hint("a.example", "x", Made.dns("b.example")) == nil)
    #expect(try hint("192.0.2.1", "x", Made.dns("192.0.2.1")) == .addressInDNSName)
    #expect(try hint("a.example", "x", Made.dns("*.example")) == .wildcardTooWide)
    #expect(try hint("a.example", "x", Made.dns("a.example.")) == .trailingDot)
    #expect(try hint("a.example", "x", Made.dns("b.example.")) == nil)
    #expect(try hint("192.0.2.1", "x", Made.dns("192.0.2.2")) == nil)
  }

  @Test("the local part of a mailbox is compared byte for byte")
  func mailboxes() throws {
    let names = try Made.certificate(
      Made.alternativeNames(Made.email("User@EXAMPLE.com"), Made.email("\"a b\"@example.com"))
    ).extensions.subjectAlternativeNames
    func isNamed(_ text: String) throws -> Bool {
      ReferenceIdentity.mailbox(try Mailbox(text)).isNamed(in: names, wildcards: .never)
    }
    #expect(try isNamed("User@example.com"))
    #expect(try isNamed("\"User\"@Example.com"))
    #expect(try isNamed("\"a b\"@example.com"))
    #expect(try !isNamed("user@example.com"))
    #expect(try !isNamed("User@mail.example.com"))
    let malformed = [
      "example.com", "@example.com", "a b@example.com", "a@192.0.2.1", "\"@example.com",
      "\"a\u{1}b\"@example.com", "\"a\u{7F}b\"@example.com", "\"a\"b\"@example.com",
      "\"ab@example.com",
    ]
    for text in malformed {
      #expect(throws: HostNameError.self, "\(text)") { try Mailbox(text) }
    }
    #expect(#expect(throws: HostNameError.self) { try Mailbox("a@b..c") }?.offset == 4)
  }
}
