import Holdfast
import TestSupport
import Testing

/// What a manager makes of timestamps: below which anchors, for which hosts, and how strictly.
@Suite("Required transparency") struct RequiredTransparencyTests {
  private let list: LogList
  private let host = "www.example.com"

  init() throws { list = try TransparencyVectors.list() }

  /// What becomes of the leaf of a case, in one word, and what is listed as unchecked.
  private func answer(
    _ name: String, _ check: TransparencyCheck?, isPublic: Bool = true,
    entries: [PinTable.Entry] = [], at time: Timestamp? = nil, sends: Bool = true
  ) throws -> String {
    let signed = try SignedCase.named(name)
    let manager = TrustManager(
      pins: try PinTable(entries),
      anchors: AnchorSet([TrustAnchor(signed.root, isPublic: isPublic)]), rules: .rfc5280,
      transparency: check, otherHosts: .validate)
    do throws(TrustError) {
      let staple = sends ? signed.ocsp : nil
      let verdict = try manager.evaluate(
        [signed.leaf], host: host, timestamps: sends ? signed.tls : nil, at: time ?? signed.now,
        revocation: staple.map { .handshake(staple: $0) })
      let unchecked = verdict.unchecked.contains(.transparency) ? ", unchecked" : ""
      let warning = verdict.warnings.contains { if case .transparency = $0 { true } else { false } }
      return (verdict.transparency.map { Self.word($0) } ?? "not looked at")
        + (warning ? ", warning" : "") + unchecked
    } catch {
      guard case .insufficientTransparency(host, let report) = error else { return "\(error)" }
      return "rejected: " + Self.word(report)
    }
  }

  private static func word(_ report: TransparencyReport) -> String {
    switch report.verdict {
    case .complies: "complies"
    case .violates: "violates"
    case .notEvaluated: "not evaluated"
    }
  }

  @Test("a requirement rejects below public anchors only, and a report never does")
  func demands() throws {
    let report = TransparencyCheck.report(list, .count(2))
    let require = TransparencyCheck.requireSoftFail(list, .count(2))
    let rows: [(String, TransparencyCheck?, Bool, String)] = [
      ("embedded-three", nil, true, "not looked at, unchecked"),
      ("embedded-three", nil, false, "not looked at"),
      ("embedded-three", report, true, "complies"),
      ("embedded-three", require, true, "complies"),
      ("embedded-three", require, false, "not looked at"),
      ("none", report, true, "violates, warning"), ("none", require, true, "rejected: violates"),
      ("none", require, false, "not looked at"),
      ("other-issuer", require, true, "rejected: violates"),
      ("two-good-one-bad", require, true, "complies"),
    ]
    for (name, check, isPublic, expected) in rows {
      #expect(try answer(name, check, isPublic: isPublic) == expected, "\(name) \(expected)")
    }
  }

