#if Curl
  internal import Holdfast
  internal import HoldfastAnswers
  internal import HoldfastDER
  internal import HoldfastHTTP
  internal import HoldfastOpenSSL
  internal import HoldfastSystem
  internal import Synchronization

  extension Command {
    /// Makes a request, and reports of the server that has answered last.
    static func get(_ call: Invocation) throws(UsageError) -> ExitStatus {
      let run = GetRun(try GetRequest(call))
      let isTerminal = call.console.isTerminal
      let shows = call.console.showsProgress && (run.request.file != nil || !isTerminal)
      if !call.console.isCaptured {
        // A file that is not complete is removed. On standard output nothing is: a signal ends the
        // process at once, also while it waits for a reader.
        if run.request.file != nil { System.noteInterrupt() } else { System.unblockEndingSignals() }
      }
      guard let end = run.start(shows: shows) else { return .interrupted }
      return try run.report(end, call)
    }
  }

  /// One request of `get`, and how far it is.
  final class GetRun: Sendable {
    let request: GetRequest
    private let state: Mutex<State>

    fileprivate struct State: Sendable {
      /// The bytes that have come, and how many there are.
      var received = 0
      var total: Int?
      /// The server whose answer is awaited, and what it has presented.
      var target: ConnectTarget
      var peer: TLSPeer?
      /// Why it is trusted, if a handshake has decided so.
      var verdict: Verdict?
      /// The server that has redirected to it.
      var redirecting: String?
      /// Whether a redirect has led to another origin.
      var isElsewhere = false
      /// What was fetched for the chains that servers have sent.
      var material: [[[UInt8]]: FetchedInput] = [:]
      /// Whether a chain was rejected because nothing was fetched for it yet.
      var lacksMaterial = false
    }

    /// How a request has ended.
    struct End: Sendable {
      /// The response, if its head has come.
      var response: HTTPResponse?
      var error: HTTPError?
      /// Why the body could not be written to standard output.
      var outputError: System.SystemError?
    }

    init(_ request: GetRequest) {
      self.request = request
      state = Mutex(State(target: request.target))
    }

    /// Makes the request and waits for its end; nil if it was interrupted.
    func start(shows: Bool) -> End? {
      let begin = ContinuousClock.now
      var line = ProgressLine()
      var wasInterrupted = false
      let end = Waiting.value(of: perform) { cancel in
        if shows, state.withLock({ $0.received > 0 }) {
          let (received, total) = state.withLock { ($0.received, $0.total) }
          let limit = request.file.map { _ in request.options.limits.fileBytes }
          line.show(
            GetRun.line(
              received: received, of: total, atMost: limit, after: ContinuousClock.now - begin))
        }
        // The end is awaited all the same, so that nothing is left of a file.
        if System.wasInterrupted, !wasInterrupted {
          wasInterrupted = true
          cancel()
        }
      }
      line.clear()
      return wasInterrupted ? nil : end
    }

    /// Makes the request, again after something was fetched for a chain, as many times as there may
    /// be servers. Until that has happened no server is trusted, and so none hears of the request.
    private func perform() async -> End {
      let policy = request.policy
      let verifier = TLSVerifier(clock: { policy.time }, evaluate: evaluate)
      let client = HTTPClient(verifier, options: request.options)
      var end = await perform(client)
      for _ in 0...request.options.maximumRedirects {
        guard let peer = state.withLock({ $0.lacksMaterial ? $0.peer : nil }) else { return end }
        await complete(peer)
        guard !Task.isCancelled else { return end }
        state.withLock { state in
          (state.target, state.redirecting, state.isElsewhere) = (request.target, nil, false)
        }
        end = await perform(client)
      }
      return end
    }

    /// Decides about a server; with `--fetch` only when what its chain lacks was fetched. If that is
    /// nothing, it is asked again all the same: below TLS 1.3 its staple has not come yet.
    private func evaluate(_ peer: TLSPeer) throws -> Verdict {
      let verdict = try decide(peer)
      state.withLock { $0.verdict = verdict }
      return verdict
    }

    private func decide(_ peer: TLSPeer) throws -> Verdict {
      let material = state.withLock { state in
        state.peer = peer
        return state.material[peer.chain]
      }
      let policy = request.policy
      if let material, !material.reports.isEmpty {
        return try policy.verdict(on: material, 0, peer)
      }
      let outcome = Result { () throws(TrustError) in
        try policy.evaluate(peer, 0)
      }
      guard material == nil, policy.mayFetch(after: outcome) else { return try outcome.get() }
      state.withLock { $0.lacksMaterial = true }
      throw TrustError.rejected(reason: "what the chain lacks is not fetched yet")
    }

    /// Fetches what the chain of a server lacks.
    private func complete(_ peer: TLSPeer) async {
      let policy = request.policy
      let host = state.withLock { $0.target.host }
      let work = Task { await policy.material(for: peer, host) }
      let timer = request.deadline.map { deadline in
        Task {
          do { try await Task.sleep(until: deadline) } catch { return }
          work.cancel()
        }
      }
      let material = await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }
      timer?.cancel()
      state.withLock { state in
        state.lacksMaterial = false
        state.material[peer.chain] = material
      }
    }

    private func perform(_ client: HTTPClient) async -> End {
      var made = request.next()
      made.onRedirect = { _, next, _ in
        self.state.withLock { $0.follow(next, from: self.request.target) }
      }
      let note: @Sendable (HTTPProgress) -> Void = { progress in
        self.state.withLock { state in
          (state.received, state.total) = (progress.received, progress.receivedTotal)
        }
      }
      var end = End()
      do throws(HTTPError) {
        if let file = request.file {
          end.response = try await client.download(
            for: made, to: file, replacing: request.replaces, progress: note)
          return end
        }
        let (body, response) = try await client.bytes(for: made, progress: note)
        end.response = response
        guard response.isSuccess else { return end }
        var pieces = body.makeAsyncIterator()
        while let piece = try await pieces.next() {
          do throws(System.SystemError) {
            try System.write(piece, to: 1)
          } catch {
            end.outputError = error
            return end
          }
        }
      } catch {
        end.error = error
      }
      return end
    }

    /// `[#####     ] 50 %  12.5 MB, 3.2 MB/s, 4 s left`, or the limit if the size is not known:
    /// `12.5 MB of at most 1073.7 MB, 3.2 MB/s`.
    static func line(
      received: Int, of size: Int?, atMost limit: Int? = nil, after duration: Duration
    ) -> String {
      let seconds = max(duration / .seconds(1), 0.001)
      let most = size == nil ? limit.map { " of at most \(megabytes(Double($0))) MB" } ?? "" : ""
      return ProgressLine.bar(done: received, of: size)
        + "\(megabytes(Double(received))) MB\(most), \(megabytes(Double(received) / seconds)) MB/s"
        + ProgressLine.rest(after: seconds, done: received, of: size)
    }

    /// A number of bytes in millions, with one decimal.
    private static func megabytes(_ bytes: Double) -> String {
      let tenths = Int((bytes / 100_000).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }
  }

  extension GetRun.State {
    /// Notes a redirect.
    mutating func follow(_ url: String, from first: ConnectTarget) {
      guard let next = ConnectTarget(url) else { return }
      if next.name != target.name { (peer, verdict) = (nil, nil) }
      (redirecting, target) = (target.name, next)
      isElsewhere = isElsewhere || next.name != first.name
    }
  }

  extension HTTPError {
    /// Whether the server has made itself trusted, and what it has answered then is of no use.
    fileprivate var isOfTrustedServer: Bool {
      switch self {
      case .tooManyRedirects, .headersTooLong, .bodyTooLong, .invalidResponse: true
      default: false
      }
    }
  }

  /// The answer.
  extension GetRun {
    /// Writes the answer about the server where the body does not go, and what else is wrong.
    fileprivate func report(_ end: End, _ call: Invocation) throws(UsageError) -> ExitStatus {
      var report = try self.report(end)
      if let question = request.policy.question(about: report) {
        report.answer = question.explained(report.answer)
      }
      let status = ExpiryWarning.status(of: report.answer, call)
      if request.file != nil {
        report.answer.write(call)
      } else if call[CommonOptions.json] {
        call.console.message(report.answer.json)
      } else {
        call.console.note(report.answer.text(TextStyle(call)))
      }
      guard let problem = problem(end, report.answer.connection?.handshake) else { return status }
      call.console.message("holdfast get: \(printable(problem))\n")
      return .worst([status, .unreadable])
    }

    /// What is wrong although the server is trusted; nil if nothing is.
    private func problem(_ end: End, _ handshake: Answer.Connection.Handshake?) -> String? {
      if let error = end.outputError {
        return error.isBrokenPipe ? nil : "standard output: \(error)"
      }
      if let error = end.error {
        guard end.response != nil || error.isOfTrustedServer else { return nil }
        let isTooLong = if case .bodyTooLong = error { true } else { false }
        return "\(error)" + (isTooLong ? ": \(GetOptions.size.name) BYTES" : "")
      }
      guard let response = end.response, !response.isSuccess else { return nil }
      return GetRun.text(of: response.status, handshake?.clientCertificate)
    }

    private static let adviceIfAbsent = ": --identity FILE"
    private static let adviceIfWithheld =
      ": that of --identity does not follow a redirect to another origin"

    /// What a status that is no success means, and what may be wrong with the client certificate.
    static func text(
      of status: Int, _ certificate: Answer.Connection.ClientCertificate?
    ) -> String {
      // RFC 9110 §15.5: of a client without a certificate, or with one that is refused, nginx
      // answers 400, others 401 or 403.
      let cause =
        switch [400, 401, 403].contains(status) ? certificate : nil {
        case nil: ""
        case .absent: "; \(TLSAlertText.noCertificateGiven)\(adviceIfAbsent)"
        case .withheld: "; \(TLSAlertText.noCertificateGiven)\(adviceIfWithheld)"
        case .accepted, .unanswered: "; the server may have refused the certificate that was sent"
        }
      return "the server has answered \(status), so nothing is written\(cause)"
    }

    /// The answer about the server that was asked last.
    private func report(_ end: End) throws(UsageError) -> ConnectReport {
      let (target, peer, size) = state.withLock { ($0.target, $0.peer, $0.received) }
      let (known, redirecting, isElsewhere) = state.withLock {
        ($0.verdict, $0.redirecting, $0.isElsewhere)
      }
      let policy = request.policy
      let material = peer.flatMap { peer in state.withLock { $0.material[peer.chain] } }
        .flatMap { $0.reports.isEmpty ? nil : $0 }
      var input = policy.input(target)
      if let material { input = input.with(material) }
      var verdict: Verdict?
      var answer: Answer
      if let response = end.response, let trusted = response.verdict {
        verdict = trusted
        answer = policy.answer(.success(trusted), input, 0, target.host)
        answer.response = Answer.Response(
          status: response.status, version: response.version.rawValue, url: response.url,
          size: response.isSuccess ? size : nil)
      } else if end.error?.isOfTrustedServer == true, let trusted = known {
        verdict = trusted
        answer = policy.answer(.success(trusted), input, 0, target.host)
      } else {
        answer = try self.answer(end.error ?? .other("there is no response"), input)
      }
      if let redirecting, end.response == nil {
        answer.hints.insert("a redirect of \(redirecting) has led to this server", at: 0)
      }
      answer.connection = policy.section(peer, for: target.host, verdict)
      answer.connection?.handshake = end.response?.tls.flatMap { tls in
        let fate: Answer.Connection.ClientCertificate =
          request.options.identity == nil ? .absent : isElsewhere ? .withheld : .accepted
        return Answer.Connection.Handshake(tls, tls.requestsClientCertificate ? fate : nil)
      }
      return ConnectReport(target: target, answer: answer, peer: peer, material: material)
    }

    /// The answer of a request without a response.
    private func answer(
      _ error: HTTPError, _ input: Answer.Input
    ) throws(UsageError) -> Answer {
      switch error {
      case .notTrusted(let error):
        guard let host = input.host else { return Answer(.failure(error), input) }
        return request.policy.answer(.failure(error), input, 0, host)
      case .redirectNotEncrypted:
        return Answer(verdict: .rejected, code: error.code, reason: "\(error)", input: input)
      case .file: throw .badInput(printable("\(error)"))
      default:
        let isMissing = if case .noClientCertificate = error { true } else { false }
        let advice =
          request.options.identity == nil ? GetRun.adviceIfAbsent : GetRun.adviceIfWithheld
        var reason = "\(error)\(isMissing ? advice : "")"
        // libcurl does not say on which side of a proxy something failed.
        if let proxy = request.options.proxy, !TextSearch.contains("\(proxy)", in: reason) {
          reason += ", through the proxy \(proxy)"
        }
        return Answer(verdict: .unreachable, code: error.code, reason: reason, input: input)
      }
    }
  }
#endif
