import HoldfastCertificates
import HoldfastDER
import Synchronization
import TestSupport
import Testing

@testable import HoldfastPaths

/// How far a search goes, which of its dead ends are reported, and what that costs.
@Suite("What a search tries and reports") struct SearchEffortTests {
  private let root: Certificate
  private let middle: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "Middle", 2)
  }

  /// The fewest steps after which the search ends by itself.
  private func steps(_ search: Search) -> Int? {
    (0..<100).first { count in
      var search = search
      search.limits.steps = count
      return search.error?.cause != .limitReached(.steps(count))
    }
  }

  private func rules(_ search: Search) -> [Rule] { search.error?.rejections.map(\.rule) ?? [] }

  private func diagnosis(_ chain: [Certificate], _ anchors: [Certificate]) -> Diagnosis {
    PathValidator(anchors: AnchorSet(anchors), rules: .rfc5280, cache: nil).diagnose(
      chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
  }

  // MARK: Steps

  @Test("a signature that does not verify ends all paths that have it")
  func brokenLink() throws {
    let wrong = try SignedCertificate.leaf(by: "Middle", 3)
    let anchors = try [root] + (11...14).map { try SignedCertificate.root("Root", $0) }
    let few = try #require(steps(Search(leaf: wrong, others: [middle], anchors: [root])))
    #expect(few > 0 && steps(Search(leaf: wrong, others: [middle], anchors: anchors)) == few)
    // For the reasons each path is tried to its end.
    #expect(diagnosis([wrong, middle], anchors).attempts.count == 5)
  }

  @Test("where names lead to no anchor, a certificate is visited once")
  func visits() throws {
    // Two of each name, all under both of the next, are 2^10 ways to nowhere.
    var others: [Certificate] = []
    for depth in 0..<10 {
      for key in [2, 3] as [UInt64] {
        let signer = UInt64(4 + 2 * depth)
        others.append(
          try SignedCertificate.authority(
            "N\(depth)", signer - 4 + key, by: "N\(depth + 1)", signer))
      }
    }
    let leaf = try SignedCertificate.leaf(by: "N0", 2)
    let count = try #require(steps(Search(leaf: leaf, others: others, anchors: [root])))
    #expect((others.count / 2...2 * others.count).contains(count), "\(count)")
  }

  @Test("the certificate of an anchor is no intermediate, nor one that was sent twice")
  func sentAgain() throws {
    let diagnosis = diagnosis([leaf, middle, root, middle, leaf], [root])
    #expect(diagnosis.path?.certificates == [leaf, middle, root])
    #expect(diagnosis.attempts.isEmpty)
    var search = Search(leaf: leaf, others: [middle, middle, root], anchors: [root])
    search.limits.candidates = 2
    search.limits.steps = 2
    #expect(search.path == [leaf, middle, root])
    search.limits = .default
    search.limits.candidates = 1
    let validator = PathValidator(
      anchors: AnchorSet([root]), rules: .rfc5280, limits: search.limits, cache: nil)
    let limited = validator.diagnose(
      [leaf, middle, middle], for: .server(named: SignedCertificate.host),
      at: SignedCertificate.time)
    #expect(limited.path != nil && limited.limitReached == nil)
  }

  // MARK: Charges

  /// The least work after which a search ends by itself.
  private func cost(_ search: Search) -> Int {
    least(below: 1 << 16) { limit in
      var search = search
      search.limits.work = limit
      return search.error?.cause != .limitReached(.work(limit))
    }
  }

  @Test("names, copies and many signatures are charged before they are compared")
  func comparedBytes() throws {
    func cost(_ leaf: Certificate, _ others: [Certificate]) -> Int {
      self.cost(Search(leaf: leaf, others: others, anchors: [root], rules: .rfc5280))
    }
    let own = cost(leaf, [middle])
    #expect(cost(leaf, [middle, middle]) - own >= middle.der.count / 8)
    // Another certificate of the root's: its issuer's name is compared with the one that is known.
    let stray = try SignedCertificate.authority("Stray", 3, by: "Root", 1)
    #expect(cost(leaf, [middle, stray]) - own >= root.subjectSize)
    // What is known of n signatures is compared each time, which grows with the square of n.
    let leaf = try SignedCertificate.leaf(by: "Middle", 2) { $0.hasKeyIdentifiers = false }
    let wrong = try (20..<23).map { try SignedCertificate.authority("Middle", $0, by: "Root", 1) }
    let costs = (1...3).map { cost(leaf, wrong.prefix($0) + [middle]) }
    #expect(costs[2] - costs[1] > costs[1] - costs[0])
  }

  @Test("a key is compared with those of the same name on the path, by its length")
  func keysOnPath() throws {
    func cost(_ count: Int) throws -> Int {
      // The key is of no known kind: this is about the search alone.
      let algorithm = Made.der(0x30, Made.oid("1.2.3.4"))
      let upper = try SignedCertificate.authority("Middle", 3, by: "Root", 1) {
        $0.publicKeyInfo = Made.der(
          0x30, algorithm + Made.bits([UInt8](repeating: 1, count: count)))
        $0.hasKeyIdentifiers = false
      }
      let lower = try SignedCertificate.authority("Middle", 2, by: "Middle", 3) {
        $0.hasKeyIdentifiers = false
      }
      return self.cost(Search(leaf: leaf, others: [lower, upper], anchors: []))
    }
    #expect(try cost(8_800) - cost(800) >= 8_000 / 8)
  }

  /// The least limit at which the reasons are complete.
  private func leastForReasons(
    _ limit: WritableKeyPath<Limits, Int>, _ search: Search, _ isComplete: (PathError) -> Bool
  ) throws -> Int {
    try least(below: 1 << 16) { value in
      var search = search
      search.limits[keyPath: limit] = value
      return isComplete(try #require(search.error))
    }
  }

  @Test("what key identifiers say of a signature is charged by their length, and is left out then")
  func signerOfSignature() throws {
    func least(
      _ length: Int, _ name: String = "M", agreesWithIssuer: Bool, beside other: Bool = false
    ) throws -> Int {
      func issuer(_ key: UInt64, _ identifier: [UInt8]) throws -> Certificate {
        try SignedCertificate.authority(name, key, by: "Root", 1) {
          $0.hasKeyIdentifiers = false
          $0.extensions.append(Made.extension("2.5.29.14", Made.der(0x04, identifier)))
        }
      }
      let identifier = [UInt8](repeating: 1, count: length)
      let leaf = try SignedCertificate.leaf(by: name, 7) {
        $0.hasKeyIdentifiers = false
        $0.extensions.append(
          Made.extension("2.5.29.35", Made.der(0x30, Made.der(0x80, identifier))))
      }
      let isNamed = agreesWithIssuer || other
      let right = try issuer(2, isNamed ? identifier : [2])
      let search = Search(
        leaf: leaf, others: other ? [try issuer(3, [3]), right] : [right], anchors: [root],
        rules: .rfc5280)
      return try leastForReasons(\.work, search) {
        !$0.rejections.isEmpty
          && $0.rejections.allSatisfy { $0.violation.detail == .signer(isNamed ? .same : .other) }
      }
    }
    // In both searches, and for the reason; then again for each of the two certificates.
    for (agrees, count) in [(true, 3), (false, 5)] {
      let costs = try [1_020, 9_020].map { try least($0, agreesWithIssuer: agrees) }
      #expect(costs[1] - costs[0] >= count * 8_000 / 8, "\(costs)")
    }
    // Its name as the subject of both, and for the reason.
    let costs = try ["M", String(repeating: "x", count: 1_001)].map {
      try least(1_020, $0, agreesWithIssuer: false, beside: true)
    }
    #expect(costs[1] - costs[0] >= 3 * 1_000, "\(costs)")
  }

  @Test("names are charged when the certificate that has the host is looked for")
  func namesOfOrder() throws {
    func least(_ count: Int) throws -> Int {
      let names =
        [Made.dns(SignedCertificate.host)] + (1..<count).map { Made.dns("n\($0).example") }
      let leaf = try SignedCertificate.leaf(by: "Middle", 2, names: names)
      return try leastForReasons(
        \.nameComparisons, Search(leaf: middle, others: [leaf], anchors: [root])
      ) { $0.rejections.first?.rule == .leafNotFirst }
    }
    let costs = try [50, 100, 150].map(least)
    #expect(costs[0] >= 50 && costs[2] - costs[0] <= 2 * (costs[1] - costs[0]) + 2, "\(costs)")
  }

  // MARK: Reasons

  @Test("a limit that ends the search for reasons leaves what the first search has found")
  func limitedReasons() throws {
    // Two candidates, so that the search for reasons verifies which has signed.
    func search(_ leaf: Certificate, _ others: [Certificate]) -> Search {
      var search = Search(leaf: leaf, others: others, anchors: [root], rules: .rfc5280)
      search.limits.publicKeyOperations = 0
      return search
    }
    let expired = try SignedCertificate.leaf(by: "Middle", 2) { $0.notAfter = "250601000000Z" }
    let other = try SignedCertificate.authority("Middle", 3, by: "Root", 1)
    let early = search(expired, [middle, other])
    #expect(early.error?.cause == .rejected && rules(early) == [.expired])
    let short = try [3, 4].map { (key: UInt64) in
      try SignedCertificate.authority("Upper", key, by: "Root", 1) { $0.pathLength = 0 }
    }
    let long = search(leaf, [try SignedCertificate.authority("Middle", 2, by: "Upper", 3)] + short)
    let error = try #require(long.error)
    #expect(error.cause == .rejected)
    #expect(error.rejections.map(\.rule) == [.pathLength, .pathLength])
    #expect(error.rejections.map(\.index) == [2, 2])
    #expect(error.rejections.map(\.path.last) == short)
  }

  @Test("a self-signed leaf is reported once, before what else is wrong with it")
  func selfSigned() throws {
    func leaf(_ change: (inout SignedCertificate) -> Void = { _ in }) throws -> Certificate {
      try SignedCertificate.leaf(by: "Leaf", 100, change)
    }
    let expired = try leaf { $0.notAfter = "250601000000Z" }
    #expect(rules(Search(leaf: try leaf(), anchors: [root])) == [.untrustedRoot])
    #expect(rules(Search(leaf: expired, anchors: [root])) == [.untrustedRoot, .expired])
    // Signed by its own key in another name.
    let renamed = try SignedCertificate.leaf(by: "Other", 100)
    #expect(rules(Search(leaf: renamed, anchors: [root])) == [.issuerNotFound])
    // Where another certificate has its issuer's name, the key identifiers say which is meant.
    let namesake = try SignedCertificate.authority("Leaf", 5, by: "Root", 1)
    for (hasIdentifiers, isReported) in [(true, true), (false, false)] {
      let leaf = try leaf {
        $0.notAfter = "250601000000Z"
        $0.hasKeyIdentifiers = hasIdentifiers
      }
      let search = Search(leaf: leaf, others: [namesake], anchors: [root])
      #expect(rules(search).contains(.untrustedRoot) == isReported)
    }
  }

  @Test("a leaf that is an anchor is no path where the rules accept none, under itself neither")
  func anchorAsLeaf() throws {
    let leaf = try SignedCertificate.leaf(by: "Leaf", 100)
    for (acceptsAnchor, expected) in [(true, []), (false, [.leafIsAnchor])] as [(Bool, [Rule])] {
      var search = Search(leaf: leaf, anchors: [leaf], rules: .rfc5280)
      search.rules.leaf.acceptsAnchor = acceptsAnchor
      #expect(rules(search) == expected)
      #expect((search.path == [leaf]) == acceptsAnchor)
    }
    // An anchor that may issue nothing is itself trusted.
    var constraints = TrustAnchor.Constraints()
    constraints.pathLength = -1
    let anchors = AnchorSet([TrustAnchor(leaf, constraints: constraints)])
    let path = try PathValidator(anchors: anchors, rules: .rfc5280).validate(
      [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
    #expect(path.certificates == [leaf])
  }

  @Test("of several circles the first is reported")
  func circles() throws {
    let lower = try SignedCertificate.authority("A", 2, by: "B", 3)
    let upper = try [3, 4].map { (key: UInt64) in
      try SignedCertificate.authority("B", key, by: "A", 2)
    }
    let leaf = try SignedCertificate.leaf(by: "A", 2)
    let error = Search(leaf: leaf, others: [lower] + upper, anchors: [root]).error
    #expect(error?.rejections.map(\.rule) == [.untrustedRoot])
    #expect(error?.rejections.first?.path == [leaf, lower, upper[0]])
  }

  @Test("an algorithm that cannot be verified is reported once")
  func unsupportedAlgorithm() throws {
    let unknown = Made.der(0x30, Made.oid("1.2.3.4"))
    let leaf = try SignedCertificate.leaf(by: "Middle", 2) { $0.signature = (unknown, [1]) }
    for others in [[], [middle]] {
      let anchors = others.isEmpty ? [middle] : [root]
      #expect(
        rules(Search(leaf: leaf, others: others, anchors: anchors)) == [.unsupportedAlgorithm])
    }
  }

  @Test("the first preset that accepts is named, also after a long search, and not after a veto")
  func presets() throws {
    func hints(_ leaf: Certificate, _ others: [Certificate] = []) throws -> [PathError.Hint] {
      var search = Search(leaf: leaf, others: others, anchors: [root], rules: .rfc5280)
      search.rules.leaf.maximumValidity = 86_400
      return try #require(search.error).hints
    }
    // `.webPKI` accepts no CA as a leaf; `.rfc5280` and `.apple` do.
    let authority = try SignedCertificate.leaf(by: "Root", 1) { $0.isAuthority = true }
    #expect(try hints(authority).contains(.acceptedBy("rfc5280")))
    // The search for reasons takes two steps for each of these, which are no CAs, and 128 at most.
    let others = try (0..<60).map { number in
      try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.isAuthority = false
        $0.serialNumber = 100 + UInt64(number)
      }
    }
    #expect(try hints(leaf, others + [middle]).contains(.acceptedBy("webPKI")))
    let vetoed = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
        Question(
          [leaf, middle], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      ) { (_, _, _, _) throws(CheckFailure) in throw .violation(Violation("no")) }
    }
    #expect(vetoed?.hints.contains { if case .acceptedBy = $0 { true } else { false } } == false)
  }

  @Test("reasons are looked for when one is read, and once, however many threads read")
  func reading() async throws {
    let asked = Mutex(0)
    var rules = ValidationRules.rfc5280
    rules.leaf.maximumValidity = 86_400
    rules.check = { _, _ in
      asked.withLock { $0 += 1 }
      return nil
    }
    let validator = PathValidator(anchors: AnchorSet([root]), rules: rules)
    var thrown: PathError?
    do throws(PathError) {
      // An expectation would read what is thrown.
      _ = try validator.validate(
        [leaf, middle], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
    } catch {
      thrown = error
    }
    #expect(asked.withLock { $0 } == 0)
    let error = try #require(thrown)
    // A preset accepts, and for that the rule is asked about the three certificates of the path.
    let read = await withTaskGroup(of: [PathError.Hint].self) { group in
      for _ in 0..<8 { group.addTask { error.hints } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(read.count == 8 && read.allSatisfy { $0.contains(.acceptedBy("webPKI")) })
    #expect(asked.withLock { $0 } == 3)
  }

  @Test("the caller's own rule is asked about paths that break no other")
  func ownRule() throws {
    var rules = ValidationRules.rfc5280
    rules.check = { _, _ in Violation(.veto, .text("never")) }
    let validator = PathValidator(anchors: AnchorSet([root]), rules: rules)
    // It is asked about both certificates.
    for (end, expected) in [
      ("270101000000Z", [Rule.veto, .veto]), ("250601000000Z", [.expired]),
    ] {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.notAfter = end }
      let error = #expect(throws: PathError.self) {
        try validator.validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      }
      #expect(error?.rejections.map(\.rule) == expected)
    }
  }
}
