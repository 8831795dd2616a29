internal import HoldfastAnswers

extension CommandOption {
  /// The names, the short one first.
  var spellings: [String] { [short, name].compactMap { $0 } }
}

/// Help.
extension Command {
  /// What the tool does, and its commands; in full, what every command takes, too.
  static func overview(_ console: Console, isBrief: Bool = false) -> String {
    var text = """
      holdfast shows what certificates contain and whether to trust them.

      usage: holdfast HOST         connects, and says whether the server is trusted
             holdfast FILE         shows what is in a file
             holdfast COMMAND …


      """
    for command in all {
      text += row("  holdfast \(command.name)", command.summary, at: 21, console.width)
    }
    text += """

      holdfast COMMAND -h shows the usual options and examples, --help all of them.

      """
    guard !isBrief else { return text }
    text += CommonOptions.everywhere.text(console.width) + "\n"
    return text + wrapped(ExitStatus.sentence, to: 76).joined(separator: "\n") + "\n"
  }

  /// What is usually needed: the first group of options and three examples.
  func briefHelp(_ console: Console) -> String {
    beginning(console) + options.prefix(1).map { $0.text(console.width) }.joined()
      + examples(maximum: 3) + "\nholdfast \(name) --help has all options and examples\n"
  }

  /// All options and examples.
  func help(_ console: Console) -> String {
    var text = beginning(console) + options.map { $0.text(console.width) }.joined()
    text += "\nWhat every command takes is listed by holdfast --help.\n"
    if readsCertificates {
      text += "Files are PEM, DER, PKCS #12 or PKCS #7; - is standard input.\n"
    }
    return text + examples(maximum: .max)
  }

  private func beginning(_ console: Console) -> String {
    let usage = wrapped("holdfast \(name) \(usage)", to: console.width - 7)
    return wrapped(summary, to: console.width).joined(separator: "\n") + "\n\nusage: "
      + usage.joined(separator: "\n       ") + "\n"
  }

  private func examples(maximum: Int) -> String {
    let lines = examples.split(separator: "\n").prefix(maximum == .max ? .max : 2 * maximum)
    return "\nexamples:\n" + lines.map { "  \($0)\n" }.joined()
  }

  /// A name and, from a column on, what it means; below the name if that is too long, or the
  /// terminal too narrow.
  fileprivate static func row(
    _ name: String, _ text: String, at column: Int, _ width: Int
  ) -> String {
    let isBeside = name.count + 2 <= column && column + 24 <= width
    let margin = isBeside ? column : 6
    var lines = wrapped(text, to: width - margin)
    guard !lines.isEmpty else { return name + "\n" }
    if isBeside {
      lines[0] = padded(name, to: column) + lines[0]
    } else {
      lines.insert(name, at: 0)
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: margin)) + "\n"
  }
}

extension OptionGroup {
  /// The options with their meanings, below the title.
  fileprivate func text(_ width: Int) -> String {
    guard !options.isEmpty else { return "" }
    var text = title.isEmpty ? "\n" : "\n\(title):\n"
    for option in options {
      let value = option.form.map { " \($0.placeholder)" } ?? ""
      let names = "  " + option.spellings.joined(separator: ", ") + value
      text += Command.row(names, option.meaning, at: 24, width)
    }
    return text
  }
}
