internal import Holdfast
internal import HoldfastAnswers
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
    let table = configuration.table
    let asked = call[PinsOptions.host]
    let hosts = asked.map { [$0] } ?? hosts(of: chains, and: table)
    guard !hosts.isEmpty else {
      throw .conflict("no certificate of --chain has a name that is a host: name a --host")
    }
    let manager = TrustManager(configuration: configuration, anchors: anchors)
    let coverage = PinCoverage(of: table, by: chains, hosts, at: start)
    // Who names a host may name one that is excluded, and does not ask about the others.
    let isExcluded = asked.map { coverage.isExcluded($0) } ?? false
    let isCompared = coverage.isCompared || isExcluded
    let answers = hosts.map { host in
      var input = Answer.Input(
        files: Array(files), purpose: .server(host), time: start, words: Answer.options)
      // What is shown is what Holdfast does.
      input.remarks = remarks(of: configuration, about: host, at: start)
      var forecast = PinForecast(manager, host: host, chains: chains, from: start, to: end)
      if asked == nil || !isCompared { forecast.unchecked += coverage.missedPins }
      if isCompared && !isExcluded { forecast.unchecked += coverage.missedChains }
      let answer = Answer(forecast, until: end, input)
      return isCompared || !answer.isTrusted
        ? answer : Answer(withoutPins: forecast, those: coverage.missedHosts, input)
    }
    for answer in answers { answer.write(call) }
    return .worst(answers.map { $0.status })
  }

  /// Where the system whose configuration it is does something else with a host than Holdfast.
  private static func remarks(
    of configuration: PinConfiguration, about host: HostName, at time: Timestamp
  ) -> [String] {
    guard case .pinned(let pattern, _) = configuration.table.selection(for: host, at: time) else {
      return []
    }
    var others = Set(configuration.table.entries.map { "\($0.pattern.host)" })
    others.remove("\(pattern.host)")
    return configuration.remarks.filter {
      !others.contains($0.subject) && !configuration.isAboutOtherHosts($0)
    }.map { printable("\($0)") }
  }

  /// Two years on, or when the last of the servers' certificates expires if that is earlier: what
  /// is shown after it is not among the chains, and is no lockout by pins.
  private static func defaultEnd(of chains: [[Certificate]], from start: Timestamp) -> Timestamp {
    let years = start.advanced(bySeconds: 2 * 365 * 86_400)
    let last = chains.compactMap { $0.first?.notAfter }.max() ?? years
    return last > start ? min(last, years) : years
  }

  /// The hosts that the servers' certificates name, pinned or not, and those of the table that only
  /// a wildcard of theirs covers.
  private static func hosts(of chains: [[Certificate]], and table: PinTable) -> [HostName] {
    var hosts: [HostName] = []
    let leaves = chains.compactMap { $0.first }
    for leaf in leaves {
      for name in leaf.extensions.subjectAlternativeNames.prefix(100) {
        guard let host = host(of: name), !hosts.contains(host) else { continue }
        hosts.append(host)
      }
    }
    for entry in table.entries where entry.pins != nil {
      let host = entry.pattern.host
      guard entry.pattern.matches(host), !hosts.contains(host) else { continue }
      if leaves.contains(where: { $0.isNamed(host) }) { hosts.append(host) }
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
    let unknown = forecast.rejectedChains.first(where: { $0.isRootUnknown })
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

  /// The answer about a host for which there are no pins, where no other host has any, either:
  /// nothing was compared, so that nothing is known of the pins, whatever happens to such hosts.
  ///
  /// - Parameter others: The hosts for which there are pins.
  fileprivate init(withoutPins forecast: PinForecast, those others: String, _ input: Input) {
    self.init(TrustError.unknownHost("\(forecast.host)"), input)
    reason += "; those of the configuration are for \(others)"
    hints = [
      "correct the host in the configuration or in --host, or --chain with what such a host shows"
    ]
    self.forecast = forecast
  }
}

/// Which pins of a table are compared with which chains.
private struct PinCoverage {
  private let table: PinTable
  private let time: Timestamp
  /// The patterns whose pins count for none of the hosts.
  private var missed: [HostPattern]
  /// Whether pins count for one of the hosts.
  private(set) var isCompared: Bool
  /// The chains, by their numbers, that are of no host for which pins count.
  private(set) var missedChains: [String] = []

  init(of table: PinTable, by chains: [[Certificate]], _ hosts: [HostName], at time: Timestamp) {
    self.table = table
    self.time = time
    missed = table.entries.filter { $0.pins != nil }.map { $0.pattern }
    var pinned: [HostName] = []
    for host in hosts {
      guard case .pinned(let nearest, _) = table.selection(for: host, at: time) else { continue }
      pinned.append(host)
      missed.removeAll { $0 == nearest || table.overlap == .united && $0.matches(host) }
    }
    // A table that pins nothing leaves nothing out.
    isCompared = !pinned.isEmpty || missed.isEmpty
    for (index, chain) in chains.enumerated() where !pinned.isEmpty {
      guard let leaf = chain.first, !pinned.contains(where: { leaf.isNamed($0) }) else { continue }
      missedChains.append("chain \(index + 1): it is of no host whose pins were compared")
    }
  }

  func isExcluded(_ host: HostName) -> Bool {
    if case .excluded = table.selection(for: host, at: time) { true } else { false }
  }

  /// `a.example, *.b.example or 3 more`.
  var missedHosts: String {
    let rest = missed.dropFirst(20).count
    return listed(missed.prefix(20).map { "\($0)" } + (rest > 0 ? ["\(rest) more"] : []))
  }

  /// The pins that are compared with no chain.
  var missedPins: [String] {
    missed.isEmpty ? [] : ["the pins for \(missedHosts): no chain was compared with them"]
  }
}

extension Certificate {
  /// Whether one of its first names is for a host, whatever else is wrong with it.
  fileprivate func isNamed(_ host: HostName) -> Bool {
    host.isNamed(
      in: extensions.subjectAlternativeNames.prefix(1_000), wildcards: .belowLabels(2))
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
