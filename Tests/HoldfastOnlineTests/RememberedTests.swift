import Foundation
import Holdfast
@testable import HoldfastOnline
import TestSupport
import Testing

/// What a network, a stranger's chain and a wrong clock may leave behind: only what is verified, for
/// a day, and nothing else. Expectations from RFC 5280 §6.3.3 and RFC 6960 §3.2.
@Suite("What is remembered of fetching") struct RememberedTests {
  private let made: Published
  private let servers = Servers()
  private let cache = FetchCache()

  init() throws {
    made = try Published()
  }

  private func ask(
    _ kinds: Set<FetchKind>, _ chain: [Certificate]? = nil, cache: FetchCache? = nil,
    _ revocation: Revocation? = nil
  ) async -> OnlineAnswer {
    var request = made.request(chain ?? [made.leaf, made.intermediate], revocation)
    request.time = nil
    return await made.validator(servers, kinds, cache: cache ?? self.cache).answer(to: request)
  }

  private func isRevoked(_ answer: OnlineAnswer) -> Bool {
    guard case .failure(let error) = answer.result else { return false }
    return error.rejections.first?.rule == .revoked
  }

  private func list(
    _ serialNumbers: [UInt8] = [], key: UInt64 = 2, _ number: UInt8 = 1, base: UInt8? = nil,
    issued time: String = "251231000000Z"
  ) throws -> [UInt8] {
    try SignedRevocation.list(
      by: "Middle", key, serialNumbers.map { ($0, nil) }, number: number, base: base,
      thisUpdate: time
    ).der
  }

  private func response(_ status: [UInt8]) throws -> [UInt8] {
    try SignedRevocation.answer(
      [SignedRevocation.single(made.leaf, of: made.intermediate, status)], by: made.intermediate,
      2, includesResponder: false
    ).der
  }

  @Test(
    "a CRL that nobody of the CA has signed is not kept, delta or complete, in memory or on disk",
    arguments: [nil, 1] as [UInt8?], [false, true])
  func forgedList(base: UInt8?, isOnDisk: Bool) async throws {
    let scratch = try ScratchFolder()
    let folder = "\(scratch.path)/cache"
    func cache() throws -> FetchCache {
      isOnDisk ? try FetchCache(directory: folder) : self.cache
    }
    servers.serve(Published.crl, try list(key: 66, 2, base: base))
    await #expect(throws: Never.self) { try await ask([.crl], cache: cache()).path }
    if isOnDisk { #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty) }
    servers.serve(Published.crl, try list([9]))
    #expect(isRevoked(await ask([.crl], cache: try cache())))
    #expect(servers.urls.count == 2)
  }

  @Test("a forged CRL that is older than a good one is redundant, and not kept")
  func forgedOlder() async throws {
    let urls = ["http://crl.example/one", "http://crl.example/two"]
    let made = try Published([Published.points(urls)])
    servers.serve(urls[0], try list())
    servers.serve(urls[1], try list(key: 66, issued: "251201000000Z"))
    func ask() async -> OnlineAnswer {
      await made.validator(servers, [.crl], cache: cache)
        .answer(to: made.request([made.leaf, made.intermediate]))
    }
    await #expect(throws: Never.self) { try await ask().path }
    servers.pass(86_401)
    servers.serve(urls[0], .failure(.status(404)))
    servers.serve(urls[1], try list([9], 2))
    #expect(isRevoked(await ask()))
  }

  @Test("a CA that has two keys at one URL has an entry for each")
  func twoKeys() async throws {
    let other = try SignedCertificate.authority("Middle", 3, by: "Root", 1) { $0.serialNumber = 8 }
    let younger = try SignedCertificate.leaf(by: "Middle", 3) {
      $0.extensions.append(Published.points([Published.crl]))
      $0.serialNumber = 10
    }
    servers.serve(Published.crl, try list())
    await #expect(throws: Never.self) { try await ask([.crl]).path }
    servers.serve(Published.crl, try list([10], key: 3))
    // The entry of the old key is no answer.
    #expect(isRevoked(await ask([.crl], [younger, other])))
    let count = servers.urls.count
    await #expect(throws: Never.self) { try await ask([.crl]).path }
    #expect(isRevoked(await ask([.crl], [younger, other])))
    #expect(servers.urls.count == count)
  }

  @Test("an issuer is kept only if a path goes through it, and asked for again until then")
  func issuers() async throws {
    for forged in [
      try SignedCertificate.root("Nobody", 66), try SignedCertificate.root("Middle", 66),
      try SignedCertificate.authority("Middle", 66, by: "Root", 1),
    ] {
      let servers = Servers()
      let validator = made.validator(servers, [.issuers])
      servers.serve(Published.issuers, forged.der)
      let rejected = await validator.answer(to: made.request([made.leaf]))
      #expect(throws: PathError.self) { try rejected.path }
      servers.serve(Published.issuers, made.intermediate.der)
      let trusted = await validator.answer(to: made.request([made.leaf]))
      #expect(throws: Never.self) { try trusted.path }
      let again = await validator.answer(to: made.request([made.leaf]))
      #expect(again.fetches.map(\.outcome) == [.cached])
      #expect(servers.urls.count == 2)
    }
  }

  @Test("an issuer that was replaced at its URL is asked for again", arguments: [false, true])
  func replacedIssuer(hasExpired: Bool) async throws {
    let old = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.notAfter = "260101120000Z"
    }
    servers.serve(Published.issuers, old.der)
    await #expect(throws: Never.self) { try await ask([.issuers], [made.leaf]).path }
    var (new, leaf) = (made.intermediate, made.leaf)
    if hasExpired {
      servers.pass(43_201)
    } else {
      new = try SignedCertificate.authority("Middle", 3, by: "Root", 1)
      leaf = try SignedCertificate.leaf(by: "Middle", 3) {
        $0.extensions.append(Published.access(issuers: [Published.issuers]))
      }
    }
    servers.serve(Published.issuers, new.der)
    let answer = await ask([.issuers], [leaf])
    #expect(try answer.path.certificates == [leaf, new, made.root])
    #expect(servers.urls.count == 2)
  }

