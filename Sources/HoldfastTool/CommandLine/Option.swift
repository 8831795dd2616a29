internal import Holdfast
internal import HoldfastAnswers

/// What may be written behind the name of a command: how it is spelled, what it does, and how its
/// values are read. Help, completions, the manual and the errors are all made of this.
///
/// A command has options with values of many types in one list; that is what the protocol is for. It is
/// one of classes, because a program without the runtime of Swift has no other values of unknown type.
protocol CommandOption: AnyObject, Sendable {
  /// Its long name, with the hyphens.
  var name: String { get }
  /// Its short name, if it has one.
  var short: String? { get }
  /// What it does, in a few words.
  var meaning: String { get }
  /// What its value may be; nil for an option that is given or not.
  var form: OptionForm? { get }
  /// Reads the values that were given, one at least.
  func read(_ texts: [String]) throws(UsageError) -> any OptionValue
}

/// What an option comes to on a command line.
protocol OptionValue: AnyObject, Sendable {}

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

/// Options that belong together, with the line above them in help. The first group of a command has
/// no title: it is what most users need.
struct OptionGroup: Sendable, ExpressibleByArrayLiteral {
  let title: String
  let options: [any CommandOption]

  init(_ title: String, _ options: [any CommandOption]) {
    self.title = title
    self.options = options
  }

  init(arrayLiteral options: any CommandOption...) {
    self.init("", options)
  }
}

/// An option, and what it comes to: `absent` if it is not given.
final class Option<Value: Sendable>: CommandOption {
  let name: String
  let short: String?
  let meaning: String
  let form: OptionForm?
  /// The value without the option.
  let absent: Value
  private let parse: @Sendable ([String]) throws(UsageError) -> Value

  private init(
    name: String, short: String? = nil, meaning: String, form: OptionForm?, absent: Value,
    parse: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) {
    self.name = name
    self.short = short
    self.meaning = meaning
    self.form = form
    self.absent = absent
    self.parse = parse
  }

  /// A value that was read.
  final class Read: OptionValue {
    let value: Value

    fileprivate init(_ value: Value) { self.value = value }
  }

  func read(_ texts: [String]) throws(UsageError) -> any OptionValue { Read(try parse(texts)) }

  /// The same option where it means something else.
  func described(_ meaning: String) -> Option {
    Option(name: name, short: short, meaning: meaning, form: form, absent: absent, parse: parse)
  }
}

/// A set of values with names, of which an option or an operand is one.
protocol Choice: RawRepresentable<String>, CaseIterable, Sendable {}

extension Choice {
  /// The names, in their order.
  static var names: [String] { allCases.map { $0.rawValue } }

  /// The choice that a text names: the value of an option, or an operand. Case and hyphens do not
  /// matter, so that `web-pki` and `WebPKI` are `webPKI`.
  static func read(_ text: String, _ option: String) throws(UsageError) -> Self {
    func folded(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
    guard let choice = allCases.first(where: { folded($0.rawValue) == folded(text) }) else {
      throw .badChoice(option, text, among: names)
    }
    return choice
  }
}

/// The kinds of options.
extension Option {
  /// An option that is given or not.
  static func flag(
    _ name: String, _ meaning: String, short: String? = nil
  ) -> Option where Value == Bool {
    Option(name: name, short: short, meaning: meaning, form: nil, absent: false) { _ in true }
  }

  /// An option that may be given once, with a value that `read` makes of its text.
  private static func single(
    _ name: String, _ form: OptionForm, _ meaning: String, short: String? = nil, absent: Value,
    _ read: @escaping @Sendable (String) throws(UsageError) -> Value
  ) -> Option {
    Option(name: name, short: short, meaning: meaning, form: form, absent: absent) {
      texts throws(UsageError) in
      guard texts.count == 1 else { throw .repeated(name) }
      return try read(texts[0])
    }
  }

  /// An option that may be given more than once.
  private static func list<Element: Sendable>(
    _ name: String, _ form: OptionForm, _ meaning: String,
    _ read: @escaping @Sendable (String) throws(UsageError) -> Element
  ) -> Option where Value == [Element] {
    Option(name: name, meaning: meaning + "; may be repeated", form: form, absent: []) {
      texts throws(UsageError) in
      var values: [Element] = []
      for text in texts { values.append(try read(text)) }
      return values
    }
  }

  /// An option whose value is any text.
  static func text(
    _ name: String, _ placeholder: String, _ meaning: String
  ) -> Option where Value == String? {
    .single(name, OptionForm(placeholder: placeholder), meaning, absent: nil) { $0 }
  }

  /// Texts, each an option of its own.
  static func texts(
    _ name: String, _ placeholder: String, _ meaning: String
  ) -> Option where Value == [String] {
    .list(name, OptionForm(placeholder: placeholder), meaning) { $0 }
  }

  /// An option whose value `read` makes of a word; nil, or an error, if it does not understand it.
  static func word<Element, Problem: Error>(
    _ name: String, _ placeholder: String, _ meaning: String, expected: String,
    _ read: @escaping @Sendable (String) throws(Problem) -> Element?
  ) -> Option where Value == Element? {
    let form = OptionForm(placeholder: placeholder)
    return .single(
      name, form, meaning, absent: nil, reader(of: name, expected: expected, read))
  }

