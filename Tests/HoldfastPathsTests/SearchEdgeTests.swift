import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Where a search stops, and which of what it has seen is told.
@Suite("Edges of a search") struct SearchEdgeTests {
  private let root: Certificate
  private let middle: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "Middle", 2)
  }

  private func rules(_ search: Search) -> [Rule] { search.error?.rejections.map(\.rule) ?? [] }

  /// An authority that its issuer means by its key identifier, or not.
  private func authority(
    isNamed: Bool = true, by issuer: String, _ signer: UInt64, number: UInt64 = 1,
    _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Certificate {
    try SignedCertificate.authority("Middle", 2, by: issuer, signer) {
      $0.serialNumber = number
      if !isNamed {
        $0.hasKeyIdentifiers = false
        let identifier = Made.der(0x80, SignedCertificate.identifier(signer))
        $0.extensions.append(Made.extension("2.5.29.35", Made.der(0x30, identifier)))
      }
      change(&$0)
    }
  }

  // MARK: Attempts

  @Test("of attempts that came equally near, the last makes room for one that came nearer")
  func room() {
    var attempts = Attempts()
    func add(_ number: Int, to anchor: TrustAnchor? = nil) {
      let violations = [Violation(.pathLength, .number(number))]
      let nearness = PathError.Attempt.Nearness(
        didNotSign: false, hasAnchor: anchor != nil, .notVerified, violations)
      guard attempts.hasRoom(for: nearness) else { return }
      attempts.add(
        PathError.Attempt(
          certificates: [], anchor: anchor, violations: violations, nearness: nearness))
    }
    func numbers(_ attempts: [PathError.Attempt]) -> [Violation.Detail?] {
      attempts.map { $0.violations.first?.detail }
    }
    for number in 0...64 { add(number) }
    #expect(numbers(attempts.all) == (0..<64).map { .number($0) } && attempts.omitted == 1)
    add(65, to: TrustAnchor(root))
    #expect(numbers(attempts.all) == ((0..<63) + [65]).map { .number($0) })
    #expect(attempts.omitted == 2 && numbers(attempts.ranked).first == .number(65))
  }

  @Test("an issuer of another name is told, however many attempts there are")
  func otherName() throws {
    // None has the name of their issuer, and one has its key identifier.
    let other = try SignedCertificate.authority("Other", 9, by: "Else", 10)
    let last = try authority(isNamed: false, by: "Gone", 9)
    for count in [63, 64] {
      let expired = try (0..<count).map {
        try authority(by: "Gone", 9, number: 100 + UInt64($0)) { $0.notAfter = "250601000000Z" }
      }
      let error = try #require(
        Search(leaf: leaf, others: expired + [last, other], anchors: [root]).error)
      // The one that is not expired comes nearest, although it is tried last.
      #expect(error.rejections.first?.path == [leaf, last])
      #expect(error.rejections.first?.rule == .nameChaining && error.rejections.first?.index == 1)
    }
  }

  @Test("a path of few certificates is not too long, although names lead farther in a circle")
  func circleOfNames() throws {
    let expired = try SignedCertificate.authority("R", 1, by: "R", 1) {
      $0.notAfter = "250601000000Z"
    }
    // A is issued by the root, or by another of its name, which leads back to A.
    let others = [
      try SignedCertificate.authority("A", 2, by: "R", 1),
      try SignedCertificate.authority("R", 5, by: "S", 6),
      try SignedCertificate.authority("S", 6, by: "A", 2),
    ]
    var search = Search(
      leaf: try SignedCertificate.leaf(by: "A", 2), others: others, anchors: [expired],
      rules: .apple)
    search.limits.pathLength = 5
    let error = try #require(search.error)
    #expect(error.cause == .rejected)
    #expect(error.rejections.first?.rule == .expired && error.rejections.first?.index == 2)
  }

  // MARK: What is told

  @Test("what else is wrong with a self-signed CA is told before that it is no anchor")
  func oldRoot() throws {
    let old = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.notAfter = "250601000000Z"
    }
    let stranger = try SignedCertificate.root("Stranger", 9)
    let error = try #require(
      Search(leaf: try SignedCertificate.leaf(by: "Root", 1), others: [old], anchors: [stranger])
        .error)
    #expect(error.rejections.map(\.rule) == [.expired, .untrustedRoot])
    #expect(error.rejections.map(\.index) == [1, 1])
  }

  @Test("that a leaf is self-signed is charged as a signature before it is known")
  func selfSignedLeaf() throws {
    let leaf = try SignedCertificate.leaf(by: "Leaf", 100)
    for (limit, expected) in [
      (0, PathError.Cause.limitReached(.publicKeyOperations(0))), (1, .rejected),
    ] {
      var search = Search(leaf: leaf, anchors: [root])
      search.limits.publicKeyOperations = limit
      #expect(search.error?.cause == expected)
      #expect(rules(search) == (limit == 0 ? [] : [.untrustedRoot]))
    }
  }

  /// RFC 5280 §4.2.1.1: the identifier is one of the issuer's keys.
  @Test("a key that the identifiers mean is that of the issuer only if it has the issuer's name")
  func sameIdentifier() throws {
    let wrong = try SignedCertificate.leaf(by: "Middle", 3) {
      $0.signature = (Made.der(0x30, Made.oid("1.2.840.10045.4.3.2")), Array(leaf.signature))
    }
    for (name, expected) in [("Middle", Violation.Signer.same), ("Elsewhere", .other)] {
      let meant = try SignedCertificate.authority(name, 3, by: "Nobody", 8)
      let error = try #require(
        Search(leaf: wrong, others: [middle, meant], anchors: [root], rules: .rfc5280).error)
      let rejection = try #require(error.rejections.first { $0.path.contains(middle) })
      #expect(rejection.rule == .signature && rejection.index == 0)
      #expect(rejection.violation.detail == .signer(expected))
    }
  }

  /// CA/B BR §6.1.6.
  @Test("wrong numbers of an RSA key are told once, as is a key of another kind than the signature")
  func wrongNumbers() throws {
    func issuer(last: UInt8, _ exponent: [UInt8]) throws -> Certificate {
      let modulus = [0] + [UInt8](repeating: 0xFF, count: 255) + [last]
      let numbers = Made.der(0x30, Made.der(0x02, modulus) + Made.der(0x02, exponent))
      let algorithm = Made.der(0x30, Made.oid("1.2.840.113549.1.1.1") + [5, 0])
      return try authority(by: "Root", 1) {
        $0.publicKeyInfo = Made.der(0x30, algorithm + Made.bits(numbers))
      }
    }
    let rsa = Made.der(0x30, Made.oid("1.2.840.113549.1.1.11") + [5, 0])
    let signed = try SignedCertificate.leaf(by: "Middle", 2) {
      $0.signature = (rsa, [UInt8](repeating: 1, count: 256))
    }
    for (leaf, issuer, rule, index) in [
      (signed, try issuer(last: 0xFE, [1, 0, 1]), Rule.invalidKey, 1),
      (signed, try issuer(last: 0xFF, [1]), .invalidKey, 1),
      (signed, try issuer(last: 0xFF, [8, 0, 0, 0, 1]), .oversizedExponent, 1),
      (signed, try issuer(last: 0xFF, [1, 0, 1]), .signature, 0),
      (leaf, try issuer(last: 0xFF, [1, 0, 1]), .unsupportedKey, 0),
    ] {
      for (others, anchors) in [([issuer], [root]), ([], [issuer])] {
        let error = try #require(
          Search(leaf: leaf, others: others, anchors: anchors, rules: .rfc5280).error)
        #expect(error.rejections.map(\.rule) == [rule])
        #expect(error.rejections.map(\.index) == [index])
      }
    }
  }

  @Test("each name of a certificate that cannot be read is charged before it is compared")
  func unreadableNames() throws {
    let unreadable = try (["Middle"] + (0..<10).map { "Other \($0)" }).map { name in
      let der = Array(try SignedCertificate.authority(name, 2, by: "Root", 1).der.dropLast())
      let error = try #require(throws: ParseError.self) { try Certificate(der: der) }
      return UnreadableCertificate(der: der, error: error, number: 2)
    }
    /// The least limit at which the one that is meant is found after others.
    func cost(_ count: Int) -> Int {
      least(below: 2_000) { limit in
        var limits = Limits.default
        limits.work = limit
        let validator = PathValidator(
          anchors: AnchorSet([root]), rules: .rfc5280, limits: limits, cache: nil)
        let error = #expect(throws: PathError.self) {
          try validator.validate(
            Question(
              [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
              unreadable: Array(unreadable[1..<count + 1]) + [unreadable[0]]))
        }
        return error?.rejections.first?.rule == .issuerUnreadable
      }
    }
    #expect(cost(10) - cost(0) >= 10 * leaf.issuerSize)
  }

  // MARK: Presets

  private func accepting(_ search: Search) throws -> [String] {
    try #require(search.error).hints.compactMap {
      if case .acceptedBy(let preset) = $0 { preset } else { nil }
    }
  }

  @Test("no preset is named where a limit has kept certificates out")
  func presetBesideLimit() throws {
    let stray = try (30..<32).map { try SignedCertificate.root("Stray \($0)", $0) }
    for (maximum, expected) in [(2, ["webPKI"]), (1, [])] {
      var search = Search(
        leaf: try SignedCertificate.leaf(by: "Root", 1), others: stray, anchors: [root],
        rules: .rfc5280)
      search.rules.leaf.maximumValidity = 86_400
      search.limits.candidates = maximum
      #expect(search.error?.cause == (maximum == 2 ? .rejected : .limitReached(.candidates(1))))
      #expect(try accepting(search) == expected)
    }
  }

  @Test("no preset is looked for if a signature does not verify on the path that came nearest")
  func presetBesideSignature() throws {
    let good = try authority(isNamed: false, by: "Root", 1)
    // The search for reasons takes 128 steps, two for each of these, which come first.
    for (count, expected) in [(63, ["webPKI"]), (64, [])] {
      let forged = try (0..<count).map {
        try authority(by: "Root", 99, number: 100 + UInt64($0))
      }
      var search = Search(leaf: leaf, others: forged + [good], anchors: [root], rules: .rfc5280)
      search.rules.leaf.maximumValidity = 86_400
      #expect(try accepting(search) == expected)
    }
  }
}
