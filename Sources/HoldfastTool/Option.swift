internal import HoldfastCertificates
internal import HoldfastPaths

/// What may be written behind the name of a command: how it is spelled, what it does, and how its
/// values are read. Help, completions, the manual and the errors are all made of this.
///
/// A command has options with values of many types in one list; that is what the protocol is for.
protocol CommandOption: Sendable {
  /// Its long name, with the hyphens.
  var name: String { get }
  /// Its short name, if it has one.
  var short: String? { get }
  /// What it does, in a few words.
  var meaning: String { get }
  /// What its value may be; nil for an option that is given or not.
  var form: OptionForm? { get }
  /// Reads the values that were given, one at least.
  func read(_ texts: [String]) throws(UsageError) -> any Sendable
}

/// What the value of an option stands for.
struct OptionForm: Sendable {
  /// The word for it in help.
  let placeholder: String
  /// The words that it may be, where there are only some.
  var choices: [String] = []
  /// What is done with the file that it names, if it names one.
  var file: FileUse?

  /// What becomes of a file.
  enum FileUse: Sendable { case read, written }
}

/// An option, and what it comes to: `absent` if it is not given.
struct Option<Value: Sendable>: CommandOption {
  let name: String
  var short: String?
  private(set) var meaning: String
  let form: OptionForm?
  /// The value without the option.
  let absent: Value
  private let parse: @Sendable ([String]) throws(ValueError) -> Value

  private init(
    _ name: String, _ short: String?, _ meaning: String, _ form: OptionForm?, absent: Value,
    _ parse: @escaping @Sendable ([String]) throws(ValueError) -> Value
  ) {
    self.name = name
    self.short = short
    self.meaning = meaning
    self.form = form
    self.absent = absent
    self.parse = parse
  }

  func read(_ texts: [String]) throws(UsageError) -> any Sendable {
    do throws(ValueError) {
      return try parse(texts)
    } catch {
      switch error {
      case .repeated: throw .repeated(name)
      case .unexpected(let text, let expected):
        throw .badValue(option: name, value: text, expected: expected)
      case .noChoice(let text): throw .badChoice(name, text, among: form?.choices ?? [])
      }
    }
  }

  /// The same option where it means something else.
  func described(_ meaning: String) -> Option {
    var copy = self
    copy.meaning = meaning
    return copy
  }
}

/// Why a value is not one of an option.
enum ValueError: Error, Sendable {
  case repeated
  case unexpected(String, expected: String)
  case noChoice(String)
}

/// A set of values with names, of which an option or an operand is one.
protocol Choice: RawRepresentable<String>, CaseIterable, Sendable {}

extension Choice {
  /// The names, in their order.
  static var names: [String] { allCases.map(\.rawValue) }

  /// The choice that an operand names.
  static func read(_ operand: String, _ placeholder: String) throws(UsageError) -> Self {
    guard let choice = Self(rawValue: operand) else {
      throw .badChoice(placeholder, operand, among: names)
    }
    return choice
  }

  fileprivate static func read(_ texts: [String]) throws(ValueError) -> Self {
    let text = try only(texts)
    guard let choice = Self(rawValue: text) else { throw .noChoice(text) }
    return choice
  }
}

private func only(_ texts: [String]) throws(ValueError) -> String {
  guard texts.count == 1 else { throw .repeated }
  return texts[0]
}

/// The kinds of options.
extension Option {
  /// An option that is given or not.
  static func flag(_ name: String, _ meaning: String) -> Option where Value == Bool {
    Option(name, nil, meaning, nil, absent: false) { _ in true }
  }

  /// An option with a value that `read` makes of its text; nil if it is not given.
  static func value<Element: Sendable>(
    _ name: String, _ placeholder: String, _ meaning: String,
    _ read: @escaping @Sendable (String) throws(ValueError) -> Element
  ) -> Option where Value == Element? {
    Option(name, nil, meaning, OptionForm(placeholder: placeholder), absent: nil) {
      texts throws(ValueError) in try read(try only(texts))
    }
  }

