internal import HoldfastAnswers
internal import HoldfastDER

/// One run of a command: its command line, taken apart, and where it writes.
///
/// Options stand in any place, as `--name value` or `--name=value`, and after `--` there are only
/// operands. `-` alone is an operand.
struct Invocation {
  /// Where the command writes.
  let console: Console
  /// What is not an option.
  private(set) var operands: [String] = []
  /// Whether an operand or the value of an option is standard input.
  private(set) var usesStandardInput = false
  /// Whether help was asked for by its short name, and so in brief.
  private(set) var isBrief = false
  private var texts: [String: [String]] = [:]
  private var values: [String: any OptionValue] = [:]

  init(_ words: [String], options: [any CommandOption], _ console: Console) throws(UsageError) {
    self.console = console
    try parse(words, options)
    // Help is shown whatever else is wrong.
    guard !has(CommonOptions.help), !has(CommonOptions.version) else { return }
    try checkStandardInput(options)
    for option in options {
      if let given = texts[option.name] { values[option.name] = try option.read(given) }
    }
  }

  /// What an option comes to.
  subscript<Value>(_ option: Option<Value>) -> Value {
    (values[option.name] as? Option<Value>.Read)?.value ?? option.absent
  }

  /// Whether an option was given.
  func has(_ option: any CommandOption) -> Bool { texts[option.name] != nil }

  /// The command line without some options, the same in whatever order it was written.
  func words(without some: [any CommandOption]) -> [String] {
    let names = some.map { $0.name }
    let options = texts.keys.sorted().filter { !names.contains($0) }
    return options.flatMap { name in
      (texts[name] ?? []).flatMap { $0.isEmpty ? [name] : [name, $0] }
    }
      + operands
  }

  /// Rejects a command line with more than one of some options.
  func checkOne(of options: [any CommandOption]) throws(UsageError) {
    let given = options.filter(has).map { $0.name }
    guard given.count <= 1 else {
      throw .conflict(given.joined(separator: " and ") + " cannot be used together")
    }
  }

  /// The operands, of which there must be one at least.
  func files() throws(UsageError) -> [String] {
    guard !operands.isEmpty else { throw .noFile }
    guard !operands.contains("") else { throw .conflict("the name of a file is empty") }
    return operands
  }

  /// The same, with the files of a folder in its place. A folder without files stays, for it cannot be
  /// read.
  func filesInFolders() throws(UsageError) -> [String] {
    try files().flatMap { path in
      guard path != "-", let found = Invocation.files(inFolder: path), !found.isEmpty else {
        return [path]
      }
      return found
    }
  }

  /// The files of a folder, in the byte order of their names; nil if it is no folder. Folders in it and
  /// names that begin with a dot are passed over.
  static func files(inFolder path: String) -> [String]? {
    // Of the folders below there may be no end, as in /proc.
    names(inFolder: path)?.map { "\(path)/\($0)" }
      .filter { Platform.names(inFolder: $0) == nil }
  }

  /// The names in a folder, in the order of their bytes; nil if it is no folder. Those that begin with
  /// a dot are passed over.
  static func names(inFolder path: String) -> [String]? {
    Platform.names(inFolder: path)?.filter { !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The bytes of a file that an option names.
  static func contents(of path: String, limit: Int) throws(UsageError) -> [UInt8] {
    do throws(Platform.FileError) {
      return try Platform.readFile(path, limit: limit)
    } catch {
      throw .badInput("\(printable(word: path)): \(error.message)")
    }
  }

  private mutating func parse(
    _ words: [String], _ options: [any CommandOption]
  ) throws(UsageError) {
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
      let (option, attached) = try Invocation.option(word, options)
      if word == CommonOptions.help.short { isBrief = true }
      guard let form = option.form else {
        if attached != nil { throw .superfluousValue(option.name) }
        texts[option.name, default: []].append("")
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw .missingValue(option.name, form.placeholder)
      }
      texts[option.name, default: []].append(value)
    }
  }

  /// The option that a word names, and the value after its `=`, if there is one.
  private static func option(
    _ word: String, _ options: [any CommandOption]
  ) throws(UsageError) -> (option: any CommandOption, attached: String?) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = word.hasPrefix("--") ? String(parts[0]) : word
    guard let option = options.first(where: { $0.name == name || $0.short == name }) else {
      throw .unknown("option", name, among: options.map { $0.name })
    }
    return (option, word.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil)
  }

  /// How many words stand before the name of a command: options that every command takes, and their
  /// values.
  static func leadingCount(_ words: [String]) throws(UsageError) -> Int {
    var count = 0
    while count < words.count, words[count].hasPrefix("-"), words[count] != "-" {
      let (option, attached) = try option(words[count], CommonOptions.global)
      count += option.form != nil && attached == nil ? 2 : 1
    }
    return min(count, words.count)
  }

  /// Standard input ends once, so it can be named once, as a file or as the value of an option.
  private mutating func checkStandardInput(_ options: [any CommandOption]) throws(UsageError) {
    var count = operands.count { $0 == "-" }
    for option in options where option.form?.file == .read {
      count += texts[option.name]?.count { $0 == "-" } ?? 0
    }
    if count > 1 { throw .conflict("standard input can be read only once") }
    usesStandardInput = count > 0
  }
}
