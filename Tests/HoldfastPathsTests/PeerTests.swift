import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// A server that connects to another as its client: one usage, of servers or of clients, that the
/// whole path allows, and the name.
@Suite("Peers that are servers themselves")
struct PeerTests {
  private static let server: OID = .serverAuth
  private static let client: OID = .clientAuth

  /// The extended key usages of the leaf and of the CAs above it, nil for no extension; the usage
  /// that is found, or the index of the certificate that lacks one.
  struct Row: CustomTestStringConvertible, Sendable {
    let leaf: [OID]?
    let authorities: [[OID]?]
    let usage: OID?
    let index: Int?

    init(_ leaf: [OID]?, _ authorities: [OID]?..., finds usage: OID) {
      (self.leaf, self.authorities, self.usage, index) = (leaf, authorities, usage, nil)
    }

    init(_ leaf: [OID]?, _ authorities: [OID]?..., lacksAt index: Int) {
      (self.leaf, self.authorities, usage, self.index) = (leaf, authorities, nil, index)
    }

    var testDescription: String {
      ([leaf] + authorities).map { list in
        list.map { "\($0.map { "\(Purpose(extendedKeyUsages: [$0]))" })" } ?? "none"
      }.joined(separator: " < ")
    }

    /// The leaf and the CAs; the root has no usages.
    func chain(host: String = SignedCertificate.host) throws -> [Certificate] {
      func extensions(_ usages: [OID]?) -> [[UInt8]] {
        usages.map {
          [Made.extension("2.5.29.37", Made.der(0x30, $0.flatMap { Made.oid("\($0)") }))]
        } ?? []
      }
      var chain: [Certificate] = []
      for (index, usages) in authorities.reversed().enumerated() {
        let key = UInt64(index + 2)
        let issuer = index == 0 ? "Root" : "CA \(key - 1)"
        chain.insert(
          try SignedCertificate.authority("CA \(key)", key, by: issuer, key - 1) {
            $0.extensions = extensions(usages)
          }, at: 0)
      }
      let last = UInt64(authorities.count + 1)
      chain.insert(
        try SignedCertificate.leaf(
          by: last == 1 ? "Root" : "CA \(last)", last, names: [Made.dns(host)]
        ) { $0.extensions += extensions(leaf) }, at: 0)
      return chain
    }
  }

  private static let rows = [
    Row([server], nil, finds: server),
    Row([client], nil, finds: client),
    Row(nil, nil, finds: server),
    Row([.anyExtendedKeyUsage], nil, finds: server),
    Row([server, client], nil, finds: server),
    Row([client, server], [server], finds: server),
    Row([server, client], [client], finds: client),
    Row([server, client], [client, .codeSigning], [client], finds: client),
    Row(nil, [client], finds: client),
    Row([server], [client], lacksAt: 1),
    Row([client], [server], lacksAt: 1),
    // Each certificate allows one of both, but not the same one.
    Row([server, client], [server], [client], lacksAt: 2),
    Row([server, client], [.codeSigning], lacksAt: 1),
    Row([.codeSigning], nil, lacksAt: 0),
    Row([.codeSigning], [server], lacksAt: 0),
  ]

  private func validator(
    _ rules: ValidationRules = .rfc5280, anchorUsages: [OID]? = nil
  ) throws -> PathValidator {
    var constraints = TrustAnchor.Constraints()
    constraints.extendedKeyUsages = anchorUsages
    return PathValidator(
      anchors: AnchorSet([TrustAnchor(try SignedCertificate.root(), constraints: constraints)]),
      rules: rules)
  }