  @Test("a stranger's chain that names a CA's URL leaves nothing behind for the CA's own")
  func stranger() async throws {
    let stranger = try SignedCertificate.leaf(by: "Nobody", 66) {
      $0.extensions.append(Published.access(issuers: [Published.issuers]))
    }
    servers.serve(Published.issuers, made.intermediate.der)
    let validator = made.validator(servers, [.issuers])
    let rejected = await validator.answer(to: made.request([stranger]))
    #expect(throws: PathError.self) { try rejected.path }
    let trusted = await validator.answer(to: made.request([made.leaf]))
    #expect(throws: Never.self) { try trusted.path }
  }

  @Test("only that a server gave no answer, or failed, is remembered")
  func failures() async throws {
    for (error, isRemembered) in [
      (.timeout, true), (.unreachable(host: "ca.example", reason: "refused"), true),
      (.noAddress(host: "ca.example"), true), (.invalidResponse("cut"), true),
      (.status(500), true), (.status(503), true), (.status(404), false), (.status(403), false),
      (.tooLong(limit: 1), false), (.tooManyRedirects(2), false), (.other("x"), false),
    ] as [(FetchError, Bool)] {
      let servers = Servers()
      servers.serve(
        Published.issuers, .failure(error), .success(FetchResponse(made.intermediate.der)))
      let validator = made.validator(servers, [.issuers])
      _ = await validator.answer(to: made.request([made.leaf]))
      let answer = await validator.answer(to: made.request([made.leaf]))
      let expected = FetchReport.Outcome.failed(.failedBefore(error))
      #expect((answer.fetches.map(\.outcome) == [expected]) == isRemembered, "\(error)")
    }
  }

  @Test("a question that ends before a server answers does not make the server one that failed")
  func impatient() async throws {
    let servers = Servers(isHeld: true)
    servers.serve(Published.issuers, made.intermediate.der)
    var policy = FetchPolicy.patient([.issuers])
    let fetches = Fetches(servers, FetchCache(), hostInterval: .zero, clock: servers.clock)
    policy.budget.time = .milliseconds(50)
    var hasty = OnlineQuestion(
      made.request([made.leaf]), made.offline, known: nil, policy, fetches)
    #expect(await hasty.answer().fetches.map(\.outcome) == [.failed(.timeout)])
    servers.release()
    policy.budget.time = .seconds(600)
    var patient = OnlineQuestion(
      made.request([made.leaf]), made.offline, known: nil, policy, fetches)
    let answer = await patient.answer()
    #expect(throws: Never.self) { try answer.path }
  }

