import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Corners of the checks of single certificates, names and anchors.
@Suite("Corners of the checks") struct CheckCornerTests {
  private let root: Certificate

  init() throws { root = try SignedCertificate.root() }

  private func rules(_ search: Search) -> [Rule] { search.error?.rejections.map(\.rule) ?? [] }

  // MARK: Purposes

  @Test("one of the usages of a purpose is enough")
  func severalUsages() throws {
    let usage = Made.extension("2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.1")))
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.extensions.append(usage) }
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    func rule(_ purpose: Purpose) -> Rule? {
      do throws(PathError) {
        _ = try validator.validate([leaf], for: purpose, at: SignedCertificate.time)
        return nil
      } catch {
        return error.rejections.first?.rule
      }
    }
    #expect(rule(Purpose(extendedKeyUsages: [.clientAuth, .serverAuth])) == nil)
    #expect(rule(Purpose(extendedKeyUsages: [.clientAuth, .codeSigning])) == .extendedKeyUsage)
    #expect(rule(Purpose(extendedKeyUsages: [.serverAuth])) == nil)
    #expect(try rule(.peer(HostName(SignedCertificate.host))) == nil)
    // The first usage that the path allows is that of the diagnosis, too.
    let plain = try SignedCertificate.leaf(by: "Root", 1)
    let peer = Purpose.peer(try HostName(SignedCertificate.host))
    let path = try validator.validate([plain], for: peer, at: SignedCertificate.time)
    #expect(
      validator.diagnose([plain], for: peer, at: SignedCertificate.time).path?.purpose
        == path.purpose)
  }

  @Test("a leaf that allows no usage of a peer is at fault, and not the CAs above it")
  func peerWithoutUsage() throws {
    let usage = Made.extension("2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.4")))
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "Middle", 2) { $0.extensions.append(usage) }
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
        [leaf, middle], for: .peer(HostName(SignedCertificate.host)), at: SignedCertificate.time)
    }
    #expect(error?.rejections.map(\.index) == [0])
    #expect(error?.rejections.map(\.rule) == [.extendedKeyUsage])
  }

  // MARK: Anchors

  @Test("the strict rules check the profile of anchors as well")
  func profileOfAnchor() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    // RFC 5280 §4.2.1.9: basicConstraints of a CA are critical.
    let constraints = Made.extension("2.5.29.19", Made.der(0x30, [1, 1, 0xFF]))
    let odd = try SignedCertificate(
      subject: "CN=Root", key: 1, issuer: "CN=Root", signer: 1, extensions: [constraints]
    ).made()
    for rules in [ValidationRules.rfc5280, .strictRFC5280] {
      func found(_ anchor: Certificate) -> [PathError.Rejection] {
        Search(leaf: leaf, anchors: [anchor], rules: rules).error?.rejections ?? []
      }
      let (own, others) = (found(odd), found(root))
      let more = own.filter { rejection in !others.contains { $0.rule == rejection.rule } }
      #expect(more.map(\.index) == (rules.profile >= .rfc5280 ? [1] : []), "\(more)")
    }
  }

  @Test("what a root program demands of leaves is not asked of a signer of CRLs")
  func programsOfSigners() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let usage = Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, 0x01, 0x02])
    var request = SignedCertificate(
      subject: "CN=Root", key: 40, issuer: "CN=Root", signer: 1, extensions: [usage])
    request.notBefore = "250601000000Z"
    let signer = try request.made()
    var conditions = ProgramConstraint.Conditions()
    conditions.issuedUntil = leaf.notBefore
    var constraints = TrustAnchor.Constraints()
    constraints.programs = [
      ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [conditions])
    ]
    let anchors = AnchorSet([TrustAnchor(root, constraints: constraints)])
    let path = try PathValidator(anchors: anchors, rules: .rfc5280).validate(
      [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
      revocation: Revocation(crls: [try SignedRevocation.list(by: "Root", 40)], signers: [signer]))
    #expect(path.revocation.first?.isGood == true)
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: anchors, rules: .rfc5280).validate(
        [signer], for: .any, at: SignedCertificate.time)
    }
    #expect(error?.rejections.map(\.rule) == [.programIssuance])
  }

  @Test("of the sets of a program that fail the first of those that fail in least is the reason")
  func nearestSet() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    var early = ProgramConstraint.Conditions()
    early.issuedUntil = leaf.notBefore.advanced(bySeconds: -1)
    var named = ProgramConstraint.Conditions()
    named.dnsNames = ["example.net"]
    var both = early
    both.dnsNames = named.dnsNames
    for (sets, expected) in [
      ([both, early, named], [Rule.programIssuance]), ([named, early, both], [.programName]),
      ([both], [.programIssuance, .programName]),
    ] {
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: sets)
      ]
      let error = #expect(throws: PathError.self) {
        try PathValidator(
          anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280
        ).validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      }
      #expect(error?.rejections.map(\.rule) == expected)
    }
  }

  @Test("the names that a program permits are charged, and the words of a set have its purposes")
  func programNames() throws {
    var conditions = ProgramConstraint.Conditions()
    conditions.dnsNames = (0..<50).map { "n\($0).example" } + ["example.com"]
    conditions.purposes = [.serverAuth]
    #expect(
      "\(conditions)".hasSuffix(", for \(Purpose(extendedKeyUsages: [.serverAuth]))"),
      "\(conditions)")
    #expect("\(ProgramConstraint.Conditions())" == "trusted")
    var constraints = TrustAnchor.Constraints()
    constraints.programs = [
      ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [conditions])
    ]
    let leaf = try SignedCertificate.leaf(
      by: "Root", 1, names: [Made.dns(SignedCertificate.host), Made.dns("a.example.com")])
    var limits = Limits.default
    // Each of the two names is compared with the host, and with 51 names; then there are the bytes
    // that are compared.
    for (maximum, isReached) in [(2 + 2 * 51 + 20, false), (2 + 2 * 51 - 1, true)] {
      limits.nameComparisons = maximum
      let validator = PathValidator(
        anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280,
        limits: limits, cache: nil)
      let result = Result { () throws(PathError) in
        try validator.validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      }
      var cause: PathError.Cause?
      if case .failure(let error) = result { cause = error.cause }
      #expect(cause == (isReached ? .limitReached(.work(maximum * Budget.nameComparison)) : nil))
    }
  }

  // MARK: Names

  /// RFC 5280 §4.2.1.10: constraints apply to names of their form.
  @Test("mailboxes are looked at only where an issuer constrains mailboxes")
  func otherForms() throws {
    // An emailAddress that is no mailbox, and a mailbox with a local part that is not in ASCII.
    func leaf(_ subject: String, _ names: [[UInt8]]) throws -> Certificate {
      try SignedCertificate.leaf(by: "Middle", 2, names: [Made.dns(SignedCertificate.host)] + names)
      { $0.subject = subject }
    }
    let mailbox = Made.other(
      "1.3.6.1.5.5.7.8.9", Made.der(0x0C, Array("\u{E9}@example.com".utf8)))
    let leaves = [
      try leaf("CN=Leaf,E=nobody", []), try leaf("CN=Leaf", [mailbox]), try leaf("CN=Leaf", []),
    ]
    for (constraint, expected) in [
      (Made.dns("example.com"), [[], [], []]),
      (Made.email("example.com"), [[.nameMalformed], [.constraintUnsupported], []]),
    ] as [([UInt8], [[Rule]])] {
      let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.extensions.append(Made.nameConstraints(permitted: [constraint]))
      }
      let found = leaves.map {
        rules(Search(leaf: $0, others: [middle], anchors: [root], rules: .rfc5280))
      }
      #expect(found == expected)
    }
  }

  /// RFC 5280 §4.1.2.6.
  @Test("an empty subject needs alternative names that are not empty, and critical")
  func emptySubject() throws {
    for (names, isCritical, expected) in [
      ([Made.dns("a.example")], true, []), ([], false, [.emptySubject]),
      ([Made.dns("a.example")], false, [.extensionNotCritical]),
    ] as [([[UInt8]], Bool, [Rule])] {
      let leaf = try SignedCertificate(
        subject: "",
        extensions: [
          Made.extension(
            "2.5.29.17", isCritical: isCritical, Made.der(0x30, names.flatMap { $0 }))
        ]
      ).made()
      let error = Result { () throws(PathError) in
        try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
          [leaf], for: .any, at: SignedCertificate.time)
      }
      var found: [Rule] = []
      if case .failure(let error) = error { found = error.rejections.map(\.rule) }
      #expect(found == expected)
    }
  }

  @Test("a host of one letter is a well-formed base for URIs, and none is not")
  func shortBases() throws {
    for (base, expected) in [("a", []), ("", [.constraintMalformed])] as [(String, [Rule])] {
      let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.extensions.append(Made.nameConstraints(permitted: [Made.uri(base)]))
      }
      let leaf = try SignedCertificate.leaf(
        by: "Middle", 2, names: [Made.dns(SignedCertificate.host), Made.uri("http://a/b")])
      #expect(
        rules(Search(leaf: leaf, others: [middle], anchors: [root], rules: .rfc5280)) == expected)
    }
  }

  // MARK: Algorithms

  /// RFC 8017 A.2.4 has NULL as the parameters, and RFC 4055 §5 lets them be absent.
  @Test("parameters that mean the same may be written in two ways only if the rules let them be")
  func equalParameters() throws {
    let oid = Made.oid("1.2.840.113549.1.1.11")
    let (inner, outer) = (Made.der(0x30, oid + [5, 0]), Made.der(0x30, oid))
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.signature = (inner, [1]) }
    let mixed = try Certificate(der: Made.der(0x30, leaf.tbs.array + outer + Made.bits([1])))
    for (requiresEqual, differs) in [(true, true), (false, false)] {
      var search = Search(leaf: mixed, anchors: [root], rules: .rfc5280)
      search.rules.signatures.requiresEqualParameters = requiresEqual
      #expect(rules(search).contains(.algorithmsDiffer) == differs)
      search.leaf = leaf
      #expect(!rules(search).contains(.algorithmsDiffer))
    }
  }

  @Test("a responder with an unknown critical extension does not count")
  func criticalExtensionOfResponder() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    for isCritical in [false, true] {
      let responder = try SignedRevocation.responder(
        8, by: "Root", 1,
        [SignedRevocation.noCheck, Made.extension("1.2.3.4", isCritical: isCritical, [5, 0])])
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(leaf, of: root)], by: responder, 8)
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: Revocation(ocspResponses: [answer]))
      #expect(path.revocation.first?.isGood == !isCritical)
    }
  }

  /// `Limits.publicKeyOperations`: about one for each millisecond.
  @Test("a signature costs one up to 4,096 bits, and then by limbs and multiplications")
  func work() throws {
    func key(_ bits: Int, _ exponent: [UInt8]) throws -> PublicKey {
      var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
      modulus[0] >>= UInt8(8 * modulus.count - bits)
      let sign: [UInt8] = modulus[0] >= 0x80 ? [0] : []
      let numbers = Made.der(0x30, Made.der(0x02, sign + modulus) + Made.der(0x02, exponent))
      let algorithm = Made.der(0x30, Made.oid("1.2.840.113549.1.1.1") + [5, 0])
      return try PublicKey(whole: Made.der(0x30, algorithm + Made.bits(numbers)))
    }
    // 33 bits, 31 of which are set: 64 multiplications, of which a 32nd counts for each square of
    // 128 limbs of 64 bits, rounded down.
    let slow: [UInt8] = [1, 0xFF, 0xFF, 0xFF, 0xF9]
    for (bits, exponent, expected) in [
      (4_096, slow, 1), (4_097, slow, 1), (5_768, slow, 1), (5_776, slow, 2), (8_192, slow, 3),
      (16_384, slow, 9), (16_384, [1, 0, 1], 3), (16_384, [3], 1), (16_400, slow, 1),
    ] as [(Int, [UInt8], Int)] {
      #expect(
        try SignatureChecks.work(under: key(bits, exponent)) == expected, "\(bits) \(exponent)")
    }
  }

  /// RFC 4055 §1.2: a key for RSASSA-PSS is used for that alone, and with its own parameters.
  @Test("a key verifies no signature of a kind that it is not for, and that is not charged")
  func kindOfKey() throws {
    let chain = try BenchChain("a_rsa2048", in: BenchChain.committed)
    let key = chain.intermediates[0].publicKey
    #expect(chain.leaf.isSigned(under: key))
    let numbers = Made.bits(Array(key.bytes))
    let restricted = try PublicKey(
      whole: Made.der(0x30, Made.der(0x30, Made.oid("1.2.840.113549.1.1.10")) + numbers))
    #expect(restricted.kind == .rsaPSS(nil) && restricted.modulus == key.modulus)
    #expect(!chain.leaf.isSigned(under: restricted))
    let issuer = try SignedCertificate.authority("Issuer", 2, by: "Root", 1) {
      $0.publicKeyInfo = Array(restricted.der)
    }
    var limits = Limits()
    limits.publicKeyOperations = 0
    var budget = Budget(limits)
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    #expect(try !validator.acceptsSignature(on: chain.leaf, by: issuer, &budget))
    #expect(throws: CheckFailure.limitReached(.publicKeyOperations(0))) {
      try validator.acceptsSignature(on: chain.leaf, by: chain.intermediates[0], &budget)
    }
  }

  // MARK: Unreadable issuers

  @Test("before an unreadable issuer stays what is wrong below it")
  func brokenBelowUnreadable() throws {
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.notAfter = "250601000000Z"
    }
    let der = Array(middle.der.dropLast())
    let error = try #require(throws: ParseError.self) { try Certificate(der: der) }
    let unreadable = UnreadableCertificate(der: der, error: error, number: 3)
    let wrong = try SignedCertificate.leaf(
      by: "Middle", 3, names: [Made.dns("other.example.com")])
    let answer = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
        Question(
          [wrong, middle], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
          unreadable: [unreadable]))
    }
    let nearest = answer?.rejections.prefix { $0.path == [wrong] }
    #expect(nearest?.map(\.rule) == [.hostName, .issuerUnreadable])
    #expect(nearest?.map(\.index) == [0, 0])
    let rest = answer?.rejections.dropFirst(2).map(\.rule)
    #expect(rest == [.signature, .hostName, .expired])
  }
}
