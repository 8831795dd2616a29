import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import HoldfastTransparency
import TestSupport
import Testing

@Suite("Log lists") struct LogListTests {
  private static let key = [UInt8](
    Base64.bytes(
      of: Array(
        ("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEr+TzlCzfpie1/rJhgxnIITojqKk9VK+8MZoc08HjtsLzD8e5yjsd"
          + "eWVhIiWCVk6Y6KomKTYeKGBv6xVu93zQug==").utf8)) ?? [])

  /// A log with a key that differs by a number, with members in addition.
  private static func log(_ number: Int = 0, _ more: String = "", id: [UInt8]? = nil) -> String {
    var key = key
    for index in 0..<4 {
      key[key.count - 1 - index] ^= UInt8(truncatingIfNeeded: number >> (8 * index))
    }
    let id = Base64.text(of: id ?? HashAlgorithm.sha256.hash(key).array)
    return #"{"description":"log \#(number)","log_id":"\#(id)","key":"\#(Base64.text(of: key))""#
      + #","url":"https://log.example/\#(number)/","mmd":86400\#(more)}"#
  }

  private static func list(_ operators: String) throws -> LogList {
    let text =
      #"{"version":"1","log_list_timestamp":"2026-01-01T00:00:00Z","operators":[\#(operators)]}"#
    return try LogList(json: Array(text.utf8))
  }

  private static func list(log: String) throws -> LogList {
    try list(#"{"name":"A","logs":[\#(log)]}"#)
  }

  private static let usable = #","state":{"usable":{"timestamp":"2025-01-01T00:00:00Z"}}"#

  @Test("the committed list has what its script put in")
  func committed() throws {
    let list = try TransparencyVectors.list()
    #expect(list.logs.count == 23 && list.version == "1.0")
    #expect(list.time == LogTime("2026-06-01T00:00:00Z"))
    #expect(list.operators.contains("Bogus"))
    // A key of RSA with 1,024 bits, and one on P-384.
    #expect(list.problems.map(\.kind) == [.unsupportedKey, .unsupportedKey])
    let tiled = try TransparencyVectors.log("t1", in: list)
    #expect(tiled.interface == .tiled && tiled.url == "https://t1.example/log/")
    let retired = try TransparencyVectors.log("r2", in: list)
    #expect(retired.state?.kind == .retired)
    #expect(retired.state?.since == LogTime("2026-03-01T12:00:00.5Z"))
    let changed = try TransparencyVectors.log("o1", in: list)
    #expect(changed.operatorName == "Zayin" && changed.previousOperators.map(\.name) == ["Aleph"])
    let limited = try TransparencyVectors.log("i1", in: list)
    #expect(limited.interval?.upperBound == LogTime("2026-07-01T00:00:00Z"))
    #expect(list[tiled.id] == tiled)
  }

  @Test("the detached signature verifies under its key alone, over exactly the bytes")
  func signature() throws {
    let json = try CommittedVectors.bytes("transparency/logs.json")
    let signature = try CommittedVectors.bytes("transparency/logs.sig")
    let key = try PublicKey(pem: CommittedVectors.text("transparency/logs-key.pem"))
    #expect(try LogList(json: json, signature: signature, key: key).logs.count == 23)
    let other = try SignedCase.named("embedded-three").leaf.publicKey
    for (json, signature, key) in [
      (json + [0x0A], signature, key), (json, [], key), (json, signature, other),
      (json, Array(signature.dropLast()), key),
    ] {
      let error = #expect(throws: LogListError.self) {
        try LogList(json: json, signature: signature, key: key)
      }
      #expect(error?.problem == .badSignature)
    }
  }

  @Test("no flipped bit of a signed list or of its signature is accepted")
  func flips() throws {
    let json = try CommittedVectors.bytes("transparency/logs.json")
    let signature = try CommittedVectors.bytes("transparency/logs.sig")
    let key = try PublicKey(pem: CommittedVectors.text("transparency/logs-key.pem"))
    var accepted: [Int] = []
    for bit in stride(from: 0, to: json.count * 8, by: isDebug ? 997 : 1) {
      var changed = json
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      do {
        _ = try LogList(json: changed, signature: signature, key: key); accepted.append(bit)
      } catch {}
    }
    for bit in 0..<signature.count * 8 {
      var changed = signature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      do { _ = try LogList(json: json, signature: changed, key: key); accepted.append(-bit) } catch
      {}
    }
    #expect(accepted == [])
  }

