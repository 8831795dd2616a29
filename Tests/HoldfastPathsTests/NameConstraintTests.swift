import HoldfastCertificates
import HoldfastPaths
import TestSupport
import Testing

@Suite("Name constraints") struct NameConstraintTests {
  /// The name of the rule that a certificate with such names breaks below such constraints.
  func rule(
    permitted: [[UInt8]] = [], excluded: [[UInt8]] = [], subject: String = "", _ names: [UInt8]...,
    allowsLeadingDot: Bool = true
  ) throws -> String? {
    let issuer = try Made.certificate(
      Made.nameConstraints(permitted: permitted, excluded: excluded))
    let subject = Made.name(subject)
    let leaf =
      names.isEmpty
      ? try Made.certificate(subject: subject)
      : try Made.certificate(subject: subject, Made.alternativeNames(names))
    return try rule(issuer, leaf, allowsLeadingDot: allowsLeadingDot)
  }

  func rule(
    _ issuer: Certificate, _ leaf: Certificate, isLast: Bool = true, allowsLeadingDot: Bool = true
  ) throws -> String? {
    var checks = NameConstraintChecks(allowsLeadingDot: allowsLeadingDot)
    var budget = Budget()
    var log = Violations(recordsAll: false)
    try checks.add(try #require(issuer.extensions.nameConstraints), &budget)
    do throws(CheckFailure) {
      try checks.check(leaf, isLast: isLast, &log, &budget)
      return nil
    } catch {
      switch error {
      case .violation(let violation): return violation.rule.name
      case .limitReached(let limit): return limit.name
      }
    }
  }

  /// RFC 5280 §4.2.1.10: names that a DNS base and labels to its left make. The leading dot is what
  /// OpenSSL, Go and BoringSSL read.
  @Test(
    "a DNS subtree contains its host and all hosts below it",
    arguments: [
      ("host.example.com", "host.example.com", true),
      ("host.example.com", "www.host.example.com", true),
      ("host.example.com", "host1.example.com", false), ("example.com", "badexample.com", false),
      ("example.com", "EXAMPLE.COM", true), ("Example.com", "a.b.example.com", true),
      ("", "any.example", true), (".example.com", "a.example.com", true),
      (".example.com", "example.com", false), ("example.com", "*.example.com", true),
      ("example.com", "*.a.example.com", true), (".example.com", "*.example.com", true),
      ("foo.example.com", "*.example.com", false),
    ])
  func dns(base: String, name: String, isInside: Bool) throws {
    let permitted = try rule(permitted: [Made.dns(base)], Made.dns(name))
    #expect(permitted == (isInside ? nil : "nameNotPermitted"))
    // What a pattern may stand for is excluded with the pattern: CVE-2025-61727.
    let isPartlyInside = isInside || (name == "*.example.com" && base == "foo.example.com")
    let excluded = try rule(excluded: [Made.dns(base)], Made.dns(name))
    #expect(excluded == (isPartlyInside ? "nameExcluded" : nil))
  }

  @Test("a wildcard is not excluded by a name that it cannot match")
  func patterns() throws {
    #expect(try rule(excluded: [Made.dns("a.b.example.com")], Made.dns("*.example.com")) == nil)
    #expect(try rule(excluded: [Made.dns("example.org")], Made.dns("*.example.com")) == nil)
  }

  @Test("a dNSName that is not a host name is rejected if hosts are constrained")
  func malformedNames() throws {
    for name in [".example.com", "example.com.", "a..example.com", "a b.example.com", "*", ""] {
      let base = [Made.dns("example.com")]
      #expect(try rule(permitted: base, Made.dns(name)) == "nameMalformed", "\(name)")
      #expect(try rule(excluded: base, Made.dns(name)) == "nameMalformed", "\(name)")
      #expect(try rule(permitted: [Made.ip(10, 0, 0, 0, 255, 0, 0, 0)], Made.dns(name)) == nil)
    }
  }

  @Test("a malformed constraint is rejected if it would apply")
  func malformedConstraints() throws {
    for base in ["*.example.com", "example.com.", "a..b", "https://example.com"] {
      #expect(
        try rule(permitted: [Made.dns(base)], Made.dns("a.example.com")) == "constraintMalformed")
      #expect(
        try rule(excluded: [Made.dns(base)], Made.dns("a.example.com")) == "constraintMalformed")
      #expect(try rule(excluded: [Made.dns(base)], Made.ip(192, 0, 2, 1)) == nil)
    }
    let dotted = [Made.dns(".example.com")]
    let strict = try rule(permitted: dotted, Made.dns("a.example.com"), allowsLeadingDot: false)
    #expect(strict == "constraintMalformed")
    for base in ["", "@example.com", "a@", "."] {
      #expect(
        try rule(excluded: [Made.email(base)], Made.email("a@b.example")) == "constraintMalformed")
    }
  }

  @Test("a minimum or maximum has no meaning, and is rejected if it would apply")
  func depths() throws {
    let ranged = Made.der(0x82, Array("example.com".utf8)) + Made.der(0x81, [1])
    #expect(try rule(permitted: [ranged], Made.dns("example.com")) == "constraintUnsupported")
    #expect(try rule(permitted: [ranged], Made.ip(192, 0, 2, 1)) == nil)
  }

  @Test("addresses are compared with ranges of their IP version")
  func addresses() throws {
    let block = [Made.ip(192, 0, 2, 0, 255, 255, 255, 0)]
    let v6 = Made.der(0x87, [UInt8](repeating: 0, count: 15) + [1])
    #expect(try rule(permitted: block, Made.ip(192, 0, 2, 77)) == nil)
    #expect(try rule(permitted: block, Made.ip(192, 0, 3, 77)) == "nameNotPermitted")
    #expect(try rule(permitted: block, v6) == "nameNotPermitted")
    #expect(try rule(excluded: block, v6) == nil)
    let v6Block = [
      Made.der(0x87, [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 0xFF, count: 16))
    ]
    #expect(try rule(permitted: v6Block, Made.ip(192, 0, 2, 77)) == "nameNotPermitted")
    #expect(try rule(excluded: v6Block, Made.ip(0, 0, 0, 0)) == nil)
    #expect(try rule(excluded: block, Made.ip(192, 0, 2, 77)) == "nameExcluded")
    #expect(
      try rule(excluded: [Made.ip(0, 0, 0, 0, 0, 0, 0, 0)], Made.ip(1, 2, 3, 4)) == "nameExcluded")
  }

  /// What Botan and Bouncy Castle reject in their suites. RFC 4291 §2.5.5.2.
  @Test("an IPv4-mapped address must be permitted as IPv4 and as IPv6, and is excluded as either")
  func mappedAddresses() throws {
    func mapped(_ bytes: UInt8...) -> [UInt8] {
      [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
    }
    func block(_ address: [UInt8], _ length: Int) -> [UInt8] {
      let mask = address.indices.map {
        UInt8(truncatingIfNeeded: 0xFF00 >> min(max(length - 8 * $0, 0), 8))
      }
      return Made.der(0x87, address + mask)
    }
    let name = Made.der(0x87, mapped(192, 0, 2, 5))
    let (v4, all4) = (block([192, 0, 2, 0], 24), block([0, 0, 0, 0], 0))
    let (v6, all6) = (block(mapped(192, 0, 2, 0), 120), block(mapped(0, 0, 0, 0), 0))
    for (excluded, isRefused) in [
      ([v4], true), ([all4], true), ([v6], true), ([all6], true),
      ([block([198, 51, 100, 0], 24), block(mapped(198, 51, 100, 0), 120)], false),
    ] {
      #expect(
        try rule(excluded: excluded, name) == (isRefused ? "nameExcluded" : nil), "\(excluded)")
    }
    for (permitted, isPermitted) in [
      ([v4], false), ([all4], false), ([v6], false), ([all6], false), ([v4, all6], true),
      ([all4, v6], true), ([block([198, 51, 100, 0], 24), all6], false),
    ] {
      #expect(
        try rule(permitted: permitted, name) == (isPermitted ? nil : "nameNotPermitted"),
        "\(permitted)")
    }
    // The addresses of IPv4 under blocks of IPv6: only a block of mapped ones speaks of them.
    let plain = Made.ip(192, 0, 2, 5)
    #expect(try rule(excluded: [v6], plain) == "nameExcluded")
    #expect(try rule(excluded: [block(mapped(0, 0, 0, 0), 96)], plain) == "nameExcluded")
    #expect(try rule(excluded: [block(mapped(0, 0, 0, 0), 95)], plain) == nil)
    #expect(try rule(excluded: [block(mapped(192, 0, 3, 0), 120)], plain) == nil)
    #expect(try rule(permitted: [v6], plain) == "nameNotPermitted")
    // What only resembles a mapped address is none.
    let other = Made.der(0x87, [UInt8](repeating: 0, count: 10) + [0xFF, 0xFE, 192, 0, 2, 5])
    #expect(try rule(excluded: [v4], other) == nil)
    #expect(try rule(permitted: [all6], other) == nil)
  }

  /// RFC 5280 §4.2.1.10: a mailbox, all mailboxes of a host, or of all hosts below a domain.
  @Test(
    "mailboxes are compared with mailboxes, hosts and domains",
    arguments: [
      ("root@example.com", "root@EXAMPLE.com", true),
      ("root@example.com", "Root@example.com", false),
      ("\"root\"@example.com", "\"root\"@example.com", true),
      ("example.com", "any@example.com", true),
      ("example.com", "any@mail.example.com", false),
      (".example.com", "any@mail.example.com", true),
      (".example.com", "any@example.com", false), ("*@example.com", "*@example.com", true),
      ("*@example.com", "a@example.com", false), ("example.com", "any@xexample.com", false),
    ])
  func mailboxes(base: String, name: String, isInside: Bool) throws {
    #expect(
      try rule(permitted: [Made.email(base)], Made.email(name))
        == (isInside ? nil : "nameNotPermitted"))
    #expect(
      try rule(excluded: [Made.email(base)], Made.email(name)) == (isInside ? "nameExcluded" : nil))
    let subject = "CN=x,E=\(name)"
    #expect(
      try rule(permitted: [Made.email(base)], subject: subject)
        == (isInside ? nil : "nameNotPermitted"))
    #expect(
      try rule(permitted: [Made.email(base)], subject: subject, Made.dns("a.example"))
        == (isInside ? nil : "nameNotPermitted"))
  }

  @Test(
    "the host of a URI is compared with hosts and domains",
    arguments: [
      ("example.com", "https://user:x@example.com:8443/p?q@evil", nil),
      ("example.com", "https://www.example.com/", "nameNotPermitted"),
      (".example.com", "HTTPS://www.Example.com", nil),
      (".example.com", "https://example.com/", "nameNotPermitted"),
      ("example.com", "https://192.0.2.1/", "nameMalformed"),
      ("example.com", "urn:example.com", "nameMalformed"),
      ("example.com", "https:///example.com", "nameMalformed"),
      ("example.com", "https://evil.example\\@example.com/", "nameMalformed"),
      ("example.com", "https://a@b@example.com/", "nameMalformed"),
    ] as [(String, String, String?)])
  func uris(base: String, name: String, expected: String?) throws {
    #expect(try rule(permitted: [Made.uri(base)], Made.uri(name)) == expected)
  }

  @Test("subjects and directory names are in a subtree if they begin with it")
  func directories() throws {
    let base = [Made.directory("C=AQ,O=Ice")]
    #expect(try rule(permitted: base, subject: "C=aq,O=ICE ,CN=x") == nil)
    #expect(try rule(permitted: base, subject: "C=AQ,CN=x") == "nameNotPermitted")
    #expect(try rule(permitted: base, subject: "") == nil)
    #expect(try rule(excluded: base, subject: "C=AQ,O=Ice") == "nameExcluded")
    #expect(try rule(excluded: base, Made.directory("C=AQ,O=Ice,OU=x")) == "nameExcluded")
    #expect(
      try rule(permitted: base, subject: "C=AQ,O=Ice", Made.directory("C=AQ")) == "nameNotPermitted"
    )
  }

  @Test("constraints on name forms without defined semantics are rejected if such a name occurs")
  func unsupported() throws {
    let other = Made.other("1.2.3.4", Made.der(0x0C, [0x61]))
    let identifier = Made.der(0x88, [0x2A, 3])
    #expect(try rule(excluded: [other], other) == "constraintUnsupported")
    #expect(try rule(permitted: [identifier], identifier) == "constraintUnsupported")
    #expect(try rule(excluded: [other], identifier, Made.dns("a.example")) == nil)
    let mailbox = Made.other("1.3.6.1.5.5.7.8.9", Made.der(0x0C, Array("ä@example.com".utf8)))
    #expect(try rule(permitted: [Made.email("example.org")], mailbox) == "constraintUnsupported")
  }

  /// RFC 5280 §4.2.1.10: restrictions apply only when the specified name form is present.
  @Test("a constraint on one name form does not apply to another")
  func otherForms() throws {
    let plain = Made.der(0x30, [])
    let forms: [(constraint: [UInt8], name: [UInt8])] = [
      (Made.other("1.2.3", plain), Made.other("1.2.3", plain)),
      (Made.email("a.example"), Made.email("u@b.example")),
      (Made.dns("a.example"), Made.dns("b.example")),
      (Made.der(0xA3, plain), Made.der(0xA3, plain)),
      (Made.directory("CN=a"), Made.directory("CN=b")),
      (Made.der(0xA5, plain), Made.der(0xA5, plain)),
      (Made.uri("a.example"), Made.uri("https://b.example/")),
      (Made.ip(192, 0, 2, 0, 255, 255, 255, 0), Made.ip(198, 51, 100, 1)),
      (Made.der(0x88, [0x2A]), Made.der(0x88, [0x2B])),
    ]
    for (offset, form) in forms.enumerated() {
      for (other, name) in forms.enumerated() {
        let broken = try rule(permitted: [form.constraint], name.name)
        #expect((broken == nil) == (offset != other), "\(offset) \(other) \(broken ?? "")")
      }
    }
  }

  @Test("exclusion takes precedence, and the constraints of every issuer apply")
  func layers() throws {
    let base = [Made.dns("example.com")]
    #expect(try rule(permitted: base, excluded: base, Made.dns("example.com")) == "nameExcluded")
    var checks = NameConstraintChecks(allowsLeadingDot: true)
    var budget = Budget()
    for name in ["example.com", "a.example.com"] {
      let issuer = try Made.certificate(Made.nameConstraints(permitted: [Made.dns(name)]))
      try checks.add(try #require(issuer.extensions.nameConstraints), &budget)
    }
    var log = Violations(recordsAll: true)
    let inside = try Made.certificate(Made.alternativeNames(Made.dns("b.a.example.com")))
    try checks.check(inside, isLast: true, &log, &budget)
    #expect(log.all.isEmpty)
    let outside = try Made.certificate(Made.alternativeNames(Made.dns("b.example.com")))
    try checks.check(outside, isLast: true, &log, &budget)
    #expect(log.all.map(\.rule) == [.nameNotPermitted])
  }

  /// RFC 5280 §6.1.3 (b).
  @Test("a self-issued certificate is exempt unless it is the last")
  func selfIssued() throws {
    let issuer = try Made.certificate(Made.nameConstraints(excluded: [Made.dns("example.com")]))
    let name = Made.name("CN=Self")
    let leaf = try Made.certificate(
      subject: name, issuer: name, Made.alternativeNames(Made.dns("example.com")))
    #expect(try rule(issuer, leaf, isLast: false) == nil)
    #expect(try rule(issuer, leaf, isLast: true) == "nameExcluded")
  }

  /// RFC 5280 §4.2.1.10: "the minimum and maximum fields are not used with any name forms".
  @Test("constraints with a minimum or a maximum are not well formed, whatever their form")
  func distances() throws {
    for base in [
      Made.dns("example.com"), Made.email("example.com"), Made.ip(192, 0, 2, 0, 255, 255, 255, 0),
      // A registeredID, whose constraints nothing compares.
      Made.der(0x88, [0x2A]),
    ] {
      for (distance, isWellFormed) in [
        ([], true), ([0x80, 1, 1], false), ([0x81, 1, 5], false),
      ] as [([UInt8], Bool)] {
        for tag in [UInt8(0xA0), 0xA1] {
          let trees = Made.der(tag, Made.der(0x30, base + distance))
          let certificate = try Made.certificate(
            Made.extension("2.5.29.30", isCritical: true, Made.der(0x30, trees)))
          #expect(
            certificate.extensions.nameConstraints?.isWellFormed == isWellFormed,
            "\(base) \(distance)")
        }
      }
    }
  }
}
