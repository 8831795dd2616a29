#if OpenSSL
  internal import Dispatch
  internal import Holdfast
  internal import HoldfastDER
  internal import HoldfastIdentities
  internal import HoldfastOpenSSL
  internal import Synchronization

  /// A server to connect to.
  struct ConnectTarget: Sendable {
    /// Where to connect.
    let address: String
    let port: UInt16
    /// The host that the certificate must be for.
    let host: HostName

    /// `address:port`, as the user writes it.
    var name: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

    /// - Parameter text: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or an IPv6 address.
    init?(_ text: String, defaultPort: UInt16, host: HostName?) {
      let bytes = Array(text.utf8)
      var address = text
      var port = defaultPort
      let colons = bytes.count { $0 == UInt8(ascii: ":") }
      if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
        address = String(decoding: bytes[1..<end], as: UTF8.self)
        let rest = String(decoding: bytes[(end + 1)...], as: UTF8.self)
        if !rest.isEmpty {
          guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()) else { return nil }
          port = number
        }
      } else if colons == 1, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
        address = String(decoding: bytes[..<colon], as: UTF8.self)
        guard let number = UInt16(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) else {
          return nil
        }
        port = number
      }
      guard port > 0 else { return nil }
      if let host {
        self.host = host
      } else {
        do throws(HostNameError) {
          self.host = try HostName(address)
        } catch {
          return nil
        }
      }
      self.address = address
      self.port = port
    }
  }

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

    /// What became of one server.
    struct Answer: Sendable {
      let target: ConnectTarget
      let result: Result<Verdict, TLSError>
      /// What the server has sent, if it came that far.
      let peer: TLSPeer?
      let version: String?
      let cipher: String?
      let applicationProtocol: String?
      let isResumed: Bool
    }

    /// Connects to all targets, several at once, and hands over the answers in their order.
    func run(jobs: Int, progress: @Sendable (Int) -> Void) -> [Answer] {
      let next = Atomic(0)
      let answers = Mutex<[Int: Answer]>([:])
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

    private func answer(_ place: Int) -> Answer {
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
      let result: Result<Verdict, TLSError>
      do throws(TLSError) {
        let opened = try TLSClient(verifier, options: options).open(
          to: "\(target.host)", port: target.port, address: target.address, startTLS: startTLS)
        connection = opened
        try opened.handshake()
        guard case .accepted(let verdict)? = opened.outcome else { throw .closed }
        result = .success(verdict)
      } catch {
        result = .failure(error)
      }
      defer { connection?.close() }
      return Answer(
        target: target, result: result, peer: connection?.peer,
        version: connection?.cipher == nil ? nil : connection?.version,
        cipher: connection?.cipher, applicationProtocol: connection?.applicationProtocol,
        isResumed: connection?.isResumed ?? false)
    }
  }

  extension ConnectRequest {
    /// The request of a command line; nil after reporting the error.
    static func read(
      _ arguments: Arguments, _ console: inout Console
    ) throws(UsageError) -> ConnectRequest? {
      let startTLS = try arguments.value("--starttls").map { name throws(UsageError) in
        guard let kind = StartTLS(rawValue: name) else {
          throw UsageError.badValue(
            option: "--starttls", value: name, expected: "smtp, imap, pop3 or postgres")
        }
        return kind
      }
      let time = try arguments.time()
      let rules = try PathQuestion.readRules(arguments)
      let targets = try readTargets(arguments, startTLS)
      var unreadable: [InputProblem] = []
      guard let anchors = try PathQuestion.readAnchors(arguments, &unreadable, &console) else {
        return nil
      }
      let revocation = try RevocationQuestion.read(arguments, &unreadable, &console)
      guard revocation.isUnderstood else { return nil }
      guard let options = try readOptions(arguments, &console) else { return nil }
      var pins: [PinTable] = []
      if PinOptions.areGiven(arguments) {
        for target in targets {
          guard let table = try PinOptions.table(arguments, for: target.host, &console) else {
            return nil
          }
          pins.append(table)
        }
      }
      return ConnectRequest(
        targets: targets,
        validator: PathValidator(
          anchors: anchors, rules: rules, revocation: revocation.question?.revocation),
        revocation: revocation.question, time: time, startTLS: startTLS, options: options,
        pins: pins)
    }

    private static func readTargets(
      _ arguments: Arguments, _ startTLS: StartTLS?
    ) throws(UsageError) -> [ConnectTarget] {
      var host: HostName?
      if let name = try arguments.value("--servername") {
        do throws(HostNameError) {
          host = try HostName(name)
        } catch {
          throw .badValue(option: "--servername", value: name, expected: "a host: \(error)")
        }
      }
      var names = arguments.operands
      if let file = try arguments.value("--hosts") { names += try lines(of: file) }
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
        throw .conflict("--hosts \(printable(file)): \(error.message)")
      }
    }

    private static func readOptions(
      _ arguments: Arguments, _ console: inout Console
    ) throws(UsageError) -> TLSClient.Options? {
      var options = TLSClient.Options()
      switch try arguments.value("--tls") {
      case nil: break
      case "1.2": options.maximumVersion = .tls12
      case "1.3": options.minimumVersion = .tls13
      case let other?: throw .badValue(option: "--tls", value: other, expected: "1.2 or 1.3")
      }
      if let names = try arguments.value("--alpn") {
        options.applicationProtocols = names.split(separator: ",").map(String.init)
      }
      if let seconds = try arguments.count("--timeout") {
        guard 1...3600 ~= seconds else {
          throw .badValue(
            option: "--timeout", value: "\(seconds)", expected: "a number from 1 to 3600")
        }
        options.timeout = .seconds(seconds)
      }
      guard let file = try arguments.value("--identity") else { return options }
      let passwords = try PasswordSource(arguments, console)
      do throws(Platform.FileError) {
        let bytes = try Platform.readFile(file, limit: IdentityOptions.largestFile)
        do throws(IdentityError) {
          options.identity =
            bytes.first == DERTag.sequence.rawValue
            ? try Identity(pkcs12: bytes, password: passwords.password(of: file))
            : try identity(pem: bytes, file, passwords)
          return options
        } catch {
          console.message("holdfast: \(printable(file)): \(printable("\(error)"))\n")
        }
      } catch {
        console.message("holdfast: \(printable(file)): \(error.message)\n")
      }
      return nil
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
