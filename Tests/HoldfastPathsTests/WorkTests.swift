import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// The root, and a leaf that it has issued unless others are above it.
struct WorkQuestion {
  var leaf: (inout SignedCertificate) -> Void = { _ in }
  var names = [Made.dns(SignedCertificate.host)]
  var middle: ((inout SignedCertificate) -> Void)?
  var root = "Root"
  var middleName = "Middle"
  /// The CA above the middle one; nil if that is the root.
  var upperName: String?
  var revocation: (_ leaf: Certificate, _ middle: Certificate) throws -> Revocation? = { _, _ in
    nil
  }

  /// The certificates, made once for all limits that are tried, and their signatures, which are
  /// verified once and charged each time.
  private func asked() throws -> (
    chain: [Certificate], anchors: AnchorSet, revocation: Revocation?, cache: SignatureCache
  ) {
    let anchor = try SignedCertificate.root(root)
    var others: [Certificate] = []
    if let middle {
      others.append(
        try SignedCertificate.authority(
          middleName, 2, by: upperName ?? root, upperName == nil ? 1 : 3
        ) {
          $0.serialNumber = 7
          middle(&$0)
        })
    }
    if let upperName {
      others.append(try SignedCertificate.authority(upperName, 3, by: root, 1))
    }
    let (issuer, signer) = middle == nil ? (root, UInt64(1)) : (middleName, 2)
    let first = try SignedCertificate.leaf(by: issuer, signer, names: names) {
      $0.serialNumber = 9
      leaf(&$0)
    }
    return (
      [first] + others, AnchorSet([anchor]), try revocation(first, others.first ?? anchor),
      SignatureCache()
    )
  }

  /// The least value of a limit that is not reached.
  func cost(_ limit: WritableKeyPath<Limits, Int>) throws -> Int {
    let (chain, anchors, revocation, cache) = try asked()
    func isReached(_ value: Int) -> Bool {
      var limits = Limits.default
      limits[keyPath: limit] = value
      let validator = PathValidator(
        anchors: anchors, rules: .rfc5280, limits: limits, cache: cache)
      do throws(PathError) {
        _ = try validator.validate(
          chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
          revocation: revocation)
        return false
      } catch {
        return error.cause != .rejected
      }
    }
    return least(below: Limits.default[keyPath: limit]) { !isReached($0) }
  }

  /// How much more a changed question costs.
  func difference(
    _ limit: WritableKeyPath<Limits, Int>, _ change: (inout WorkQuestion) -> Void
  ) throws -> Int {
    var more = self
    change(&more)
    return try more.cost(limit) - cost(limit)
  }
}

