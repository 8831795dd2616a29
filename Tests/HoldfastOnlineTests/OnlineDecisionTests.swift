import Holdfast
@testable import HoldfastOnline
import Synchronization
import TestSupport
import Testing

/// What the cache and the servers may decide, and what is asked once.
@Suite("What fetching decides") struct OnlineDecisionTests {
  private let made: Published
  private let servers = Servers()
  private let cache = FetchCache()

  init() throws { made = try Published() }

  private func response(_ status: [UInt8]) throws -> [UInt8] {
    try SignedRevocation.answer(
      [SignedRevocation.single(made.leaf, of: made.intermediate, status)], by: made.intermediate,
      2, includesResponder: false
    ).der
  }

  private func isRevoked(_ answer: OnlineAnswer) -> Bool {
    guard case .failure(let error) = answer.result else { return false }
    return error.rejections.first?.rule == .revoked
  }

  @Test("a policy without issuers takes none from the cache either")
  func noIssuers() async throws {
    servers.serve(Published.issuers, made.intermediate.der)
    let filled = await made.validator(servers, [.issuers], cache: cache)
      .answer(to: made.request([made.leaf]))
    #expect(throws: Never.self) { try filled.path }
    for (kinds, isFound) in [([.issuers], true), ([.crl, .ocsp], false)]
      as [(Set<FetchKind>, Bool)]
    {
      let answer = await made.validator(servers, kinds, cache: cache)
        .answer(to: made.request([made.leaf]))
      guard case .success = answer.result else {
        #expect(!isFound)
        continue
      }
      #expect(isFound)
    }
  }

  @Test("a revocation that the cache has counts, although the caller's own data say good")
  func cachedRevocation() async throws {
    let chain = [made.leaf, made.intermediate]
    servers.serve(Published.ocsp, try response(SignedRevocation.revoked))
    let validator = made.validator(servers, [.ocsp], cache: cache)
    #expect(isRevoked(await validator.answer(to: made.request(chain))))
    let good = Revocation(.required(of: .leaf), crls: [try SignedRevocation.list(by: "Middle", 2)])
    #expect(isRevoked(await validator.answer(to: made.request(chain, good))))
    #expect(servers.urls == [Published.ocsp])
    // Nothing was known before, and nothing is asked where nothing is missing.
    let other = await made.validator(Servers(), [.ocsp]).answer(to: made.request(chain, good))
    #expect(throws: Never.self) { try other.path }
  }

