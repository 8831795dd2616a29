import Foundation
import HoldfastCertificates
import HoldfastTool
import Testing

/// Sources/Messages.md is made from the code: what users read, in one place to review.
@Suite("Messages to users") struct MessagesTableTests {
  @Test("Sources/Messages.md has every message as the code prints it")
  func table() throws {
    let text = try Self.text()
    if ProcessInfo.processInfo.environment["HOLDFAST_WRITE_TABLES"] != nil {
      try SourceTree.write(text, to: "Sources/Messages.md")
    }
    let written = try #require(SourceTree.text(of: "Sources/Messages.md"))
    #expect(
      written == text,
      "HOLDFAST_WRITE_TABLES=1 swift test --filter MessagesTableTests makes it anew")
  }

  @Test("every case of an enum of errors has a row, and no row names another")
  func complete() throws {
    for section in try Self.sections() {
      guard let type = section.type else { continue }
      let cases = Self.cases(of: type, in: section.module)
      #expect(!cases.isEmpty, "\(type) was not found")
      #expect(Set(section.rows.map(\.name)) == cases.subtracting(section.elsewhere), "\(type)")
    }
  }

  @Test("no message contains a word of Scripts/lint --words")
  func words() throws {
    let text = try Self.text().lowercased()
    for word in [
      "whoever", "nobody", "somebody", "of whom", "as it stands", "octet", " is none", "mended",
      "so many", "the one that",
    ] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test("cases and literals are read from the sources")
  func bites() {
    let source = """
      public struct Outer {
        public enum Problem {
          /// One case or another.
          case one
          indirect case two(Int)
          case three, four
        }
        case no
      }
      """
    #expect(Self.cases(of: "Outer.Problem", in: [source]) == ["one", "two", "three", "four"])
    let call =
      "add(\n .note, \"name\", pattern,\n \"a \\(b(\"c\")) d\"\n + \" e\")\nadd(.error, \"n\", p, f)"
    let rest = call.split(separator: "pattern,", maxSplits: 1)
    #expect(Self.literal(in: rest[1]) == "a … d e")
  }

  private struct Section {
    let title: String
    let type: String?
    let module: String
    let rows: [MessageRow]
    /// Cases that only pass on the message of another error.
    var elsewhere: Set<String> = []
  }

  private static func sections() throws -> [Section] {
    let leaf = try Certificate.certificates(
      inFile: SourceTree.path(of: "Vectors/demo/chain.pem"))[0]
    return [
      Section(
        title: "Rules of a path", type: "Rule", module: "HoldfastPaths",
        rows: try MessageRows.rules(leaf)),
      Section(
        title: "Hints beside a refused path", type: "PathError.Hint", module: "HoldfastPaths",
        rows: MessageRows.hints(leaf)),
      Section(
        title: "Limits of a validation", type: "LimitReached", module: "HoldfastPaths",
        rows: MessageRows.limits),
      Section(
        title: "What a CRL or an OCSP response says", type: "CertificateRevocation.SourceOutcome",
        module: "HoldfastPaths", rows: MessageRows.sources),
      Section(
        title: "Why a revocation status is unknown", type: "CertificateRevocation.UnknownReason",
        module: "HoldfastPaths", rows: MessageRows.unknownReasons),
      Section(
        title: "Hosts, mailboxes and URIs", type: "HostNameError.Problem",
        module: "HoldfastCertificates", rows: MessageRows.hostNames),
      Section(
        title: "DER", type: "DERError.Problem", module: "HoldfastDER", rows: MessageRows.der),
      Section(
        title: "PEM", type: "PEMError.Problem", module: "HoldfastDER", rows: MessageRows.pem),
      Section(
        title: "Encodings that are accepted and noted", type: "EncodingDeviation",
        module: "HoldfastCertificates", rows: MessageRows.deviations),
      Section(title: "Pins", type: "PinError.Problem", module: "Holdfast", rows: MessageRows.pins),
      Section(
        title: "Sets of pins", type: "PinSetError", module: "Holdfast",
        rows: try MessageRows.pinSets()),
      Section(
        title: "Patterns of hosts", type: "HostPatternError", module: "Holdfast",
        rows: try MessageRows.patterns()),
      Section(
        title: "Tables of pins", type: "PinTableError", module: "Holdfast",
        rows: try MessageRows.tables()),
      Section(
        title: "Why a server is not trusted", type: "TrustError", module: "Holdfast",
        rows: try MessageRows.trust(leaf),
        elsewhere: ["invalidPath", "pinMismatch", "refused", "custom"]),
      Section(
        title: "What a verdict leaves unchecked", type: "UncheckedItem", module: "Holdfast",
        rows: MessageRows.unchecked),
      Section(
        title: "Why a valid path does not satisfy the pins", type: "PinnedPath.Reason",
        module: "Holdfast", rows: try MessageRows.pathReasons(leaf)),
      Section(
        title: "Hints beside a pin mismatch", type: "PinMismatch.Hint", module: "Holdfast",
        rows: try MessageRows.pinHints(leaf)),
      Section(
        title: "Warnings of a verdict", type: "Verdict.Warning", module: "Holdfast",
        rows: try MessageRows.warnings()),
      Section(
        title: "Configurations of pins", type: "ConfigurationError.Problem",
        module: "HoldfastConfigurations", rows: try MessageRows.configurations()),
      Section(
        title: "What `holdfast pins lint` finds", type: nil, module: "HoldfastConfigurations",
        rows: literals(#/add\(\s*\.(?:note|warning|error), "(\w+)", \w+,/#)),
      Section(
        title: "Differences that reading and converting report", type: nil,
        module: "HoldfastConfigurations",
        rows: literals(#/lose\(\s*(?:host|subject|"all hosts"), \.(\w+),/#)
          + literals(#/(?:words|remark)(?:: |\(\s*\w+, [\w.]+,)()/#)),
      Section(
        title: "A locked identity", type: "IdentityError.Locked", module: "HoldfastIdentities",
        rows: MessageRows.identities),
      Section(
        title: "Limits of an identity", type: "IdentityError.Limit", module: "HoldfastIdentities",
        rows: MessageRows.identityLimits),
      Section(
        title: "No identity", type: "IdentityError.NoIdentity", module: "HoldfastIdentities",
        rows: MessageRows.noIdentity),
      Section(title: "The command line", type: nil, module: "HoldfastTool", rows: commandLine()),
    ]
  }

  /// Command lines that are not understood, and what the tool prints.
  private static func commandLine() -> [MessageRow] {
    let chain = SourceTree.path(of: "Vectors/demo/chain.pem")
    let lines = [
      ["verfy", chain], ["verify", chain, "--hots", "www.demo.example"], ["verify"],
      ["verify", chain, "--host"], ["verify", chain], ["inspect", "--json=1", chain],
      ["verify", chain, "--host", "a.example", "--host", "b.example"],
      ["verify", chain, "--host", "https://a.example/", "--system"],
      ["verify", chain, "--host", "www.demo.example", "--rules", "webPKI2", "--system"],
      ["inspect", "absent.pem"], ["inspect", SourceTree.path(of: "Vectors")],
      ["pin", SourceTree.path(of: "Package.swift")],
    ]
    return lines.map { words in
      let console = Console(captured: true)
      _ = Command.run(words, console)
      let root = SourceTree.path(of: "")
      let first = console.messageText.split(separator: "\n").first.map(String.init) ?? ""
      return MessageRow(
        "holdfast " + words.joined(separator: " ").replacing(root, with: ""),
        first.replacing(root, with: ""))
    }
  }

  private static func text() throws -> String {
    var lines = [
      "# What users read", "",
      "Made from the code by `Tests/ReadmeTests/MessagesTableTests.swift`; a `…` stands for a value. "
        + "Errors are",
      "printed with their place: the certificate, the field and the byte, or the file and the line.",
    ]
    for section in try sections() {
      let cites = section.rows.contains { $0.section != nil }
      lines += ["", "## \(section.title)", ""]
      if let type = section.type { lines += ["`\(type)`", ""] }
      let head = section.title == "The command line" ? "command" : "name"
      lines.append("| \(head) | message |" + (cites ? " section |" : ""))
      lines.append("|---|---|" + (cites ? "---|" : ""))
      for row in section.rows {
        let name = row.name.isEmpty ? "" : "`\(row.name)`"
        let message = row.message.replacing("|", with: "\\|").replacing("\n", with: " ")
        lines.append("| \(name) | \(message) |" + (cites ? " \(row.section ?? "") |" : ""))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The names of the cases of `Outer.Inner` in the sources of a module.
  private static func cases(of type: String, in module: String) -> Set<String> {
    cases(of: type, in: SourceTree.texts(in: "Sources/\(module)", ending: ".swift"))
  }

  static func cases(of type: String, in texts: [String]) -> Set<String> {
    let parts = type.split(separator: ".").map(String.init)
    for text in texts {
      var rest = text[...]
      var found = true
      for part in parts {
        let declared = ["enum", "struct", "extension"].compactMap { kind in
          [":", " "].compactMap { rest.firstRange(of: "\(kind) \(part)\($0)") }
            .min { $0.lowerBound < $1.lowerBound }
        }
        guard let place = declared.min(by: { $0.lowerBound < $1.lowerBound }) else {
          found = false
          break
        }
        rest = rest[place.upperBound...]
      }
      guard found else { continue }
      var names: Set<String> = []
      let lines = rest.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      for line in lines {
        if line.wholeMatch(of: #/ *\}/#) != nil { break }
        guard let match = line.firstMatch(of: #/^ *(?:indirect )?case (.*)/#) else { continue }
        let plain = match.1.replacing(#/\(.*?\)/#, with: "").replacing(#/ = .*/#, with: "")
        for name in plain.split(separator: ",") {
          names.insert(name.trimmingCharacters(in: .whitespaces))
        }
      }
      if !names.isEmpty { return names }
    }
    return []
  }

  /// The literal messages behind each match of a pattern, whose first group is their name.
  private static func literals(_ pattern: Regex<(Substring, Substring)>) -> [MessageRow] {
    SourceTree.texts(in: "Sources/HoldfastConfigurations", ending: ".swift").flatMap { text in
      // What the reader of XML finds wrong is part of `ConfigurationError`.
      (text.contains("struct XMLFault") ? "" : text).matches(of: pattern).compactMap { match in
        literal(in: text[match.range.upperBound...]).map { MessageRow(String(match.output.1), $0) }
      }
    }
    .sorted { ($0.name, $0.message) < ($1.name, $1.message) }
  }

  /// The string literals joined by `+` at the beginning of the code, with `…` for what is interpolated.
  static func literal(in code: Substring) -> String? {
    var rest = code.drop { $0.isWhitespace }
    guard rest.first == "\"" else { return nil }
    var text = ""
    while rest.first == "\"" {
      rest = rest.dropFirst()
      while let character = rest.first, character != "\"" {
        rest = rest.dropFirst()
        guard character == "\\", let escaped = rest.first else {
          text.append(character)
          continue
        }
        rest = rest.dropFirst()
        guard escaped == "(" else {
          text.append(escaped)
          continue
        }
        var depth = 1
        while depth > 0, let inner = rest.first {
          depth += inner == "(" ? 1 : inner == ")" ? -1 : 0
          rest = rest.dropFirst()
        }
        text.append("…")
      }
      rest = rest.dropFirst().drop { $0.isWhitespace }
      guard rest.first == "+" else { break }
      rest = rest.dropFirst().drop { $0.isWhitespace }
    }
    return text
  }
}
