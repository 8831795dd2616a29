#if Curl
  internal import Holdfast
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
      if !call.console.isCaptured { System.noteInterrupt() }
      guard let end = run.start(shows: shows) else { return .interrupted }
      return try run.report(end, call)
    }
  }

  /// One request of `get`, and how far it is.
  final class GetRun: Sendable {
    let request: GetRequest
    private let state: Mutex<State>

    private struct State: Sendable {
      /// The bytes that have come, and how many there are.
      var received = 0
      var total: Int?
      /// The server whose answer is awaited, and what it has presented.
      var target: ConnectTarget
      var peer: TLSPeer?
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
          line.show(
            GetRun.line(received: received, of: total, after: ContinuousClock.now - begin))
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
        state.withLock { $0.target = request.target }
        end = await perform(client)
      }
      return end
    }

    /// Decides about a server; with `--fetch` only when what its chain lacks was fetched. If that is
    /// nothing, it is asked again all the same: below TLS 1.3 its staple has not come yet.
    private func evaluate(_ peer: TLSPeer) throws -> Verdict {
      let material = state.withLock { state in
        state.peer = peer
        return state.material[peer.chain]
      }
      let policy = request.policy
      if let material, !material.reports.isEmpty {
        return try policy.verdict(on: material, 0, peer)
      }
      let outcome = Result { () throws(TrustError) in
        try policy.manager(0).evaluate(
          der: peer.chain, host: peer.host ?? "", staple: peer.staple,
          timestamps: peer.timestamps, at: peer.time)
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
        self.state.withLock { state in
          if let target = ConnectTarget(next) { (state.target, state.peer) = (target, nil) }
        }
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

    /// `[#####     ] 50 %  12.5 MB, 3.2 MB/s, 4 s left`.
    static func line(received: Int, of size: Int?, after duration: Duration) -> String {
      let seconds = max(duration / .seconds(1), 0.001)
      return ProgressLine.bar(done: received, of: size)
        + "\(megabytes(Double(received))) MB, \(megabytes(Double(received) / seconds)) MB/s"
        + ProgressLine.rest(after: seconds, done: received, of: size)
    }

    /// A number of bytes in millions, with one decimal.
    private static func megabytes(_ bytes: Double) -> String {
      let tenths = Int((bytes / 100_000).rounded())
      return "\(tenths / 10).\(tenths % 10)"
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
      guard let response = end.response else { return nil }
      if let error = end.error { return "\(error)" }
      guard !response.isSuccess else { return nil }
      return GetRun.text(of: response.status, handshake?.clientCertificate)
    }

    /// What a status that is no success means, and what may be wrong with the client certificate.
    static func text(
      of status: Int, _ certificate: Answer.Connection.ClientCertificate?
    ) -> String {
      // RFC 9110 §15.5: of a client without a certificate, or with one that is refused, nginx
      // answers 400, others 401 or 403.
      let cause =
        switch [400, 401, 403].contains(status) ? certificate : nil {
        case nil: ""
        case .absent: "; \(TLSAlertText.noCertificateGiven): --identity FILE"
        case .accepted, .unanswered: "; the server may have refused the certificate that was sent"
        }
      return "the server has answered \(status), so nothing is written\(cause)"
    }

    /// The answer about the server that was asked last.
    private func report(_ end: End) throws(UsageError) -> ConnectReport {
      let (target, peer, size) = state.withLock { ($0.target, $0.peer, $0.received) }
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
      } else {
        answer = try self.answer(end.error ?? .other("there is no response"), input)
      }
      answer.connection = policy.section(peer, for: target.host, verdict)
      answer.connection?.handshake = end.response?.tls.flatMap { tls in
        let hasIdentity = request.options.identityForHost?("\(target.host)") != nil
        let fate: Answer.Connection.ClientCertificate = hasIdentity ? .accepted : .absent
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
        return Answer(verdict: .rejected, reason: "\(error)", input: input)
      case .file: throw .badInput(printable("\(error)"))
      default:
        let isMissing = if case .noClientCertificate = error { true } else { false }
        let advice = isMissing ? ": --identity FILE" : ""
        var reason = "\(error)\(advice)"
        // libcurl does not say on which side of a proxy something failed.
        if let proxy = request.options.proxy, !reason.contains("\(proxy)") {
          reason += ", through the proxy \(proxy)"
        }
        return Answer(verdict: .unreachable, reason: reason, input: input)
      }
    }
  }
#endif
