import HoldfastCertificates
import HoldfastDER
import HoldfastTransparency
import TestSupport
import Testing

/// `Vectors/transparency/policies.txt`: what the policy documents say of sets of timestamps.
@Suite("Transparency policies") struct PolicyTests {
  private static func words(_ shortfall: Shortfall) -> String {
    switch shortfall {
    case .noTimestamp: "noTimestamp"
    case .approvedLogs(let found, let required): "approvedLogs \(found) \(required)"
    case .logs(let found, let required): "logs \(found) \(required)"
    case .logsPerOperator(let found, let required, let maximum):
      "logsPerOperator \(found) \(required) \(maximum)"
    case .operators(let found, let required): "operators \(found) \(required)"
    case .delivery: "delivery"
    case .rfc6962Log: "rfc6962Log"
    case .lifetime: "lifetime"
    }
  }

  private static func words(_ verdict: TransparencyVerdict) -> String {
    switch verdict {
    case .complies: "complies"
    case .violates(let shortfall): words(shortfall)
    case .notEvaluated(.staleList): "staleList"
    case .notEvaluated(.listFromTheFuture): "listFromTheFuture"
    case .notEvaluated(let reason): "\(reason)"
    }
  }

  private static let deliveries: [Character: TimestampDelivery] = [
    "e": .embedded, "t": .tls, "o": .ocsp,
  ]

