internal import Holdfast
internal import HoldfastConfigurations

extension Command {
  /// Answers for each host.
  static func simulate(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ call: Invocation
  ) throws(UsageError) -> ExitStatus {
    let files = call.operands.dropFirst() + call[PinsOptions.chains]
    guard !chains.isEmpty else { throw .missingOption("--chain", "FILE") }
    let start = call[PinsOptions.from] ?? .now
    let end = call[PinsOptions.to] ?? defaultEnd(of: chains, from: start)
    guard start < end else { throw .conflict("--from must be before --to") }
    var session = try InputSession(call)
    let anchors = try PathQuestion.readAnchors(call, &session).anchors
    let hosts = call[PinsOptions.host].map { [$0] } ?? names(in: chains)
    guard !hosts.isEmpty else {
      throw .conflict("no certificate of --chain has a name that is a host: name a --host")
    }
    let manager = TrustManager(configuration: configuration, anchors: anchors)
    let answers = hosts.map { host in
      var input = Answer.Input(files: Array(files), purpose: .server(host), time: start)
      // What is shown is what Holdfast does.
      input.remarks = remarks(of: configuration, about: host, at: start)
      return Answer(
        PinForecast(manager, host: host, chains: chains, from: start, to: end), until: end, input)
    }
    for answer in answers { answer.write(call) }
    return .worst(answers.map(\.status))
  }

  /// Where the system whose configuration it is does something else with a host than Holdfast.
  private static func remarks(
    of configuration: PinConfiguration, about host: HostName, at time: Timestamp
  ) -> [String] {
    guard case .pinned(let pattern, _) = configuration.table.selection(for: host, at: time) else {
      return []
    }
    let others = configuration.table.entries.map { "\($0.pattern.host)" }
      .filter { $0 != "\(pattern.host)" }
    return configuration.remarks.filter { !others.contains($0.subject) }.map { printable("\($0)") }
  }

  /// Two years on, or when the last of the servers' certificates expires if that is earlier: what
  /// is shown after it is not among the chains, and is no lockout by pins.
  private static func defaultEnd(of chains: [[Certificate]], from start: Timestamp) -> Timestamp {
    let years = start.advanced(bySeconds: 2 * 365 * 86_400)
    let last = chains.compactMap(\.first?.notAfter).max() ?? years
    return last > start ? min(last, years) : years
  }

  /// The hosts that the servers' certificates name, pinned or not.
  private static func names(in chains: [[Certificate]]) -> [HostName] {
    var hosts: [HostName] = []
    for leaf in chains.compactMap(\.first) {
      for name in leaf.extensions.subjectAlternativeNames.prefix(100) {
        guard let host = host(of: name), !hosts.contains(host) else { continue }
        hosts.append(host)
      }
    }
    return hosts
  }

  /// The host that a name is for; nil for a wildcard, which is no host of its own.
  private static func host(of name: GeneralName) -> HostName? {
    do throws(HostNameError) {
      switch name {
      case .dns(let text): return try HostName("\(text)")
      case .ip(let address): return HostName(address)
      default: return nil
      }
    } catch {
      return nil
    }
  }
}

extension Answer {
  /// The answer of a forecast: rejected if clients are locked out at some time.
  fileprivate init(_ forecast: PinForecast, until end: Timestamp, _ input: Input) {
    let shown = forecast.rejectedChains.min { $0.start < $1.start }
    let unknown = forecast.rejectedChains.first(where: \.isRootUnknown)
    let lockout: String?
    if let unknown {
      lockout = "\(forecast.name(of: unknown))\(unknown.message)"
    } else if let start = forecast.lockout, shown.map({ start <= $0.start }) ?? true {
      let duration = forecast.lockoutEnd.map { "until \($0)" } ?? "on"
      let cause = forecast.periods.first { $0.state == .rejected }.map { ": \($0.message)" }
      lockout = "every client is locked out from \(start) \(duration)\(cause ?? "")"
    } else {
      lockout = shown.map {
        "clients are locked out from \($0.start) by a server that shows "
          + "\(forecast.name(of: $0))\($0.message)"
      }
    }
    self.init(
      verdict: lockout == nil ? .trusted : .rejected, rule: lockout.map { _ in "lockout" },
      reason: "\(forecast.host): \(lockout ?? "no client is locked out until \(end)")",
      hints: unknown == nil ? [] : ["--anchors with the file of the root that clients trust"],
      input: input)
    self.forecast = forecast
  }
}

extension PinForecast {
  /// The chain, by the number that the messages of periods have; nothing if there is only one.
  fileprivate func name(of chain: RejectedChain) -> String {
    chainCount > 1 ? "chain \(chain.index + 1): " : ""
  }

  /// The periods, the chains that lock clients out, and what replacing each key does.
  var lines: [Line] {
    // Of several chains a period has the one that fares best, so each also counts alone.
    let alone = chainCount > 1 ? rejectedChains : []
    var lines: [Line] = alone.isEmpty ? [] : ["  while the server shows the best of the chains:"]
    lines += periods.map { period in
      let mark: Line =
        switch period.state {
        case .accepted: .good("✓")
        case .unpinned: "!"
        case .rejected: .bad("✗")
        }
      return "  from \(period.start)  " + mark + " \(period.message)"
    }
    if !alone.isEmpty { lines.append("  if it shows one of them alone:") }
    lines += alone.map { chain in
      "  from \(chain.start)  " + Line.bad("✗") + " \(name(of: chain))\(chain.message)"
    }
    return lines
      + replacements.map { replacement in
        "  when the key of the \(replacement.scope) \(replacement.name) is replaced: "
          + (replacement.isSurvived ? "still accepted" : "locked out, unless the new key is pinned")
      }
  }
}
