#if OpenSSL
  internal import Dispatch
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER
  internal import HoldfastIdentities
  internal import HoldfastOpenSSL
  internal import Synchronization

  /// What became of one server.
  struct ConnectReport: Sendable {
    let target: ConnectTarget
    var answer: Answer
    /// The certificates that were sent, as far as they can be read, the leaf first.
    var chain: [Certificate] = []
    /// The stapled OCSP response in DER.
    var staple: [UInt8]?
    /// The data of the server's TLS extension 18.
    var timestamps: [UInt8]?
  }

  /// What a command line asks of each server.
  struct ConnectRequest: Sendable {
    let targets: [ConnectTarget]
    /// What is trusted, with its name.
    let anchors: TrustOption.Anchors
    let validator: PathValidator
    let revocation: RevocationQuestion?
    let time: Timestamp
    let startTLS: StartTLS?
    let options: TLSClient.Options
    /// The pins that count for a target, by its place; empty without pins and without a log list.
    let pins: [PinTable]
    /// Whether there are pins, so that hosts without any are rejected.
    let hasPins: Bool
    let transparency: TransparencyCheck?

    /// Connects to all targets, several at once, and hands over the answers in their order.
    func run(jobs: Int, progress: @Sendable (Int) -> Void) -> [ConnectReport] {
      let next = Atomic(0)
      let answers = Mutex<[Int: ConnectReport]>([:])
      let group = DispatchGroup()
      withoutActuallyEscaping(progress) { progress in
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
      }
      return answers.withLock { answers in targets.indices.compactMap { answers[$0] } }
    }

    /// Where what is known of revocations came from; the stapled response is the last one.
    var sources: RevocationSources {
      var sources = revocation?.sources ?? RevocationSources()
      sources.ocspResponses.append("the stapled response")
      return sources
    }

    private func answer(_ index: Int) -> ConnectReport {
      let target = targets[index]
      let time = time
      let verifier =
        pins.isEmpty
        ? TLSVerifier(validator, clock: { time })
        : TLSVerifier(
          TrustManager(
            pins: pins[index], anchors: validator.anchors, rules: validator.rules,
            revocation: revocation?.revocation, transparency: transparency,
            otherHosts: hasPins ? .reject : .validate), clock: { time })
      var connection: TLSConnection?
      var outcome: TrustOutcome?
      var problem = ""
      do throws(TLSError) {
        let opened = try TLSClient(verifier, options: options).open(
          to: "\(target.host)", port: target.port, address: target.address, startTLS: startTLS)
        connection = opened
        try opened.handshake()
        guard case .accepted(let verdict)? = opened.outcome else { throw .closed }
        outcome = .success(verdict)
      } catch {
        switch error {
        // The answer begins with the host.
        case .noAddress(_, let reason): problem = "no address: \(reason)"
        case .unreachable(_, _, let reason): problem = "cannot connect: \(reason)"
        case .rejected(let rejection): outcome = .failure(rejection.error)
        default: problem = "\(error)"
        }
      }
      defer { connection?.close() }
      let input = Answer.Input(
        trust: anchors.description, remarks: anchors.remarks, address: target.name,
        purpose: .server(target.host), time: time, sources: sources)
      let selection = hasPins ? pins[index].selection(for: target.host, at: time) : nil
      let answer =
        outcome.map { Answer($0, input, pins: selection) }
        ?? Answer(verdict: .unreachable, reason: problem, input: input)
      var report = ConnectReport(target: target, answer: answer)
      var section = Answer.Connection()
      section.sent = connection?.peer?.chain ?? []
      report.chain = section.chain
      report.staple = connection?.peer?.staple
      report.timestamps = connection?.peer?.timestamps
      section.staple = report.staple.map {
        Staple.status($0, of: report.chain, for: target.host, at: time, validator)
      }
      if let connection, let cipher = connection.cipher {
        section.handshake = Answer.Connection.Handshake(
          version: connection.version, cipher: cipher,
          applicationProtocol: connection.applicationProtocol, isResumed: connection.isResumed,
          requestsCertificate: connection.requestsClientCertificate,
          hasCertificate: options.identity != nil)
      }
      var verdict: Verdict?
      if case .success(let trusted)? = outcome { verdict = trusted }
      section.countDays(of: verdict, at: time)
      report.answer.connection = section
      return report
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
      var session = try InputSession(call)
      let anchors = try PathQuestion.readAnchors(call, &session)
      let revocation = try RevocationQuestion.read(call, &session, findsUpki: true)
      let options = try readOptions(call, session.passwords)
      let transparency = try TransparencyQuestion.read(call)
      let hasPins = PinOptions.areGiven(call)
      let pins =
        hasPins || transparency != nil
        ? try PinOptions.tables(call, for: targets.map(\.host)) : []
      return ConnectRequest(
        targets: targets, anchors: anchors,
        validator: PathValidator(
          anchors: anchors.anchors, rules: call[PathQuestion.rules].rules,
          revocation: revocation?.revocation),
        revocation: revocation, time: call[CommonOptions.at] ?? .now, startTLS: startTLS,
        options: options, pins: pins, hasPins: hasPins, transparency: transparency)
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
        guard let target = ConnectTarget(name, defaultPort: port, host: host) else {
          throw .conflict("\(index)\(printable(name)): expected HOST, HOST:PORT or a URL")
        }
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
      return lines.enumerated().compactMap { index, line in
        let name = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).first
        return name.map { (String($0), "\(printable(file)), line \(index + 1): ") }
      }
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
      guard let file = call[ConnectOptions.identity] else { return options }
      let bytes = try Invocation.contents(of: file, limit: IdentityOptions.maximumFileSize)
      let isContainer = bytes.first == DERTag.sequence.rawValue
      let password =
        isContainer
        ? passwords.password(of: file) : passwords.password(of: file, ifNeededFor: [bytes])
      do throws(IdentityError) {
        options.identity =
          isContainer
          ? try Identity(pkcs12: bytes, password: password)
          : try Identity(pem: bytes, password: password)
        return options
      } catch {
        let location = InputLocation(file: file)
        throw .badInput(
          "\(InputProblem(error, at: location, hasPassword: password != nil))")
      }
    }
  }
#endif
