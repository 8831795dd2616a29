internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastJSON

extension Command {
  /// `hosts` has, of each host, its `periods` (`from`, `state`, `words`), its `lockout` (null if there
  /// is none) and its `replacements` (`role`, `name`, `survived`).
  static func simulate(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ arguments: Arguments,
    _ console: inout Console
  ) throws(UsageError) -> ExitStatus {
    guard !chains.isEmpty else { throw .missingOption("--chain", "FILE") }
    let start = arguments[PinsOptions.from] ?? .now
    let end = arguments[PinsOptions.to] ?? start.advanced(bySeconds: 2 * 365 * 86_400)
    guard start < end else { throw .conflict("--from must be before --to") }
    // What cannot be read has been named on standard error.
    var unreadable: [InputProblem] = []
    let anchors = try PathQuestion.readAnchors(arguments, &unreadable, &console)
    let hosts = hosts(configuration, chains, arguments)
    guard !hosts.isEmpty else {
      throw .conflict("no name in the chains is pinned by this configuration: name a --host")
    }
    let manager = TrustManager(pins: configuration.table, anchors: anchors)
    let forecasts = hosts.map { host in
      PinForecast(manager, host: host, chains: chains, from: start, to: end)
    }
    if arguments[CommonOptions.json] {
      let document = JSONValue.object([
        "version": .number(1), "from": .string("\(start)"), "to": .string("\(end)"),
        "hosts": .array(forecasts.map(json)),
      ])
      console.write(document.lines())
      console.write("\n")
    } else {
      for forecast in forecasts { console.write(text(of: forecast, until: end)) }
    }
    return forecasts.allSatisfy { $0.lockout == nil } ? .success : .rejected
  }

  /// The host of the command line, or every pinned name of the chains.
  private static func hosts(
    _ configuration: PinConfiguration, _ chains: [[Certificate]], _ arguments: Arguments
  ) -> [HostName] {
    if let host = arguments[PinsOptions.host] { return [host] }
    var hosts: [HostName] = []
    for leaf in chains.compactMap(\.first) {
      for case .dns(let text) in leaf.extensions.subjectAlternativeNames.prefix(100) {
        do throws(HostNameError) {
          let host = try HostName("\(text)")
          if case .pinned = configuration.table.selection(for: host), !hosts.contains(host) {
            hosts.append(host)
          }
        } catch {
          // A wildcard is no host of its own.
          continue
        }
      }
    }
    return hosts
  }

  private static func text(of forecast: PinForecast, until end: Timestamp) -> String {
    var text = "\(forecast.host)\n"
    for period in forecast.periods {
      let mark =
        switch period.state {
        case .accepted: "✓"
        case .unpinned: "!"
        case .refused: "✗"
        }
      text += "  from \(period.start)  \(mark) \(printable(period.words))\n"
    }
    if let lockout = forecast.lockout {
      text += "  every client is locked out from \(lockout) on\n"
    } else {
      text += "  no client is locked out until \(end)\n"
    }
    for replacement in forecast.replacements {
      let answer = replacement.isSurvived ? "still accepted" : "locked out"
      text +=
        "  when the key of the \(replacement.scope) \(printable(replacement.name)) is replaced: "
      text += "\(answer)\n"
    }
    return text
  }

  private static func json(_ forecast: PinForecast) -> JSONValue {
    .object([
      "host": .string("\(forecast.host)"),
      "periods": .array(
        forecast.periods.map { period in
          .object([
            "from": .string("\(period.start)"), "state": .string("\(period.state)"),
            "words": .string(period.words),
          ])
        }),
      "lockout": .optional(forecast.lockout.map { "\($0)" }),
      "replacements": .array(
        forecast.replacements.map { replacement in
          .object([
            "role": .string("\(replacement.scope)"), "name": .string(replacement.name),
            "survived": .bool(replacement.isSurvived),
          ])
        }),
    ])
  }
}
