internal import Holdfast
internal import HoldfastConfigurations
internal import HoldfastDER

/// The pins that a command line gives: one by one, or as the configuration of another system.
enum PinOptions {
  /// What `verify` and `explain` take.
  static let options =
    [
      Option(
        name: "--pin", value: "PIN",
        meaning: "sha256/… and base64, or any notation of `pin`; may be repeated"),
      Option(
        name: "--debug-pin", value: "PIN",
        meaning: "the same for a proxy of your own; what it lets through is said aloud"),
    ] + ofConfigurations

  /// What tells of a configuration of another system.
  static let ofConfigurations = [
    Option(
      name: "--pins", value: "CONFIG",
      meaning: "pins as TrustKit, Android, NSPinnedDomains, OkHttp, HPKP or curl have them"),
    format,
    Option(
      name: "--expired", value: "ACTION",
      meaning: "when the pins of CONFIG have expired: refuse (the default), report or ignore"),
  ]

  static let format = Option(
    name: "--format", value: "NAME",
    meaning: "format of CONFIG: trustKit, android, nsPinnedDomains, okHttp, hpkp or curl")

  /// Whether any pins are given.
  static func areGiven(_ arguments: Arguments) -> Bool {
    ["--pin", "--debug-pin", "--pins"].contains(where: arguments.has)
  }

  /// The table of the pins for a host; nil if the configuration was not understood, which has been
  /// said then.
  static func table(
    _ arguments: Arguments, for host: HostName, _ console: inout Console
  ) throws(UsageError) -> PinTable? {
    let single = try set(arguments)
    if let file = try arguments.value("--pins") {
      guard single == nil else {
        throw .conflict("--pins has the pins of all hosts: --pin cannot add to them")
      }
      return try configuration(file, arguments, host: "\(host)", &console)?.table
    }
    do {
      return try PinTable(single.map { [PinTable.Entry(try HostPattern(host), $0)] } ?? [])
    } catch {
      throw .conflict("\(error)")
    }
  }

  /// The pins that are given one by one; nil if there are none.
  static func set(_ arguments: Arguments) throws(UsageError) -> PinSet? {
    var pins: [ScopedPin] = []
    for option in ["--pin", "--debug-pin"] {
      for text in arguments.values(option) {
        pins.append(ScopedPin(try pin(text, option), isForDebugging: option == "--debug-pin"))
      }
    }
    guard !pins.isEmpty else { return nil }
    do throws(PinSetError) {
      return try PinSet(pins, backup: .waived)
    } catch {
      throw .conflict("\(error)")
    }
  }

  private static func pin(_ text: String, _ option: String) throws(UsageError) -> Pin {
    do throws(PinError) {
      return try Pin(text)
    } catch {
      throw .badValue(option: option, value: text, expected: "a pin: \(error)")
    }
  }

  /// The configuration of another system; nil if it was not understood, which has been said then.
  static func configuration(
    _ file: String, _ arguments: Arguments, host: String?, _ console: inout Console
  ) throws(UsageError) -> PinConfiguration? {
    var format: PinConfiguration.Format?
    if let name = try arguments.value("--format") {
      format = PinConfiguration.Format(rawValue: name)
      guard format != nil else {
        throw .badValue(
          option: "--format", value: name,
          expected: PinConfiguration.Format.allCases.map(\.rawValue).joined(separator: ", "))
      }
    }
    var context = PinConfiguration.Context(
      file: file, host: host, received: try arguments.time())
    switch try arguments.value("--expired") ?? "refuse" {
    case "refuse": context.expiryAction = .failClosed
    case "report": context.expiryAction = .reportOnly
    case "ignore": context.expiryAction = .failOpen
    case let other:
      throw .badValue(option: "--expired", value: other, expected: "refuse, report or ignore")
    }
    do throws(Platform.FileError) {
      let octets = try Platform.readFile(file, limit: PinConfiguration.largest)
      do throws(ConfigurationError) {
        return try PinConfiguration(octets, as: format, context)
      } catch {
        console.message("holdfast: \(printable("\(error)"))\n")
      }
    } catch {
      console.message("holdfast: \(printable(file)): \(error.message)\n")
    }
    return nil
  }
}