/// The least number for which something holds that holds for all greater ones.
func least(below end: Int, _ holds: (Int) throws -> Bool) rethrows -> Int {
  var (low, high) = (0, end)
  while low < high {
    let middle = (low + high) / 2
    if try holds(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}

/// What is charged to the limits, and how much: by `Limits`, names for every 64 or 128 bytes, bytes
/// that are compared verbatim one in eight. Each row compares a question with one that asks the same
/// and has more of one thing, so that no charge can be lost without a row that costs too little.
@Suite("What each part of a question costs") struct WorkTests {
  private static let long = String(repeating: "x", count: 6_400)

  @Test("the limits are those that the documentation has")
  func limits() {
    let limits = Limits.default
    #expect(limits.publicKeyOperations == 100 && limits.steps == 2_000)
    #expect(limits.work == 8_000_000)
    // Those of webpki, Go and OpenSSL.
    #expect(limits.nameComparisons == 250_000 && limits.policyNodes == 1_000)
    #expect(limits.pathLength == 10 && limits.candidates == 256)
    var other = limits
    for (length, expected) in [(0, 1), (1, 1), (32, 32), (33, 32)] {
      other.pathLength = length
      #expect(other.pathLength == expected)
    }
  }

  // MARK: Names and identifiers

  @Test("a name is charged by its length where it is compared with an anchor's and a subject's")
  func names() throws {
    // A name is found in `anchors` by its hash, and among the subjects; then it is compared once.
    func size(_ name: String) -> Int { Made.name("CN=\(name)").count }
    #expect(
      try WorkQuestion().difference(\.work) { $0.root = WorkTests.long }
        == size(WorkTests.long) - size("Root"))
    #expect(
      try WorkQuestion(middle: { _ in }).difference(\.work) {
        $0.middleName = WorkTests.long
      } == size(WorkTests.long) - size("Middle"))
  }

  /// A key identifier of 8,000 bytes.
  private static func identifier(_ request: inout SignedCertificate) {
    request.hasKeyIdentifiers = false
    let identifier = [UInt8](repeating: 1, count: 8_000)
    request.extensions.append(
      Made.extension("2.5.29.35", Made.der(0x30, Made.der(0x80, identifier))))
  }

  @Test("a key identifier is charged by its length for each anchor and intermediate of the name")
  func identifiers() throws {
    for middle in [nil, { _ in }] as [((inout SignedCertificate) -> Void)?] {
      let more = try WorkQuestion(middle: middle).difference(\.work) {
        $0.leaf = WorkTests.identifier
      }
      #expect(more >= 8_000 / 8 - 8)
    }
  }

  // MARK: Names and constraints

  @Test("names of the leaf are charged for the host that is asked for, and once more if it differs")
  func identity() throws {
    let names = (0..<100).map { Made.dns("n\($0).example.net") }
    #expect(
      try WorkQuestion().difference(\.nameComparisons) { $0.names += names } == 100)
    let other = WorkQuestion(names: [Made.dns("n.example.net")])
    #expect(try other.difference(\.nameComparisons) { $0.names += names } == 200)
  }

  private func constrained(_ permitted: [[UInt8]], _ excluded: [[UInt8]] = []) -> WorkQuestion {
    WorkQuestion(middle: {
      $0.extensions.append(Made.nameConstraints(permitted: permitted, excluded: excluded))
    })
  }

  @Test("subtrees are charged when they are read, and again when names are looked up among them")
  func subtrees() throws {
    let mailboxes = (0..<100).map { Made.email("m\($0).example.net") }
    let hosts = (0..<100).map { Made.dns("n\($0).example.net") }
    let host = Made.dns(SignedCertificate.host)
    // No name is a mailbox, so they are only read.
    let base = constrained([], [mailboxes[0]])
    let all = constrained([], mailboxes)
    #expect(try base.difference(\.nameComparisons) { $0.middle = all.middle } == 99)
    let names = (0..<100).map { Made.dns("n\($0).example.org") }
    #expect(
      try base.difference(\.nameComparisons) { $0.names += names } == 200,
      "for the host, and to be looked at")
    let one = constrained([host])
    let many = constrained([host] + hosts)
    #expect(try one.difference(\.nameComparisons) { $0.middle = many.middle } == 200)
  }

  @Test("a directory name is charged by its length when it is looked up, 128 bytes as one")
  func directories() throws {
    let base = constrained([], [Made.directory("C=AQ")])
    let more = try base.difference(\.nameComparisons) {
      $0.names.append(Made.directory("CN=\(WorkTests.long)"))
    }
    // For the host, to be looked at, and 6,400 bytes and the headers of the name.
    #expect(more == 2 + 1 + 6_400 / 128)
  }

  @Test("a base is charged by its length, and again if a name of its form is looked up")
  func bases() throws {
    let long = Made.email(String(repeating: "x", count: 1_280) + "@a.example")
    let short = constrained([], [Made.email("x@a.example")])
    let more = constrained([], [long])
    #expect(
      try short.difference(\.nameComparisons) { $0.middle = more.middle }
        == (1_280 + "@a.example".count) / 128)
    // Those that a name is looked up among are read twice: the index is built then.
    func excluded(_ count: Int) -> WorkQuestion {
      constrained([], (0..<count).map { Made.directory("O=N\($0)") })
    }
    let directories = try excluded(51).cost(\.nameComparisons) - excluded(1).cost(\.nameComparisons)
    #expect(directories == 50 * 2)
  }

  @Test("an issuer that excludes nothing costs no look-up there, and a short host one")
  func permittedAlone() throws {
    // For the host that is asked for; to read the base, again for the index; to look at the name,
    // and to look it up.
    let cost = try constrained([Made.dns("example.com")]).cost(\.nameComparisons)
    #expect(1 + 2 + 1 + 1...12 ~= cost)
  }

  @Test("a base that cannot be prepared is compared with each name, which is charged")
  func unpreparedBases() throws {
    func excluded(_ count: Int) -> WorkQuestion {
      constrained(
        [],
        (0..<count).map { number in
          // TeletexString.
          let text = Made.der(0x14, Array("N\(number)".utf8))
          let attribute = Made.der(0x30, Made.oid("2.5.4.10") + text)
          return Made.der(0xA4, Made.der(0x30, Made.der(0x31, attribute)))
        })
    }
    // They are read twice, and compared with the subject.
    #expect(
      try excluded(51).cost(\.nameComparisons) - excluded(1).cost(\.nameComparisons) == 50 * 3)
  }

  @Test("TLS features are charged where an issuer has them and where they are compared")
  func features() throws {
    let features = Made.extension(
      "1.3.6.1.5.5.7.1.24", Made.der(0x30, (1...50).flatMap { Made.der(0x02, [UInt8($0)]) }))
    let base = WorkQuestion(leaf: { $0.extensions.append(features) }, middle: { _ in })
    #expect(
      try base.difference(\.nameComparisons) { $0.middle = { $0.extensions.append(features) } }
        == 50 + 100)
  }

  // MARK: Policies, in nodes and a rest of bytes that is less than one

  private static func policies(_ numbers: Range<Int>, any: Bool = false) -> [UInt8] {
    let all = numbers.map { Made.oid("1.2.3.\($0)") } + (any ? [Made.oid("2.5.29.32.0")] : [])
    return Made.extension("2.5.29.32", Made.der(0x30, all.flatMap { Made.der(0x30, $0) }))
  }

  private static func mappings(_ pairs: [(String, String)]) -> [UInt8] {
    Made.extension(
      "2.5.29.33",
      Made.der(0x30, pairs.flatMap { Made.der(0x30, Made.oid($0.0) + Made.oid($0.1)) }))
  }

  @Test("each node of the policy graph counts, at each depth")
  func policyNodes() throws {
    var base = WorkQuestion(middle: { $0.extensions.append(WorkTests.policies(0..<100)) })
    #expect(try base.cost(\.work) / Budget.policyNode == 100)
    base.leaf = { $0.extensions.append(WorkTests.policies(0..<100)) }
    #expect(try base.cost(\.work) / Budget.policyNode == 200)
    base.leaf = { $0.extensions.append(WorkTests.policies(0..<0, any: true)) }
    #expect(try base.cost(\.work) / Budget.policyNode == 200)
    base.middle = { $0.extensions.append(WorkTests.policies(0..<100, any: true)) }
    // anyPolicy expects itself: RFC 9618 §5.3 (d)(2).
    #expect(try base.cost(\.work) / Budget.policyNode == 1 + 100 + 101)
  }

  @Test("a policy that is mapped twice has one node")
  func mappedTwice() throws {
    func question(_ pairs: (String, String)...) -> WorkQuestion {
      WorkQuestion(middle: {
        $0.extensions += [WorkTests.policies(0..<0, any: true), WorkTests.mappings(pairs)]
      })
    }
    // anyPolicy's, and that of the mapped policy.
    let (one, other) = (("1.2.3", "1.2.4"), ("1.2.3", "1.2.5"))
    #expect(try question(one).cost(\.work) / Budget.policyNode == 2)
    #expect(try question(one, other).cost(\.work) / Budget.policyNode == 2)
  }

  @Test("policies are charged by their bytes, mappings by ten bytes and by what they merge")
  func policyBytes() throws {
    // A policy of 1.2.3.n has 7 bytes.
    #expect(
      try WorkQuestion(leaf: { $0.extensions.append(WorkTests.policies(0..<1)) }).difference(
        \.work
      ) { $0.leaf = { $0.extensions.append(WorkTests.policies(0..<101)) } }
        == 700 + 100 * Budget.policyNode)
    // Without policies the graph is empty, and nothing is mapped.
    let pairs = (0..<101).map { ("1.2.3.\($0)", "1.2.4.\($0)") }
    #expect(
      try WorkQuestion(middle: { $0.extensions.append(WorkTests.mappings([pairs[0]])) }).difference(
        \.work
      ) { $0.middle = { $0.extensions.append(WorkTests.mappings(pairs)) } } == 1_000)
    var (checks, budget) = (PolicyGraph(), Budget())
    var limits = Limits()
    let enough = 40 * Budget.policyNode + 16 * 39 * 30
    for maximum in [enough, enough - 1] {
      limits.work = maximum
      (checks, budget) = (PolicyGraph(), Budget(limits))
      let certificate = try Made.certificate(
        WorkTests.policies(0..<40), WorkTests.mappings((0..<40).map { ("1.2.3.\($0)", "1.2.4") }))
      let next = try Made.certificate(
        WorkTests.mappings((0..<30).map { ("1.2.4", "1.2.5.\($0)") }))
      try checks.extend(with: certificate.policyNames, anyPolicyCounts: true, &budget)
      try checks.map(
        Array(certificate.extensions.policyMappings), isInhibited: false, &budget)
      // 40 policies have become one, which is copied 30 times.
      if maximum == enough {
        try checks.map(Array(next.extensions.policyMappings), isInhibited: false, &budget)
      } else {
        #expect(throws: CheckFailure.limitReached(.work(maximum))) {
          try checks.map(Array(next.extensions.policyMappings), isInhibited: false, &budget)
        }
      }
    }
  }

  // MARK: Other questions

  @Test("what verifies a single signature is charged for it before it is known to verify")
  func singleSignatures() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let other = try SignedCertificate.leaf(by: "Root", 2)
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    var limits = Limits()
    limits.publicKeyOperations = 1
    var budget = Budget(limits)
    #expect(try validator.acceptsSignature(on: leaf, by: root, &budget))
    #expect(throws: CheckFailure.limitReached(.publicKeyOperations(1))) {
      try validator.acceptsSignature(on: leaf, by: root, &budget)
    }
    budget = Budget()
    #expect(try !validator.acceptsSignature(on: other, by: root, &budget))
    for change in [
      { $0.signatures.algorithms = [.rsaPKCS1] }, { $0.signatures.curves = [.p384] },
    ] as [(inout ValidationRules) -> Void] {
      var rules = ValidationRules.rfc5280
      change(&rules)
      #expect(
        try !PathValidator(anchors: AnchorSet([root]), rules: rules)
          .acceptsSignature(on: leaf, by: root, &budget))
    }
  }

  @Test("each anchor of a name is charged by the length of the name")
  func anchors() throws {
    let roots = try (1...3).map { try SignedCertificate.root(WorkTests.long, $0) }
    let other = try SignedCertificate.root()
    let anchors = AnchorSet(roots + [other])
    var limits = Limits()
    limits.work = 3 * roots[0].subject.der.count
    var budget = Budget(limits)
    #expect(
      try anchors.anchors(named: roots[0].subject, &budget).compactMap(\.certificate) == roots)
    #expect(throws: CheckFailure.limitReached(.work(limits.work))) {
      try anchors.anchors(named: other.subject, &budget)
    }
  }
}
