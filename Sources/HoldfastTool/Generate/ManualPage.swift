/// The man page, made of the commands as they are.
struct ManualPage {
  let commands: [Command]

  /// The text in the language of man(7).
  var text: String {
    var text = """
      .TH HOLDFAST 1 "" "holdfast \(Version.number)" "User Commands"
      .SH NAME
      holdfast \\- shows what certificates contain and whether to trust them
      .SH SYNOPSIS
      .B holdfast
      .I COMMAND
      .RI [ OPTIONS "] [" FILE "]..."
      .br
      .B holdfast
      .IR HOST | FILE
      .SH DESCRIPTION
      A FILE is PEM or DER, or several of either in one, PKCS #12 or PKCS #7; \\- is standard input. Options may stand in
      any place, as \\-\\-name value or \\-\\-name=value; after \\-\\- nothing is an option.
      The name of a host alone stands for connect, that of a file for inspect. A host may be a URL.
      Of values, neither case nor hyphens matter.
      .SH OPTIONS
      Every command takes these, and \\-\\-json and \\-\\-at where they mean something:

      """
    text += items(of: CommonOptions.everywhere) + ".SH COMMANDS\n"
    for command in commands { text += section(command) }
    return text + """
      .SH EXIT STATUS

      """ + ExitStatus.allCases.map { ".TP\n.B \($0.rawValue)\n\(roff($0.meaning))\n" }.joined()
        + """
        .PP
        Of several answers the highest counts.
        .SH ENVIRONMENT
        .TP
        .BR SSL_CERT_FILE ", " SSL_CERT_DIR
        where the anchors of the system are, in place of the usual files
        .TP
        .B NO_COLOR
        no colors, unless \\-\\-color always is given

        """
  }

  private func section(_ command: Command) -> String {
    var text = ".SS \(roff(command.name))\n"
    text += roff(command.summary) + "\n.PP\n.B holdfast \(roff(command.name))\n"
    text += roff(command.usage) + "\n"
    for group in command.options {
      if !group.title.isEmpty { text += ".PP\n\(roff(group.title)):\n" }
      text += items(of: group)
    }
    text += ".PP\nExamples:\n"
    for line in command.examples.split(separator: "\n") {
      let purpose = line.drop { $0 == " " }
      text +=
        purpose.count < line.count
        ? "\(roff(String(purpose)))\n" : ".PP\n.nf\n.RS\n\(roff(String(line)))\n.RE\n.fi\n"
    }
    return text
  }

  private func items(of group: OptionGroup) -> String {
    var text = ""
    for option in group.options {
      text += ".TP\n.B \(roff(option.spellings.joined(separator: ", ")))"
      if let form = option.form { text += " \\fI\(roff(form.placeholder))\\fR" }
      text += "\n\(roff(option.meaning))\n"
    }
    return text
  }

  /// A line of text: a backslash, a hyphen and a dot or a quote at the beginning mean something
  /// else.
  private func roff(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + "]"
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