  @Test("a question with few bytes left does not decide what is too long for others")
  func fewBytes() async throws {
    let servers = Servers(isHeld: true)
    servers.serve(Published.issuers, made.intermediate.der)
    let fetches = Fetches(servers, FetchCache(), hostInterval: .zero, clock: servers.clock)
    var poor = FetchPolicy.patient([.issuers])
    poor.budget.bytes = 10
    let made = made
    let first = Task { [poor] in
      var question = OnlineQuestion(
        made.request([made.leaf]), made.offline, known: nil, poor, fetches)
      return await question.answer()
    }
    while servers.requests.isEmpty { await Task.yield() }
    let second = Task {
      var question = OnlineQuestion(
        made.request([made.leaf]), made.offline, known: nil, .patient([.issuers]), fetches)
      return await question.answer()
    }
    servers.release()
    #expect(await first.value.fetches.map(\.outcome) == [.failed(.tooLong(limit: 10))])
    let answer = await second.value
    #expect(throws: Never.self) { try answer.path }
    #expect(servers.requests.count == 2)
  }

  @Test("one URL for the lists of two CAs is asked for each, in every question")
  func sharedURL() async throws {
    let made = try Published([Published.points([Published.crl])])
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.serialNumber = 7
      $0.extensions += [Published.points([Published.crl])]
    }
    let validator = made.validator(servers, [.crl], cache: cache)
    func ask() async -> OnlineAnswer {
      await validator.answer(to: made.request([made.leaf, middle]))
    }
    servers.serve(Published.crl, try SignedRevocation.list(by: "Root", 1).der)
    for _ in 0..<2 { await #expect(throws: Never.self) { try await ask().path } }
    let count = servers.requests.count
    servers.serve(Published.crl, try list([9], 2))
    #expect(isRevoked(await ask()))
    #expect(servers.requests.count > count)
  }

  @Test("an older answer that is sent again does not take the place of a newer one")
  func replay() async throws {
    servers.serve(
      Published.crl, .success(FetchResponse(try list([9], 2), maximumAge: 3_600)))
    #expect(isRevoked(await ask([.crl])))
    servers.serve(Published.crl, try list(issued: "251201000000Z"))
    for _ in 0..<3 {
      servers.pass(7_200)
      #expect(isRevoked(await ask([.crl])))
    }
    #expect(servers.urls.count == 4, "it is asked for again each time")
    let cache = FetchCache()
    let key = try FetchCache.Key(
      .crl, Published.crl, ports: [80], made.leaf, below: made.intermediate.publicKey)
    let (new, old) = (try list(issued: "251231000000Z"), try list(issued: "251201000000Z"))
    for body in [new, old] {
      cache.insert(
        key, .crl(try CRL(der: body)), FetchResponse(body), at: SignedCertificate.time)
    }
    #expect(cache.entry(key, at: SignedCertificate.time)?.body == new)
  }

  @Test("issuers that no path needs are not kept because the leaf is among them")
  func leafAmongIssuers() async throws {
    let urls = ["http://ca.example/1", "http://ca.example/2"]
    let made = try Published([Published.access(issuers: urls)])
    let impostor = try SignedCertificate.authority("Middle", 4, by: "Root", 1)
    servers.serve(urls[0], Array((impostor.pem + made.leaf.pem).utf8))
    servers.serve(urls[1], made.intermediate.der)
    let answer = await made.validator(servers, [.issuers], cache: cache)
      .answer(to: made.request([made.leaf]))
    #expect(throws: Never.self) { try answer.path }
    let kept = try urls.map {
      cache.entry(
        try FetchCache.Key(.issuers, $0, ports: [80], nil, below: nil), at: servers.time)
    }
    #expect(kept.map { $0 != nil } == [false, true])
  }

  @Test("an older answer does not take the place of what another process has kept")
  func replayToAnother() throws {
    let scratch = try ScratchFolder()
    let key = try FetchCache.Key(
      .crl, Published.crl, ports: [80], made.leaf, below: made.intermediate.publicKey)
    let (old, new) = (try list(issued: "251201000000Z"), try list([9], issued: "251231000000Z"))
    func cache() throws -> FetchCache { try FetchCache(directory: "\(scratch.path)/cache") }
    func keep(_ body: [UInt8], in cache: FetchCache) throws {
      cache.insert(
        key, .crl(try CRL(der: body)), FetchResponse(body), at: SignedCertificate.time)
    }
    let (first, second) = (try cache(), try cache())
    try keep(old, in: first)
    try keep(new, in: second)
    try keep(old, in: first)
    #expect(first.entry(key, at: SignedCertificate.time)?.body == new)
    #expect(try cache().entry(key, at: SignedCertificate.time)?.body == new)
  }

