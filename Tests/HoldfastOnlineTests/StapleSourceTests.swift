import Foundation
import Holdfast
import Synchronization
import TestSupport
import Testing

@testable import HoldfastOnline

/// Expectations from RFC 6960 and RFC 6066 §8.
@Suite("The response that a server staples") struct StapleSourceTests {
  private let made: Published
  private let servers = Servers()
  private let source: StapleSource

  init() throws {
    made = try Published()
    source = StapleSource(
      for: [made.leaf, made.intermediate], validator: made.offline, fetching: servers,
      policy: .patient([.ocsp]))
  }

  private func response(
    _ status: [UInt8], key: UInt64 = 2, from: String = "20251231000000Z",
    until: String = "20260201000000Z"
  ) throws -> [UInt8] {
    try SignedRevocation.answer(
      [SignedRevocation.single(made.leaf, of: made.intermediate, status, from: from, until: until)],
      by: made.intermediate, key, includesResponder: false
    ).der
  }

  @Test("a good response is handed out until its nextUpdate, and written for nginx")
  func good() async throws {
    #expect(source.response(at: SignedCertificate.time) == nil)
    let der = try response(SignedRevocation.good)
    servers.serve(Published.ocsp, der)
    let end = try await source.refresh(at: SignedCertificate.time)
    #expect("\(end)" == "2026-02-01T00:00:00Z")
    #expect(source.response(at: end) == der)
    #expect(source.response(at: end.advanced(bySeconds: 1)) == nil)
    let scratch = try ScratchFolder()
    let file = try scratch.file("staple.der", [1])
    try source.write(toFile: file, at: SignedCertificate.time)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(der))
    #expect(throws: FetchError.self) {
      try source.write(toFile: file, at: end.advanced(bySeconds: 1))
    }
  }

  @Test("what is revoked, unknown, forged or stale is never handed out, and the old one stays")
  func bad() async throws {
    let der = try response(SignedRevocation.good)
    servers.serve(Published.ocsp, der)
    try await source.refresh(at: SignedCertificate.time)
    for body in [
      try response(SignedRevocation.revoked), try response(SignedRevocation.unknown),
      try response(SignedRevocation.good, key: 66),
      try response(SignedRevocation.good, until: "20251231120000Z"), [0x30, 3, 0x0A, 1, 3],
    ] {
      servers.serve(Published.ocsp, body)
      await #expect(throws: FetchError.self) {
        try await source.refresh(at: SignedCertificate.time)
      }
      #expect(source.response(at: SignedCertificate.time) == der)
    }
    servers.serve(Published.ocsp, .failure(.timeout))
    let error = await #expect(throws: FetchError.self) {
      try await source.refresh(at: SignedCertificate.time)
    }
    #expect(error == .at(Published.ocsp, .timeout))
    #expect(error?.logLine == "\(Published.ocsp): no answer in time code=timeout")
  }

  @Test("an older response that is sent again does not take the place of a newer one")
  func replay() async throws {
    let old = try response(SignedRevocation.good, from: "20251201000000Z")
    let new = try response(SignedRevocation.good, from: "20251231000000Z", until: "20260202000000Z")
    for (body, isNewest) in [(old, true), (new, true), (old, false)] {
      servers.serve(Published.ocsp, body)
      let end = try await source.refresh(at: SignedCertificate.time)
      let staple = source.response(at: SignedCertificate.time)
      #expect(staple == (isNewest ? body : new))
      #expect("\(end)" == (staple == new ? "2026-02-02T00:00:00Z" : "2026-02-01T00:00:00Z"))
    }
  }

  @Test("of two responses that were signed at one moment the one that came last is handed out")
  func sameMoment() async throws {
    for until in ["20260201000000Z", "20260202000000Z", "20260131000000Z"] {
      let der = try response(SignedRevocation.good, until: until)
      servers.serve(Published.ocsp, der)
      try await source.refresh(at: SignedCertificate.time)
      #expect(source.response(at: SignedCertificate.time) == der)
    }
  }

  @Test("an older response takes the place of one that is past its nextUpdate")
  func afterEnd() async throws {
    let new = try response(SignedRevocation.good, until: "20260101010000Z")
    let old = try response(SignedRevocation.good, from: "20251201000000Z")
    servers.serve(Published.ocsp, new)
    let end = try await source.refresh(at: SignedCertificate.time)
    servers.serve(Published.ocsp, old)
    #expect(try await source.refresh(at: end) == end)
    #expect(source.response(at: end) == new)
    let later = end.advanced(bySeconds: 1)
    #expect("\(try await source.refresh(at: later))" == "2026-02-01T00:00:00Z")
    #expect(source.response(at: later) == old)
  }

  @Test("a new response is told of once, and handed out")
  func newResponse() async throws {
    // The refreshing reads the clock.
    let end = "491231000000Z"
    let root = try SignedCertificate.authority("Root", 1, by: "Root", 1) { $0.notAfter = end }
    let leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Published.access(ocsp: [Published.ocsp]))
      $0.notAfter = end
    }
    let single = SignedRevocation.single(leaf, of: root, until: "20491201000000Z")
    let der = try SignedRevocation.answer([single], by: root, 1, includesResponder: false).der
    servers.serve(Published.ocsp, der)
    let source = StapleSource(
      for: [leaf], validator: PathValidator(anchors: AnchorSet([root]), rules: .rfc5280),
      fetching: servers, policy: .patient([.ocsp]))
    let (responses, continuation) = AsyncStream<[UInt8]>.makeStream()
    let task = Task {
      await source.run {
        continuation.yield($0)
      } onFailure: {
        Issue.record("\($0)")
      }
      continuation.finish()
    }
    var iterator = responses.makeAsyncIterator()
    #expect(await iterator.next() == der)
    #expect(source.response() == der)
    task.cancel()
    await task.value
    #expect(await iterator.next() == nil)
  }

  /// Runs a source until it has waited a number of times; how long, in seconds, and what it tells.
  private func run(
    waiting count: Int, _ whileWaiting: @escaping @Sendable (_ seconds: Int64) -> Void = { _ in }
  ) async -> (waits: [Int64], responses: [[UInt8]], failures: Int) {
    let start = ContinuousClock.now
    let waits = Mutex<[Int64]>([])
    let told = Mutex<(responses: [[UInt8]], failures: Int)>(([], 0))
    var clock = servers.clock
    clock.now = { start }
    clock.wait = { moment in
      let seconds = start.duration(to: moment).components.seconds
      // The deadlines of questions are never reached.
      if seconds > 1 << 30 { return try await Task.sleep(for: .seconds(600)) }
      let number = waits.withLock { waits in
        waits.append(seconds)
        return waits.count
      }
      if number == count { throw CancellationError() }
      whileWaiting(seconds)
    }
    var policy = FetchPolicy([.ocsp])
    policy.budget.time = .seconds(1 << 31)
    let source = StapleSource(
      for: [made.leaf, made.intermediate], made.offline, servers, policy, clock: clock)
    await source.run { response in
      told.withLock { $0.responses.append(response) }
    } onFailure: { _ in
      told.withLock { $0.failures += 1 }
    }
    let (responses, failures) = told.withLock { $0 }
    return (waits.withLock { $0 }, responses, failures)
  }

  @Test("after each failure the next attempt takes twice as long, a minute at first, up to an hour")
  func pauses() async throws {
    let found = await run(waiting: 8)
    #expect(found.waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
    #expect(found.failures == 8 && found.responses.isEmpty)
  }

  @Test("a response is fetched again when half of its time is over, and told of once")
  func halves() async throws {
    let first = try response(SignedRevocation.good)
    let second = try response(SignedRevocation.good, from: "20260102000000Z")
    servers.serve(
      Published.ocsp, .success(FetchResponse(first)), .success(FetchResponse(first)),
      .failure(.timeout), .success(FetchResponse(second)))
    let found = await run(waiting: 4) { [servers] in servers.pass($0) }
    // January has 31 days.
    let days: [Int64] = [31 * 43_200, 31 * 21_600]
    #expect(found.waits == days + [60, (31 * 21_600 - 60) / 2])
    #expect(found.responses == [first, second] && found.failures == 1)
  }

  @Test("the refreshing goes on after failures, and ends with its task")
  func run() async throws {
    let (failures, continuation) = AsyncStream<FetchError>.makeStream()
    let task = Task { [source] in
      await source.run { continuation.yield($0) }
      continuation.finish()
    }
    var iterator = failures.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    task.cancel()
    await task.value
    #expect(await iterator.next() == nil)
  }
}