  @Test("timestamps from the handshake count, and without them the server is rejected")
  func deliveries() throws {
    for name in ["tls-three", "ocsp-three"] {
      let check = TransparencyCheck.requireSoftFail(list, .count(2))
      #expect(try answer(name, check) == "complies")
      #expect(try answer(name, check, sends: false) == "rejected: violates")
    }
    #expect(
      try answer("ocsp-of-another", .requireSoftFail(list, .count(1))) == "rejected: violates")
  }

  @Test("what a TLS library provides is enough: staple and timestamps as bytes")
  func bytes() throws {
    let signed = try SignedCase.named("tls-three")
    let manager = TrustManager(
      pins: try PinTable([PinTable.Entry]()),
      anchors: AnchorSet([signed.root], arePublic: true), rules: .rfc5280,
      transparency: .requireHardFail(list, .count(3)), otherHosts: .validate)
    let verdict = try manager.evaluate(
      der: [signed.leaf.der], host: host, timestamps: signed.tls, at: signed.now)
    #expect(verdict.transparency?.results.map(\.delivery) == [.tls, .tls, .tls])
    #expect(verdict.transparency?.earliestProvableIssuance != nil)
    #expect(throws: TrustError.self) {
      try manager.evaluate(der: [signed.leaf.der], host: host, at: signed.now)
    }
  }

  @Test("without a usable list a hard-fail requirement rejects, and a soft-fail one does not")
  func unusableList() throws {
    let unusable: [TransparencyEvaluator] = [
      TransparencyEvaluator(list: list, policy: .chrome, maximumListAge: 60),
      TransparencyEvaluator(
        list: Result { () throws(LogListError) in try LogList(json: [0x5B]) }, policy: .chrome),
    ]
    for evaluator in unusable {
      var hard = TransparencyCheck.requireHardFail(list, .chrome)
      hard.evaluator = evaluator
      #expect(try answer("none", hard) == "rejected: not evaluated")
      #expect(try answer("none", hard, isPublic: false) == "not looked at")
      var soft = TransparencyCheck.requireSoftFail(list, .chrome)
      soft.evaluator = evaluator
      #expect(try answer("none", soft) == "not evaluated, warning, unchecked")
      hard.isRequired = false
      #expect(try answer("none", hard) == "not evaluated, warning, unchecked")
    }
    // A list from the future.
    let early = try #require(Timestamp("2026-05-31T00:00:00Z"))
    let hard = TransparencyCheck.requireHardFail(list, .chrome)
    #expect(try answer("none", hard, at: early) == "rejected: not evaluated")
    let soft = TransparencyCheck.requireSoftFail(list, .chrome)
    #expect(try answer("none", soft, at: early) == "not evaluated, warning, unchecked")
  }

  @Test("a verdict ends with the log list, if the list was asked")
  func endOfList() throws {
    let signed = try SignedCase.named("embedded-three")
    let published = try #require(list.time).timestamp
    let end = signed.now.advanced(bySeconds: 100)
    func verdict(isPublic: Bool = true, at time: Timestamp) throws(TrustError) -> Verdict {
      let check = TransparencyCheck(
        TransparencyEvaluator(
          list: list, policy: .count(2), maximumListAge: end.seconds(since: published)),
        isRequired: true, rejectsUnevaluated: true)
      return try TrustManager(
        anchors: AnchorSet([TrustAnchor(signed.root, isPublic: isPublic)]), rules: .rfc5280,
        transparency: check
      ).evaluate([signed.leaf], host: host, at: time)
    }
    #expect(try verdict(at: signed.now).validity == signed.now...end)
    #expect(try verdict(at: end).validity == end...end)
    #expect(throws: TrustError.self) { try verdict(at: end.advanced(bySeconds: 1)) }
    #expect(try end < verdict(isPublic: false, at: signed.now).validity.upperBound)
  }

  @Test("the nearest entry that says something decides, pinned or not")
  func hosts() throws {
    let report = TransparencyCheck.report(list, .count(2))
    let require = TransparencyCheck.requireSoftFail(list, .count(2))
    let leaf = Pin(keyOf: try SignedCase.named("none").leaf)
    let spare = try Pin(digest: Array(7..<39))
    let (wide, exact) = (try HostPattern("**.example.com"), try HostPattern("www.example.com"))
    let pins = try PinSet([leaf, spare])
    let rows: [([PinTable.Entry], TransparencyCheck?, String)] = [
      ([.init(exact, pins)], require, "rejected: violates"),
      ([.init(exact, pins, transparency: .excuse)], require, "violates, warning"),
      ([.init(exact, pins, transparency: .require)], report, "rejected: violates"),
      ([.init(exact, pins, transparency: .require)], nil, "not looked at, warning, unchecked"),
      ([.init(exact, pins, transparency: .excuse)], nil, "not looked at, unchecked"),
      ([.init(excluding: exact, transparency: .require)], nil, "not looked at, warning, unchecked"),
      ([.init(excluding: exact, transparency: .excuse)], require, "violates, warning"),
      ([.init(excluding: exact, transparency: .require)], report, "rejected: violates"),
      (
        [.init(wide, pins, transparency: .require), .init(excluding: exact)], report,
        "rejected: violates"
      ),
      (
        [.init(wide, pins, transparency: .require), .init(exact, pins, transparency: .excuse)],
        report, "violates, warning"
      ),
    ]
    for (entries, check, expected) in rows {
      #expect(try answer("none", check, entries: entries) == expected, "\(entries)")
    }
  }

  @Test("a requirement without a log list is a warning below public anchors, and none below others")
  func withoutList() throws {
    let exact = try HostPattern("www.example.com")
    let entries = [PinTable.Entry(excluding: exact, transparency: .require)]
    #expect(
      try answer("none", nil, entries: entries) == "not looked at, warning, unchecked")
    #expect(try answer("none", nil, isPublic: false, entries: entries) == "not looked at")
  }

  @Test("the anchors of the system are public, those of a caller are not unless marked")
  func anchors() throws {
    let root = try SignedCase.named("none").root
    #expect(TrustAnchor(root).isPublic == false)
    #expect(AnchorSet([root]).anchors.map(\.isPublic) == [false])
    #expect(AnchorSet([root], arePublic: true).anchors.map(\.isPublic) == [true])
    if let system = try? AnchorSet.system() {
      #expect(!system.anchors.contains { !$0.isPublic })
    }
  }

  @Test("the reason is a sentence, and the details name every timestamp")
  func sentences() throws {
    let signed = try SignedCase.named("other-issuer")
    let manager = TrustManager(
      pins: try PinTable([PinTable.Entry]()),
      anchors: AnchorSet([signed.root], arePublic: true), rules: .rfc5280,
      transparency: .requireHardFail(list, .chrome), otherHosts: .validate)
    let error = try #require(throws: TrustError.self) {
      try manager.evaluate([signed.leaf], host: host, at: signed.now)
    }
    #expect(error.summary == "The certificate of \(host) is not in public logs as required.")
    #expect("\(error)".contains("bad signature"))
  }

  @Test(
    "a leaf that begins before the limit of a root program is rejected if logs saw it later",
    arguments: [(-1, false), (0, true), (1, true)])
  func backdated(seconds: Int64, isAccepted: Bool) throws {
    let signed = try SignedCase.named("embedded-three")
    let report = TransparencyEvaluator(list: list, policy: .count(2)).evaluate(
      signed.leaf, issuerKey: signed.root.publicKey,
      at: LogTime(signed.now)...LogTime(endOf: signed.now))
    let logged = try #require(report.earliestProvableIssuance)
    let second = Timestamp(secondsSince1970: (logged.millisecondsSince1970 + 999) / 1000)
    #expect(signed.leaf.notBefore < second)
    var conditions = ProgramConstraint.Conditions()
    conditions.issuedUntil = second.advanced(bySeconds: seconds)
    var constraints = TrustAnchor.Constraints()
    constraints.programs = [
      ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [conditions])
    ]
    let anchors = AnchorSet([TrustAnchor(signed.root, constraints: constraints, isPublic: true)])
    let checks: [TransparencyCheck?] = [.report(list, .count(2)), nil]
    for check in checks {
      let manager = TrustManager(
        pins: try PinTable([PinTable.Entry]()), anchors: anchors, rules: .rfc5280,
        transparency: check, otherHosts: .validate)
      do throws(TrustError) {
        _ = try manager.evaluate([signed.leaf], host: host, at: signed.now)
        // Without timestamps notBefore decides, which is before the limit.
        #expect(isAccepted || check == nil)
      } catch {
        guard case .invalidPath(let path) = error else { throw error }
        #expect(path.rejections.map(\.rule) == [.programLogTime])
        #expect(!isAccepted && check != nil)
      }
    }
  }
}