  @Test("an entry is used for a day after the server has confirmed it, and not beyond its own end")
  func lifetimes() throws {
    let key = try FetchCache.Key(
      .crl, Published.crl, ports: [80], made.leaf, below: made.intermediate.publicKey)
    let body = try list()
    let value = FetchedValue.crl(try CRL(der: body))
    let end = try #require(Timestamp("2026-02-01T00:00:00Z"))
    for (start, last) in [
      (SignedCertificate.time, SignedCertificate.time.advanced(bySeconds: 86_400)),
      (end.advanced(bySeconds: -60), end),
    ] {
      let cache = FetchCache()
      cache.insert(key, value, FetchResponse(body, maximumAge: 366 * 86_400), at: start)
      #expect(cache.entry(key, at: last) != nil)
      // Where the clock was set back, nothing is known of the age.
      #expect(cache.entry(key, at: start.advanced(bySeconds: -1)) == nil)
      cache.insert(key, value, FetchResponse(body), at: start)
      #expect(cache.entry(key, at: last.advanced(bySeconds: 1)) == nil)
    }
    cache.insert(key, value, FetchResponse(body), at: end)
    #expect(cache.entry(key, at: end) == nil)
  }

  @Test("the time of a question changes nothing about what is kept, and for how long")
  func questionsTime() async throws {
    servers.serve(Published.crl, try list())
    servers.serve(Published.issuers, made.intermediate.der)
    var request = made.request([made.leaf])
    request.time = Timestamp("2026-01-20T00:00:00Z")
    let validator = made.validator(servers, [.issuers, .crl], cache: cache)
    await #expect(throws: Never.self) { try await validator.answer(to: request).path }
    servers.pass(86_401)
    _ = await validator.answer(to: request)
    #expect(servers.urls.count == 4)
  }

  @Test("an entry that does not help a question is asked for again, and the others keep it")
  func unhelpful() async throws {
    servers.serve(Published.crl, try list())
    await #expect(throws: Never.self) { try await ask([.crl]).path }
    servers.pass(7_200)
    var strict = Revocation(.required(of: .leaf))
    strict.maximumAge = 3_600
    servers.serve(Published.crl, try list([9], 2, issued: "260101013000Z"))
    let answer = await ask([.crl], nil, strict)
    #expect(isRevoked(answer))
    #expect(answer.fetches.map(\.outcome).first == .cached && answer.fetches.count == 2)
    #expect(isRevoked(await ask([.crl])), "and the newer one is kept")
    #expect(servers.urls.count == 2)
  }

  @Test("what the cache has of a certificate below an anchor comes before all requests")
  func cachedBelowAnchor() async throws {
    let intermediate = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions += [
        Published.access(ocsp: ["http://none.example/"]), Published.points([Published.rootCRL]),
      ]
      $0.serialNumber = 7
    }
    servers.serve(Published.crl, try list())
    servers.serve(Published.rootCRL, try SignedRevocation.list(by: "Root", 1).der)
    let hard = Revocation(.required(of: .everyCertificate))
    for requests in [3, 3] {
      let answer = await ask([.ocsp, .crl], [made.leaf, intermediate], hard)
      #expect(throws: Never.self) { try answer.path }
      // Those to the leaf's responder, which answers nothing, are made each time.
      let urls = servers.urls.filter { $0 != Published.ocsp }
      #expect(urls.count == requests, "\(servers.urls)")
    }
  }

  @Test("a response that says the certificate is unknown is asked for again")
  func unknown() async throws {
    let unknown = FetchResponse(try response(SignedRevocation.unknown))
    // By GET, and by POST.
    servers.serve(
      Published.ocsp, .success(unknown), .success(unknown),
      .success(FetchResponse(try response(SignedRevocation.revoked))))
    await #expect(throws: Never.self) { try await ask([.ocsp]).path }
    #expect(isRevoked(await ask([.ocsp])))
  }
}
