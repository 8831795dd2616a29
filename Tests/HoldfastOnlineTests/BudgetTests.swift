import Holdfast
@testable import HoldfastOnline
import Synchronization
import TestSupport
import Testing

@Suite("The budget of a question", .timeLimit(.minutes(10))) struct BudgetTests {
  @Test(
    "ten thousand questions at once make one request for each URL, however soon the response comes",
    arguments: [true, false])
  func concurrent(isHeld: Bool) async throws {
    let made = try Published()
    let servers = Servers(isHeld: isHeld)
    servers.serve(Published.ocsp, .failure(.status(503)))
    servers.serve(Published.issuers, made.intermediate.der)
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    let validator = made.validator(servers)
    let request = made.request([made.leaf])
    let count = isDebug ? 64 : 10_000
    let trusted = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        // All of them wait for the issuer.
        while servers.requests.isEmpty { await Task.yield() }
        servers.release()
        return false
      }
      for _ in 0..<count {
        group.addTask {
          let answer = await validator.answer(to: request)
          return if case .success = answer.result { answer.fetches.count <= 6 } else { false }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(trusted == count)
    let urls = [Published.issuers, Published.crl, Published.ocsp]
    #expect(servers.urls.sorted() == urls.sorted())
  }

  @Test("no certificates make a question ask for more than six URLs")
  func requests() async throws {
    let urls = (0..<100).map { "http://crl.example/\($0)" }
    let made = try Published([Published.points(urls)])
    let servers = Servers()
    let answer = await made.validator(servers)
      .answer(to: made.request([made.leaf, made.intermediate]))
    #expect(servers.urls.count == 6)
    let refused = answer.fetches.filter { $0.outcome == .failed(.budgetExhausted(.requests(6))) }
    #expect(refused.count == 94)
  }

  @Test("asking again by POST takes no request from a CRL")
  func repeated() async throws {
    let responders = (0..<3).map { "http://ocsp.example/\($0)/" }
    let made = try Published([
      Published.access(ocsp: responders), Published.points([Published.crl]),
    ])
    let servers = Servers()
    for url in responders { servers.serve(url, [0x30, 0x03, 0x0A, 0x01, 0x06]) }
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2, [(9, nil)]).der)
    let answer = await made.validator(servers) { $0.budget.requests = 4 }
      .answer(to: made.request([made.leaf, made.intermediate]))
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.first?.rule == .revoked, "\(answer.fetches)")
    #expect(servers.requests.count == 4)
  }

  @Test("the bytes of all responses together are limited, before they are read")
  func bytes() async throws {
    let urls = (0..<4).map { "http://crl.example/\($0)" }
    let made = try Published([Published.points(urls)])
    let servers = Servers()
    for url in urls { servers.serve(url, [UInt8](repeating: 0, count: 900)) }
    let answer = await made.validator(servers, [.crl]) { $0.budget.bytes = 2_000 }
      .answer(to: made.request([made.leaf, made.intermediate]))
    #expect(servers.requests.reduce(0) { $0 + min($1.maximumBytes, 900) } == 2_000)
    #expect(answer.fetches.contains { $0.outcome == .failed(.budgetExhausted(.bytes(2_000))) })
  }

  @Test("a server that never answers costs the time of the budget, not more")
  func time() async throws {
    let made = try Published()
    let servers = Servers(isHeld: true)
    // Without the budget the question would wait for ever: no response comes before the release.
    let answer = await made.validator(servers) { $0.budget.time = .milliseconds(200) }
      .answer(to: made.request([made.leaf]))
    #expect(answer.fetches.map(\.outcome) == [.failed(.timeout)])
    servers.release()
  }

  @Test("the requests to one host are an interval apart, and one that comes too late is not made")
  func interval() async throws {
    let urls = ["http://crl.example/1", "http://crl.example/2", "http://else.example/1"]
    let made = try Published([Published.points(urls)])
    let servers = Servers()
    for url in urls { servers.serve(url, .failure(.status(503))) }
    let validator = made.validator(servers) { $0.hostInterval = .seconds(1_000) }
    let request = made.request([made.leaf, made.intermediate])
    let answer = await validator.answer(to: request)
    #expect(Set(servers.urls) == ["http://crl.example/1", "http://else.example/1"])
    #expect(
      answer.fetches.map(\.outcome) == [
        .failed(.status(503)), .failed(.hostBusy(host: "crl.example")), .failed(.status(503)),
      ])
    // The first was asked and failed; the second was not, so nothing is remembered of it.
    let again = await validator.answer(to: request)
    #expect(
      again.fetches.map(\.outcome) == [
        .failed(.failedBefore(.status(503))), .failed(.hostBusy(host: "crl.example")),
        .failed(.failedBefore(.status(503))),
      ])
  }

  @Test("issuers that strangers' chains name take no turn from the status of a certificate")
  func turns() async throws {
    let made = try Published([Published.points([Published.crl])])
    let stranger = try SignedCertificate.leaf(by: "Stranger", 40) {
      let urls = (0..<3).map { "http://crl.example/stranger\($0)" }
      $0.extensions.append(Published.access(issuers: urls))
    }
    let servers = Servers()
    servers.serve(
      Published.crl, try SignedRevocation.list(by: "Middle", 2, [(serialNumber: 9, nil)]).der)
    let validator = made.validator(servers) { $0.hostInterval = .seconds(1_000) }
    let answer = await validator.answer(to: made.request([stranger]))
    #expect(answer.fetches.last?.outcome == .failed(.hostBusy(host: "crl.example")))
    let revoked = await validator.answer(to: made.request([made.leaf, made.intermediate]))
    let error = #expect(throws: PathError.self) { try revoked.path }
    #expect(error?.rejections.first?.rule == .revoked, "\(revoked.fetches)")
  }

  @Test("each host has its own schedule, which nothing is taken from that comes too late")
  func schedule() throws {
    let schedule = HostSchedule(interval: .seconds(1))
    let (a, b) = (try HostName("a.example"), try HostName("b.example"))
    let now = ContinuousClock.now
    func turn(_ host: HostName, at start: Int = 0, until end: Int) -> Duration? {
      schedule.reserve(host, at: now + .seconds(start), until: now + .seconds(end))
        .map { now.duration(to: $0) }
    }
    #expect(turn(a, until: 10) == .zero)
    #expect(turn(a, until: 10) == .seconds(1))
    #expect(turn(a, until: 1) == nil)
    #expect(turn(a, until: 2) == .seconds(2))
    #expect(turn(b, until: 0) == .zero)
    #expect(turn(a, at: 9, until: 9) == .seconds(9))
    let free = HostSchedule(interval: .zero)
    for _ in 0..<3 { #expect(free.reserve(a, at: now, until: now) == now) }
  }

  @Test("a minute after a server has failed it is asked again, and not before")
  func failures() async throws {
    let made = try Published()
    let servers = Servers()
    servers.serve(Published.issuers, .failure(.status(503)))
    let offset = Mutex(Duration.zero)
    let start = ContinuousClock.now
    let clock = FetchClock(
      now: { start + offset.withLock(\.self) },
      wait: { _ in try await Task.sleep(for: .seconds(600)) })
    let validator = OnlineValidator(
      made.offline, fetching: servers, policy: FetchPolicy([.issuers]), cache: FetchCache(),
      clock: clock)
    for (seconds, requests) in [(0, 1), (59, 1), (60, 2), (61, 2), (120, 3)] {
      offset.withLock { $0 = .seconds(seconds) }
      _ = await validator.answer(to: made.request([made.leaf]))
      #expect(servers.urls.count == requests, "after \(seconds) s")
    }
  }

  @Test("a fetcher that returns more than it was asked for is not believed")
  func carelessFetcher() async throws {
    struct Careless: Fetching {
      let body: [UInt8]
      func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        FetchResponse(body)
      }
    }
    let made = try Published()
    var policy = FetchPolicy.patient([.issuers])
    policy.budget.bytes = made.intermediate.der.count - 1
    let answer = await OnlineValidator(
      made.offline, fetching: Careless(body: made.intermediate.der), policy: policy
    ).answer(to: made.request([made.leaf]))
    #expect(answer.fetches.map(\.outcome) == [.failed(.tooLong(limit: policy.budget.bytes))])
  }

  @Test("a request for the tests of a fetcher has the limits of its kind")
  func request() throws {
    let url = try FetchURL("http://crl.example/1")
    #expect(FetchRequest(.crl, url).maximumBytes == 5 << 20)
    #expect(FetchRequest(.issuers, url).maximumBytes == 64 << 10)
    #expect(FetchRequest(.crl, url, maximumBytes: 7).maximumBytes == 7)
    #expect(FetchRequest(.crl, url).body == nil && FetchRequest(.crl, url).maximumRedirects == 2)
  }

  @Test("waiting ends although the deadline has passed before it begins")
  func lateWaiting() async {
    let pending = PendingFetch(.system, maximumBytes: 1)
    for _ in 0..<5_000 {
      let outcome = await pending.outcome(until: ContinuousClock.now)
      guard case .failure(.timeout) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test("a question that is cancelled ends, and others that wait for the same URL go on")
  func cancelled() async throws {
    let made = try Published()
    let servers = Servers(isHeld: true)
    servers.serve(Published.issuers, made.intermediate.der)
    let validator = made.validator(servers, [.issuers])
    let request = made.request([made.leaf])
    let first = Task { await validator.answer(to: request) }
    while servers.requests.isEmpty { await Task.yield() }
    let second = Task { await validator.answer(to: request) }
    second.cancel()
    #expect(await second.value.fetches.map(\.outcome) == [.failed(.cancelled)])
    servers.release()
    await #expect(throws: Never.self) { try await first.value.path }
    #expect(servers.requests.count == 1)
  }
}
