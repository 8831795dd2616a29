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
  var revocation: ((_ leaf: Certificate, _ middle: Certificate) throws -> Revocation)?

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
      [first] + others, AnchorSet([anchor]), try revocation?(first, others.first ?? anchor),
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
}

/// Expects that each of a number of things costs at least a price, and that work grows at most
/// linearly with the number.
///
/// What the same question costs without revocation data is not counted.
func expectGrowth(
  of limit: WritableKeyPath<Limits, Int>, by step: Int, price: Double,
  sourceLocation: SourceLocation = #_sourceLocation, _ question: (Int) throws -> WorkQuestion
) throws {
  let costs = try [step, 2 * step, 3 * step].map { count in
    let question = try question(count)
    guard question.revocation != nil else { return try question.cost(limit) }
    var base = question
    base.revocation = nil
    return try question.cost(limit) - base.cost(limit)
  }
  let (more, muchMore) = (costs[1] - costs[0], costs[2] - costs[0])
  // Lengths of headers and bytes that begin no new unit make a difference of a few.
  #expect(more >= Int(price * Double(step)) - 4, "\(costs)", sourceLocation: sourceLocation)
  #expect(muchMore <= more * 9 / 4 + 8, "\(costs)", sourceLocation: sourceLocation)
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

/// What is charged to the limits, and how much at least: by `Limits`, names for every 64 or 128 bytes,
/// bytes that are compared verbatim one in eight. A price of several is one for each reading, so that
/// no charge can be lost without a row that costs too little.
@Suite("What each part of a question costs") struct WorkTests {
  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

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
    try expectGrowth(of: \.work, by: 2_000, price: 1) {
      WorkQuestion(root: Self.long($0))
    }
    try expectGrowth(of: \.work, by: 2_000, price: 1) {
      WorkQuestion(middle: { _ in }, middleName: Self.long($0))
    }
  }

  @Test("a key identifier is charged by its length for each anchor and intermediate of the name")
  func identifiers() throws {
    for middle in [nil, { _ in }] as [((inout SignedCertificate) -> Void)?] {
      try expectGrowth(of: \.work, by: 4_000, price: 1 / 8) { count in
        let identifier = Made.der(0x30, Made.der(0x80, [UInt8](repeating: 1, count: count)))
        return WorkQuestion(
          leaf: {
            $0.hasKeyIdentifiers = false
            $0.extensions.append(Made.extension("2.5.29.35", identifier))
          }, middle: middle)
      }
    }
  }

  // MARK: Names and constraints

  private func hosts(_ count: Int, _ domain: String = "example.net") -> [[UInt8]] {
    (0..<count).map { Made.dns("n\($0).\(domain)") }
  }

  private func constrained(
    _ permitted: [[UInt8]], _ excluded: [[UInt8]] = [], names: [[UInt8]] = []
  ) -> WorkQuestion {
    WorkQuestion(
      names: [Made.dns(SignedCertificate.host)] + names,
      middle: {
        $0.extensions.append(Made.nameConstraints(permitted: permitted, excluded: excluded))
      })
  }

  @Test("names of the leaf are charged for the host that is asked for, and once more if it differs")
  func identity() throws {
    try expectGrowth(of: \.nameComparisons, by: 50, price: 1) {
      WorkQuestion(names: [Made.dns(SignedCertificate.host)] + hosts($0))
    }
    try expectGrowth(of: \.nameComparisons, by: 50, price: 2) { WorkQuestion(names: hosts($0)) }
  }

  @Test("subtrees are charged when they are read, and again when names are looked up among them")
  func subtrees() throws {
    // No name is a mailbox, so they are only read.
    try expectGrowth(of: \.nameComparisons, by: 50, price: 1) { count in
      constrained([], (0..<count).map { Made.email("m\($0).example.net") })
    }
    try expectGrowth(of: \.nameComparisons, by: 50, price: 2) {
      constrained([Made.dns(SignedCertificate.host)] + hosts($0))
    }
    let directories = { (count: Int) in (0..<count).map { Made.directory("O=N\($0)") } }
    try expectGrowth(of: \.nameComparisons, by: 50, price: 2) { constrained([], directories($0)) }
    // For the host, and to be looked at; where there are names of their form, to be looked up.
    try expectGrowth(of: \.nameComparisons, by: 50, price: 2) {
      constrained([], [Made.email("a.example")], names: hosts($0))
    }
    try expectGrowth(of: \.nameComparisons, by: 50, price: 3) {
      constrained([Made.dns("example.com")], names: hosts($0, "example.com"))
    }
  }

  @Test("a directory name and a base are charged by their lengths, 128 bytes as one")
  func lengths() throws {
    try expectGrowth(of: \.nameComparisons, by: 6_400, price: 1 / 128) {
      constrained(
        [], [Made.directory("C=AQ")], names: [Made.directory("CN=\(Self.long($0))")])
    }
    try expectGrowth(of: \.nameComparisons, by: 6_400, price: 1 / 128) {
      constrained([], [Made.email(Self.long($0) + "@a.example")])
    }
  }

  @Test("a base that cannot be prepared is compared with each name, which is charged")
  func unpreparedBases() throws {
    // They are read twice, and compared with the subject.
    try expectGrowth(of: \.nameComparisons, by: 25, price: 3) { count in
      constrained(
        [],
        (0..<count).map { number in
          // TeletexString.
          let text = Made.der(0x14, Array("N\(number)".utf8))
          let attribute = Made.der(0x30, Made.oid("2.5.4.10") + text)
          return Made.der(0xA4, Made.der(0x30, Made.der(0x31, attribute)))
        })
    }
  }

  @Test("TLS features are charged where an issuer has them and where they are compared")
  func features() throws {
    try expectGrowth(of: \.nameComparisons, by: 20, price: 3) { count in
      let features = Made.extension(
        "1.3.6.1.5.5.7.1.24",
        Made.der(0x30, (1...count).flatMap { Made.der(0x02, [UInt8($0)]) }))
      let add: (inout SignedCertificate) -> Void = { $0.extensions.append(features) }
      return WorkQuestion(leaf: add, middle: add)
    }
  }

  // MARK: Policies, in nodes and a rest of bytes that is less than one

  private static func policies(_ count: Int, any: Bool = false) -> [UInt8] {
    let all =
      (0..<count).map { Made.oid("1.2.3.\($0)") } + (any ? [Made.oid("2.5.29.32.0")] : [])
    return Made.extension("2.5.29.32", Made.der(0x30, all.flatMap { Made.der(0x30, $0) }))
  }

  private static func mappings(_ pairs: [(String, String)]) -> [UInt8] {
    Made.extension(
      "2.5.29.33",
      Made.der(0x30, pairs.flatMap { Made.der(0x30, Made.oid($0.0) + Made.oid($0.1)) }))
  }

  @Test("each node of the policy graph counts, at each depth")
  func policyNodes() throws {
    func growth(
      price: Double, any: Bool = false, _ leaf: ((Int) -> [UInt8])? = nil
    ) throws {
      try expectGrowth(of: \.policyNodes, by: 50, price: price) { count in
        WorkQuestion(
          leaf: { $0.extensions += leaf.map { [$0(count)] } ?? [] },
          middle: { $0.extensions.append(Self.policies(count, any: any)) })
      }
    }
    try growth(price: 1)
    try growth(price: 2) { Self.policies($0) }
    // anyPolicy expects what is above, and itself: RFC 9618 §5.3 (d)(2).
    try growth(price: 2) { _ in Self.policies(0, any: true) }
    try growth(price: 2, any: true) { _ in Self.policies(0, any: true) }
  }

  @Test("a policy that is mapped twice has one node")
  func mappedTwice() throws {
    func cost(_ pairs: (String, String)...) throws -> Int {
      try WorkQuestion(middle: {
        $0.extensions += [Self.policies(0, any: true), Self.mappings(pairs)]
      }).cost(\.policyNodes)
    }
    #expect(try cost(("1.2.3", "1.2.4"), ("1.2.3", "1.2.5")) == cost(("1.2.3", "1.2.4")))
    #expect(try cost(("1.2.3", "1.2.4"), ("1.2.5", "1.2.6")) > cost(("1.2.3", "1.2.4")))
  }

  @Test("policies and mappings are charged by their bytes")
  func policyBytes() throws {
    // A policy of 1.2.3.n has 7 bytes, and is a node.
    try expectGrowth(of: \.work, by: 40, price: Double(7 + Budget.policyNode)) { count in
      WorkQuestion(leaf: { $0.extensions.append(Self.policies(count)) })
    }
    // Without policies the graph is empty, and nothing is mapped.
    try expectGrowth(of: \.work, by: 40, price: 10) { count in
      WorkQuestion(middle: {
        $0.extensions.append(Self.mappings((0..<count).map { ("1.2.3.\($0)", "1.2.4.\($0)") }))
      })
    }
  }

  @Test("what mappings merge is charged before it is copied")
  func mergedPolicies() throws {
    let certificate = try Made.certificate(
      Self.policies(40), Self.mappings((0..<40).map { ("1.2.3.\($0)", "1.2.4") }))
    let next = try Made.certificate(Self.mappings((0..<30).map { ("1.2.4", "1.2.5.\($0)") }))
    // 40 policies become one, which is copied 30 times.
    let enough = 40 * Budget.policyNode + 16 * 39 * 30
    for maximum in [enough, enough - 1] {
      var limits = Limits()
      limits.work = maximum
      var (graph, budget) = (PolicyGraph(), Budget(limits))
      try graph.extend(with: certificate.policyNames, anyPolicyCounts: true, &budget)
      try graph.map(Array(certificate.extensions.policyMappings), isInhibited: false, &budget)
      let failure = maximum == enough ? nil : CheckFailure.limitReached(.work(maximum))
      do throws(CheckFailure) {
        try graph.map(Array(next.extensions.policyMappings), isInhibited: false, &budget)
        #expect(failure == nil)
      } catch {
        #expect(error == failure)
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
    let roots = try (1...3).map { try SignedCertificate.root(Self.long(6_400), $0) }
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