  @Test("one CRL for certificates of two issuers is asked for once, and a responder for each")
  func sameURL() async throws {
    func chain(_ extensions: [UInt8]) throws -> [Certificate] {
      [
        try SignedCertificate.leaf(by: "Middle", 2) {
          $0.extensions.append(extensions)
          $0.serialNumber = 9
        },
        try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
          $0.extensions.append(extensions)
          $0.serialNumber = 9
        },
      ]
    }
    for (kind, extensions, count) in [
      (.crl, Published.points([Published.crl]), 1),
      (.ocsp, Published.access(ocsp: [Published.ocsp]), 2),
    ] as [(FetchKind, [UInt8], Int)] {
      let servers = Servers()
      servers.serve(Published.crl, .failure(.timeout))
      servers.serve(Published.ocsp, .failure(.timeout))
      let request = made.request(try chain(extensions))
      _ = await made.validator(servers, [kind]).answer(to: request)
      #expect(servers.urls.count == count, "\(kind)")
    }
  }

  @Test("a request by POST from the beginning is not repeated")
  func onlyPost() async throws {
    let url = "http://ocsp.example/?a"
    let made = try Published([Published.access(ocsp: [url])])
    for reply in [
      .failure(.status(404)), .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x03])),
      .success(FetchResponse(Array("<html>".utf8))),
    ] as [Servers.Reply] {
      let servers = Servers()
      servers.serve(url, reply)
      let answer = await made.validator(servers, [.ocsp])
        .answer(to: made.request([made.leaf, made.intermediate]))
      #expect(servers.requests.map { $0.body == nil } == [false])
      #expect(answer.fetches.count == 1)
    }
  }

  /// RFC 5019 §5.
  @Test("a request of 254 bytes is a GET, and one of 255 is a POST")
  func longestGet() async throws {
    var lengths: [Int] = []
    for count in 100..<180 {
      let url = "http://ocsp.example/\(String(repeating: "x", count: count))/"
      let made = try Published([Published.access(ocsp: [url])])
      let servers = Servers()
      _ = await made.validator(servers, [.ocsp])
        .answer(to: made.request([made.leaf, made.intermediate]))
      let request = try #require(servers.requests.first)
      if request.body != nil { break }
      lengths.append(request.url.text.utf8.count)
    }
    #expect(lengths.last == 254)
  }

  @Test("of the certificates of one response eight count")
  func manyIssuers() async throws {
    let others = try (20..<28).map { try SignedCertificate.root("Other \($0)", $0) }
    for count in [7, 8] {
      let servers = Servers()
      let pem = (others.prefix(count) + [made.intermediate]).map(\.pem).joined(separator: "\n")
      servers.serve(Published.issuers, Array(pem.utf8))
      let answer = await made.validator(servers, [.issuers]).answer(to: made.request([made.leaf]))
      guard case .success = answer.result else {
        #expect(count == 8)
        continue
      }
      #expect(count == 7)
    }
  }

  @Test("a request whose deadline has come has ended, although nothing wakes it")
  func deadline() async throws {
    let now = ContinuousClock.now
    struct Never: Error {}
    let clock = FetchClock(now: { now }, wait: { _ in throw Never() })
    for (end, expected) in [
      (now, FetchError.timeout), (now - .seconds(1), .timeout), (now + .seconds(1), .cancelled),
    ] {
      let pending = PendingFetch(clock, maximumBytes: 10)
      let task = Task { await pending.outcome(until: end) }
      try await Task.sleep(for: .milliseconds(20))
      task.cancel()
      guard case .failure(let error) = await task.value else {
        Issue.record("there is an outcome")
        continue
      }
      #expect(error == expected)
    }
  }

  @Test("what was too long for one question is too long for another that can take no more")
  func tooLong() {
    let pending = PendingFetch(.system, maximumBytes: 10)
    #expect(!pending.wasTooLong(below: 11))
    pending.finish(.failure(.tooLong(limit: 10)))
    #expect(pending.wasTooLong(below: 11) && !pending.wasTooLong(below: 10))
    #expect(!pending.wasTooLong(below: 9))
  }

  @Test("the requests to a host follow each other in the interval of the policy")
  func interval() async throws {
    let start = ContinuousClock.now
    let waits = Mutex<[Duration]>([])
    let clock = FetchClock(
      now: { start },
      wait: { moment in
        let isTurn = moment < start + .seconds(100)
        if isTurn { waits.withLock { $0.append(start.duration(to: moment)) } }
        if !isTurn { try await Task.sleep(for: .seconds(600)) }
      })
    let fetches = Fetches(servers, FetchCache(), hostInterval: .seconds(7), clock: clock)
    for number in 0..<3 {
      let key = try FetchCache.Key(
        .crl, "http://crl.example/\(number)", ports: [80], nil, below: made.intermediate.publicKey)
      _ = await fetches.fetch(
        key, FetchRequest(.crl, key.url), beyond: nil, until: start + .seconds(1_000))
    }
    #expect(waits.withLock { $0 } == [.seconds(7), .seconds(14)])
    #expect(servers.urls.count == 3)
  }

  @Test("what another question has put into the cache is taken, unless it is what was not enough")
  func meanwhile() async throws {
    let key = try FetchCache.Key(
      .crl, Published.crl, ports: [80], nil, below: made.intermediate.publicKey)
    let time = servers.time
    let list = try SignedRevocation.list(by: "Middle", 2)
    let fetches = Fetches(servers, cache, hostInterval: .zero, clock: servers.clock)
    func isCached(beyond known: FetchCache.Entry?) async -> Bool {
      let answer = await fetches.fetch(
        key, FetchRequest(.crl, key.url), beyond: known, until: .now + .seconds(600))
      if case .response(_, let own) = answer { fetches.settle(key, own) }
      if case .cached = answer { return true }
      return false
    }
    cache.insert(key, .crl(list), FetchResponse(list.der), at: time)
    let entry = try #require(cache.entry(key, at: time))
    #expect(await isCached(beyond: nil))
    #expect(await !isCached(beyond: entry))
    // Another body of the same moment, and the same body that was confirmed later.
    cache.insert(key, .crl(list), FetchResponse(list.der + [0]), at: time)
    #expect(await isCached(beyond: entry))
    cache.insert(key, .crl(list), FetchResponse(list.der), at: time.advanced(bySeconds: 1))
    servers.pass(1)
    #expect(await isCached(beyond: entry))
    // One that is due is asked for again by whoever needs it.
    cache.insert(key, .crl(list), FetchResponse(list.der, maximumAge: 60), at: servers.time)
    servers.pass(60)
    #expect(await isCached(beyond: nil))
    servers.pass(1)
    #expect(cache.entry(key, at: servers.time) != nil)
    #expect(await !isCached(beyond: nil))
  }
}