  @Test("a part that is wrong is listed by its path, and the rest is used")
  func problems() throws {
    for (more, path, kind, count) in [
      (
        #","state":{"usable":{"timestamp":"soon"}}"#, "state.usable.timestamp",
        LogListProblem.Kind.badTime, 2
      ),
      (#","state":{"usable":{}}"#, "state.usable.timestamp", .missing, 2),
      (#","state":{}"#, "state", .badState, 2),
      (#","state":{"frozen":{"timestamp":"2025-01-01T00:00:00Z"}}"#, "state", .badState, 2),
      (
        #","state":{"usable":{"timestamp":"2025-01-01T00:00:00Z"},"retired":{}}"#, "state",
        .badState, 2
      ),
      (
        #","temporal_interval":{"start_inclusive":"2026-01-01T00:00:00Z"}"#,
        "temporal_interval.end_exclusive", .missing, 2
      ),
      (#","previous_operators":{}"#, "previous_operators", .unexpectedType, 2),
      (#","previous_operators":[{"name":"B"}]"#, "previous_operators[0].end_time", .missing, 2),
      (
        #","previous_operators":[{"end_time":"2026-01-01T00:00:00Z"}]"#,
        "previous_operators[0].name", .missing, 2
      ),
    ] {
      let list = try Self.list(log: Self.log(1, more) + "," + Self.log(2, Self.usable))
      #expect(list.problems.map(\.path) == ["operators[0].logs[0].\(path)"], "\(more)")
      #expect(list.problems.map(\.kind) == [kind], "\(more)")
      #expect(list.logs.count == count)
    }
  }

  @Test(
    "a member that is null is absent, and an interval that ends before its start is no interval")
  func nulls() throws {
    for member in ["state", "temporal_interval", "previous_operators"] {
      let list = try Self.list(log: Self.log(1, #","\#(member)":null"#))
      #expect(list.problems.isEmpty && list.logs.count == 1)
    }
    for end in ["02", "01"] {
      let list = try Self.list(log: Self.log(1, Self.interval("2026-01-01", "2026-01-\(end)")))
      #expect(list.problems.isEmpty && list.logs.first?.interval != nil)
    }
    let list = try Self.list(log: Self.log(1, Self.interval("2026-01-02", "2026-01-01")))
    #expect(list.problems.map(\.path) == ["operators[0].logs[0].temporal_interval"])
    #expect(list.problems.map(\.kind) == [.badTime])
    #expect(list.logs.first?.interval == nil)
  }

  private static func interval(_ start: String, _ end: String) -> String {
    #","temporal_interval":{"start_inclusive":"\#(start)T00:00:00Z""#
      + #","end_exclusive":"\#(end)T00:00:00Z"}"#
  }

  @Test("a list of 16 MiB is read, and one of a byte more is not")
  func largest() throws {
    let text = #"{"version":"1","log_list_timestamp":"2026-01-01T00:00:00Z","operators":[]}"#
    let json = Array(text.utf8)
    let space = [UInt8](repeating: 0x20, count: (16 << 20) - json.count)
    #expect(try LogList(json: json + space).logs.isEmpty)
    let error = #expect(throws: LogListError.self) { try LogList(json: json + space + [0x20]) }
    #expect(error?.problem == .tooLarge(limit: 16 << 20))
    #expect(LogList.maximumLogs == 20_000)
  }

  @Test("a log that cannot be identified is left out, and the rest is used")
  func leftOut() throws {
    let key = Base64.text(of: Self.key)
    for (log, path, kind) in [
      (Self.log(1, id: [UInt8](repeating: 7, count: 32)), ".log_id", LogListProblem.Kind.wrongID),
      (Self.log(1, id: []), ".log_id", .wrongID),
      (Self.log(2, Self.usable), ".log_id", .duplicate), ("{}", ".key", .missing),
      ("7", "", .unexpectedType),
      (#"{"key":"\#(key)"}"#, ".log_id", .missing), (#"{"key":"????"}"#, ".key", .badBase64),
      (#"{"key":"AAAA","log_id":"AAAA"}"#, ".key", .badKey),
      (#"{"key":7}"#, ".key", .missing),
    ] {
      let list = try Self.list(log: Self.log(2, Self.usable) + "," + log)
      #expect(list.problems.map(\.path) == ["operators[0].logs[1]\(path)"], "\(log)")
      #expect(list.problems.map(\.kind) == [kind], "\(log)")
      #expect(list.logs.map(\.name) == ["log 2"])
    }
  }

  @Test("a log of which two entries state different things never counts, in any order")
  func contradiction() throws {
    let retired = #","state":{"retired":{"timestamp":"2025-06-01T00:00:00Z"}}"#
    let rows: [(String, String, CertificateLog.State.Kind?)] = [
      (Self.usable, Self.usable, .usable), (Self.usable, retired, nil),
      (retired, Self.usable, nil), (Self.usable, "", nil), ("", Self.usable, nil),
    ]
    for (first, second, expected) in rows {
      let list = try Self.list(log: Self.log(1, first) + "," + Self.log(1, second))
      #expect(list.logs.map(\.state?.kind) == [expected], "\(first) \(second)")
      #expect(list.problems.map(\.kind) == [.duplicate])
    }
  }

  @Test("a log of which two entries have other operators, types or times never counts")
  func contradictoryEntries() throws {
    let log = Self.log(1, Self.usable)
    func more(_ members: String) -> String { Self.log(1, Self.usable + members) }
    let operators = #","previous_operators":[{"name":"B","end_time":"2025-06-01T00:00:00Z"}]"#
    let interval =
      #","temporal_interval":{"start_inclusive":"2026-01-01T00:00:00Z","#
      + #""end_exclusive":"2027-01-01T00:00:00Z"}"#
    let rows: [(String, String, Bool)] =
      [
        (#""logs":[\#(log),\#(log)]"#, "", true),
        (#""logs":[\#(log),\#(log.replacing("log.example", with: "other.example"))]"#, "", true),
        (#""logs":[\#(log)]"#, #""logs":[\#(log)]"#, false),
        (#""logs":[\#(log)],"tiled_logs":[\#(log)]"#, "", false),
      ]
      + [#","log_type":"test""#, operators, interval].flatMap { members in
        [
          (#""logs":[\#(log),\#(more(members))]"#, "", false),
          (#""logs":[\#(more(members)),\#(log)]"#, "", false),
        ]
      }
    for (a, b, counts) in rows {
      let list = try Self.list(#"{"name":"A",\#(a)},{"name":"B"\#(b.isEmpty ? "" : "," + b)}"#)
      #expect(list.logs.count == 1)
      #expect((list.logs.first?.state != nil) == counts, "\(a) \(b)")
      #expect(list.problems.map(\.kind) == [.duplicate])
    }
  }

  @Test("odd operators, empty lists of logs and unknown members never fail the list")
  func odd() throws {
    let list = try Self.list(
      #"{"name":"Bogus","logs":[]},{"name":"None"},7,{"logs":7,"name":"Odd"},{"logs":[\#(Self.log(1))]},"#
        + #"{"name":"A","x":[{}],"logs":[\#(Self.log(2, #","y":null"#))],"tiled_logs":[\#(Self.log(3))]}"#
    )
    #expect(list.logs.map(\.name) == ["log 1", "log 2", "log 3"])
    #expect(list.logs.map(\.interface) == [.rfc6962, .rfc6962, .tiled])
    #expect(
      list.problems.map(\.path) == ["operators[2]", "operators[3].logs", "operators[4].name"])
    #expect(try Self.list("").logs.isEmpty)
  }

  @Test("bytes that are no list are an error with a sentence")
  func noLists() throws {
    for (text, summary) in [
      ("", "The log list is not valid JSON."), ("{", "The log list is not valid JSON."),
      ("[]", "The document is not a log list."), ("{}", "The document is not a log list."),
      (#"{"operators":{}}"#, "The document is not a log list."),
    ] {
      let error = #expect(throws: LogListError.self) { try LogList(json: Array(text.utf8)) }
      #expect(error?.summary == summary)
    }
    let nameless = try LogList(json: Array(#"{"operators":[]}"#.utf8))
    #expect(nameless.time == nil && nameless.problems.map(\.path) == ["log_list_timestamp"])
    let now = try TransparencyVectors.second("2026-01-01T00:00:00Z")
    let report = TransparencyEvaluator(list: nameless, policy: .count(0))
      .report([], lifetime: 1, at: now)
    #expect(report.verdict == .notEvaluated(.listWithoutTime))
  }

  @Test("times of lists have milliseconds, others are no times")
  func times() {
    #expect(LogTime("2016-11-30T13:24:18.33Z")?.millisecondsSince1970 == 1_480_512_258_330)
    #expect(LogTime("2016-11-30T13:24:18.0009Z")?.millisecondsSince1970 == 1_480_512_258_000)
    #expect(LogTime("2016-11-30T14:24:18.5+01:00")?.millisecondsSince1970 == 1_480_512_258_500)
    #expect(LogTime("1969-12-31T23:59:59.999Z")?.millisecondsSince1970 == -1)
    #expect(LogTime(millisecondsSince1970: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(LogTime(millisecondsSince1970: 7).description == "1970-01-01T00:00:00.007Z")
    for text in ["2016-11-30T13:24:18.Z", "2016-11-30T13:24:18.5", "2016-11-30.5", ".5Z", ""] {
      #expect(LogTime(text) == nil, "\(text)")
    }
  }

  @Test("five times as many logs take less than fifteen times as long to read")
  func growth() throws {
    func time(_ number: Int) throws -> Duration {
      let logs = (0..<number).map { Self.log($0, Self.usable) }.joined(separator: ",")
      let json = Array(#"{"operators":[{"name":"A","logs":[\#(logs)]}]}"#.utf8)
      #expect(try LogList(json: json).logs.count == number)
      return leastProcessorTime(of: 3) {
        do { _ = try LogList(json: json) } catch { Issue.record(error) }
      }
    }
    // A look-up in all logs before, for each log, would take twenty-five times as long.
    let (few, many) = (try time(200), try time(1_000))
    #expect(many < few * 15, "\(few), \(many)")
  }

  @Test(
    "as many logs as the limit fit into the memory that a list may take, and one more does not",
    .enabled(if: !isDebug, "a debug build is not optimized"))
  func mostLogs() throws {
    func read(_ number: Int, again: [Int] = []) throws -> Int {
      let logs = (Array(0..<number) + again).map { Self.log($0, Self.usable) }
        .joined(separator: ",")
      return try LogList(json: Array(#"{"operators":[{"name":"A","logs":[\#(logs)]}]}"#.utf8))
        .logs.count
    }
    #expect(try read(LogList.maximumLogs, again: [0]) == LogList.maximumLogs)
    let error = #expect(throws: LogListError.self) { try read(LogList.maximumLogs + 1) }
    #expect(error?.problem == .tooManyLogs(limit: LogList.maximumLogs))
  }

  @Test("a list cut at any length is an error, and no flipped bit adds a log")
  func cuts() throws {
    let text = #"{"operators":[{"name":"A","logs":[\#(Self.log(1, Self.usable))]}]}"#
    let json = Array(text.utf8)
    for count in json.indices {
      #expect(throws: LogListError.self) { try LogList(json: Array(json.prefix(count))) }
    }
    for index in json.indices {
      for bit in 0..<8 {
        var changed = json
        changed[index] ^= 1 << UInt8(bit)
        do throws(LogListError) {
          let list = try LogList(json: changed)
          #expect(list.logs.count <= 1 && list.problems.allSatisfy { !"\($0)".isEmpty })
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    }
  }
}
