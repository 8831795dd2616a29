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

  private func ask(_ cache: FetchCache) async -> OnlineAnswer {
    var request = made.request([made.leaf])
    request.time = nil
    return await made.validator(servers, [.issuers, .crl], cache: cache).answer(to: request)
  }

  @Test("what was useful is not asked for again for a day")
  func memory() async throws {
    let cache = FetchCache()
    await #expect(throws: Never.self) { try await ask(cache).path }
    let again = await ask(cache)
    #expect(throws: Never.self) { try again.path }
    #expect(again.fetches.map(\.outcome) == [.cached, .cached])
    #expect(servers.urls.count == 2)
    servers.pass(86_400)
    #expect(await ask(cache).fetches.map(\.outcome) == [.cached, .cached])
    servers.pass(1)
    _ = await ask(cache)
    #expect(servers.urls.count == 4)
  }

  @Test("a question that looked into the cache just before an equal one ended makes no request")
  func lateQuestion() async throws {
    let fetches = Fetches(servers, FetchCache(), hostInterval: .zero, clock: servers.clock)
    let key = try FetchCache.Key(.issuers, Published.issuers, ports: [80], nil, below: nil)
    func fetch() async -> Fetches.Answer {
      await fetches.fetch(
        key, FetchRequest(.issuers, key.url), beyond: nil,
        until: ContinuousClock.now + .seconds(600))
    }
    guard case .response(let outcome, let own?) = await fetch() else {
      Issue.record("the first request is its own")
      return
    }
    let response = try outcome.get()
    fetches.settle(key, own, useful: (.issuers([made.intermediate]), response))
    guard case .cached(let entry) = await fetch() else {
      Issue.record("what has come is not asked for again")
      return
    }
    #expect(entry.body == response.body && servers.urls.count == 1)
  }

  /// The second and the third question may have more bytes than the first.
  @Test(
    "a question with more bytes waits for an equal request; one asks again if its were too few",
    arguments: [(fits: true, requests: 1), (fits: false, requests: 2)])
  func moreBytes(fits: Bool, requests: Int) async throws {
    let held = Servers(isHeld: true)
    held.serve(Published.issuers, made.intermediate.der)
    let fetches = Fetches(held, FetchCache(), hostInterval: .zero, clock: held.clock)
    let key = try FetchCache.Key(.issuers, Published.issuers, ports: [80], nil, below: nil)
    func fetch(_ maximum: Int) async -> (Fetches.Answer, PendingFetch?) {
      let answer = await fetches.fetch(
        key, FetchRequest(.issuers, key.url, maximumBytes: maximum), beyond: nil,
        until: ContinuousClock.now + .seconds(600))
      guard case .response(_, let own) = answer else { return (answer, nil) }
      return (answer, own)
    }
    let size = made.intermediate.der.count
    async let first = fetch(fits ? size : size - 1)
    while held.requests.isEmpty { await Task.yield() }
    async let second = fetch(size + 1)
    async let third = fetch(size + 1)
    try await Task.sleep(for: .milliseconds(20))
    held.release()
    let answers = await [first, second, third]
    #expect(held.requests.count == requests)
    let come = answers.filter { answer, _ in
      guard case .response(.success(let response), _) = answer else { return false }
      return response.body.count == size
    }
    #expect(come.count == (fits ? 3 : 2))
    // A question settles its own request, not the one that has taken its place.
    fetches.settle(key, answers[0].1)
    let again = await fetch(size + 1)
    #expect(held.requests.count == 2, "\(again)")
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
      (3_601, FetchReport.Outcome.unchanged), (3_699, .failed(.status(500))),
    ] as [(Int64, FetchReport.Outcome)] {
      servers.pass(seconds)
      let answer = await ask(cache)
      #expect(answer.fetches.map(\.outcome).contains(expected), "\(answer.fetches)")
      guard case .good? = try answer.path.leafStatus else {
        Issue.record("\(answer.fetches)")
        continue
      }
    }
    #expect(servers.requests.last?.entityTag == "\"1\"")
  }

  @Test(
    "an entity tag that is no field value is not sent back", arguments: ["\"a\rb\"", "\"\u{0}\""])
  func badTag(tag: String) async throws {
    let list = try SignedRevocation.list(by: "Middle", 2).der
    servers.serve(
      Published.crl, .success(FetchResponse(list, entityTag: tag, maximumAge: 3_600)))
    let cache = FetchCache()
    _ = await ask(cache)
    servers.pass(3_601)
    _ = await ask(cache)
    #expect(servers.urls.count { $0 == Published.crl } == 2)
    #expect(servers.requests.allSatisfy { $0.entityTag == nil })
  }

  @Test("the memory of a cache is bounded, and what is used stays")
  func bounds() async throws {
    let count = isDebug ? 9 : 30
    let limit = 650 * count
    let cache = FetchCache(maximumBytes: limit)
    for number in 0..<count {
      let url = "http://crl.example/\(number)"
      servers.serve(url, try SignedRevocation.list(by: "Middle", 2).der)
      let other = try Published([Published.points([url])])
      _ = await other.validator(servers, [.crl], cache: cache)
        .answer(to: other.request([other.leaf, other.intermediate]))
      _ = await ask(cache)
    }
    #expect(servers.urls.count { $0 == Published.crl } == 1)
    #expect(cache.usedBytes <= limit)
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

  @Test("an entry with any byte of its facts changed is not used")
  func damagedFacts() async throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    _ = await ask(try FetchCache(directory: path))
    let key = try FetchCache.Key(
      .crl, Published.crl, ports: [80], made.leaf, below: made.intermediate.publicKey)
    let folder = try FetchFolder(path, maximumBytes: 1 << 20)
    #expect(folder.read(key) != nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let file = URL(fileURLWithPath: "\(path)/\(name)")
      let data = try Data(contentsOf: file)
      guard data.starts(with: Data("holdfast-fetched 2\ncrl ".utf8)) else { continue }
      let end = try #require(data.firstRange(of: Data("\n\n".utf8))).lowerBound
      for offset in 0..<end {
        var changed = data
        // A digit becomes another one: 2026 may become 2058.
        changed[offset] ^= 1
        try changed.write(to: file)
        #expect(folder.read(key) == nil, "byte \(offset)")
      }
      try data.write(to: file)
    }
    #expect(folder.read(key) != nil)
  }

  @Test("a folder into which others can write, of another user, or behind a link is refused")
  func unsafeFolder() throws {
    let scratch = try ScratchFolder()
    let manager = FileManager.default
    func reason(_ path: String) -> String? {
      do throws(FetchCacheError) {
        _ = try FetchCache(directory: path)
        return nil
      } catch {
        return error.reason
      }
    }
    let folder = "\(scratch.path)/cache"
    #expect(reason(folder) == nil)
    for mode in [0o770, 0o707, 0o702, 0o720, 0o777, 0o1777] {
      try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      #expect(reason(folder) == "others may write into it", "\(String(mode, radix: 8))")
    }
    for mode in [0o700, 0o750, 0o755] {
      try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      #expect(reason(folder) == nil)
    }
    let link = "\(scratch.path)/link"
    try manager.createSymbolicLink(atPath: link, withDestinationPath: folder)
    #expect(reason(link) == "it is a link" && reason(link + "//") == "it is a link")
    #expect(reason(try scratch.file("file", [1])) == "it is not a folder")
    if geteuid() == 0 {
      try manager.setAttributes([.ownerAccountID: 1], ofItemAtPath: folder)
      #expect(reason(folder) == "it belongs to another user")
      print("ABSENT: a folder that its owner may not read, as root may")
    } else {
      #expect(reason("/usr") == "it belongs to another user")
      try manager.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder)
      #expect(reason(folder) == "it cannot be read")
      try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }
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
