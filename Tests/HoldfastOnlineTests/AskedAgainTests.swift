import Holdfast
import Synchronization
import TestSupport
import Testing

@testable import HoldfastOnline

/// What a question takes from the cache, when it asks a server all the same, and how often.
@Suite("What is asked again") struct AskedAgainTests {
  private let made: Published
  private let servers = Servers()
  private let cache = FetchCache()
  private static let upper = "http://ca.example/upper"

  init() throws { made = try Published() }

  private func ask(
    _ kinds: Set<FetchKind>, _ chain: [Certificate], _ demand: Revocation.Demand = .ifAvailable,
    _ change: (inout FetchPolicy) -> Void = { _ in }
  ) async -> OnlineAnswer {
    var request = made.request(chain, .init(demand))
    request.time = nil
    return await made.validator(servers, kinds, cache: cache, change).answer(to: request)
  }

  private func keep(
    _ kind: FetchKind, _ url: String, of certificate: Certificate? = nil,
    below issuer: Certificate? = nil, _ body: [UInt8], maximumAge: Int64? = nil
  ) throws {
    let key = try FetchCache.Key(
      kind, url, ports: [80], certificate, below: issuer?.publicKey)
    cache.insert(
      key, try FetchedValue(body, kind), FetchResponse(body, maximumAge: maximumAge),
      at: servers.time)
  }

  // MARK: Issuers

  /// A leaf and a CA that names its issuer, below others that name none.
  private func chain(signer: UInt64) throws -> [Certificate] {
    [
      made.leaf,
      try SignedCertificate.authority("Middle", 2, by: "Upper", signer) {
        $0.extensions.append(Published.access(issuers: [AskedAgainTests.upper]))
      },
      try SignedCertificate.root("Stray", 40),
    ]
  }

  @Test("an issuer that the cache has is not asked for, whichever certificate lacks it")
  func cachedIssuer() async throws {
    servers.serve(Self.upper, try SignedCertificate.authority("Upper", 3, by: "Root", 1).der)
    for outcome in [FetchReport.Outcome.fetched(bytes: 0), .cached, .cached] {
      let answer = await ask([.issuers], try chain(signer: 3))
      #expect(throws: Never.self) { try answer.path }
      #expect((answer.fetches.map(\.outcome) == [.cached]) == (outcome == .cached))
    }
    #expect(servers.urls == [Self.upper])
  }

  @Test("an issuer that the cache has and did not sign is asked for once, and what is due as well")
  func wrongIssuer() async throws {
    let wrong = try SignedCertificate.authority("Upper", 3, by: "Root", 1)
    for (age, isServed) in [(nil, true), (60, true), (60, false)] as [(Int64?, Bool)] {
      let test = try AskedAgainTests()
      try test.keep(.issuers, Self.upper, wrong.der, maximumAge: age)
      test.servers.pass(61)
      if isServed {
        let right = try SignedCertificate.authority("Upper", 4, by: "Root", 1)
        test.servers.serve(Self.upper, right.der)
      }
      let answer = await test.ask([.issuers], try chain(signer: 4))
      if case .success = answer.result { #expect(isServed) } else { #expect(!isServed) }
      #expect(test.servers.urls == [Self.upper], "\(answer.fetches)")
    }
  }

  @Test("what the cache has of the last issuer is tried, although another reason is against a path")
  func lastIssuer() async throws {
    let expired = try SignedCertificate.authority("Old", 1, by: "Old", 1) {
      $0.notAfter = "250601000000Z"
    }
    let middle = try SignedCertificate.authority("Middle", 2, by: "Old", 1) {
      $0.extensions.append(Published.access(issuers: [AskedAgainTests.upper]))
    }
    let cross = try SignedCertificate.authority("Old", 1, by: "Root", 1)
    try keep(.issuers, Self.upper, cross.der)
    var rules = ValidationRules.rfc5280
    rules.anchors.checksValidity = true
    let validator = PathValidator(anchors: AnchorSet([expired, made.root]), rules: rules)
    let answer = await OnlineValidator(
      validator, fetching: servers, policy: .patient([.issuers]), cache: cache,
      clock: servers.clock
    ).answer(to: made.request([made.leaf, middle]))
    #expect(try answer.path.certificates == [made.leaf, middle, cross, made.root])
    #expect(answer.fetches.map(\.outcome) == [.cached] && servers.urls.isEmpty)
    // A root has no other issuer.
    let root = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.extensions.append(Published.access(issuers: [AskedAgainTests.upper]))
    }
    let whole = await ask([.issuers], [made.leaf, made.intermediate, root])
    #expect(throws: Never.self) { try whole.path }
    #expect(whole.fetches.isEmpty)
  }

