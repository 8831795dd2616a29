#if OpenSSL
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER

  /// Whom a command line trusts as a server, for `connect` and `get`.
  struct ServerPolicy: Sendable {
    let validator: PathValidator
    /// What is trusted, with its name.
    private let anchors: TrustOption.Anchors
    private let fetch: FetchQuestion?
    private let revocation: RevocationQuestion?
    let time: Timestamp
    let passwords: PasswordSource
    /// The pins for each host, by its place in the command line.
    private let pins: [PinTable]
    /// Whether there are pins, so that hosts without any are rejected.
    private let hasPins: Bool
    private let transparency: TransparencyCheck?

    init(_ call: Invocation, for hosts: [HostName]) throws(UsageError) {
      var session = try InputSession(call)
      passwords = session.passwords
      anchors = try PathQuestion.readAnchors(call, &session)
      fetch = try FetchQuestion(call)
      revocation = try RevocationQuestion.read(call, &session, findsUpki: true)
      transparency = try TransparencyQuestion.read(call)
      hasPins = PinOptions.areGiven(call)
      pins = try PinOptions.tables(call, for: hosts)
      validator = PathValidator(
        anchors: anchors.anchors, rules: call[PathQuestion.rules].rules,
        revocation: revocation?.revocation)
      time = call[CommonOptions.at] ?? .now
    }

    /// The manager for the host at a place.
    func manager(_ index: Int) -> TrustManager { manager(index, revocation?.revocation) }

    private func manager(_ index: Int, _ revocation: Revocation?) -> TrustManager {
      TrustManager(
        pins: pins[index], anchors: validator.anchors, rules: validator.rules,
        revocation: revocation, transparency: transparency,
        otherHosts: hasPins ? .reject : .validate)
    }

    /// What was asked about a server.
    func input(_ target: ConnectTarget) -> Answer.Input {
      // What is known of revocations; the stapled response is the last source.
      var sources = revocation?.sources ?? RevocationSources()
      sources.ocspResponses.append("the stapled response")
      return Answer.Input(
        trust: anchors.description, remarks: anchors.remarks, address: target.name,
        purpose: .server(target.host), time: time, sources: sources)
    }

    /// What the pins say of a server; nil without pins.
    func selection(_ index: Int, for host: HostName) -> PinTable.Selection? {
      hasPins ? pins[index].selection(for: host, at: time) : nil
    }

    /// The section of what a server has sent.
    func section(
      _ chain: [[UInt8]], staple: [UInt8]?, for host: HostName, _ verdict: Verdict?
    ) -> Answer.Connection {
      var section = Answer.Connection(sent: chain)
      section.staple = staple.map {
        Staple.status($0, of: section.chain, for: host, at: time, validator)
      }
      section.countDays(of: verdict, at: time)
      return section
    }

    /// The same question as `explain` answers, of what the server has sent; nil if nothing can be
    /// read.
    func question(about report: ConnectReport) -> PathQuestion? {
      guard report.isExplained else { return nil }
      var question = PathQuestion(
        chain: report.chain, input: report.answer.input, purpose: .server(report.target.host),
        time: time, validator: validator.with(revocation: known(of: report)))
      question.logTimes = transparency?.logTimes(
        timestamps: report.timestamps, staple: stapled(report))
      return question
    }

    private func stapled(_ report: ConnectReport) -> OCSPResponse? {
      guard let der = report.staple else { return nil }
      do throws(ParseError) { return try OCSPResponse(der: der) } catch { return nil }
    }

    /// What is known of revocations, with what was fetched or else with what the handshake tells.
    private func known(of report: ConnectReport) -> Revocation? {
      if let fetched = report.fetched { return fetched }
      let (known, staple) = (revocation?.revocation, stapled(report))
      guard known != nil || staple != nil || report.chain[0].demandsStaple else { return nil }
      return .handshake(staple: staple).added(to: known)
    }

    /// The report with what was fetched for the chain that the server has sent, if that is allowed,
    /// and the answer on all of it.
    func fetching(for report: ConnectReport, at index: Int) -> ConnectReport {
      guard fetch != nil, report.isExplained else { return report }
      let host = report.target.host
      var material = FetchedInput(report.chain, known(of: report), report.answer.input.sources)
      material.fetch(fetch, .server(host), time, validator)
      guard !material.reports.isEmpty else { return report }
      var report = report
      var input = report.answer.input
      (input.sources, input.fetched) = (material.sources, material.reports)
      (report.chain, report.fetched) = (material.chain, material.revocation)
      let outcome = Result { () throws(TrustError) in
        try manager(index, nil).evaluate(
          material.chain, host: "\(host)", timestamps: report.timestamps, at: time,
          revocation: material.revocation)
      }
      let connection = report.answer.connection
      report.answer = Answer(outcome, input, pins: selection(index, for: host))
      report.answer.connection = connection
      return report
    }
  }
#endif