  /// An option that may be given more than once.
  static func list<Element: Sendable>(
    _ name: String, _ placeholder: String, _ meaning: String,
    _ read: @escaping @Sendable (String) throws(ValueError) -> Element
  ) -> Option where Value == [Element] {
    let form = OptionForm(placeholder: placeholder)
    return Option(name, nil, meaning + "; may be repeated", form, absent: []) {
      texts throws(ValueError) in
      var values: [Element] = []
      for text in texts { values.append(try read(text)) }
      return values
    }
  }

  /// An option whose value is any text.
  static func text(
    _ name: String, _ placeholder: String, _ meaning: String
  ) -> Option where Value == String? {
    .value(name, placeholder, meaning) { $0 }
  }

  /// The name of a file, or of a directory to be written to.
  static func file(
    _ name: String, _ meaning: String, placeholder: String = "FILE", short: String? = nil,
    use: OptionForm.FileUse = .read
  ) -> Option where Value == String? {
    let form = OptionForm(placeholder: placeholder, file: use)
    return Option(name, short, meaning, form, absent: nil) {
      texts throws(ValueError) in try only(texts)
    }
  }

  /// The names of files, each an option of its own.
  static func files(_ name: String, _ meaning: String) -> Option where Value == [String] {
    let form = OptionForm(placeholder: "FILE", file: .read)
    return Option(name, nil, meaning + "; may be repeated", form, absent: []) { $0 }
  }

  /// One of some names, and one of them if it is not given.
  static func choice(
    _ name: String, _ placeholder: String, _ meaning: String, default absent: Value
  ) -> Option where Value: Choice {
    let names = Value.names.map { $0 == absent.rawValue ? "\($0) (the default)" : $0 }
    let form = OptionForm(placeholder: placeholder, choices: Value.names)
    return Option(name, nil, "\(meaning): \(listed(names))", form, absent: absent, Value.read)
  }

  /// One of some names; nil if it is not given.
  static func choice<Element: Choice>(
    _ name: String, _ placeholder: String, _ meaning: String
  ) -> Option where Value == Element? {
    let form = OptionForm(placeholder: placeholder, choices: Element.names)
    return Option(name, nil, "\(meaning): \(listed(Element.names))", form, absent: nil) {
      texts throws(ValueError) in try Element.read(texts)
    }
  }

  /// A number in a range.
  static func number(
    _ name: String, _ meaning: String, _ range: ClosedRange<Int> = 0...Int.max,
    placeholder: String = "NUMBER"
  ) -> Option where Value == Int? {
    .value(name, placeholder, meaning) { text throws(ValueError) in
      guard let number = Int(text), range.contains(number) else {
        throw .unexpected(
          text,
          expected: range.upperBound == .max
            ? "a number, zero or more"
            : "a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

  /// A moment.
  static func time(_ name: String, _ meaning: String) -> Option where Value == Timestamp? {
    .value(name, "TIME", meaning) { text throws(ValueError) in
      guard let time = Timestamp(text) else {
        throw .unexpected(text, expected: "a time like 2026-03-01T12:00:00Z")
      }
      return time
    }
  }

  /// The name or address of a host.
  static func host(_ name: String, _ meaning: String) -> Option where Value == HostName? {
    .value(name, "NAME", meaning) { text throws(ValueError) in
      do throws(HostNameError) {
        return try HostName(text)
      } catch {
        throw .unexpected(text, expected: "a host: \(error)")
      }
    }
  }
}

/// The options that several commands take.
enum CommonOptions {
  static let help: Option<Bool> = .help
  static let json: Option<Bool> = .flag("--json", "one JSON document for programs")
  static let at: Option<Timestamp?> = .time("--at", "judge as of then: 2026-03-01T12:00:00Z")
  /// The same where nothing is judged.
  static let daysFrom = at.described(
    "count the days left from then: 2026-03-01 or 2026-03-01T12:00:00Z")
  static let output: Option<String?> = .file(
    "--output", "write there instead of to standard output", short: "-o", use: .written)
  static let force: Option<Bool> = .flag("--force", "replace a file that exists")
}

extension Option where Value == Bool {
  /// Understood by every command.
  fileprivate static var help: Option {
    var help = Option.flag("--help", "show this")
    help.short = "-h"
    return help
  }
}
