#if OpenSSL
  internal import Dispatch
  internal import Holdfast
  internal import HoldfastAnswers
  internal import HoldfastIdentities
  internal import HoldfastOpenSSL
  internal import Synchronization

  /// What became of one server.
  struct ConnectReport: Sendable {
    let target: ConnectTarget
    var answer: Answer
    /// What the server has presented; nil if the handshake did not come that far.
    var peer: TLSPeer?
    /// What was fetched for its chain; nil if that is nothing.
    var material: FetchedInput?

    /// The certificates that decide, as far as they can be read, the leaf first.
    var chain: [Certificate] { material?.chain ?? answer.connection?.chain ?? [] }
  }

  /// What a command line asks of each server.
  struct ConnectRequest: Sendable {
    let targets: [ConnectTarget]
    let policy: ServerPolicy
    let startTLS: StartTLS?
    let options: TLSClient.Options

    /// Connects to all targets, several at once, and hands over the answers in their order.
    func run(jobs: Int, progress: @escaping @Sendable (Int) -> Void) -> [ConnectReport] {
      // Relaxed: it is read and changed in one step, so one thread alone gets each index; the mutex
      // of the answers orders them.
      let next = Atomic(0)
      let answers = Mutex<[Int: ConnectReport]>([:])
      let group = DispatchGroup()
      for number in 0..<min(jobs, targets.count) {
        DispatchQueue(label: "holdfast.connect.\(number)").async(group: group) {
          while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < targets.count else { return }
            let answer = self.answer(index)
            let count = answers.withLock { answers in
              answers[index] = answer
              return answers.count
            }
            progress(count)
          }
        }
      }
      group.wait()
      return answers.withLock { answers in targets.indices.compactMap { answers[$0] } }
    }

    private func answer(_ index: Int) -> ConnectReport {
      let target = targets[index]
      let verifier = policy.verifier(index)
      var connection: TLSConnection?
      var outcome: TrustOutcome?
      var problem = ""
      var code: String?
      var fate: Answer.Connection.ClientCertificate?
      do throws(TLSError) {
        let opened = try TLSClient(verifier, options: options).open(
          to: "\(target.host)", port: target.port, address: target.address, startTLS: startTLS)
        connection = opened
        try opened.handshake()
        guard case .accepted(let verdict)? = opened.outcome else { throw .closed() }
        fate = try self.fate(on: opened)
        outcome = .success(verdict)
      } catch {
        switch error {
        case .rejected(let rejection): outcome = .failure(rejection.error)
        // The answer begins with the host.
        default: (problem, code) = (error.textBesideHost, error.code)
        }
        if connection?.requestsClientCertificate == true, options.identity == nil {
          fate = .absent
          if case .alert(let alert, _) = error {
            problem = TLSAlertText.missingCertificate(alert) ?? problem
          }
        }
      }
      defer { connection?.close() }
      var input = policy.input(target)
      if let remark = target.noFile(answers: outcome != nil) { input.remarks.append(remark) }
      // If the server has asked for it, that is why there is no answer.
      if code != ErrorCode.unusableIdentity.rawValue, let remark = expiredIdentity {
        input.remarks.append(remark)
      }
      let answer =
        outcome.map { policy.answer($0, input, index, target.host) }
        ?? Answer(verdict: .unreachable, code: code, reason: problem, input: input)
      var report = ConnectReport(target: target, answer: answer, peer: connection?.peer)
      var verdict: Verdict?
      if case .success(let trusted)? = outcome { verdict = trusted }
      var section = policy.section(report.peer, for: target.host, verdict)
      section.endings = endings(index, verdict, report.peer?.staple)
      section.handshake = connection.flatMap { Answer.Connection.Handshake($0.facts, fate) }
      report.answer.connection = section
      report.answer.noteOrder(of: report.chain)
      return policy.fetching(for: report, at: index)
    }

    /// What the decision about a server rests on and that ends, the earliest first.
    private func endings(_ index: Int, _ verdict: Verdict?, _ staple: [UInt8]?) -> [TrustEnding] {
      let own = options.identity.map { [TrustEnding(clientCertificate: $0.leaf)] } ?? []
      let found = policy.manager(index).endings(
        for: targets[index].host, verdict, staple: ServerPolicy.response(staple))
      return (found + own).sorted { $0.end < $1.end }
    }

    /// That the client certificate is not valid now; nil if it is, or there is none.
    private var expiredIdentity: String? {
      guard let leaf = options.identity?.leaf, !leaf.isCurrent(at: policy.time) else { return nil }
      let name = printable(PathText.name(leaf))
      return "the client certificate \(name): \(Validity(leaf, at: policy.time).text)"
    }

    /// What has become of the client certificate that a server has asked for. Throws what the server
    /// has against it: under TLS 1.3 it says so after the handshake.
    private func fate(
      on connection: TLSConnection
    ) throws(TLSError) -> Answer.Connection.ClientCertificate? {
      guard connection.requestsClientCertificate else { return nil }
      guard options.identity != nil else { return .absent }
      let wait = min(options.timeout, .seconds(2))
      return try connection.awaitAnswerToCertificate(for: wait) ? .accepted : .unanswered
    }
  }

  extension Answer.Connection.Handshake {
    /// What was agreed on, and what became of a client certificate; nil if it did not come that far.
    init?(_ facts: TLSFacts, _ fate: Answer.Connection.ClientCertificate?) {
      guard let cipher = facts.cipher else { return nil }
      self.init(
        version: facts.version, cipher: cipher, applicationProtocol: facts.applicationProtocol,
        isResumed: facts.isResumed, requestsCertificate: facts.requestsClientCertificate,
        clientCertificate: fate)
    }
  }

  extension TLSRejection {
    /// What was decided.
    fileprivate var error: TrustError {
      switch reason {
      case .notTrusted(let error): error
      case .invalidPath(let error): .invalidPath(error)
      default: .rejected(reason: "\(self)")
      }
    }
  }

  extension ConnectRequest {
    /// The request of a command line.
    static func read(_ call: Invocation) throws(UsageError) -> ConnectRequest {
      let startTLS = call[ConnectOptions.startTLS].flatMap { StartTLS(rawValue: $0.rawValue) }
      let targets = try readTargets(call, startTLS)
      let policy = try ServerPolicy(call, for: targets.map(\.host))
      return ConnectRequest(
        targets: targets, policy: policy, startTLS: startTLS,
        options: try readOptions(call, policy.passwords))
    }

    private static func readTargets(
      _ call: Invocation, _ startTLS: StartTLS?
    ) throws(UsageError) -> [ConnectTarget] {
      let host = call[ConnectOptions.serverName]
      var names = call.operands.map { (name: $0, index: "") }
      if let file = call[ConnectOptions.hosts] { names += try lines(of: file) }
      guard !names.isEmpty else { throw .conflict("name a HOST, or a file of them with --hosts") }
      let port = startTLS?.port ?? 443
      var targets: [ConnectTarget] = []
      for (name, index) in names {
        guard var target = ConnectTarget(name, defaultPort: port, host: host) else {
          throw .notTarget(name, in: index)
        }
        // A line of --hosts names a host.
        if !index.isEmpty { target.mayBeFile = false }
        targets.append(call[ConnectOptions.target].map(target.reached) ?? target)
      }
      return targets
    }

    /// The first word of each line of a file, without comments, and the line's place for messages.
    private static func lines(
      of file: String
    ) throws(UsageError) -> [(name: String, index: String)] {
      let bytes = try Invocation.contents(of: file, limit: 1 << 20)
      let lines = String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let place = printable(word: file)
      let names = lines.enumerated().compactMap { index, line in
        let name = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).first
        return name.map { (String($0), "\(place), line \(index + 1): ") }
      }
      guard !names.isEmpty else { throw .badInput("\(place): the file names no host") }
      return names
    }

    private static func readOptions(
      _ call: Invocation, _ passwords: PasswordSource
    ) throws(UsageError) -> TLSClient.Options {
      var options = TLSClient.Options()
      switch call[ConnectOptions.version] {
      case .tls12?: options.maximumVersion = .tls12
      case .tls13?: options.minimumVersion = .tls13
      case nil: break
      }
      if let names = call[ConnectOptions.alpn] {
        options.applicationProtocols = names.split(separator: ",").map(String.init)
      }
      if let seconds = call[ConnectOptions.timeout] { options.timeout = .seconds(seconds) }
      options.identity = try readIdentity(call, passwords)
      return options
    }

    /// That a certificate and its key are not two files.
    static let oneFile =
      "; \(ConnectOptions.identity.name) takes one file with both: cat CERTIFICATE KEY > FILE"

    /// The client certificate of a command line; nil if it names none.
    static func readIdentity(
      _ call: Invocation, _ passwords: PasswordSource
    ) throws(UsageError) -> Identity? {
      guard let file = call[ConnectOptions.identity] else { return nil }
      var bytes = try Invocation.contents(of: file, limit: IdentityOptions.maximumFileSize)
      defer { SecretBytes.overwrite(&bytes) }
      let isContainer = bytes.first == DERTag.sequence.rawValue
      let password =
        isContainer
        ? passwords.password(of: file) : passwords.password(of: file, ifNeededFor: [bytes])
      do throws(IdentityError) {
        return isContainer
          ? try Identity(pkcs12: bytes, password: password)
          : try Identity(pem: bytes, password: password)
      } catch {
        let problem = InputProblem(error, at: InputLocation(file: file))
        var advice = ""
        if case .noIdentity(.noKey) = error.problem { advice = Self.oneFile }
        if case .noIdentity(.noCertificate) = error.problem { advice = Self.oneFile }
        throw .badInput("\(problem)\(advice)")
      }
    }
  }
#endif
