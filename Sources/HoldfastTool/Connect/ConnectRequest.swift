#if OpenSSL
  internal import Dispatch
  internal import Holdfast
  internal import HoldfastDER
  internal import HoldfastIdentities
  internal import HoldfastOpenSSL
  internal import Synchronization

  /// What a command line asks of each server.
  struct ConnectRequest: Sendable {
    let targets: [ConnectTarget]
    let validator: PathValidator
    let revocation: RevocationQuestion?
    let time: Timestamp
    let startTLS: StartTLS?
    let options: TLSClient.Options
    /// The pins that count for a target, by its place; empty without pins.
    let pins: [PinTable]

    /// Connects to all targets, several at once, and hands over the answers in their order.
    func run(jobs: Int, progress: @Sendable (Int) -> Void) -> [ConnectOutcome] {
      let next = Atomic(0)
      let answers = Mutex<[Int: ConnectOutcome]>([:])
      let group = DispatchGroup()
      withoutActuallyEscaping(progress) { progress in
        for number in 0..<min(jobs, targets.count) {
          DispatchQueue(label: "holdfast.connect.\(number)").async(group: group) {
            while true {
              let place = next.add(1, ordering: .relaxed).oldValue
              guard place < targets.count else { return }
              let answer = self.answer(place)
              let count = answers.withLock { answers in
                answers[place] = answer
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

    private func answer(_ place: Int) -> ConnectOutcome {
      let target = targets[place]
      let time = time
      let verifier =
        pins.isEmpty
        ? TLSVerifier(validator, clock: { time })
        : TLSVerifier(
          TrustManager(
            pins: pins[place], anchors: validator.anchors, rules: validator.rules,
            revocation: revocation?.revocation), clock: { time })
      var connection: TLSConnection?
      let answer: ConnectOutcome.Answer
      do throws(TLSError) {
        let opened = try TLSClient(verifier, options: options).open(
          to: "\(target.host)", port: target.port, address: target.address, startTLS: startTLS)
        connection = opened
        try opened.handshake()
        guard case .accepted(let verdict)? = opened.outcome else { throw .closed }
        answer = .trusted(verdict)
      } catch {
        answer = ConnectOutcome.Answer(error)
      }
      defer { connection?.close() }
      var outcome = ConnectOutcome(target, answer)
      outcome.chain = connection?.peer?.chain ?? []
      outcome.staple = connection?.peer?.staple
      if let connection, let cipher = connection.cipher {
        outcome.handshake = ConnectOutcome.Handshake(
          version: connection.version, cipher: cipher,
          applicationProtocol: connection.applicationProtocol, isResumed: connection.isResumed)
      }
      return outcome
    }
  }

  extension ConnectOutcome.Answer {
    /// What an error of the connection comes to.
    fileprivate init(_ error: TLSError) {
      // The report begins with the host.
      self =
        switch error {
        case .noAddress(_, let reason): .unreachable("no address: \(reason)")
        case .unreachable(_, _, let reason): .unreachable("cannot connect: \(reason)")
        case .refused(let refusal) where refusal.isUnreadable: .unreadable("\(error)")
        case .refused(let refusal): .rejected(rule: refusal.ruleName, "\(error)")
        default: .unreachable("\(error)")
        }
    }
  }

  extension TLSRefusal {
    /// The broken rule, or what is wrong with the pins.
    fileprivate var ruleName: String? {
      if let rule { return rule.name }
      if isLimitReached { return "limit" }
      guard case .notTrusted(let error) = reason else { return nil }
      switch error {
      case .pinMismatch: return "pinMismatch"
      case .pinsExpired: return "pinsExpired"
      case .unknownHost: return "unknownHost"
      default: return nil
      }
    }
  }

  extension ConnectRequest {
    /// The request of a command line.
    static func read(
      _ arguments: Arguments, _ console: inout Console
    ) throws(UsageError) -> ConnectRequest {
      let startTLS = arguments[ConnectOptions.startTLS].flatMap { StartTLS(rawValue: $0.rawValue) }
      let targets = try readTargets(arguments, startTLS)
      var unreadable: [InputProblem] = []
      let anchors = try PathQuestion.readAnchors(arguments, &unreadable, &console)
      let revocation = try RevocationQuestion.read(arguments, &unreadable, &console)
      let options = try readOptions(arguments, console)
      var pins: [PinTable] = []
      if PinOptions.areGiven(arguments) {
        for target in targets { pins.append(try PinOptions.table(arguments, for: target.host)) }
      }
      return ConnectRequest(
        targets: targets,
        validator: PathValidator(
          anchors: anchors, rules: arguments[PathQuestion.rules].rules,
          revocation: revocation?.revocation),
        revocation: revocation, time: arguments[CommonOptions.at] ?? .now, startTLS: startTLS,
        options: options, pins: pins)
    }

    private static func readTargets(
      _ arguments: Arguments, _ startTLS: StartTLS?
    ) throws(UsageError) -> [ConnectTarget] {
      let host = arguments[ConnectOptions.serverName]
      var names = arguments.operands
      if let file = arguments[ConnectOptions.hosts] { names += try lines(of: file) }
      guard !names.isEmpty else { throw .conflict("name a HOST, or a file of them with --hosts") }
      let port = startTLS?.port ?? 443
      var targets: [ConnectTarget] = []
      for name in names {
        guard let target = ConnectTarget(name, defaultPort: port, host: host) else {
          throw .conflict("\(printable(name)): expected HOST or HOST:PORT")
        }
        targets.append(target)
      }
      return targets
    }

    private static func lines(of file: String) throws(UsageError) -> [String] {
      do throws(Platform.FileError) {
        let text = String(decoding: try Platform.readFile(file, limit: 1 << 20), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).compactMap { line in
          let name = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).first
          return name.map(String.init)
        }
      } catch {
        throw .badInput("\(printable(file)): \(error.message)")
      }
    }

    private static func readOptions(
      _ arguments: Arguments, _ console: Console
    ) throws(UsageError) -> TLSClient.Options {
      var options = TLSClient.Options()
      switch arguments[ConnectOptions.version] {
      case .tls12?: options.maximumVersion = .tls12
      case .tls13?: options.minimumVersion = .tls13
      case nil: break
      }
      if let names = arguments[ConnectOptions.alpn] {
        options.applicationProtocols = names.split(separator: ",").map(String.init)
      }
      if let seconds = arguments[ConnectOptions.timeout] { options.timeout = .seconds(seconds) }
      guard let file = arguments[ConnectOptions.identity] else { return options }
      let passwords = try PasswordSource(arguments, console)
      let bytes: [UInt8]
      do throws(Platform.FileError) {
        bytes = try Platform.readFile(file, limit: IdentityOptions.largestFile)
      } catch {
        throw .badInput("\(printable(file)): \(error.message)")
      }
      do throws(IdentityError) {
        options.identity =
          bytes.first == DERTag.sequence.rawValue
          ? try Identity(pkcs12: bytes, password: passwords.password(of: file))
          : try identity(pem: bytes, file, passwords)
        return options
      } catch {
        throw .badInput("\(printable(file)): \(printable("\(error)"))")
      }
    }

    /// The identity of a PEM text, whose password is asked only if its key is encrypted.
    private static func identity(
      pem: [UInt8], _ file: String, _ passwords: PasswordSource
    ) throws(IdentityError) -> Identity {
      let isEncrypted = String(decoding: pem, as: UTF8.self).split { !$0.isLetter }
        .contains("ENCRYPTED")
      return try Identity(pem: pem, password: isEncrypted ? passwords.password(of: file) : nil)
    }
  }
#endif