  @Test("one usage must be allowed by every certificate of the path", arguments: rows)
  func usages(row: Row) throws {
    let chain = try row.chain()
    let purpose = try Purpose.peer(SignedCertificate.host)
    let validator = try validator()
    let diagnosis = validator.diagnose(chain, for: purpose, at: SignedCertificate.time)
    do throws(PathError) {
      let path = try validator.validate(chain, for: purpose, at: SignedCertificate.time)
      #expect(path.purpose.extendedKeyUsages == row.usage.map { [$0] })
      #expect(path.purpose.identity == purpose.identity)
      #expect(diagnosis.path?.purpose == path.purpose)
      #expect(diagnosis.attempts.isEmpty, "what keeps the path from the other use is no fault")
    } catch {
      #expect(error.rejections.first?.rule == .extendedKeyUsage)
      #expect(error.rejections.first?.index == row.index)
      #expect(diagnosis.path == nil && diagnosis.error?.rejections.first?.index == row.index)
    }
  }

  @Test("a certificate for neither use is said to be for neither")
  func neither() throws {
    let chain = try Row([.codeSigning], nil, lacksAt: 0).chain()
    let error = #expect(throws: PathError.self) {
      try validator().validate(
        chain, for: .peer(SignedCertificate.host), at: SignedCertificate.time)
    }
    #expect(error?.description.contains("lacks the purpose: server or client") == true)
    #expect(error.map { "\($0.purpose)" } == "peer www.example.com")
  }

  @Test("an anchor that is trusted for one use ends paths for that use alone")
  func anchors() throws {
    let both = try Row([Self.server, Self.client], nil, finds: Self.client).chain()
    let one = try Row([Self.server], nil, finds: Self.server).chain()
    let validator = try validator(anchorUsages: [.clientAuth])
    let purpose = try Purpose.peer(SignedCertificate.host)
    let path = try validator.validate(both, for: purpose, at: SignedCertificate.time)
    #expect(path.purpose.extendedKeyUsages == [.clientAuth])
    let error = #expect(throws: PathError.self) {
      try validator.validate(one, for: purpose, at: SignedCertificate.time)
    }
    #expect(error?.rejections.first?.rule == .extendedKeyUsage)
    #expect(error?.rejections.first?.index == 2)
  }

  @Test("what a program decides about servers binds peers, whatever they are for")
  func programs() throws {
    let chain = try Row([Self.client], nil, finds: Self.client).chain()
    let program = RootProgram("Test", date: nil, source: "a test")
    func validate(_ conditions: [ProgramConstraint.Conditions]) throws {
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(program, decidesAbout: [.serverAuth], anyOf: conditions)
      ]
      let anchor = TrustAnchor(try SignedCertificate.root(), constraints: constraints)
      _ = try PathValidator(anchors: AnchorSet([anchor]), rules: .rfc5280).validate(
        chain, for: .peer(SignedCertificate.host), at: SignedCertificate.time)
    }
    var servers = ProgramConstraint.Conditions()
    servers.purposes = [.serverAuth]
    try validate([servers])
    let error = #expect(throws: PathError.self) { try validate([]) }
    #expect(error?.rejections.first?.rule == .programDistrust)
  }

  @Test(
    "a program that decides about clients, too, binds what is accepted as theirs",
    arguments: [
      try Purpose.peer(SignedCertificate.host),
      Purpose(
        extendedKeyUsages: [.clientAuth], identity: .host(try HostName(SignedCertificate.host))),
    ])
  func clientsOfProgram(purpose: Purpose) throws {
    let chain = try Row([Self.client], nil, finds: Self.client).chain()
    var servers = ProgramConstraint.Conditions()
    servers.purposes = [.serverAuth]
    var constraints = TrustAnchor.Constraints()
    constraints.programs = [
      ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [servers])
    ]
    let anchor = TrustAnchor(try SignedCertificate.root(), constraints: constraints)
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([anchor]), rules: .rfc5280).validate(
        chain, for: purpose, at: SignedCertificate.time)
    }
    #expect(error?.rejections.first?.rule == .programPurpose)
  }

  @Test("a path for clients does not go through an anchor that a program trusts for servers alone")
  func crossSignedAnchor() throws {
    let usages: [OID] = [Self.server, Self.client]
    func path(through middle: [OID], isDistrusted: Bool) throws -> ValidatedPath? {
      let chain = try Row(usages, middle, finds: Self.client).chain()
      var servers = ProgramConstraint.Conditions()
      servers.purposes = [.serverAuth]
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [servers])
      ]
      var anchors = [TrustAnchor(try SignedCertificate.root())]
      if isDistrusted { anchors.append(TrustAnchor(chain[1], constraints: constraints)) }
      return PathValidator(anchors: AnchorSet(anchors), rules: .rfc5280).diagnose(
        chain, for: try .peer(SignedCertificate.host), at: SignedCertificate.time
      ).path
    }
    #expect(try path(through: [Self.client], isDistrusted: false) != nil)
    #expect(try path(through: [Self.client], isDistrusted: true) == nil)
    #expect(try path(through: usages, isDistrusted: true) != nil)
  }

  @Test("a leaf that may be a server's follows the schedule of servers, whatever the path is for")
  func schedule() throws {
    var rules = ValidationRules.rfc5280
    rules.schedule = .allAnchors
    // All leaves of these tests are valid for two years.
    let validator = try validator(rules)
    func rule(_ usages: [OID]) throws -> Rule? {
      let chain = try Row(usages, nil, finds: Self.client).chain()
      do throws(PathError) {
        _ = try validator.validate(
          chain, for: .peer(SignedCertificate.host), at: SignedCertificate.time)
        return nil
      } catch {
        return error.rejections.first?.rule
      }
    }
    #expect(try rule([Self.client]) == nil)
    #expect(try rule([Self.server, Self.client]) == .validityTooLong)
  }

  @Test("one search looks for both usages")
  func limits() throws {
    let chain = try Row([Self.server, Self.client], [Self.client], finds: Self.client).chain()
    func steps(_ purpose: Purpose) throws -> Int? {
      try (1...40).first { steps in
        var limits = Limits.default
        limits.steps = steps
        let validator = PathValidator(
          anchors: AnchorSet([try SignedCertificate.root()]), rules: .rfc5280, limits: limits)
        return validator.diagnose(chain, for: purpose, at: SignedCertificate.time).path != nil
      }
    }
    let one = try #require(try steps(.client))
    #expect(try steps(.peer(SignedCertificate.host)) == one)
  }

  @Test("the name must be the peer's, and what is no name is an error at once")
  func names() throws {
    let error = #expect(throws: PathError.self) {
      try validator().validate(
        Row([Self.client], nil, finds: Self.client).chain(host: "other.example.com"),
        for: .peer(SignedCertificate.host), at: SignedCertificate.time)
    }
    #expect(error?.rejections.first?.rule == .hostName)
    #expect(error?.rejections.first?.index == 0)
    #expect(throws: PathError.self) { try Purpose.peer("no name") }
    #expect(throws: PathError.self) { try Purpose.peer("") }
  }

  /// RFC 8446 §4.4.3: who presents a certificate signs with its key.
  @Test("a key that only encrypts is no peer's")
  func keyUsage() throws {
    var rules = ValidationRules.rfc5280
    rules.leaf.checksKeyAndUsage = true
    // keyEncipherment, then digitalSignature. RFC 5280 §4.2.1.3.
    for (bits, isAllowed) in [([5, 0x20], false), ([7, 0x80], true)] as [([UInt8], Bool)] {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) {
        $0.extensions.append(
          Made.extension("2.5.29.15", isCritical: true, Made.der(0x03, bits)))
      }
      let purpose = try Purpose.peer(SignedCertificate.host)
      let diagnosis = try validator(rules).diagnose(
        [leaf], for: purpose, at: SignedCertificate.time)
      #expect(diagnosis.error?.rejections.first?.rule == (isAllowed ? nil : .keyUsage))
    }
  }
}
