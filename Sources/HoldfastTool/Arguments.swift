/// An option that a command takes.
struct Option: Sendable {
  /// Its long name, with the hyphens.
  let name: String
  /// Its short name, if it has one.
  var short: String?
  /// What its value stands for; nil for an option that is given or not.
  var value: String?
  /// What it does, in a few words.
  let meaning: String
  /// The words that the value may be, where there are only some.
  var choices: [String] = []

  /// Whether the value is the name of a file or a directory.
  var namesFile: Bool { ["FILE", "DIRECTORY", "CONFIG"].contains(value) }
  /// Whether that file is read, and not written.
  var readsFile: Bool {
    ["FILE", "CONFIG"].contains(value) && !["--output", "--html"].contains(name)
  }

  /// Understood by every command.
  static let help = Option(name: "--help", short: "-h", meaning: "show this")
  /// Understood by every command that prints.
  static let json = Option(name: "--json", meaning: "one JSON document for programs")
}

/// A command line, taken apart: options in any place, `--name value` or `--name=value`, and after
/// `--` nothing but operands. `-` alone is an operand.
struct Arguments: Sendable {
  /// What is not an option.
  private(set) var operands: [String] = []
  private var given: [String: [String]] = [:]

  init(_ words: [String], options: [Option]) throws(UsageError) {
    let options = options + [Option.help]
    try parse(words, options)
    try checkStandardInput(options)
  }

  private mutating func parse(_ words: [String], _ options: [Option]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = word.hasPrefix("--") ? String(parts[0]) : word
      guard let option = options.first(where: { $0.name == name || $0.short == name }) else {
        throw .unknownOption(name, among: options.map(\.name))
      }
      let attached = word.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
      guard let meaning = option.value else {
        if attached != nil { throw .superfluousValue(option.name) }
        given[option.name, default: []].append("")
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw .missingValue(option.name, meaning)
      }
      given[option.name, default: []].append(value)
    }
  }

  /// Standard input ends once, so it can be named once, as a file or as the value of an option.
  private func checkStandardInput(_ options: [Option]) throws(UsageError) {
    var count = operands.count { $0 == "-" }
    for option in options where option.readsFile {
      count += values(option.name).count { $0 == "-" }
    }
    if count > 1 { throw .conflict("standard input can be read only once") }
  }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { given[name] != nil }

  /// The value of an option that may be given once.
  func value(_ name: String) throws(UsageError) -> String? {
    guard let values = given[name] else { return nil }
    guard values.count == 1 else { throw .repeated(name) }
    return values[0]
  }

  /// The values of an option that may be given more than once.
  func values(_ name: String) -> [String] { given[name] ?? [] }

  /// The number, zero or more, that is the value of an option.
  func count(_ name: String) throws(UsageError) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .badValue(option: name, value: text, expected: "a number, zero or more")
    }
    return number
  }

  /// The operands, of which there must be one at least.
  func files() throws(UsageError) -> [String] {
    guard !operands.isEmpty else { throw .noFile }
    return operands
  }
}

/// Why a command line was not understood.
enum UsageError: Error, Sendable, Hashable {
  case unknownCommand(String, among: [String])
  case unknownOption(String, among: [String])
  case unknownMember(String, among: [String])
  case missingValue(String, String)
  case missingOption(String, String)
  case superfluousValue(String)
  case repeated(String)
  case noFile
  case badValue(option: String, value: String, expected: String)
  case conflict(String)

  /// The reason in words; a misspelt name comes with the nearest one there is.
  var text: String {
    switch self {
    case .unknownCommand(let name, let known):
      "there is no command \(printable(name))" + UsageError.suggestion(name, known)
        + "; holdfast --help lists them"
    case .unknownOption(let name, let known):
      "there is no option \(printable(name))" + UsageError.suggestion(name, known)
    case .unknownMember(let name, let known):
      "there is no member \(printable(name))" + UsageError.suggestion(name, known)
    case .missingValue(let name, let meaning): "\(name) needs a value: \(name) \(meaning)"
    case .missingOption(let name, let meaning): "\(name) \(meaning) is missing"
    case .superfluousValue(let name): "\(name) takes no value"
    case .repeated(let name): "\(name) is given more than once"
    case .noFile: "name a file, or - for standard input"
    case .badValue(let option, let value, let expected):
      "\(option) \(printable(value)): expected \(expected)"
    case .conflict(let reason): reason
    }
  }

  private static func suggestion(_ name: String, _ known: [String]) -> String {
    let ranked = known.map { (distance: editDistance(Array(name.utf8), Array($0.utf8)), name: $0) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, nearest.name.utf8.count / 3)
    else { return "" }
    return ", did you mean \(nearest.name)?"
  }

  /// How many octets must be put in, left out, changed or swapped with a neighbour.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    // Nothing that long is a slip of the finger.
    guard a.count <= 32, b.count <= 32 else { return .max }
    var rows = [Array(0...b.count)]
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