  @Test("each case of the table has the verdict of the policy's document")
  func table() throws {
    let list = try TransparencyVectors.list()
    var count = 0
    var wrong: [String] = []
    let text = try CommittedVectors.text("transparency/policies.txt")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "|").map { $0.drop { $0 == " " } }.map {
        String($0.reversed().drop { $0 == " " }.reversed())
      }
      try #require(fields.count == 6, "\(line)")
      let lifetime = try #require(Int64(fields[2]))
      let now = try TransparencyVectors.second(fields[3])
      let evaluator = TransparencyEvaluator(
        list: list, policy: try TransparencyVectors.policy(fields[1]))
      let findings = try fields[4].split(separator: " ").filter { $0 != "-" }.map { word in
        let halves = word.dropFirst(2).split(separator: "@")
        let log = try TransparencyVectors.log(halves[0], in: list)
        let time = try #require(LogTime(String(halves[1])))
        let timestamp = try TransparencyVectors.unsigned(log, at: time)
        return TimestampResult(
          try #require(Self.deliveries[word.first ?? " "]), timestamp, log,
          TransparencyEvaluator.status(of: timestamp, by: log, at: now))
      }
      let report = evaluator.report(
        findings, lifetime: lifetime, at: now)
      let found = Self.words(report.verdict)
      if found != fields[5] { wrong.append("\(fields[0]): \(found), expected \(fields[5])") }
      // Who complies has counted timestamps, and no order of them changes the verdict.
      let isCounted = report.results.contains(where: \.isCounted)
      if isCounted != (found == "complies" && fields[1] != "count(0)") {
        wrong.append("\(fields[0]): counted")
      }
      let reversed = evaluator.report(
        findings.reversed(), lifetime: lifetime, at: now)
      if (reversed.verdict == .complies) != (report.verdict == .complies) {
        wrong.append("\(fields[0]): another order, another verdict")
      }
      count += 1
    }
    #expect(wrong == [])
    #expect(count >= 150)
  }

  @Test("a policy of one's own decides by its data")
  func custom() throws {
    let list = try TransparencyVectors.list()
    var policy = TransparencyPolicy.chrome
    policy.name = "ours"
    policy.requirements = [
      .init(
        deliveries: [.ocsp], retiredLogs: .never, minimumApprovedLogs: 1, minimumOperators: 1,
        tiers: [.init(maximumDays: 10, minimumLogs: 1)])
    ]
    let log = try TransparencyVectors.log("a1", in: list)
    let now = try TransparencyVectors.second("2026-06-10T00:00:00Z")
    let timestamp = try TransparencyVectors.unsigned(log, at: now.lowerBound)
    let evaluator = TransparencyEvaluator(list: list, policy: policy)
    func verdict(_ delivery: TimestampDelivery, days: Int64) -> TransparencyVerdict {
      evaluator.report(
        [TimestampResult(delivery, timestamp, log, .verified)],
        lifetime: days * 86_400, at: now
      ).verdict
    }
    #expect(verdict(.ocsp, days: 10) == .complies)
    #expect(
      verdict(.ocsp, days: 11) == .violates(.lifetime(seconds: 11 * 86_400, maximumDays: 10)))
    #expect(verdict(.tls, days: 10) == .violates(.noTimestamp))
    // No lifetime is short because it cannot be counted.
    policy.countsLastSecond = true
    let endless = TransparencyEvaluator(list: list, policy: policy).report(
      [TimestampResult(.ocsp, timestamp, log, .verified)], lifetime: .max, at: now)
    #expect(endless.verdict == .violates(.lifetime(seconds: .max, maximumDays: 10)))
    #expect(endless.omitted == 0)
  }

  @Test("a timestamp of the moment at which its log was retired does not count")
  func retirement() throws {
    let list = try TransparencyVectors.list()
    let log = try TransparencyVectors.log("r1", in: list)
    let now = try TransparencyVectors.second("2026-06-10T00:00:00Z")
    var policy = TransparencyPolicy.chrome
    policy.requirements = [
      .init(
        deliveries: [.embedded], retiredLogs: .issuedBefore, minimumApprovedLogs: 0,
        minimumOperators: 1, tiers: [.init(maximumDays: nil, minimumLogs: 1)])
    ]
    for (time, verdict) in [
      ("2026-02-28T23:59:59.999Z", .complies),
      ("2026-03-01T00:00:00.000Z", .violates(.noTimestamp)),
    ] as [(String, TransparencyVerdict)] {
      let timestamp = try TransparencyVectors.unsigned(log, at: try #require(LogTime(time)))
      let report = TransparencyEvaluator(list: list, policy: policy).report(
        [TimestampResult(.embedded, timestamp, log, .verified)], lifetime: 86_400, at: now)
      #expect(report.verdict == verdict, "\(time)")
    }
  }

  @Test("numbers are said in the singular, and moments in the future by their length")
  func words() {
    #expect("\(Shortfall.logs(found: 1, required: 2))" == "timestamps from 1 log, 2 required")
    #expect(
      "\(Shortfall.operators(found: 1, required: 2))"
        == "timestamps from logs of 1 operator, 2 required")
    #expect(
      "\(TimestampResult.Status.inTheFuture(byMilliseconds: 999))"
        == "less than a second in the future")
    #expect(
      "\(TimestampResult.Status.inTheFuture(byMilliseconds: 1_000))"
        == "\(Timestamp.duration(ofSeconds: 1)) in the future")
  }

  @Test("a list is used from the moment on at which it was published, and for ever if that is set")
  func ages() throws {
    let list = try TransparencyVectors.list()
    let time = try #require(list.time)
    func verdict(_ now: ClosedRange<LogTime>, maximumAge: Int64 = 1) -> TransparencyVerdict {
      TransparencyEvaluator(list: list, policy: .count(0), maximumListAge: maximumAge)
        .report([], lifetime: 1, at: now).verdict
    }
    func moment(_ milliseconds: Int64) -> LogTime {
      LogTime(millisecondsSince1970: time.millisecondsSince1970 + milliseconds)
    }
    #expect(
      verdict(moment(-1_000)...moment(-1)) == .notEvaluated(.listFromTheFuture(published: time)))
    #expect(verdict(moment(-999)...moment(0)) == .complies)
    #expect(verdict(moment(1_000)...moment(1_999)) == .complies)
    #expect(
      verdict(moment(1_001)...moment(2_000))
        == .notEvaluated(.staleList(published: time, maximumAge: 1)))
    // More milliseconds than a number can have.
    #expect(verdict(moment(1 << 40)...moment(1 << 40), maximumAge: .max) == .complies)
  }

  @Test("the maximum age of a list can be set, and reports say why nothing was evaluated")
  func age() throws {
    let list = try TransparencyVectors.list()
    let now = try TransparencyVectors.second("2026-06-03T00:00:00Z")
    let evaluator = TransparencyEvaluator(list: list, policy: .chrome, maximumListAge: 86_400)
    let report = evaluator.report([], lifetime: 1, at: now)
    #expect(
      report.summary
        == "Transparency was not evaluated: the log list of 2026-06-01T00:00:00.000Z is older "
        + "than 1 days.")
    let unreadable = TransparencyEvaluator(
      list: Result { () throws(LogListError) in try LogList(json: []) }, policy: .chrome
    ).report([], lifetime: 1, at: now)
    guard case .notEvaluated(.unreadableList(let error)) = unreadable.verdict else {
      Issue.record("\(unreadable)")
      return
    }
    #expect(error.summary == "The log list is not valid JSON.")
  }
}
