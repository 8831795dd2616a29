import HoldfastCertificates
import HoldfastConformance
import TestSupport
import Testing

@testable import HoldfastPaths

@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct PathErrorTests {
  let chain: BenchChain

  init() throws { chain = try BenchChain("b_p256") }

  private func error(
    _ intermediates: [Certificate], anchors: [Certificate], host: String = BenchChain.host,
    at time: Timestamp = BenchChain.time
  ) throws -> PathError {
    let validator = PathValidator(anchors: AnchorSet(anchors))
    return try #require(
      throws: PathError.self,
      performing: {
        try validator.validate(
          [chain.leaf] + intermediates, for: .server(named: host), at: time)
      })
  }

  @Test("a missing intermediate is named and reported at the leaf")
  func missingIntermediate() throws {
    let error = try error([], anchors: [chain.root])
    #expect(error.rejections.map(\.rule) == [.issuerNotFound])
    #expect(error.rejections.first?.index == 0)
    #expect(error.rejections.first?.bytes == chain.leaf.issuer.der.range)
    guard case .missingIntermediate(let name, _)? = error.hints.first else {
      Issue.record("\(error.hints)")
      return
    }
    #expect(name == chain.intermediates[0].subject)
    #expect("\(error)".contains("hint: send the intermediate \(name)"))
  }

  @Test("a root that is sent but not trusted is named")
  func unknownRoot() throws {
    let other = try BenchChain("a_rsa2048").root
    let error = try error(chain.intermediates + [chain.root], anchors: [other])
    #expect(error.rejections.first?.rule == .untrustedRoot)
    #expect(error.rejections.first?.index == 2)
    #expect(error.hints == [.unknownRoot(chain.root, anchors: 1)])
    #expect("\(error)".contains("to the trust anchors, if it is yours: the only trust anchor"))
  }

  @Test("a missing untrusted root is distinguished from a missing intermediate")
  func missingRoot() throws {
    let other = try BenchChain("a_rsa2048").root
    let error = try error(chain.intermediates, anchors: [other])
    #expect(error.rejections.map(\.rule) == [.issuerNotFound])
    #expect(error.rejections.first?.index == chain.intermediates.count)
    guard case .missingRoot(let name, _)? = error.hints.first else {
      Issue.record("\(error.hints)")
      return
    }
    #expect(name == chain.root.subject)
    #expect("\(error)".contains("hint: send \(chain.root.subject) if it is an intermediate; add"))
    #expect(error.headline.contains("is not a trust anchor, and was not sent"))
  }

  @Test("an empty anchor set is reported as such")
  func noAnchors() throws {
    #expect(try error(chain.intermediates, anchors: []).hints.contains(.noAnchors))
  }

  @Test("an expired leaf is reported with its time and the bytes of that time")
  func expired() throws {
    let later = chain.leaf.notAfter.advanced(bySeconds: 1)
    let error = try error(chain.intermediates, anchors: [chain.root], at: later)
    let rejection = try #require(error.rejections.first)
    #expect(rejection.violation.detail == .time(chain.leaf.notAfter))
    let bytes = try #require(rejection.bytes)
    // A UTCTime: tag, length, YYMMDDHHMMSSZ.
    #expect(Array(chain.leaf.der[bytes].prefix(2)) == [0x17, 13])
    #expect("\(error)".contains("expired at \(chain.leaf.notAfter), bytes \(bytes.lowerBound)-"))
    #expect("\(error)".contains("[RFC 5280 §6.1.3 (a)(2)]"))
  }

  @Test("an empty chain is a separate error, whatever the purpose")
  func emptyChain() throws {
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let error = #expect(throws: PathError.self) { try validator.validate([], for: .any) }
    #expect(error?.cause == .emptyChain && error?.leaf == nil && error?.rejections.isEmpty == true)
    #expect("\(try #require(error))" == "no certificates given")
    let diagnosis = validator.diagnose([], for: .anyServer)
    #expect(diagnosis.error?.cause == .emptyChain && diagnosis.attempts.isEmpty)
  }

  @Test("a path is a collection of its certificates, the leaf first and the anchor last")
  func collection() throws {
    let path = try PathValidator(anchors: AnchorSet([chain.root])).validate(
      [chain.leaf] + chain.intermediates, for: .any, at: BenchChain.time)
    #expect(Array(path) == [chain.leaf] + chain.intermediates + [chain.root])
    #expect(path.first == path.leaf && path.count == path.certificates.count)
    #expect(Array(path.intermediates) == chain.intermediates)
  }

  @Test("a certificate is signed by its issuer and by no other")
  func isSigned() {
    #expect(chain.leaf.isSigned(by: chain.intermediates[0]))
    #expect(chain.intermediates[0].isSigned(by: chain.root))
    #expect(chain.root.isSigned(by: chain.root))
    #expect(!chain.leaf.isSigned(by: chain.root) && !chain.leaf.isSigned(by: chain.leaf))
    #expect(!chain.root.isSigned(by: chain.leaf))
  }

  @Test("the text of a rejected mesh stays below 4 KiB")
  func bounded() throws {
    let mesh = try BenchChain("path_mesh_8")
    let validator = PathValidator(anchors: AnchorSet([mesh.root]))
    let error = try #require(
      throws: PathError.self,
      performing: {
        try validator.validate(
          [mesh.leaf] + mesh.intermediates, for: .server(named: BenchChain.host),
          at: BenchChain.time)
      })
    #expect("\(error)".utf8.count <= 4096)
  }

  @Test("a diagnosis and validate list every broken rule")
  func diagnosis() throws {
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    let later = chain.leaf.notAfter.advanced(bySeconds: 86_400 * 365 * 20)
    let diagnosis = validator.diagnose(
      [chain.leaf] + chain.intermediates, for: .server(named: "www.other.example.net"),
      at: later)
    #expect(diagnosis.path == nil)
    let attempt = try #require(diagnosis.attempts.first)
    #expect(attempt.signatures == .verified)
    #expect(attempt.certificates == [chain.leaf] + chain.intermediates)
    #expect(
      attempt.violations.map { "\($0.rule.name) \($0.index)" }
        == ["expired 0", "hostName 0", "expired 1"])
    let error = try error(
      chain.intermediates, anchors: [chain.root], host: "www.other.example.net", at: later)
    #expect(error.rejections == attempt.rejections && error.hints == diagnosis.error?.hints)
    #expect(
      error.logLine.hasSuffix(" [RFC 5280 §6.1.3 (a)(2)] (2 more rules are broken) code=expired"),
      "\(error.logLine)")
    let one = try self.error(chain.intermediates, anchors: [chain.root], host: "b.example.net")
    #expect(one.logLine.hasSuffix(" [RFC 9525 §6.3] code=host_name"), "\(one.logLine)")
  }

  @Test("a diagnosis of a path that is too long also names its other problems")
  func diagnosisOfLongPath() throws {
    let root = try SignedCertificate.root()
    let authorities = [
      try SignedCertificate.authority("B", 3, by: "A", 2),
      try SignedCertificate.authority("A", 2, by: "Root", 1) { $0.pathLength = 0 },
    ]
    let leaf = try SignedCertificate.leaf(by: "B", 3) { $0.notAfter = "251231000000Z" }
    let attempts = PathValidator(anchors: AnchorSet([root])).diagnose(
      [leaf] + authorities, for: .server(named: SignedCertificate.host),
      at: SignedCertificate.time
    ).attempts
    #expect(
      attempts.map { $0.violations.map { "\($0.rule.name) \($0.index)" } }
        == [["expired 0", "pathLength 2"]])
  }

  /// RFC 5937 §3: an anchor below another one may be left with less than no room.
  @Test("a limit on the path's length is reported once, and never as less than 0")
  func limitOnce() throws {
    let root = try SignedCertificate.root()
    let chain = [
      try SignedCertificate.leaf(by: "C", 4), try SignedCertificate.authority("C", 4, by: "B", 3),
      try SignedCertificate.authority("B", 3, by: "A", 2),
      try SignedCertificate.authority("A", 2, by: "Root", 1),
    ]
    for length in [-1, 0, 1] {
      var constraints = TrustAnchor.Constraints()
      constraints.pathLength = length
      let attempts = PathValidator(
        anchors: AnchorSet([TrustAnchor(root, constraints: constraints)])
      ).diagnose(chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
        .attempts
      let found = attempts.flatMap(\.violations).filter { $0.rule == .pathLength }
      #expect(found.map(\.index) == [4])
      #expect(found.first?.detail == .number(max(length, 0)), "\(length)")
    }
  }

  @Test("an attempt that reached an anchor replaces one that did not, and both are counted")
  func attempts() throws {
    var attempts = Attempts()
    func add(_ certificates: [Certificate], to anchor: TrustAnchor? = nil) {
      let nearness = PathError.Attempt.Nearness(
        didNotSign: false, hasAnchor: anchor != nil, .notVerified, [])
      guard attempts.hasRoom(for: nearness) else { return }
      attempts.add(
        PathError.Attempt(
          certificates: certificates, anchor: anchor, violations: [], nearness: nearness))
    }
    for _ in 0..<Attempts.maximum { add([chain.leaf]) }
    #expect(attempts.all.count == 64 && attempts.omitted == 0)
    add([chain.leaf] + chain.intermediates)
    #expect(attempts.all.allSatisfy { $0.certificates.count == 1 } && attempts.omitted == 1)
    for count in 1...65 {
      add([chain.leaf], to: TrustAnchor(chain.root))
      #expect(attempts.all.count { $0.anchor != nil } == min(count, 64))
      #expect(attempts.all.count == 64 && attempts.omitted == count + 1)
    }
  }

  @Test("an attempt says whether its signatures were verified, rejected or not checked")
  func signatures() throws {
    func attempts(
      _ anchors: [Certificate], _ intermediates: [Certificate]
    ) -> [PathError.Attempt.Signatures] {
      PathValidator(anchors: AnchorSet(anchors)).diagnose(
        [chain.leaf] + intermediates, for: .server(named: "www.other.example.net"),
        at: BenchChain.time
      ).attempts.map(\.signatures)
    }
    #expect(attempts([chain.root], chain.intermediates) == [.verified])
    // There is no issuer, so that no signature could be verified.
    #expect(attempts([chain.root], []) == [.notVerified])
    #expect(attempts([], chain.intermediates).allSatisfy { $0 == .notVerified })
    // An anchor with the right name and another key.
    let other = TrustAnchor(name: chain.root.subject, publicKey: chain.leaf.publicKey)
    let diagnosis = PathValidator(anchors: AnchorSet([other])).diagnose(
      [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
      at: BenchChain.time)
    #expect(diagnosis.attempts.map(\.signatures) == [.rejected])
    // The leaf is the anchor: there is nothing to verify.
    #expect(Set(attempts([chain.leaf], [])) == [.notVerified])
  }

  @Test("an excessive validity is reported in days, or in seconds if the days are equal")
  func lengths() throws {
    let day: Int64 = 86_400
    func words(_ seconds: Int64) -> String {
      "\(Violation(.validityTooLong, .length(seconds, allowed: Int(47 * day))))"
    }
    // RFC 5280 §4.1.2.5: both ends belong to the validity, so 47 days after its begin is one second
    // more than 47 days.
    #expect(
      words(47 * day)
        == "valid for 4060801 seconds, longer than 4060800")
    #expect(
      words(48 * day - 1)
        == "valid for 48 days, longer than 47")
    #expect(
      words(398 * day)
        == "valid for 398 days, longer than 47")
  }

  @Test("a certificate that names itself as issuer and is not an anchor is told so")
  func selfIssued() throws {
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([chain.leaf]), rules: .rfc5280).validate(
        [chain.root], for: .any, at: BenchChain.time)
    }
    #expect(error?.rejections.first?.rule == .untrustedRoot)
    #expect(
      error.map { "\($0.rejections[0].violation)" } == "self-signed, and not a trust anchor")
  }

  /// It compiles only if the type of the error survives: with two types, `error` has no `cause`.
  @Test("one catch handles a bad host and a bad chain, and knows the type of the error")
  func typedError() throws {
    let validator = PathValidator(anchors: AnchorSet([chain.root]))
    func cause(_ host: String) -> PathError.Cause? {
      do {
        _ = try validator.validate([chain.leaf], for: .server(host), at: BenchChain.time)
        return nil
      } catch {
        return error.cause
      }
    }
    #expect(cause("other.example.net") == .rejected)
    let host = try #require(throws: HostNameError.self) { try HostName("a..b") }
    #expect(cause("a..b") == .invalidName(host))
    let mailbox = try #require(throws: HostNameError.self) { try Mailbox("a@b..c") }
    let error = #expect(throws: PathError.self) { try Purpose.email("a@b..c") }
    #expect(error?.cause == .invalidName(mailbox))
    #expect(error.map { "\($0)" } == "\(mailbox)")
  }

  @Test("a rule of the caller's own rejects a path, says which certificate, and another is tried")
  func ownRule() throws {
    var rules = ValidationRules.webPKI
    rules.check = { certificate, index in
      index > 1 ? Violation("too long", at: certificate.serialNumber.bytes.range) : nil
    }
    let validator = PathValidator(anchors: AnchorSet([chain.root]), rules: rules)
    let error = #expect(throws: PathError.self) {
      try validator.validate(
        [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
        at: BenchChain.time)
    }
    let rejection = try #require(error?.rejections.first)
    #expect(rejection.violation.detail == .text("too long"))
    #expect(rejection.index == 2 && rejection.certificate == chain.root)
    #expect(rejection.bytes == chain.root.serialNumber.bytes.range)
    // The intermediate as an anchor makes a shorter path.
    let both = AnchorSet([chain.root, chain.intermediates[0]])
    let path = try PathValidator(anchors: both, rules: rules).validate(
      [chain.leaf] + chain.intermediates, for: .server(named: BenchChain.host),
      at: BenchChain.time)
    #expect(path.anchor.certificate == chain.intermediates[0])
  }

  @Test("a leaf that is an anchor is valid, unless the rules say otherwise")
  func leafAsAnchor() throws {
    let validator = PathValidator(anchors: AnchorSet([chain.leaf]))
    let path = try validator.validate(
      [chain.leaf], for: .server(named: BenchChain.host), at: BenchChain.time)
    #expect(path.certificates == [chain.leaf])
    var rules = ValidationRules.webPKI
    rules.leaf.acceptsAnchor = false
    #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet([chain.leaf]), rules: rules).validate(
        [chain.leaf], for: .server(named: BenchChain.host), at: BenchChain.time)
    }
  }

  @Test("every limit is named when it is reached")
  func limits() throws {
    let mesh = try BenchChain("path_mesh_8")
    for (limits, name) in [
      (Limits(steps: 3), "steps"), (Limits(operations: 2), "publicKeyOperations"),
      (Limits(path: 2), "pathLength"),
    ] {
      let validator = PathValidator(anchors: AnchorSet([mesh.root]), limits: limits)
      let error = #expect(throws: PathError.self) {
        try validator.validate(
          [mesh.leaf] + mesh.intermediates, for: .any, at: BenchChain.time)
      }
      guard case .limitReached(let limit)? = error?.cause else {
        Issue.record("\(name): \(String(describing: error?.cause))")
        continue
      }
      #expect(limit.name == name)
    }
  }

  @Test("every rule has a citation and a message, and its values fill the message")
  func rules() {
    #expect(Rule.allCases.allSatisfy { !$0.citation.isEmpty && !$0.message.isEmpty })
    #expect("\(Rule.weakKey)" == "RSA key of … bits, fewer than …")
    #expect(
      "\(Violation(.weakKey, .limit(1024, allowed: 2048)))"
        == "RSA key of 1024 bits, fewer than 2048")
    #expect("\(Violation(.veto, .text("{}")))" == "rejected by this program: {}")
    #expect(Violation(.extensionMissing, .extension(.keyUsage)).citation == "RFC 5280 §4.2.1.3")
    #expect(Violation(.keyUsage, .keyUsage(.keyCertSign)).citation == "RFC 5280 §6.1.4 (n)")
    for (index, section) in [(0, "§6.1.5 (f)"), (1, "§6.1.4 (o)"), (2, "§6.1.4 (o)")] {
      let violation = Violation(.unknownCriticalExtension, .extension(.keyUsage), index: index)
      #expect(violation.citation == "RFC 5280 \(section)")
    }
  }
}

extension Limits {
  fileprivate init(steps: Int? = nil, operations: Int? = nil, path: Int? = nil) {
    self.init()
    self.steps = steps ?? self.steps
    publicKeyOperations = operations ?? publicKeyOperations
    pathLength = path ?? pathLength
  }
}
