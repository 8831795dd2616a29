import Foundation
import Holdfast
import HoldfastDER
import HoldfastHashes
@testable import HoldfastOnline
import HoldfastSystem
import Synchronization
import TestSupport
import Testing

/// Each limit of the cache, of its folder and of the memory of hosts, with both sides of it.
@Suite("The limits of what is kept") struct CacheLimitTests {
  private let time = SignedCertificate.time
  private let made: Published

  init() throws { made = try Published() }

  private func key(_ url: String = Published.crl, _ kind: FetchKind = .crl) throws -> FetchCache.Key
  {
    try FetchCache.Key(kind, url, ports: [80], nil, below: made.intermediate.publicKey)
  }

  private func list(_ thisUpdate: String = "251231000000Z") throws -> CRL {
    try SignedRevocation.list(by: "Middle", 2, thisUpdate: thisUpdate)
  }

  @Test("without an end of its own an entry is used for an hour, with one for a day at most")
  func lifetimes() throws {
    let rows: [(FetchedValue, Int64)] = [
      (.issuers([]), 3_600), (.issuers([made.intermediate]), 86_400), (.crl(try list()), 86_400),
    ]
    for (value, lifetime) in rows {
      let cache = FetchCache()
      cache.insert(try key(), value, FetchResponse([1]), at: time)
      #expect(try cache.entry(key(), at: time.advanced(bySeconds: lifetime)) != nil)
      #expect(try cache.entry(key(), at: time.advanced(bySeconds: lifetime + 1)) == nil)
      #expect(cache.usedBytes == 0)
    }
  }

  @Test("what ends now is not kept, and nothing is used before it came")
  func ends() throws {
    let end = made.intermediate.notAfter
    for (now, isKept) in [(end, false), (end.advanced(bySeconds: -1), true)] {
      let cache = FetchCache()
      cache.insert(
        try key(), .issuers([made.intermediate]), FetchResponse(made.intermediate.der), at: now)
      #expect((cache.usedBytes > 0) == isKept)
      #expect(try (cache.entry(key(), at: now) != nil) == isKept)
      #expect(try cache.entry(key(), at: now.advanced(bySeconds: -1)) == nil)
    }
  }

  @Test("Cache-Control counts from a minute on, and not beyond the end")
  func refreshes() throws {
    for (age, seconds) in [(0, 60), (59, 60), (61, 61), (100_000, 86_400)] as [(Int64, Int64)] {
      let cache = FetchCache()
      cache.insert(
        try key(), .crl(try list()), FetchResponse([1], maximumAge: age), at: time)
      let entry = try #require(cache.entry(try key(), at: time))
      #expect(entry.isFresh(at: time.advanced(bySeconds: seconds)))
      #expect(!entry.isFresh(at: time.advanced(bySeconds: seconds + 1)))
    }
  }

  @Test("a response that is longer than the cache is not kept, and one of its length is")
  func longest() throws {
    let cache = FetchCache(maximumBytes: 10)
    cache.insert(
      try key(), .issuers([]), FetchResponse([UInt8](repeating: 1, count: 11)), at: time)
    #expect(try cache.usedBytes == 0 && cache.entry(key(), at: time) == nil)
    cache.insert(
      try key(), .issuers([]), FetchResponse([UInt8](repeating: 1, count: 10)), at: time)
    #expect(try cache.usedBytes == 532 && cache.entry(key(), at: time) != nil)
  }

  @Test("what was not used for the longest time goes, until a tenth is free")
  func eviction() throws {
    // Each counts 612 bytes: of ten, three go before 5,600 - 560 bytes are left.
    let cache = FetchCache(maximumBytes: 9 * 612 + 92)
    let keys = try (0..<10).map { try key("http://crl.example/\($0)") }
    let response = FetchResponse([UInt8](repeating: 1, count: 50))
    for key in keys.dropLast() { cache.insert(key, .issuers([]), response, at: time) }
    #expect(cache.usedBytes == 9 * 612)
    #expect(cache.entry(keys[0], at: time) != nil)
    cache.insert(keys[9], .issuers([]), response, at: time)
    #expect(cache.usedBytes == 8 * 612)
    let left = keys.map { cache.entry($0, at: time) != nil }
    #expect(left == [true, false, false] + [Bool](repeating: true, count: 7))
    // The same key again takes no more room.
    cache.insert(keys[9], .issuers([]), response, at: time)
    #expect(cache.usedBytes == 8 * 612)
    // Ten fill the cache, and nine leave a tenth of it free.
    let exact = FetchCache(maximumBytes: 10 * 612)
    for key in keys { exact.insert(key, .issuers([]), response, at: time) }
    #expect(exact.usedBytes == 10 * 612)
    exact.insert(try key("http://crl.example/10"), .issuers([]), response, at: time)
    #expect(exact.usedBytes == 9 * 612)
  }

