internal import Holdfast

/// Reads OkHttp's pins: a builder's calls `.add("pattern", "pin", …)`, or lines of a pattern and
/// its pins, where `#` begins a comment.
struct OkHttpReader {
  private var patterns: [(pattern: HostPattern, text: String, line: Int)] = []
  private var pins: [HostPattern: [Pin]] = [:]
  private static let quote = UInt8(ascii: "\"")

  static func read(
    _ text: String, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    var reader = OkHttpReader()
    if text.utf8.contains(Self.quote) || FieldText.range(of: ".add(", in: text[...]) != nil {
      try reader.readCalls(text)
    } else {
      try reader.readLines(text)
    }
    var entries: [PinTable.Entry] = []
    var remarks = Remarks()
    for (pattern, text, line) in reader.patterns {
      let pins = reader.pins[pattern] ?? []
      remarks.addLoneKey(pins, text, line)
      if text != "\(pattern)" && !text.hasPrefix("*") {
        remarks.add(
          text, line, "OkHttp has no pins for a host with a trailing dot; here it is the same host")
      }
      let set = try FieldText.set(key: text, line: line) { () throws(PinSetError) in
        try PinSet(pins, backup: .waived)
      }
      entries.append(PinTable.Entry(pattern, set))
    }
    return try PinConfiguration(.okHttp, entries, overlap: .united, remarks)
  }

  private mutating func add(
    _ pattern: String, _ texts: [String], line: Int
  ) throws(ConfigurationError) {
    let hosts: HostPattern
    do throws(HostPatternError) {
      hosts = try HostPattern(pattern)
    } catch {
      throw ConfigurationError(.badHost(error), key: pattern, line: line)
    }
    guard !texts.isEmpty else {
      throw ConfigurationError(.badPins(.noPins), key: pattern, line: line)
    }
    for text in texts {
      do throws(PinError) {
        // OkHttp has only this notation.
        guard text.hasPrefix("sha256/") || text.hasPrefix("sha1/") else {
          throw PinError(.unknownFunction(String(text.prefix { $0 != "/" })), at: 0)
        }
        let pin = try Pin(text)
        guard pin.text() == text else { throw PinError(.notBase64, at: 7) }
        pins[hosts, default: []].append(pin)
      } catch {
        throw ConfigurationError(.badPin(text, error), key: pattern, line: line)
      }
    }
    if !patterns.contains(where: { $0.pattern == hosts }) {
      patterns.append((hosts, pattern, line))
    }
  }

  private mutating func readLines(_ text: String) throws(ConfigurationError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let pattern = words.first else { continue }
      try add(String(pattern), words.dropFirst().map(String.init), line: index + 1)
    }
  }

  /// Reads the calls. Text between them must not have quotation marks, so that no call is missed.
  private mutating func readCalls(_ text: String) throws(ConfigurationError) {
    var rest = text[...]
    var line = 1
    func fault(_ message: String, _ line: Int) -> ConfigurationError {
      ConfigurationError(.malformed(message), line: line)
    }
    while let call = FieldText.range(of: ".add(", in: rest) {
      let before = rest[..<call.lowerBound]
      line += before.count(where: \.isNewline)
      guard !before.utf8.contains(Self.quote) else { throw fault("a string outside .add(…)", line) }
      rest = rest[call.upperBound...]
      let start = line
      var texts: [String] = []
      var isOpen = true
      while isOpen {
        rest = rest.drop { character in
          if character.isNewline { line += 1 }
          return character.isWhitespace
        }
        guard rest.first == "\"" else { throw fault("expected a quoted string", line) }
        rest = rest.dropFirst()
        let body = rest.prefix { $0 != "\"" && !$0.isNewline && $0 != "\\" }
        rest = rest[body.endIndex...]
        guard rest.first == "\"" else { throw fault("unterminated string", line) }
        texts.append(String(body))
        rest = rest.dropFirst().drop { character in
          if character.isNewline { line += 1 }
          return character.isWhitespace
        }
        switch rest.first {
        case ",": rest = rest.dropFirst()
        case ")":
          rest = rest.dropFirst()
          isOpen = false
        default: throw fault("expected \",\" or \")\"", line)
        }
      }
      try add(texts[0], Array(texts.dropFirst()), line: start)
    }
    line += rest.count(where: \.isNewline)
    guard !rest.utf8.contains(Self.quote) else { throw fault("a string outside .add(…)", line) }
  }
}
