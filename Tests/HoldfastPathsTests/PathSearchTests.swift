import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// A question about certificates that were made here.
struct Search {
  var leaf: Certificate
  var others: [Certificate] = []
  var anchors: [Certificate]
  var limits = Limits.default
  var rules = ValidationRules.webPKI

  var validator: PathValidator {
    PathValidator(anchors: AnchorSet(anchors), rules: rules, limits: limits, cache: nil)
  }

  func validate() -> Result<ValidatedPath, PathError> {
    do throws(PathError) {
      return .success(
        try validator.validate(
          [leaf] + others, for: .server(named: SignedCertificate.host),
          at: SignedCertificate.time))
    } catch {
      return .failure(error)
    }
  }

  /// The certificates of the path; nil if no path was found.
  var path: [Certificate]? {
    if case .success(let path) = validate() { path.certificates } else { nil }
  }

  var error: PathError? {
    if case .failure(let error) = validate() { error } else { nil }
  }
}

@Suite("Path search") struct PathSearchTests {
  @Test("a path of generated certificates is valid, and with another key it is not")
  func plain() throws {
    let root = try SignedCertificate.root()
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "Middle", 2)
    #expect(
      Search(leaf: leaf, others: [middle], anchors: [root]).path == [leaf, middle, root])
    let wrong = try SignedCertificate.leaf(by: "Middle", 3)
    let error = Search(leaf: wrong, others: [middle], anchors: [root]).error
    #expect(error?.rejections.first?.rule == .signature)
    #expect(error?.rejections.first?.index == 0)
  }

  /// RFC 5280 §6.1.4 (l) and (m): what remains of a limit is only ever made smaller. RFC 5937 §3.2:
  /// that of an anchor counts too.
  @Test("a CA cannot extend the path length that a CA above it allows")
  func pathLengths() throws {
    func rule(_ lengths: UInt8?...) throws -> Rule? {
      let names = ["Root", "A", "B", "C"]
      let authorities = try lengths.indices.map { index in
        try SignedCertificate.authority(
          names[index], UInt64(index + 1), by: names[max(index - 1, 0)], UInt64(max(index, 1))
        ) { $0.pathLength = lengths[index] }
      }
      let leaf = try SignedCertificate.leaf(by: "C", 4)
      let search = Search(
        leaf: leaf, others: Array(authorities.dropFirst()), anchors: [authorities[0]])
      return search.error?.rejections.first?.rule
    }
    #expect(try rule(nil, 2, 5, nil) == nil)
    #expect(try rule(nil, 1, 5, nil) == .pathLength)
    #expect(try rule(nil, 5, 0, nil) == .pathLength)
    #expect(try rule(3, 5, nil, nil) == nil)
    #expect(try rule(2, 5, nil, nil) == .pathLength)
    #expect(try rule(2, nil, 5, nil) == .pathLength)
  }

  /// RFC 5937 §2, §3: what constrains the anchor constrains each path below it.
  @Test("an anchor ends a path for the purposes and the names that it is trusted for")
  func constrainedAnchors() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    func broken(_ usages: [OID]?, _ domain: String) throws -> String? {
      var constraints = TrustAnchor.Constraints()
      constraints.extendedKeyUsages = usages
      let names = try Made.certificate(Made.alternativeNames(Made.dns(domain)))
      guard case .dns(let text)? = names.extensions.subjectAlternativeNames.first else {
        return "no name"
      }
      constraints.names = NameConstraints(permitted: [.init(.dns(text))])
      let anchors = AnchorSet([TrustAnchor(root, constraints: constraints)])
      do throws(PathError) {
        _ = try PathValidator(anchors: anchors).validate(
          [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
        return nil
      } catch {
        return error.rejections.first.map { "\($0.rule.name) \($0.index)" }
      }
    }
    #expect(try broken(nil, "example.com") == nil)
    #expect(try broken([.clientAuth, .serverAuth], "example.com") == nil)
    #expect(try broken([.clientAuth], "example.com") == "extendedKeyUsage 1")
    #expect(try broken(nil, "example.net") == "nameNotPermitted 0")
  }

  /// RFC 5280 §6.1.3 (f): valid_policy_tree is NULL where the policies part.
  @Test("if a policy is required, the first certificate without an acceptable one is named")
  func policies() throws {
    func policy(_ number: Int) -> [UInt8] {
      Made.extension("2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.\(number)"))))
    }
    func issuers(_ numbers: Int...) throws -> [Certificate] {
      try numbers.enumerated().map { index, number in
        try SignedCertificate.authority(
          "M\(index)", UInt64(index + 2), by: index == 0 ? "Root" : "M\(index - 1)",
          UInt64(index + 1)
        ) { $0.extensions = [policy(number)] }
      }
    }
    let leaf = try SignedCertificate.leaf(by: "M2", 4) { $0.extensions.append(policy(1)) }
    var search = Search(leaf: leaf, anchors: [try SignedCertificate.root()])
    search.rules.policies.requiresExplicitPolicy = true
    search.others = try issuers(1, 1, 1)
    #expect(search.path?.count == 5)
    search.others = try issuers(1, 2, 1)
    let rejection = search.error?.rejections.first
    #expect(rejection?.rule == .policyRequired)
    #expect(rejection?.index == 2)
  }

  /// Both ends count: RFC 5280 §4.1.2.5, CA/B BR §1.6.1 (validity period).
  @Test(
    "a leaf may be valid for as long as the rules allow, and not a second longer",
    arguments: [("260101235959Z", nil), ("260102000000Z", .validityTooLong)] as [(String, Rule?)])
  func longestValidity(notAfter: String, rule: Rule?) throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.notBefore = "260101000000Z"
      $0.notAfter = notAfter
    }
    var search = Search(leaf: leaf, anchors: [try SignedCertificate.root()])
    search.rules.leaf.maximumValidity = 86_400
    let error = search.error
    #expect(error?.rejections.first?.rule == rule)
    #expect(error?.rejections.first?.index == (rule == nil ? nil : 0))
  }

  /// RFC 4210 §4.4: a root that changes its key signs the new one with the old and the old with the
  /// new.
  @Test("a root key rollover links the old and the new key in both directions")
  func rollover() throws {
    let (old, new) = (UInt64(1), UInt64(2))
    let oldWithNew = try SignedCertificate.authority("Root", old, by: "Root", new)
    let newWithOld = try SignedCertificate.authority("Root", new, by: "Root", old)
    let (oldRoot, newRoot) = (
      try SignedCertificate.root("Root", old), try SignedCertificate.root("Root", new)
    )
    let both = [oldWithNew, newWithOld]
    let oldLeaf = try SignedCertificate.leaf(by: "Root", old)
    let newLeaf = try SignedCertificate.leaf(by: "Root", new)
    #expect(
      Search(leaf: oldLeaf, others: both, anchors: [newRoot]).path
        == [oldLeaf, oldWithNew, newRoot])
    #expect(
      Search(leaf: newLeaf, others: both, anchors: [oldRoot]).path
        == [newLeaf, newWithOld, oldRoot])
    #expect(Search(leaf: newLeaf, others: both, anchors: [newRoot]).path == [newLeaf, newRoot])
    let stranger = try SignedCertificate.root("Root", 9)
    for leaf in [oldLeaf, newLeaf] {
      let error = Search(leaf: leaf, others: both, anchors: [stranger]).error
      #expect(error?.cause == .rejected)
    }
  }

  /// RFC 5280 §6.1.4 (l): self-issued certificates do not count.
  @Test("a key rollover fits below a root whose path length allows no other CA")
  func rolloverWithoutRoom() throws {
    let root = try SignedCertificate.authority("Root", 2, by: "Root", 2) { $0.pathLength = 0 }
    let oldWithNew = try SignedCertificate.authority("Root", 1, by: "Root", 2) {
      $0.pathLength = 0
    }
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    #expect(Search(leaf: leaf, others: [oldWithNew], anchors: [root]).path?.count == 3)
    let middle = try SignedCertificate.authority("Middle", 3, by: "Root", 1)
    let below = try SignedCertificate.leaf(by: "Middle", 3)
    let error = Search(leaf: below, others: [middle, oldWithNew], anchors: [root]).error
    #expect(error?.rejections.contains { $0.rule.name == "pathLength" } == true)
  }

  @Test("an expired cross-certificate is skipped for a valid one, in any order")
  func expiredCrossSign() throws {
    let leaf = try SignedCertificate.leaf(by: "Middle", 2)
    let expired = try SignedCertificate.authority("Middle", 2, by: "Old", 3) {
      $0.notAfter = "250601000000Z"
    }
    let good = try SignedCertificate.authority("Middle", 2, by: "New", 4)
    let roots = [try SignedCertificate.root("Old", 3), try SignedCertificate.root("New", 4)]
    for others in [[expired, good], [good, expired]] {
      #expect(
        Search(leaf: leaf, others: others, anchors: roots).path == [leaf, good, roots[1]])
    }
    // The root behind the good one is not trusted: then the answer says what was passed over.
    let error = Search(leaf: leaf, others: [good, expired], anchors: [roots[0]]).error
    #expect(error?.rejections.contains { $0.rule.name == "expired" && $0.index == 1 } == true)
    #expect(error?.hints.contains(.outsideValidity(expired)) == true)
  }

  @Test("a circle of CAs that sign each other is passed or avoided")
  func loops() throws {
    let leaf = try SignedCertificate.leaf(by: "A1", 11)
    var ring: [Certificate] = []
    for index in UInt64(1)...30 {
      let next = index % 30 + 1
      ring.append(
        try SignedCertificate.authority("A\(index)", 10 + index, by: "A\(next)", 10 + next))
    }
    let root = try SignedCertificate.root()
    let rejected = Search(leaf: leaf, others: ring, anchors: [root]).error
    #expect(rejected?.cause == .limitReached(.pathLength(10)))
    let exit = try SignedCertificate.authority("A3", 13, by: "Root", 1)
    let path = Search(leaf: leaf, others: ring + [exit], anchors: [root]).path
    #expect(path == [leaf, ring[0], ring[1], exit, root])
    // Two that sign each other, and one that signs itself, and no anchor.
    let pair = [
      try SignedCertificate.authority("A1", 11, by: "A2", 12),
      try SignedCertificate.authority("A2", 12, by: "A1", 11),
      try SignedCertificate.root("A1", 11),
    ]
    #expect(Search(leaf: leaf, others: pair, anchors: [root]).error?.cause == .rejected)
  }

  @Test("no path has a certificate twice, nor a name with the same key")
  func circlesEndAtOnce() throws {
    let leaf = try SignedCertificate.leaf(by: "A", 11)
    let twins = try (1...9).map { number in
      try SignedCertificate.authority("A", 11, by: "A", 11) { $0.serialNumber = number }
    }
    let root = try SignedCertificate.root()
    let error = Search(leaf: leaf, others: twins, anchors: [root]).error
    #expect(error?.cause == .rejected)
    #expect(error?.rejections.allSatisfy { $0.path.count <= 2 } == true)
  }

  @Test("an issuer that would make a circle or did not sign is not called missing")
  func presentIssuers() throws {
    let root = try SignedCertificate.root()
    let (a, b) = (
      try SignedCertificate.authority("A", 11, by: "B", 12),
      try SignedCertificate.authority("B", 12, by: "A", 11)
    )
    let leaf = try SignedCertificate.leaf(by: "A", 11)
    let circle = try #require(Search(leaf: leaf, others: [a, b], anchors: [root]).error)
    #expect(circle.rejections.map(\.rule) == [.untrustedRoot])
    #expect(circle.rejections.first?.index == 2)
    #expect(circle.hints == [.unknownRoot(b, anchors: 1)])
    let words = "\(circle)"
    #expect(words.hasPrefix("CN=B is not a trust anchor\n"))
    #expect(words.contains("issued by a certificate below it, and not a trust anchor"))
    // Without the other, its name is missing.
    let gap = try #require(Search(leaf: leaf, others: [a], anchors: [root]).error)
    #expect(gap.hints == [.missingRoot(b.subject, locations: [])])
  }

  @Test("a circle is not reported where a path fails for another reason")
  func circlesBesideOtherPaths() throws {
    let leaf = try SignedCertificate.leaf(by: "A", 11)
    let others = [
      try SignedCertificate.authority("A", 11, by: "B", 12),
      try SignedCertificate.authority("B", 12, by: "A", 11),
      try SignedCertificate.root("A", 11),
    ]
    let error = Search(leaf: leaf, others: others, anchors: [try SignedCertificate.root()]).error
    #expect(error?.rejections.map(\.rule) == [.untrustedRoot])
    #expect(error?.rejections.first?.index == 1)
  }

  @Test("five CAs that certify each other are too few to reach the limit on the path's length")
  func fewCertificates() throws {
    let excluded = Made.nameConstraints(excluded: [Made.dns(SignedCertificate.host)])
    let others = [
      try SignedCertificate.authority("Two", 20, by: "One", 10),
      // Not signed by the root, so the way from here leads round.
      try SignedCertificate.authority("Three", 31, by: "Root", 99),
      try SignedCertificate.authority("Three", 30, by: "Two", 20),
      try SignedCertificate.authority("One", 10, by: "Root", 1) { $0.extensions = [excluded] },
      try SignedCertificate.authority("Root", 50, by: "Three", 30),
    ]
    let leaf = try SignedCertificate.leaf(by: "Three", 30)
    let roots = [try SignedCertificate.root()]
    for order in [others, others.reversed()] {
      let error = try #require(Search(leaf: leaf, others: order, anchors: roots).error)
      #expect(error.cause == .rejected)
      #expect(error.rejections.contains { $0.rule == .nameExcluded && $0.index == 0 })
    }
  }

  /// RFC 5280 §6.1.4 (a), for the anchor as RFC 5937 §3.2 has it.
  @Test("a mapping of anyPolicy in an anchor is reported of the anchor")
  func mappingInAnchor() throws {
    let anyPolicy = Made.oid("2.5.29.32.0")
    let pair = Made.der(0x30, anyPolicy + Made.oid("1.2.3"))
    var request = SignedCertificate(subject: "CN=Root", key: 1, isAuthority: true)
    request.extensions = [Made.extension("2.5.29.33", Made.der(0x30, pair))]
    let root = try request.made()
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "Middle", 2)
    let error = try #require(Search(leaf: leaf, others: [middle], anchors: [root]).error)
    #expect(error.rejections.map(\.rule) == [.mappingOfAnyPolicy])
    #expect(error.rejections.map(\.index) == [2])
    let mappings = root.extensions.first { $0.oid == "2.5.29.33" }
    #expect(error.rejections.first?.violation.bytes == mappings?.value.range)
  }

  @Test("anchors are found by name")
  func anchorIndices() throws {
    let roots = try (1...40).map { try SignedCertificate.root("R\($0 % 20)", UInt64($0)) }
    let anchors = AnchorSet(roots)
    for root in roots {
      let named = anchors.anchors(named: root.subject).compactMap(\.certificate)
      #expect(named == roots.filter { $0.subject == root.subject })
    }
    #expect(anchors.anchors(named: try SignedCertificate.root("T", 99).subject).isEmpty)
  }

  @Test("of equal anchors the first is kept, and any that differs is kept as well")
  func equalAnchors() throws {
    let roots = try (1...4).map { try SignedCertificate.root("R", UInt64($0)) }
    var short = TrustAnchor.Constraints()
    short.pathLength = 0
    let bare = roots.map { TrustAnchor(name: $0.subject, publicKey: $0.publicKey) }
    let other = TrustAnchor(
      name: try SignedCertificate.root("S", 1).subject, publicKey: roots[0].publicKey)
    let all =
      roots.map { TrustAnchor($0) } + [TrustAnchor(roots[1], constraints: short)] + bare + [other]
    let again = [all[4], all[0], all[8], all[5], all[3]]
    #expect(AnchorSet(all).anchors == all)
    #expect(AnchorSet(all + again).anchors == all)
    #expect(AnchorSet(again + all).anchors == again + all.filter { !again.contains($0) })
    let named = AnchorSet(all + again).anchors(named: roots[0].subject)
    #expect(named == all.dropLast())
  }

  @Test("a wrong name is reported with the requested name and those in the certificate")
  func otherNames() throws {
    let names = ["a.example", "b.example", "c.example", "d.example"].map { Made.dns($0) }
    let leaf = try SignedCertificate.leaf(by: "Root", 1, names: names)
    let error = try #require(
      Search(leaf: leaf, anchors: [try SignedCertificate.root()]).error)
    let rejection = try #require(error.rejections.first)
    #expect(rejection.rule == .hostName)
    #expect(rejection.expected.map { "\($0)" } == SignedCertificate.host)
    #expect(rejection.found == leaf.extensions.subjectAlternativeNames)
    #expect(
      "\(error)".contains(
        "not valid for www.example.com, "
          + "found DNS:a.example, DNS:b.example, DNS:c.example, DNS:d.example ["))
    let other = try SignedCertificate.leaf(by: "Other", 2)
    let unknown = Search(leaf: other, anchors: [try SignedCertificate.root()]).error
    #expect(unknown?.rejections.first?.expected == nil)
  }

  @Test("chains of many shapes are valid, and none is without its last certificate")
  func manyForms() throws {
    let chains = try SignedChains.all()
    #expect(chains.count == 13)
    #expect(chains.count { !$0.1.intermediates.isEmpty } == 12)
    for (name, chain) in chains {
      let validator = PathValidator(anchors: AnchorSet([chain.root]))
      func isValid(_ others: [Certificate]) -> Bool {
        do throws(PathError) {
          _ = try validator.validate(
            [chain.leaf] + others, for: .server(named: BenchChain.host), at: BenchChain.time)
          return true
        } catch {
          return false
        }
      }
      #expect(isValid(chain.intermediates), "\(name)")
      #expect(isValid(chain.intermediates.reversed()), "\(name)")
      guard !chain.intermediates.isEmpty else { continue }
      #expect(!isValid(chain.intermediates.dropLast()), "\(name)")
    }
  }
}
