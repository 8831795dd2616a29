internal import Holdfast
internal import HoldfastConfigurations

/// The pins that a command line gives: one by one, or as the configuration of another system.
enum PinOptions {
  static let pin: Option<[Pin]> = .pins("--pin", "sha256/… and base64, or any notation of `pin`")
  static let debugPin: Option<[Pin]> = .pins(
    "--debug-pin", "the same for a proxy of your own, reported when it counts")
  static let configuration: Option<String?> = .file(
    "--pins", "pins as TrustKit, Android, NSPinnedDomains, OkHttp or curl have them",
    placeholder: "CONFIG")
  static let format: Option<PinConfiguration.Format?> = .choice(
    "--format", "NAME", "format of CONFIG")
  static let expired: Option<Expired> = .choice(
    "--expired", "ACTION", "when the pins of CONFIG have expired", default: .refuse)

  /// What tells of a configuration of another system.
  static let ofConfigurations: [any CommandOption] = [configuration, format, expired]
  /// What `verify` and `explain` take.
  static let options: [any CommandOption] = [pin, debugPin] + ofConfigurations

  /// What is done with a connection whose pins have expired.
  enum Expired: String, Choice {
    case refuse, report, ignore

    fileprivate var action: PinSet.Expiry.Action {
      switch self {
      case .refuse: .failClosed
      case .report: .reportOnly
      case .ignore: .failOpen
      }
    }
  }

  /// Whether any pins are given.
  static func areGiven(_ call: Invocation) -> Bool {
    call.has(pin) || call.has(debugPin) || call.has(configuration)
  }

  /// The table of the pins for a host.
  static func table(_ call: Invocation, for host: HostName) throws(UsageError) -> PinTable {
    let (single, table) = try given(call, host: host)
    if let table { return table }
    do {
      return try PinTable(single.map { [PinTable.Entry(try HostPattern(host), $0)] } ?? [])
    } catch {
      throw .conflict("\(error)")
    }
  }

  /// The pins that are given one by one, or those of all hosts.
  static func given(
    _ call: Invocation, host: HostName? = nil
  ) throws(UsageError) -> (PinSet?, PinTable?) {
    let pins =
      call[pin].map { ScopedPin($0) }
      + call[debugPin].map { ScopedPin($0, isForDebugging: true) }
    guard let file = call[configuration] else { return (try set(pins), nil) }
    guard pins.isEmpty else {
      throw .conflict("--pins has the pins of all hosts: --pin cannot add to them")
    }
    return (nil, try read(file, call, host: host).table)
  }

  private static func set(_ pins: [ScopedPin]) throws(UsageError) -> PinSet? {
    guard !pins.isEmpty else { return nil }
    do throws(PinSetError) {
      return try PinSet(pins, backup: .waived)
    } catch {
      throw .conflict("\(error)")
    }
  }

  /// The configuration of another system.
  static func read(
    _ file: String, _ call: Invocation, host: HostName?
  ) throws(UsageError) -> PinConfiguration {
    var context = PinConfiguration.Context(
      file: file, host: host.map { "\($0)" })
    context.expiryAction = call[expired].action
    let bytes = try Invocation.contents(of: file, limit: PinConfiguration.largest)
    do throws(ConfigurationError) {
      return try PinConfiguration(bytes, as: call[format], context)
    } catch {
      let formats = listed(PinConfiguration.Format.names)
      let hint = error.problem == .unknownFormat ? "; --format names it: \(formats)" : ""
      throw .badInput(printable("\(error)") + hint)
    }
  }
}

extension PinConfiguration.Format: Choice {}