  @Test("an issuer of the cache is not asked for again because of a path without it")
  func otherReason() async throws {
    let other = try SignedCertificate.authority("Middle", 66, by: "Root", 1) {
      $0.extensions.append(Published.access(issuers: [Published.issuers]))
    }
    try keep(.issuers, Published.issuers, made.intermediate.der)
    var request = made.request([made.leaf, other])
    request.purpose = Purpose.server(named: "other.example")
    let answer = await made.validator(servers, [.issuers], cache: cache).answer(to: request)
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.contains { $0.path.contains(made.intermediate) } == true)
    #expect(error?.rejections.contains { !$0.path.contains(made.intermediate) } == true)
    #expect(answer.fetches.map(\.outcome) == [.cached] && servers.urls.isEmpty)
  }

  @Test("what was sent is not added once more")
  func sentBefore() async throws {
    let sent = try SignedCertificate.authority("Middle", 2, by: "Upper", 3) {
      $0.extensions.append(Published.access(issuers: [AskedAgainTests.upper]))
    }
    let upper = try SignedCertificate.authority("Upper", 3, by: "Root", 1)
    servers.serve(Self.upper, Issuers.pkcs7([sent.der, upper.der]))
    let answer = await ask([.issuers], [made.leaf, sent])
    #expect(throws: Never.self) { try answer.path }
    #expect(answer.chain == [made.leaf, sent, upper])
  }

  @Test("of a file with certificates in PEM those count, whatever PKCS #7 it has besides")
  func mixedFile() async throws {
    let other = try SignedCertificate.root("Other", 50)
    let pkcs7 = Base64.text(of: Issuers.pkcs7([other.der]))
    let block = "-----BEGIN PKCS7-----\n\(pkcs7)\n-----END PKCS7-----\n"
    for text in [made.intermediate.pem + "\n" + block, block + made.intermediate.pem] {
      guard case .issuers(let found) = try FetchedValue(Array(text.utf8), .issuers) else {
        Issue.record("no issuers")
        continue
      }
      #expect(found == [made.intermediate])
    }
  }

  // MARK: Budgets

  @Test("requests for a status are none for issuers, and may follow when those are used up")
  func issuerRequests() async throws {
    let list = try SignedRevocation.list(by: "Middle", 2)
    servers.serve(Published.issuers, made.intermediate.der)
    servers.serve(Published.crl, list.der)
    let usedUp = await ask([.issuers, .crl], [made.leaf], .required(of: .leaf)) {
      $0.budget.issuerRequests = 1
    }
    #expect(throws: Never.self) { try usedUp.path }
    // The one that the cache has is revoked, which two CRLs tell before another is asked for.
    let revoked = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.serialNumber = 5
      $0.extensions.append(Published.points([Published.rootCRL]))
    }
    let test = try AskedAgainTests()
    test.servers.serve(Published.issuers, made.intermediate.der)
    test.servers.serve(Published.crl, list.der)
    test.servers.serve(
      Published.rootCRL, try SignedRevocation.list(by: "Root", 1, [(5, nil)]).der)
    try test.keep(.issuers, Published.issuers, revoked.der)
    let replaced = await test.ask([.issuers, .crl], [made.leaf]) {
      $0.budget.issuerRequests = 1
    }
    #expect(try replaced.path.certificates == [made.leaf, made.intermediate, made.root])
    #expect(test.servers.urls.last == Published.issuers && test.servers.urls.count == 3)
  }

  // MARK: Status

  @Test("where the status of the leaf alone is demanded, that of a CA is not asked for")
  func leafAlone() async throws {
    let intermediate = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions.append(Published.points([Published.rootCRL]))
    }
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    let answer = await ask([.crl], [made.leaf, intermediate], .required(of: .leaf))
    #expect(throws: Never.self) { try answer.path }
    #expect(servers.urls == [Published.crl])
  }

  @Test("a URL that is not fetched has one report, however often it is looked at")
  func refusedOnce() async throws {
    let url = "https://crl.example/1"
    let made = try Published([Published.points([url])])
    let answer = await made.validator(servers, [.crl])
      .answer(to: made.request([made.leaf, made.intermediate], .init(.required(of: .leaf))))
    #expect(throws: PathError.self) { try answer.path }
    #expect(answer.fetches.map(\.url) == [url])
  }

  @Test("a CRL of the cache that tells of one certificate is not asked for because of another")
  func usefulForOne() async throws {
    let extensions = Published.points([Published.crl])
    let upper = try SignedCertificate.authority("Upper", 2, by: "Root", 1)
    // Two CAs with one key: the list is about the certificates of the lower one.
    let lower = try SignedCertificate.authority("Middle", 2, by: "Upper", 2) {
      $0.serialNumber = 7
      $0.extensions.append(extensions)
    }
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    for _ in 0..<2 {
      let answer = await ask([.crl], [made.leaf, lower, upper])
      let path = try answer.path
      #expect(path.revocation[0].isGood && !path.revocation[1].isGood)
      #expect(answer.fetches.count == 1)
    }
    #expect(servers.urls == [Published.crl])
  }

  @Test("the path that is found first is asked about before one that would come nearer")
  func firstPath() async throws {
    let urls = ["http://crl.example/a", "http://crl.example/b"]
    let direct = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.serialNumber = 7
      $0.extensions.append(Published.points([urls[0]]))
    }
    let lower = try SignedCertificate.authority("Middle", 2, by: "Upper", 3) {
      $0.serialNumber = 8
    }
    let upper = try SignedCertificate.authority("Upper", 3, by: "Other Root", 30) {
      $0.extensions.append(Published.points([urls[1]]))
    }
    let roots = [made.root, try SignedCertificate.root("Other Root", 30)]
    // What the cache has is no answer, and is found only after the first validation.
    try keep(
      .crl, urls[0], of: direct, below: made.root, try SignedRevocation.list(by: "Root", 66).der)
    servers.serve(urls[0], try SignedRevocation.list(by: "Root", 1).der)
    var policy = FetchPolicy.patient([.crl])
    policy.budget.requests = 1
    let known = Revocation(
      .required(of: .everyCertificate),
      crls: [
        try SignedRevocation.list(by: "Middle", 2), try SignedRevocation.list(by: "Upper", 3),
      ])
    let answer = await OnlineValidator(
      PathValidator(anchors: AnchorSet(roots), rules: .rfc5280), fetching: servers,
      policy: policy, cache: cache, clock: servers.clock
    ).answer(to: made.request([made.leaf, direct, lower, upper], known))
    #expect(servers.urls == [urls[0]])
    #expect(try answer.path.certificates == [made.leaf, direct, made.root])
  }

  @Test("the key of an issuer is that of the next certificate, below an anchor the anchor's")
  func issuerKeys() throws {
    let anchor = TrustAnchor(name: made.root.subject, publicKey: made.root.publicKey)
    for (anchor, count) in [(TrustAnchor(made.root), 3), (anchor, 2)] {
      let path = try PathValidator(anchors: AnchorSet([anchor]), rules: .rfc5280).validate(
        [made.leaf, made.intermediate], for: .any, at: SignedCertificate.time)
      #expect(path.count == count)
      #expect(path.issuerKey(0) == made.intermediate.publicKey)
      #expect(path.issuerKey(1) == made.root.publicKey)
    }
  }

  // MARK: Answers of other questions

  /// Puts something into the cache after this question has looked there, and before it asks.
  private func meanwhile(
    _ made: Published, _ kind: FetchKind, _ url: String, _ body: [UInt8],
    _ revocation: Revocation
  ) async throws -> OnlineAnswer {
    let key = try FetchCache.Key(
      kind, url, ports: [80], made.leaf, below: made.intermediate.publicKey)
    let (value, cache, time) = (try FetchedValue(body, kind), FetchCache(), servers.time)
    let calls = Mutex(0)
    var clock = servers.clock
    clock.now = {
      // The first is for the deadline of the question.
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      if number == 2 { cache.insert(key, value, FetchResponse(body), at: time) }
      return .now
    }
    return await OnlineValidator(
      made.offline, fetching: servers, policy: .patient([kind]), cache: cache, clock: clock
    ).answer(to: made.request([made.leaf, made.intermediate], revocation))
  }

  @Test(
    "what another question has put into the cache is taken; if it does not help a server is asked",
    arguments: [
      (FetchKind.ocsp, "http://ocsp.example/"), (.ocsp, "http://ocsp.example/?a"),
      (.crl, "http://crl.example/1"),
    ])
  func keptMeanwhile(kind: FetchKind, url: String) async throws {
    let made = try Published([
      kind == .crl ? Published.points([url]) : Published.access(ocsp: [url])
    ])
    func body(of day: Int) throws -> [UInt8] {
      let date = "2512\(day)000000Z"
      if kind == .crl { return try SignedRevocation.list(by: "Middle", 2, thisUpdate: date).der }
      let single = SignedRevocation.single(made.leaf, of: made.intermediate, from: "20\(date)")
      return try SignedRevocation.answer(
        [single], by: made.intermediate, 2, includesResponder: false
      ).der
    }
    var revocation = Revocation(.required(of: .leaf))
    revocation.maximumAge = 90_000
    // One that is older than allowed is no answer.
    let (good, useless) = (try body(of: 31), try body(of: 29))
    servers.serve(url, good)
    let helped = try await meanwhile(made, kind, url, good, revocation)
    #expect(throws: Never.self) { try helped.path }
    #expect(helped.fetches.map(\.outcome) == [.cached] && servers.urls.isEmpty)
    let asked = try await meanwhile(made, kind, url, useless, revocation)
    #expect(throws: Never.self) { try asked.path }
    #expect(asked.fetches.map(\.outcome) == [.cached, .fetched(bytes: good.count)])
    #expect(servers.urls == [url])
  }

  @Test("a server that sends the same again confirms what the cache has")
  func sameBody() async throws {
    let list = try SignedRevocation.list(by: "Middle", 2).der
    servers.serve(Published.crl, .success(FetchResponse(list, maximumAge: 3_600)))
    let chain = [made.leaf, made.intermediate]
    #expect(await ask([.crl], chain).fetches.map(\.outcome) == [.fetched(bytes: list.count)])
    for outcome in [FetchReport.Outcome.unchanged, .unchanged] {
      servers.pass(3_601)
      #expect(await ask([.crl], chain).fetches.map(\.outcome) == [outcome])
      #expect(await ask([.crl], chain).fetches.map(\.outcome) == [.cached])
    }
    #expect(servers.urls.count == 3)
  }
}
