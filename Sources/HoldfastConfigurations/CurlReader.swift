internal import Holdfast

/// Reads the value of curl's `--pinnedpubkey`: pins as `sha256//` and base64, separated by `;`.
///
/// curl compares only the server's own key, so the pins count only for the leaf.
enum CurlReader {
  static func read(
    _ text: String, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    guard let host = context.host else {
      throw ConfigurationError(
        .missing("the host (the argument `host`, or --host), which curl's pins do not name,"))
    }
    var value = trimmed(text)
    if value.hasPrefix("--pinnedpubkey") {
      value = trimmed(String(value.dropFirst(14).drop { $0 == "=" }))
    }
    for quote in ["\"", "'"]
    where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
      value = String(value.dropFirst().dropLast())
    }
    guard value.hasPrefix("sha256//") else {
      throw ConfigurationError(
        .unsupported("a key file, or not a pin: `holdfast pin --curl FILE` prints the pin"))
    }
    var pins: [Pin] = []
    for part in value.split(separator: ";", omittingEmptySubsequences: false) {
      do throws(PinError) {
        let pin = try Pin(String(part))
        guard pin.text(.curl) == part else { throw PinError(.notBase64, at: 8) }
        pins.append(pin)
      } catch {
        throw ConfigurationError(.badPin(String(part), error))
      }
    }
    let pattern = try FieldText.pattern(host, .host, key: host, line: nil)
    var remarks = Remarks()
    remarks.add(
      host, nil, "curl compares the key even with --insecure; Holdfast also validates the chain")
    let set = try FieldText.set(key: host, line: nil) { () throws(PinSetError) in
      try PinSet(pins.map { ScopedPin($0, in: .leaf) }, backup: .waived)
    }
    remarks.addLoneKey(set, host, nil)
    return try PinConfiguration(.curl, [PinTable.Entry(pattern, set)], remarks)
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
