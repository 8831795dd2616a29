internal import HoldfastJSON
internal import HoldfastSystem

#if OpenSSL
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER
  internal import HoldfastHashes
  internal import HoldfastOpenSSL

  extension Command {
    static func connect(
      _ arguments: Arguments, _ console: inout Console
    ) throws(UsageError) -> ExitStatus {
      let style = TextStyle(arguments, console)
      let jobs = arguments[ConnectOptions.jobs] ?? 16
      let request = try ConnectRequest.read(arguments, &console)
      let (chainFile, page) = (arguments[ConnectOptions.chainFile], arguments[ExplanationPage.file])
      if request.targets.count > 1, chainFile != nil || page != nil {
        throw .conflict("--save-chain and --html are for one host")
      }
      let (count, showsProgress) = (request.targets.count, console.showsProgress && jobs > 1)
      let answers = request.run(jobs: jobs) { done in
        guard showsProgress, count > 1 else { return }
        do throws(System.SystemError) {
          try System.write(Array("\r\(done) of \(count)\(done == count ? "\n" : "")".utf8), to: 2)
        } catch {}
      }
      var statuses: Set<ExitStatus> = []
      for (place, answer) in answers.enumerated() {
        let report = ConnectReport(answer, request, pins: request.pins.isEmpty ? nil : place)
        statuses.insert(report.status)
        if let chainFile, let peer = answer.peer {
          let text = peer.chain.map { PEMBlock.text(label: "CERTIFICATE", bytes: $0) }.joined()
          try FileWriter(replaces: arguments[CommonOptions.force])
            .write(Array(text.utf8), to: chainFile, &console)
        }
        if arguments[CommonOptions.json] {
          console.write(report.json.line + [0x0A])
        } else if count > 1 {
          console.write(report.row(style))
        } else {
          console.write(report.text(style))
        }
        guard count == 1, let explanation = try report.explanation(arguments) else {
          continue
        }
        try explanation.show(arguments, page: page, style, &console)
      }
      return statuses.contains(.rejected)
        ? .rejected : statuses.contains(.notUnderstood) ? .notUnderstood : .success
    }
  }

  /// What `connect` says of one server.
  struct ConnectReport {
    private let answer: ConnectRequest.Answer
    private let request: ConnectRequest
    /// The certificates that were sent, as far as they can be read, the leaf first.
    private let chain: [Certificate]

    init(_ answer: ConnectRequest.Answer, _ request: ConnectRequest, pins: Int?) {
      self.answer = answer
      self.request = request
      var chain: [Certificate] = []
      for (index, der) in (answer.peer?.chain ?? []).enumerated() {
        do throws(ParseError) {
          chain.append(try Certificate(der: der))
        } catch {
          // Of a leaf that cannot be read nothing is known; what else cannot be read is on no path.
          if index == 0 { break }
        }
      }
      self.chain = chain
    }

    /// The word for programs.
    private var verdict: String {
      switch answer.result {
      case .success: "trusted"
      case .failure(.refused(let refusal)): refusal.isUnreadable ? "unreadable" : "rejected"
      case .failure: "unreachable"
      }
    }

    /// What this server comes to.
    var status: ExitStatus {
      switch verdict {
      case "trusted": .success
      case "rejected": .rejected
      default: .notUnderstood
      }
    }

    /// Why, in words.
    private var reason: String {
      switch answer.result {
      case .success(let verdict): "\(verdict)"
      case .failure(let error): "\(error)"
      }
    }

    /// The broken rule, or what is wrong with the pins.
    private var rule: String? {
      guard case .failure(.refused(let refusal)) = answer.result else { return nil }
      if let rule = refusal.rule { return rule.name }
      if refusal.isLimitReached { return "limit" }
      guard case .notTrusted(let error) = refusal.reason else { return nil }
      switch error {
      case .pinMismatch: return "pinMismatch"
      case .pinsExpired: return "pinsExpired"
      case .unknownHost: return "unknownHost"
      default: return nil
      }
    }

    /// How many days the verdict will hold, or the leaf is valid; negative if it has expired.
    private var daysLeft: Int? {
      var end = chain.first?.notAfter
      if case .success(let verdict) = answer.result {
        // Where revocation is checked a verdict is one for the moment.
        let last = verdict.validity.upperBound
        end =
          request.time < last ? last : verdict.certificates.map(\.notAfter).min()
      }
      guard let end else { return nil }
      let seconds = end.seconds(since: request.time)
      return Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
    }

    /// What the stapled response says of the leaf.
    private var staple: String {
      guard let peer = answer.peer, let der = peer.staple else { return "none" }
      do throws(ParseError) {
        let basic = try OCSPResponse(der: der).basic
        let single = basic?.responses.first {
          $0.certificateID.serialNumber == chain.first?.serialNumber
        }
        switch single?.status {
        case .good: return "good"
        case .revoked: return "revoked"
        case .unknown, nil: return "unknown"
        }
      } catch {
        return "unknown"
      }
    }

    /// The document for programs.
    var json: JSONValue {
      func hashes(_ certificates: [[UInt8]]) -> JSONValue {
        .strings(certificates.map { Hexadecimal.text(of: HashAlgorithm.sha256.hash($0).array) })
      }
      var path: [[UInt8]] = []
      if case .success(let verdict) = answer.result {
        path = verdict.path?.certificates.map(\.der) ?? []
      }
      let tls: JSONValue =
        answer.version == nil
        ? .null
        : .object([
          "version": .optional(answer.version), "cipher": .optional(answer.cipher),
          "alpn": .optional(answer.applicationProtocol), "resumed": .bool(answer.isResumed),
        ])
      return .object([
        "host": .string(answer.target.name), "verdict": .string(verdict), "rule": .optional(rule),
        "path": hashes(path), "presented": hashes(answer.peer?.chain ?? []), "tls": tls,
        "staple": .string(staple), "daysLeft": .optional(daysLeft),
        "explanation": .string(reason),
      ])
    }

    /// One line, for many hosts.
    func row(_ style: TextStyle) -> String {
      let name = Command.padded(printable(answer.target.name), to: 32)
      let days = daysLeft.map { "\($0) days left" } ?? ""
      switch verdict {
      case "trusted":
        return "\(name)\(style.good("✓ trusted"))  \(days), \(answer.version ?? "")\n"
      case "rejected":
        return "\(name)\(style.bad("✗ rejected"))  \(rule.map { "\($0): " } ?? "")\(firstLine)\n"
      default: return "\(name)\(style.bad("✗ \(verdict)"))  \(firstLine)\n"
      }
    }

    private var firstLine: String {
      printable(reason.split(separator: "\n").first.map(String.init) ?? "")
    }

    /// The facts of the handshake, and the verdict where no explanation follows.
    func text(_ style: TextStyle) -> String {
      var text = "\(printable(answer.target.name))"
      if let version = answer.version {
        text += ": \(version), \(answer.cipher ?? "")"
        if let name = answer.applicationProtocol { text += ", \(printable(name))" }
      }
      text += "\n"
      if let peer = answer.peer {
        text += "  sent \(peer.chain.count) certificates, stapled response: \(staple)\n"
        for (index, certificate) in chain.enumerated() {
          let validity = Validity(certificate, at: request.time).text
          text += "  \(index): \(PathText.name(certificate)), \(validity)\n"
        }
      }
      if chain.isEmpty || answer.isUnexplained {
        text += "\(style.bad("✗ \(verdict):")) \(firstLine)\n"
      }
      if case .success = answer.result, let daysLeft { text += "  \(daysLeft) days left\n" }
      return text
    }

    /// The same question as `explain` answers, of what the server has sent; nil if nothing can be read.
    func explanation(
      _ arguments: Arguments
    ) throws(UsageError) -> ConnectExplanation? {
      guard !chain.isEmpty, !answer.isUnexplained else { return nil }
      var known = request.revocation
      if let der = answer.peer?.staple {
        do throws(ParseError) {
          let response = try OCSPResponse(der: der)
          var revocation = known?.revocation ?? Revocation(answers: [OCSPResponse]())
          revocation.answers.append(OCSPAnswer(response))
          known = RevocationQuestion(
            revocation: revocation,
            sources: (known?.sources ?? [])
              + ["OCSP response \(revocation.answers.count - 1) is stapled"])
        } catch {}
      }
      let question = PathQuestion(
        chain: chain, purpose: .server(answer.target.host),
        time: request.time,
        validator: PathValidator(
          anchors: request.validator.anchors, rules: request.validator.rules,
          revocation: known?.revocation), revocation: known, unreadable: [])
      return ConnectExplanation(
        question: question, pinned: try PinnedQuestion(question, arguments))
    }
  }

  /// What `explain` says of a chain, here of one that a server has sent.
  struct ConnectExplanation {
    let question: PathQuestion
    let pinned: PinnedQuestion?

    func show(
      _ arguments: Arguments, page: String?, _ style: TextStyle, _ console: inout Console
    ) throws(UsageError) {
      let diagnosis = question.validator.diagnose(
        question.chain, for: question.purpose, at: question.time)
      if let page {
        let text = ExplanationPage(question: question, diagnosis: diagnosis, pinned: pinned).text
        try FileWriter(replaces: arguments[CommonOptions.force])
          .write(Array(text.utf8), to: page, &console)
      }
      guard !arguments[CommonOptions.json] else { return }
      let holdsPins = pinned.map { $0.status == .success }
      console.write(
        ExplanationText(style: style).text(of: diagnosis, holdsPins: holdsPins))
      console.write(question.sourcesText)
      if let pinned { _ = pinned.explain(diagnosis, isJSON: false, &console) }
    }
  }

  extension ConnectRequest.Answer {
    /// Whether the connection failed for another reason than the certificates.
    fileprivate var isUnexplained: Bool {
      switch result {
      case .success, .failure(.refused): false
      case .failure: true
      }
    }
  }
#endif