  @Test("tags of printable characters are kept up to 1,024 bytes")
  func tags() throws {
    let long = String(repeating: "x", count: 1_024)
    for (tag, isKept) in [
      (long, true), (long + "x", false), (" ~", true), ("\u{1F}", false), ("\u{7F}", false),
    ] {
      let cache = FetchCache()
      cache.insert(try key(), .issuers([]), FetchResponse([1], entityTag: tag), at: time)
      #expect(try cache.entry(key(), at: time)?.entityTag == (isKept ? tag : nil))
    }
  }

  @Test("an entry of the folder ends as one in memory, and does not hold up its successor")
  func folderEnds() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    func cache() throws -> FetchCache { try FetchCache(directory: path) }
    let (old, new) = (try list("251230000000Z"), try list())
    try cache().insert(try key(), .crl(new), FetchResponse(new.der), at: time)
    let last = time.advanced(bySeconds: 86_400)
    #expect(try cache().entry(key(), at: last)?.body == new.der)
    #expect(try cache().entry(key(), at: last.advanced(bySeconds: 1)) == nil)
    // An older one does not replace what counts, in the memory of this process or in the folder.
    let shared = try cache()
    shared.insert(try key(), .crl(old), FetchResponse(old.der), at: last)
    #expect(try shared.entry(key(), at: last)?.body == new.der)
    shared.insert(
      try key(), .crl(old), FetchResponse(old.der), at: last.advanced(bySeconds: 1))
    #expect(try shared.entry(key(), at: last.advanced(bySeconds: 1))?.body == old.der)
    // What the folder has is in memory as well, once it was read.
    let reader = try cache()
    #expect(reader.usedBytes == 0)
    #expect(try reader.entry(key(), at: last.advanced(bySeconds: 1)) != nil)
    #expect(reader.usedBytes > 0)
    // One of the same time does.
    let other = try FetchCache(directory: "\(scratch.path)/other")
    let same = try SignedRevocation.list(by: "Middle", 2, number: 2)
    other.insert(try key(), .crl(same), FetchResponse(same.der), at: time)
    let writer = try FetchCache(directory: "\(scratch.path)/other")
    writer.insert(try key(), .crl(new), FetchResponse(new.der), at: time)
    #expect(try writer.entry(key(), at: time)?.body == new.der)
    let cache = FetchCache()
    cache.insert(try key(), .crl(new), FetchResponse(new.der), at: time)
    cache.insert(try key(), .crl(new), FetchResponse([7]), at: time)
    #expect(try cache.entry(key(), at: time)?.body == [7])
  }

  @Test("a file has at most the longest response, and what a crash has left goes after an hour")
  func folderFiles() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    let cache = try FetchCache(directory: path)
    let manager = FileManager.default
    func files() throws -> [String] { try manager.contentsOfDirectory(atPath: path) }
    func size() throws -> Int {
      let name = try #require(try files().first)
      let size = try manager.attributesOfItem(atPath: "\(path)/\(name)")[.size] as? Int
      return try #require(size)
    }
    // An entry without a body has the lines alone.
    cache.insert(try key(), .issuers([]), FetchResponse([]), at: time)
    let lines = try size()
    let longest = (5 << 20) + (16 << 10) - lines
    for (count, isKept) in [(longest, true), (longest + 1, false)] {
      try manager.removeItem(atPath: "\(path)/\(try #require(try files().first))")
      let body = [UInt8](repeating: 1, count: count)
      cache.insert(try key(), .issuers([]), FetchResponse(body), at: time)
      #expect(try files().isEmpty == !isKept)
      if isKept { #expect(try size() == (5 << 20) + (16 << 10)) }
    }
    for (name, age) in [("old", 3_700), ("young", 3_500)] as [(String, Double)] {
      let file = "\(path)/\(FileOutput.pendingPrefix)\(name)"
      #expect(manager.createFile(atPath: file, contents: Data([1])))
      try manager.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file)
    }
    cache.insert(try key(), .crl(try list()), FetchResponse(try list().der), at: time)
    #expect(try files().count == 2)
    #expect(try files().contains("\(FileOutput.pendingPrefix)young"))
    // An hour, in a second of the clock that does not end meanwhile.
    let last = "\(path)/\(FileOutput.pendingPrefix)last"
    #expect(manager.createFile(atPath: last, contents: Data([1])))
    for (age, isKept) in [(Int64(3_600), true), (3_601, false)] {
      var now: Timestamp
      repeat {
        now = .now
        let date = Date(timeIntervalSince1970: Double(now.secondsSince1970 - age))
        try manager.setAttributes([.modificationDate: date], ofItemAtPath: last)
        cache.insert(try key(), .crl(try list()), FetchResponse(try list().der), at: time)
      } while now != .now && manager.fileExists(atPath: last)
      #expect(manager.fileExists(atPath: last) == isKept)
    }
  }

  @Test("the file of another entry of the same kind is not used under this one's name")
  func otherFile() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    let cache = try FetchCache(directory: path)
    let (one, other) = (try key("http://crl.example/a"), try key("http://crl.example/b"))
    cache.insert(one, .crl(try list()), FetchResponse(try list().der), at: time)
    let first = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
    cache.insert(other, .crl(try list()), FetchResponse(try list().der), at: time)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let second = try #require(names.first { $0 != first })
    let folder = try FetchFolder(path, maximumBytes: 1 << 20)
    #expect(folder.read(one) != nil && folder.read(other) != nil)
    try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(first)"))
      .write(to: URL(fileURLWithPath: "\(path)/\(second)"))
    #expect(folder.read(one) != nil && folder.read(other) == nil)
    // Nor is one of another version, whose lines may mean something else.
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(path)/\(first)")))
    let end = try #require(bytes.firstRange(of: [0x0A, 0x0A]))
    var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for (version, isRead) in [("holdfast-fetched 2", true), ("holdfast-fetched 3", false)] {
      lines[0] = version[...]
      let facts = Array(lines.joined(separator: "\n").utf8) + [0x0A]
      let digest = HashAlgorithm.sha256.hash(facts + bytes[end.upperBound...])
      let file = facts + Array("\(Bytes(digest.array))\n\n".utf8) + bytes[end.upperBound...]
      try Data(file).write(to: URL(fileURLWithPath: "\(path)/\(first)"))
      #expect((folder.read(one) != nil) == isRead)
    }
  }

  @Test("the limits of a question are those that the documentation has")
  func policy() {
    let policy = FetchPolicy()
    #expect(policy.ports == [80] && policy.maximumRedirects == 2)
    #expect(policy.requestTimeout == .seconds(10) && policy.hostInterval == .zero)
    #expect(policy.budget.requests == 6 && policy.budget.issuerRequests == 3)
    #expect(policy.budget.bytes == 8_388_608 && policy.budget.time == .seconds(15))
    #expect(FetchKind.crl.maximumBytes == 5_242_880 && FetchKind.ocsp.maximumBytes == 65_536)
    #expect(FetchKind.issuers.maximumBytes == 65_536)
  }

  @Test("files are removed until the folder has room, the oldest first")
  func folderRoom() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/cache"
    let body = [UInt8](repeating: 1, count: 3_000)
    let cache = try FetchCache(directory: path, maximumBytes: 10_000)
    let manager = FileManager.default
    for number in 0..<3 {
      cache.insert(
        try key("http://crl.example/\(number)"), .issuers([]), FetchResponse(body), at: time)
      for name in try manager.contentsOfDirectory(atPath: path) {
        let file = "\(path)/\(name)"
        let date = try manager.attributesOfItem(atPath: file)[.modificationDate] as? Date
        try manager.setAttributes(
          [.modificationDate: (date ?? Date()).addingTimeInterval(-60)], ofItemAtPath: file)
      }
    }
    #expect(try manager.contentsOfDirectory(atPath: path).count == 3)
    cache.insert(try key("http://crl.example/3"), .issuers([]), FetchResponse(body), at: time)
    #expect(try manager.contentsOfDirectory(atPath: path).count == 3)
    let folder = try FetchFolder(path, maximumBytes: 10_000)
    #expect(folder.read(try key("http://crl.example/0")) == nil)
  }

  // MARK: Hosts and failures

  @Test("of ten thousand hosts those whose turn has come are forgotten, and then all")
  func hosts() throws {
    let schedule = HostSchedule(interval: .seconds(10))
    let start = ContinuousClock.now
    func reserve(_ name: String, after seconds: Int) throws -> Int? {
      let now = start + .seconds(seconds)
      return schedule.reserve(try HostName(name), at: now, until: start + .seconds(100))
        .map { Int(start.duration(to: $0).components.seconds) }
    }
    for number in 0..<10_000 {
      _ = try reserve("h\(number).example", after: number < 5_000 ? 0 : 5)
    }
    #expect(try reserve("new.example", after: 10) == 10)
    #expect(try reserve("h9999.example", after: 10) == 15, "its turn has not come")
    #expect(try reserve("h4999.example", after: 10) == 10, "its turn has come, and it is forgotten")
    for number in 0..<10_000 { _ = try reserve("g\(number).example", after: 20) }
    #expect(try reserve("g9999.example", after: 20) == 30)
    #expect(try reserve("g0.example", after: 20) == 20, "all are forgotten")
    // The last that is remembered, and the first with which none is.
    let full = HostSchedule(interval: .seconds(10))
    func turn(_ number: Int) throws -> Duration? {
      full.reserve(
        try HostName("f\(number).example"), at: start, until: start + .seconds(100)
      ).map { start.duration(to: $0) }
    }
    for number in 0..<10_000 { _ = try turn(number) }
    #expect(try turn(10_000) == .zero && turn(9_999) == .zero)
    for number in 0..<9_998 { _ = try turn(number) }
    #expect(try turn(9_999) == .seconds(10))
  }

  @Test("a turn at the deadline is taken, and one after it is not and costs nobody a turn")
  func deadlines() throws {
    let schedule = HostSchedule(interval: .seconds(10))
    let (start, host) = (ContinuousClock.now, try HostName("a.example"))
    let turn = start + .seconds(10)
    #expect(schedule.reserve(host, at: start, until: start) == start)
    #expect(schedule.reserve(host, at: start, until: turn - .nanoseconds(1)) == nil)
    #expect(schedule.reserve(host, at: start, until: turn) == turn)
    let free = HostSchedule(interval: .zero)
    #expect(free.reserve(host, at: turn, until: start) == turn)
  }

  /// A fetcher without servers.
  private struct Silence: Fetching {
    func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      throw .timeout
    }
  }

  private final class Moment: Sendable {
    let seconds = Mutex(0)
  }

  @Test("of ten thousand failures those that are over are forgotten, and then all")
  func failures() async throws {
    let start = ContinuousClock.now
    let moment = Moment()
    let clock = FetchClock(
      now: { start + .seconds(moment.seconds.withLock { $0 }) },
      wait: { _ in try await Task.sleep(for: .seconds(600)) })
    /// Whether a server is asked, which fails, rather than one that has failed before.
    func isAsked(_ number: Int, _ fetches: Fetches) async throws -> Bool {
      let key = try FetchCache.Key(
        .issuers, "http://h\(number).example/", ports: [80], nil, below: nil)
      let answer = await fetches.fetch(
        key, FetchRequest(.issuers, key.url), beyond: nil, until: start + .seconds(10_000))
      guard case .response(.failure(let error), let own) = answer else { return false }
      fetches.settle(key, own)
      return error == .timeout
    }
    // After a minute those are over that failed at its beginning; before that, none is.
    for (second, later, isForgotten) in [(30, 60, false), (0, 30, true)] {
      let fetches = Fetches(Silence(), FetchCache(), hostInterval: .zero, clock: clock)
      for number in 0..<10_000 {
        moment.seconds.withLock { $0 = number < 5_000 ? 0 : second }
        _ = try await isAsked(number, fetches)
      }
      #expect(try await !isAsked(9_999, fetches), "it has failed before")
      moment.seconds.withLock { $0 = later }
      #expect(try await isAsked(10_000, fetches))
      #expect(try await isAsked(9_999, fetches) == isForgotten)
    }
  }
}
