internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastJSON

extension Command {
  /// `hosts` has, of each host, its `periods` (`from`, `state`, `message`), its `lockout` (null
  /// without one) and its `replacements` (`role`, `name`, `survived`).
  static func simulate(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ call: Invocation
  ) throws(UsageError) -> ExitStatus {
    guard !chains.isEmpty else { throw .missingOption("--chain", "FILE") }
    let start = call[PinsOptions.from] ?? .now
    let end = call[PinsOptions.to] ?? start.advanced(bySeconds: 2 * 365 * 86_400)
    guard start < end else { throw .conflict("--from must be before --to") }
    var session = try InputSession(call)
    let anchors = try PathQuestion.readAnchors(call, &session)
    let hosts = call[PinsOptions.host].map { [$0] } ?? names(in: chains)
    guard !hosts.isEmpty else {
      throw .conflict("no certificate of --chain has a name that is a host: name a --host")
    }
    let manager = TrustManager(configuration: configuration, anchors: anchors)
    let forecasts = hosts.map { host in
      PinForecast(manager, host: host, chains: chains, from: start, to: end)
    }
    let reports = forecasts.map { document(of: $0, until: end) }
    if call[CommonOptions.json] {
      let document: Document = ["version": 1, "from": "\(start)", "to": "\(end)", "hosts": reports]
      document.write(asJSON: true, call.console)
    } else {
      for report in reports { call.console.write(report.text()) }
    }
    return forecasts.allSatisfy { $0.lockout == nil } ? .success : .rejected
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

  private static func document(of forecast: PinForecast, until end: Timestamp) -> Document {
    var document = Document(title: "\(forecast.host)")
    document.add("host", "\(forecast.host)")
    document.addLines("periods", forecast.periods)
    let lockout = forecast.lockout.map { "\($0)" }
    let duration = forecast.lockoutEnd.map { "until \($0)" } ?? "on"
    document.addLines(
      "lockout",
      Shown(
        lockout,
        lockout.map { "every client is locked out from \($0) \(duration)" }
          ?? "no client is locked out until \(end)"))
    document.addLines("replacements", forecast.replacements)
    return document
  }
}

extension PinForecast.Period: DocumentValue {
  var lines: [Line] {
    let mark =
      switch state {
      case .accepted: "✓"
      case .unpinned: "!"
      case .rejected: "✗"
      }
    return ["from \(start)  \(mark) \(message)"]
  }
  var json: JSONValue {
    .object([
      "from": .string("\(start)"), "state": .string("\(state)"), "message": .string(message),
    ])
  }
}

extension PinForecast.Replacement: DocumentValue {
  var lines: [Line] {
    let answer = isSurvived ? "still accepted" : "locked out"
    return ["when the key of the \(scope) \(name) is replaced: \(answer)"]
  }
  var json: JSONValue {
    .object(["role": .string("\(scope)"), "name": .string(name), "survived": .bool(isSurvived)])
  }
}
