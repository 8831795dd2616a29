#if OpenSSL
  internal import Holdfast
  internal import HoldfastAnswers
  internal import HoldfastOnline
  internal import HoldfastOpenSSL

  /// Whom a command line trusts as a server, for `connect` and `get`.
  struct ServerPolicy: Sendable {
    let validator: PathValidator
    /// What is trusted, with its name.
    private let anchors: TrustOption.Anchors
    private let fetch: FetchQuestion?
    private let revocation: RevocationQuestion?
    /// What of the files of the command line cannot be read.
    private let unreadable: [InputProblem]
    /// The time of the command line; nil for now.
    private let asked: Timestamp?
    let passwords: PasswordSource
    private let server: ServerQuestion
    /// The workloads that servers must be; nil if their names count.
    private let workloads: SPIFFEPeers?

    init(_ call: Invocation, for hosts: [HostName]) throws(UsageError) {
      var session = try InputSession(call)
      passwords = session.passwords
      workloads = try WorkloadQuestion.servers(call)
      anchors = try PathQuestion.readAnchors(call, &session)
      fetch = try FetchQuestion(call, asksForMany: hosts.count > 1, asksServers: true)
      revocation = try RevocationQuestion.read(call, &session, findsUpki: true)
      unreadable = session.problems
      server = try ServerQuestion(call, for: hosts)
      validator = PathValidator(
        anchors: anchors.anchors, rules: call[PathQuestion.rules].rules,
        revocation: revocation?.revocation)
      asked = call[CommonOptions.at]
    }

    /// The time of the command line, or now: many hosts may take hours.
    var time: Timestamp { asked ?? .now }

    /// The manager for the host at a place.
    func manager(_ index: Int) -> TrustManager {
      server.manager(index, validator, revocation?.revocation)
    }

    /// What a server must have a certificate for.
    private func purpose(_ host: HostName) -> Purpose {
      workloads.map { .spiffe($0).narrowed(to: .serverAuth) } ?? .server(host)
    }

    /// What decides about the server at a place.
    func verifier(_ index: Int) -> TLSVerifier {
      TLSVerifier(clock: { time }, evaluate: { peer throws in try evaluate(peer, index) })
    }

    /// Decides about what the server at a place has presented.
    func evaluate(_ peer: TLSPeer, _ index: Int) throws(TrustError) -> Verdict {
      let host = peer.host ?? ""
      guard workloads != nil else {
        return try manager(index).evaluate(
          der: peer.chain, host: host, staple: peer.staple, timestamps: peer.timestamps,
          at: peer.time)
      }
      let purpose = purpose(try HostName(evaluating: host))
      return try verdict(on: peer.question(for: purpose), index, validator, host)
    }

    /// Decides about the chain of the server at a place.
    private func verdict(
      on question: Question, _ index: Int, _ validator: PathValidator, _ host: String
    ) throws(TrustError) -> Verdict {
      guard workloads != nil else {
        return try server.manager(index, validator, nil).evaluate(question)
      }
      do throws(PathError) {
        let path = try validator.validate(question)
        return Verdict(.validPath, host: host, path: path, at: path.time)
      } catch {
        throw .invalidPath(error)
      }
    }

    /// What was asked about a server.
    func input(_ target: ConnectTarget) -> Answer.Input {
      Answer.Input(
        trust: anchors.description, remarks: anchors.remarks, address: target.name,
        purpose: purpose(target.host), time: time, unreadable: unreadable.map { Answer.Note($0) },
        sources: sources, words: Answer.options)
    }

    /// What is known of revocations; the stapled response is the last source.
    private var sources: RevocationSources {
      var sources = revocation?.sources ?? RevocationSources()
      sources.ocspResponses.append("the stapled response")
      return sources
    }

    /// The answer about the server at a place.
    func answer(
      _ outcome: TrustOutcome, _ input: Answer.Input, _ index: Int, _ host: HostName
    ) -> Answer {
      server.answer(outcome, input, index, host, at: time)
    }

    /// The section of what a server has sent.
    func section(
      _ peer: TLSPeer?, for host: HostName, _ verdict: Verdict?
    ) -> Answer.Connection {
      var section = Answer.Connection(sent: peer?.chain ?? [])
      section.staple = peer?.staple.map {
        StapleStatus(of: $0, for: section.chain, host, at: time, validator)
      }
      section.countDays(of: verdict, at: time)
      return section
    }

    /// The question that `verify` answers, of what the server has sent; nil if nothing can be
    /// read.
    func question(about report: ConnectReport) -> PathQuestion? {
      guard report.isExplained else { return nil }
      let staple = Self.response(report.peer?.staple)
      let known = report.material?.revocation ?? known(report.chain, staple: staple)
      var question = PathQuestion(
        chain: report.chain, input: report.answer.input, purpose: purpose(report.target.host),
        time: report.answer.input.time ?? time,
        validator: validator.with(revocation: known).with(server.transparency),
        unreadable: report.answer.connection?.read().unreadable ?? [])
      question.timestamps = report.peer?.timestamps
      return question
    }

    static func response(_ der: [UInt8]?) -> OCSPResponse? {
      guard let der else { return nil }
      do throws(ParseError) { return try OCSPResponse(der: der) } catch { return nil }
    }

    /// What is known of revocations, with what the handshake tells.
    private func known(_ chain: [Certificate], staple: OCSPResponse?) -> Revocation? {
      let known = revocation?.revocation
      guard known != nil || staple != nil || chain.first?.demandsStaple == true else { return nil }
      return .handshake(staple: staple).added(to: known)
    }

    /// The report with what was fetched for the chain that the server has sent, if that is allowed,
    /// and the answer on all of it.
    func fetching(for report: ConnectReport, at index: Int) -> ConnectReport {
      guard let fetch, let peer = report.peer, report.isExplained else { return report }
      let host = report.target.host
      var material = material(for: peer)
      material.fetch(fetch, purpose(host), validator)
      guard !material.reports.isEmpty else { return report }
      let outcome = Result { () throws(TrustError) in
        try verdict(on: material, index, "\(host)", timestamps: peer.timestamps)
      }
      var report = report
      let connection = report.answer.connection
      report.answer = answer(outcome, report.answer.input.with(material), index, host)
      report.answer.connection = connection
      report.material = material
      return report
    }
  }

  /// What a server's chain lacks.
  extension ServerPolicy {
    /// Whether something may be fetched for a chain on which the decision is this.
    func mayFetch(after outcome: TrustOutcome) -> Bool {
      guard let fetch else { return false }
      if case .success = outcome { return !fetch.policy.kinds.isDisjoint(with: [.ocsp, .crl]) }
      return true
    }

    /// Fetches what is missing for a chain that a server has sent.
    func material(for peer: TLSPeer, _ host: HostName) async -> FetchedInput {
      var material = material(for: peer)
      if let fetch, !material.chain.isEmpty {
        await material.fetch(fetch, purpose(host), validator)
      }
      return material
    }

    private func material(for peer: TLSPeer) -> FetchedInput {
      let sent = Answer.Connection(sent: peer.chain).read()
      return FetchedInput(
        sent.chain, known(sent.chain, staple: Self.response(peer.staple)), sources,
        unreadable: sent.unreadable, at: asked)
    }

    /// Decides on what was fetched.
    func verdict(
      on material: FetchedInput, _ index: Int, _ host: String, timestamps: [UInt8]?
    ) throws(TrustError) -> Verdict {
      var question = Question(
        material.chain, for: purpose(try HostName(evaluating: host)), at: material.time,
        revocation: material.revocation, unreadable: material.unreadable)
      question.timestamps = timestamps
      return try verdict(on: question, index, validator.with(revocation: nil), host)
    }

    /// Decides on what was fetched, and on the staple of this handshake: below TLS 1.3 it follows
    /// the certificates, so that the material may be without it.
    func verdict(
      on material: FetchedInput, _ index: Int, _ peer: TLSPeer
    ) throws(TrustError) -> Verdict {
      var material = material
      if let staple = Self.response(peer.staple), material.revocation?.staple == nil {
        material.revocation = .handshake(staple: staple).added(to: material.revocation)
      }
      return try verdict(on: material, index, peer.host ?? "", timestamps: peer.timestamps)
    }
  }

#endif
