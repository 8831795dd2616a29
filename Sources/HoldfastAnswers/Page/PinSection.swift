internal import Holdfast

/// The part of an explanation's page that is about pins, what was expected and where it was found,
/// and which keys were seen; and about the timestamps of logs.
struct PinSection {
  let answer: Answer
  let time: Timestamp

  var text: String { (answer.pins.map { text(of: $0) } ?? "") + timestamps }

  /// Each timestamp, its log and whether it counts.
  private var timestamps: String {
    guard let report = answer.transparency else { return "" }
    let rows = report.results.map { result -> [Cell] in
      let log = result.log.map { "\($0.name) of \(result.operatorName ?? $0.operatorName)" }
      return [
        .name(log ?? result.timestamp.map { "\($0.logID)" } ?? "unread"),
        .text(result.time.map { "\($0)" } ?? ""), .text(result.delivery.rawValue),
        .text(result.state.map { "\($0)" } ?? ""),
        .mark(result.isCounted, "\(result.status)"),
      ]
    }
    return "<h2>Transparency</h2>\n<p>\(Markup.sentence(report.summary))</p>\n"
      + Cell.table(["log", "time", "delivery", "state", "result"], rows)
  }

  private func text(of pinned: Answer.Pins) -> String {
    var text = "<h2>Pins</h2>\n"
    if answer.verdict != .pinMismatch { text += "<p>\(Markup.text(pinned.words))</p>\n" }
    let keys = self.keys(of: pinned)
    switch pinned.selection {
    case .pinned(let pattern, let pins):
      text += terms(of: pins, for: pattern) + expected(pins, among: keys) + seen(keys, pins)
    case .excluded(let pattern):
      text += "<p>Left out of pinning by the entry \(Markup.text("\(pattern)")).</p>\n"
      text += seen(keys, nil)
    case .unknown: text += "<p>No entry is for this host.</p>\n" + seen(keys, nil)
    }
    return text
  }

  /// A key that was seen.
  private struct SeenKey {
    /// The name of its path, and whether that is valid.
    let path: String
    let isValid: Bool
    let element: PathElement
  }

  /// The keys of the valid paths that were looked at, and then those of the others.
  private func keys(of pinned: Answer.Pins) -> [SeenKey] {
    let valid = pinned.paths.enumerated().flatMap { index, path in
      let number = pinned.match == nil ? index + 1 : pinned.pathNumber
      return path.elements.map { SeenKey(path: "path \(number)", isValid: true, element: $0) }
    }
    let others = answer.attempts.enumerated().flatMap { index, attempt in
      PathElement.elements(attempt.certificates, attempt.anchor).map {
        SeenKey(path: "invalid path \(index + 1)", isValid: false, element: $0)
      }
    }
    return valid + others
  }

  /// When the pins count, and what happens then.
  private func terms(of pins: PinSet, for pattern: HostPattern) -> String {
    var enforcement = pins.mode == .reportOnly ? "reported, never rejected" : "rejected"
    if case .enforcedFrom(let start) = pins.mode {
      enforcement =
        time < start
        ? "reported until \(start), then rejected" : "rejected since \(start)"
    }
    var expiry = "never"
    if let end = pins.expiry, let next = pins.actionAfterExpiry {
      let action = next.words
      expiry =
        end.time <= time
        ? "at \(end.time), which has passed: \(action)"
        : "at \(end.time), in "
          + "\(Timestamp.duration(ofSeconds: end.time.seconds(since: time))); then \(action)"
    }
    let distinct = Set(pins.pins.map { $0.pin }).count
    let backup = distinct > 1 ? "yes, \(distinct) pins" : "no, this is the only pin"
    let facts = [
      ("entry", "\(pattern)"), ("a miss is", enforcement), ("expires", expiry), ("backup", backup),
    ]
    let items = facts.map { "<dt>\($0.0)</dt><dd>\(Markup.sentence($0.1))</dd>\n" }
    return "<dl>\n\(items.joined())</dl>\n"
  }

  /// Each pin that was expected, and where it was found.
  private func expected(_ pins: PinSet, among keys: [SeenKey]) -> String {
    var rows: [[Cell]] = []
    for expected in pins.pins {
      let (counts, elements) = finds(of: expected, among: keys)
      let label = [expected.label, expected.isForDebugging ? "for debugging" : nil]
      rows.append([
        .code("\(expected.pin)"),
        .text(label.compactMap { $0 }.joined(separator: ", ")), .text("\(expected.scope)"),
        elements.isEmpty ? .text("nowhere") : .mark(counts, elements),
      ])
    }
    for pin in pins.denied {
      let (_, elements) = finds(of: ScopedPin(pin), among: keys)
      rows.append([
        .code("\(pin)"), .text("denied"), .text("any"),
        .mark(elements.isEmpty, elements.isEmpty ? "nowhere, as it must be" : elements),
      ])
    }
    return Cell.table(["expected pin", "label", "counts as", "found"], rows)
  }

  /// Whether a pin counts where it was found, and the places in words.
  private func finds(of pin: ScopedPin, among keys: [SeenKey]) -> (counts: Bool, elements: String) {
    var counts = false
    let elements = keys.compactMap { key in
      PinSection.isInScope(pin, at: key.element).map { isInScope in
        counts = counts || key.isValid && isInScope
        return "\(key.element.scope) of \(key.path): \(PathText.name(key.element))"
          + (key.isValid && !isInScope ? ", where it does not count" : "")
      }
    }
    return (counts, elements.joined(separator: "; "))
  }

  /// Whether a pin counts at a place; nil where it is not found. `PinSet.evaluate` compares.
  private static func isInScope(_ pin: ScopedPin, at element: PathElement) -> Bool? {
    // One pin, with its backup waived, is a set.
    let set: PinSet
    do throws(PinSetError) {
      set = try PinSet([pin], backup: .waived)
    } catch {
      return nil
    }
    do throws(PinnedPath.Reason) {
      _ = try set.evaluate([element])
      return true
    } catch .wrongOffset {
      return false
    } catch {
      return nil
    }
  }

  /// Each key that was seen, ready to be copied.
  private func seen(_ keys: [SeenKey], _ pins: PinSet?) -> String {
    let rows = keys.map { key in
      func isFound(_ pin: ScopedPin) -> Bool { PinSection.isInScope(pin, at: key.element) != nil }
      var row: [Cell] = [
        .text(key.path), .text("\(key.element.scope)"), .name(PathText.name(key.element)),
        .code("\(key.element.pin)"),
      ]
      if let pins {
        let isDenied = pins.denied.contains { isFound(ScopedPin($0)) }
        let isPinned = pins.pins.contains { isFound($0) }
        row.append(
          isDenied
            ? .mark(false, "denied")
            : isPinned ? .mark(key.isValid, "pinned") : .text("not pinned"))
      }
      return row
    }
    let heads = ["seen on", "as", "certificate", "pin of its key"]
    return Cell.table(heads + (pins == nil ? [] : ["result"]), rows)
  }
}
