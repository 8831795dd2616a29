internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastDER

/// The pins that a command line gives: one by one, or as the configuration of another system.
enum PinOptions {
  static let pin: Option<[Pin]> = .words(
    "--pin", "PIN", "sha256/… and base64, or any notation of `pin`", expected: "a pin"
  ) { text throws(PinError) in try Pin(text) }
  static let configuration: Option<String?> = .file(
    "--pins",
    "pins as TrustKit, Android, NSPinnedDomains, OkHttp or curl have them; "
      + "hosts that CONFIG does not name are treated as there",
    placeholder: "CONFIG")
  static let format: Option<PinConfiguration.Format?> = .choice(
    "--format", "NAME", "format of CONFIG")
  static let expired: Option<Expired> = .choice(
    "--expired", "ACTION", "when the pins of CONFIG have expired", default: .reject)

  /// What `verify` and `connect` take.
  static let options = OptionGroup("pins", [pin, configuration, format, expired])

  /// What is done with a connection whose pins have expired.
  enum Expired: String, Choice {
    case reject, report, ignore

    fileprivate var action: PinSet.Expiry.Action {
      switch self {
      case .reject: .failClosed
      case .report: .reportOnly
      case .ignore: .failOpen
      }
    }
  }

  /// The pins for a host, alone or with those of other hosts.
  typealias Pins = (table: PinTable, configuration: PinConfiguration?)

  /// The pins for each host.
  static func pins(_ call: Invocation, for hosts: [HostName]) throws(UsageError) -> [Pins] {
    if let file = call[configuration] {
      guard call[pin].isEmpty else { throw ambiguous }
      let bytes = try Invocation.contents(of: file, limit: PinConfiguration.maximumSize)
      var pins: [Pins] = []
      for host in hosts {
        // Only what is read for curl depends on the host.
        if let last = pins.last, last.configuration?.format != .curl {
          pins.append(last)
          continue
        }
        let configuration = try parse(bytes, file, call, host: host)
        pins.append((configuration.table, configuration))
      }
      return pins
    }
    let pins = try set(call[pin])
    var tables: [Pins] = []
    for host in hosts { tables.append((try table(of: pins, for: host), nil)) }
    return tables
  }

  /// The table of a host alone.
  private static func table(of pins: PinSet?, for host: HostName) throws(UsageError) -> PinTable {
    var entries: [PinTable.Entry] = []
    do throws(HostPatternError) {
      if let pins { entries.append(PinTable.Entry(try HostPattern(host), pins)) }
    } catch {
      throw .conflict("\(error)")
    }
    do throws(PinTableError) { return try PinTable(entries) } catch { throw .conflict("\(error)") }
  }

  private static var ambiguous: UsageError {
    .conflict("--pins has the pins of all hosts: --pin cannot add to them")
  }

  /// The pins that are given one by one, or those of all hosts.
  static func given(_ call: Invocation) throws(UsageError) -> (PinSet?, PinConfiguration?) {
    guard let file = call[configuration] else { return (try set(call[pin]), nil) }
    guard call[pin].isEmpty else { throw ambiguous }
    return (nil, try read(file, call, host: nil))
  }

  private static func set(_ pins: [Pin]) throws(UsageError) -> PinSet? {
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
    try parse(
      Invocation.contents(of: file, limit: PinConfiguration.maximumSize), file, call, host: host)
  }

  private static func parse(
    _ bytes: [UInt8], _ file: String, _ call: Invocation, host: HostName?
  ) throws(UsageError) -> PinConfiguration {
    var context = PinConfiguration.Context(
      name: Printable.redacted(file), host: host.map { "\($0)" })
    context.expiryAction = call[expired].action
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