  /// Words that `read` understands, each an option of its own.
  static func words<Element: Sendable, Problem: Error>(
    _ name: String, _ placeholder: String, _ meaning: String, expected: String,
    _ read: @escaping @Sendable (String) throws(Problem) -> Element?
  ) -> Option where Value == [Element] {
    let form = OptionForm(placeholder: placeholder)
    return .list(name, form, meaning, reader(of: name, expected: expected, read))
  }

  /// A function that says what was expected if `read` does not understand a word.
  private static func reader<Element, Problem: Error>(
    of name: String, expected: String,
    _ read: @escaping @Sendable (String) throws(Problem) -> Element?
  ) -> @Sendable (String) throws(UsageError) -> Element {
    { text throws(UsageError) in
      var reason = ""
      do throws(Problem) {
        if let value = try read(text) { return value }
      } catch {
        reason = ": \(error)"
      }
      throw .badValue(option: name, value: text, expected: expected + reason)
    }
  }

  /// The name of a file, or of a directory to be written to.
  static func file(
    _ name: String, _ meaning: String, placeholder: String = "FILE", short: String? = nil,
    use: OptionForm.FileUse = .read
  ) -> Option where Value == String? {
    let form = OptionForm(placeholder: placeholder, file: use)
    return .single(name, form, meaning, short: short, absent: nil) { $0 }
  }

  /// The names of files, each an option of its own.
  static func files(_ name: String, _ meaning: String) -> Option where Value == [String] {
    .list(name, OptionForm(placeholder: "FILE", file: .read), meaning) { $0 }
  }

  /// One of some names, and one of them if it is not given.
  static func choice(
    _ name: String, _ placeholder: String, _ meaning: String, default absent: Value
  ) -> Option where Value: Choice {
    let names = Value.names.map { $0 == absent.rawValue ? "\($0) (the default)" : $0 }
    let form = OptionForm(placeholder: placeholder, choices: Value.names)
    return .single(name, form, "\(meaning): \(listed(names))", absent: absent) {
      text throws(UsageError) in try Value.read(text, name)
    }
  }

  /// One of some names; nil if it is not given.
  static func choice<Element: Choice>(
    _ name: String, _ placeholder: String, _ meaning: String
  ) -> Option where Value == Element? {
    let form = OptionForm(placeholder: placeholder, choices: Element.names)
    return .single(name, form, "\(meaning): \(listed(Element.names))", absent: nil) {
      text throws(UsageError) in try Element.read(text, name)
    }
  }

  /// A number in a range.
  static func number(
    _ name: String, _ meaning: String, _ range: ClosedRange<Int> = 0...Int.max,
    placeholder: String = "NUMBER"
  ) -> Option where Value == Int? {
    let expected =
      range.upperBound == .max
      ? "a number, zero or more" : "a number from \(range.lowerBound) to \(range.upperBound)"
    return .word(name, placeholder, meaning, expected: expected) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A moment.
  static func time(_ name: String, _ meaning: String) -> Option where Value == Timestamp? {
    .word(name, "TIME", meaning, expected: "a time like 2026-03-01T12:00:00Z") { Timestamp($0) }
  }

  /// The name or address of a host, or a URL that has it.
  static func host(_ name: String, _ meaning: String) -> Option where Value == HostName? {
    .word(name, "NAME", meaning, expected: "a host") { text throws(HostNameError) in
      if text.contains("/"), let target = ConnectTarget(text) { return target.host }
      return try HostName(text)
    }
  }
}

/// The options that several commands take.
enum CommonOptions {
  static let help: Option<Bool> = .flag(
    "--help", "all options and examples; with -h the usual ones", short: "-h")
  static let version: Option<Bool> = .flag("--version", "show the version", short: "-V")
  static let quiet: Option<Bool> = .flag(
    "--quiet",
    "no answer and no notes, only bad files and options, and the exit status",
    short: "-q")
  static let verbose: Option<Bool> = .flag(
    "--verbose", "every path that was tried, each host in full, and where the anchors are from",
    short: "-v")
  static let json: Option<Bool> = .flag("--json", "one JSON document for programs")
  static let at: Option<Timestamp?> = .time("--at", "validate at this time: 2026-03-01T12:00:00Z")
  /// The same for commands that validate nothing.
  static let daysFrom = at.described(
    "count the days left from then: 2026-03-01 or 2026-03-01T12:00:00Z")
  static let output: Option<String?> = .file(
    "--output", "write there instead of to standard output", short: "-o", use: .written)
  static let force: Option<Bool> = .flag("--force", "replace a file that exists")
  /// What every command takes; the help of the tool lists it once.
  static let everywhere = OptionGroup(
    "every command takes", [help, version, TextStyle.option, quiet, verbose])
  /// Understood by every command, and before its name; nothing changes where they mean nothing.
  static let global: [any CommandOption] = everywhere.options + [json, at]
}
