import Foundation
import Holdfast
@testable import HoldfastOnline
import TestSupport
import Testing

@Suite("The cache of what was fetched") struct FetchCacheTests {
  private let made: Published
  private let servers = Servers()

  init() throws {
    made = try Published()
    servers.serve(Published.issuers, made.intermediate.der)
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
  }

  private func ask(_ cache: FetchCache, at time: Timestamp? = nil) async -> OnlineAnswer {
    var request = made.request([made.leaf])
    request.time = time ?? request.time
    return await made.validator(servers, [.issuers, .crl], cache: cache).answer(to: request)
  }

  @Test("what was useful is not asked for again, until its nextUpdate")
  func memory() async throws {
    let cache = FetchCache()
    await #expect(throws: Never.self) { try await ask(cache).path }
    let again = await ask(cache)
    #expect(throws: Never.self) { try again.path }
    #expect(again.fetches.map(\.outcome) == [.cached, .cached])
    #expect(servers.urls.count == 2)
    let later = try #require(Timestamp("2026-02-01T00:00:01Z"))
    _ = await ask(cache, at: later)
    #expect(servers.urls.count == 4, "the CRL has expired, and the issuer after a week")
  }

  @Test("a question that looked into the cache just before an equal one ended makes no request")
  func lateQuestion() async throws {
    let fetches = Fetches(servers, FetchCache(), hostInterval: .zero)
    let url = try FetchURL(Published.issuers)
    let key = FetchCache.Key(kind: .issuers, url: url, subject: [])
    let time = SignedCertificate.time
    func fetch() async -> Fetches.Answer {
      await fetches.fetch(
        key, FetchRequest(.issuers, url), at: time, until: ContinuousClock.now + .seconds(600))
    }
    guard case .response(let outcome, isOwn: true) = await fetch() else {
      Issue.record("the first request is its own")
      return
    }
    let response = try outcome.get()
    fetches.settle(key, .useful(.issuers([made.intermediate]), response), at: time)
    guard case .cached(let entry) = await fetch() else {
      Issue.record("what has come is not asked for again")
      return
    }
    #expect(entry.body == response.body && servers.urls.count == 1)
  }

  @Test("a forged CRL does not take the place of a good one, and is not kept")
  func forged() async throws {
    let cache = FetchCache()
    servers.serve(
      Published.crl, try SignedRevocation.list(by: "Middle", 66, [(serialNumber: 9, nil)]).der)
    let answer = await ask(cache)
    #expect(throws: Never.self) { try answer.path }
    #expect("\(answer.fetches)".contains("signature"), "\(answer.fetches)")
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    let fresh = made.validator(servers, [.issuers, .crl], cache: cache)
    let good = await fresh.answer(
      to: made.request([made.leaf], .init(.required(of: .leaf))))
    #expect(throws: Never.self) { try good.path }
  }

  @Test(
    "after max-age a CRL is asked for with its tag, and one that is unchanged or lost serves on")
  func revalidation() async throws {
    let list = try SignedRevocation.list(by: "Middle", 2).der
    servers.serve(
      Published.crl,
      .success(FetchResponse(list, entityTag: "\"1\"", maximumAge: 3_600)),
      .success(FetchResponse([], isUnchanged: true, entityTag: "\"1\"", maximumAge: 3_600)),
      .failure(.status(500)))
    let cache = FetchCache()
    _ = await ask(cache)
    for (seconds, expected) in [
      (3_601, FetchReport.Outcome.unchanged), (7_300, .failed(.status(500))),
    ] as [(Int64, FetchReport.Outcome)] {
      let answer = await ask(cache, at: SignedCertificate.time.advanced(bySeconds: seconds))
      #expect(answer.fetches.map(\.outcome).contains(expected), "\(answer.fetches)")
      guard case .good? = try answer.path.leafStatus else {
        Issue.record("\(answer.fetches)")
        continue
      }
    }
    #expect(servers.requests.last?.entityTag == "\"1\"")
  }

  @Test("the memory of a cache is bounded, and what is used stays")
  func bounds() async throws {
    let cache = FetchCache(maximumBytes: 20_000)
    for number in 0..<30 {
      let url = "http://crl.example/\(number)"
      servers.serve(url, try SignedRevocation.list(by: "Middle", 2).der)
      let other = try Published([Published.points([url])])
      _ = await other.validator(servers, [.crl], cache: cache)
        .answer(to: other.request([other.leaf, other.intermediate]))
      _ = await ask(cache)
    }
    #expect(servers.urls.count { $0 == Published.crl } == 1)
    #expect(cache.usedBytes <= 20_000)
  }

  @Test("a folder serves the next process, and only its owner may look into it")
  func folder() async throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    await #expect(throws: Never.self) { try await ask(FetchCache(directory: path)).path }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    let again = await ask(try FetchCache(directory: path))
    #expect(again.fetches.map(\.outcome) == [.cached, .cached])
    #expect(servers.urls.count == 2)
  }

  @Test("files that are cut, changed or of another URL are not used, and are replaced")
  func damage() async throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    _ = await ask(try FetchCache(directory: path))
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(names.count == 2)
    for change in 0..<4 {
      let before = servers.urls.count
      for name in names {
        var data = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
        switch change {
        case 0: data = data.prefix(data.count / 2)
        case 1: data[data.count - 5] ^= 1
        case 2: data = Data()
        default: data = Data(String(decoding: data, as: UTF8.self).utf8)
        }
        try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      await #expect(throws: Never.self) { try await ask(FetchCache(directory: path)).path }
      #expect(servers.urls.count == before + 2)
      let again = await ask(try FetchCache(directory: path))
      #expect(again.fetches.map(\.outcome) == [.cached, .cached])
    }
    // The file of another URL, under this one's name.
    let files = names.map { URL(fileURLWithPath: "\(path)/\($0)") }
    try Data(contentsOf: files[0]).write(to: files[1])
    let before = servers.urls.count
    _ = await ask(try FetchCache(directory: path))
    #expect(servers.urls.count == before + 1)
  }

  @Test("a folder that cannot be made or read is an error that names it")
  func badFolder() throws {
    let error = #expect(throws: FetchCacheError.self) {
      try FetchCache(directory: "/proc/none/cache")
    }
    #expect("\(String(describing: error))".contains("/proc/none/cache"))
  }

  @Test("two caches in one folder do not disturb each other, and old files make room")
  func shared() async throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    let caches = try (0..<2).map { _ in
      try FetchCache(directory: path, maximumBytes: 5_000)
    }
    for number in 0..<20 {
      let url = "http://crl.example/\(number)"
      servers.serve(url, try SignedRevocation.list(by: "Middle", 2).der)
      let other = try Published([Published.points([url])])
      _ = await other.validator(servers, [.crl], cache: caches[number % 2])
        .answer(to: other.request([other.leaf, other.intermediate]))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(!names.isEmpty && names.count < 20)
  }
}
