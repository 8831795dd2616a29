internal import Holdfast
internal import HoldfastCertificates

/// The part of an explanation's page that is about pins: what was expected and where it was found, and
/// which keys were seen.
struct PinSection {
  let pinned: PinnedQuestion
  let diagnosis: Diagnosis
  let time: Timestamp

  var text: String {
    var text = "<h2>Pins</h2>\n"
    text += "<p>\(Markup.text(pinned.lines.first ?? ""))</p>\n"
    for warning in pinned.lines.dropFirst() where warning.hasPrefix("warning: ") {
      text += "<p class=\"problem\">\(Markup.text(warning))</p>\n"
    }
    let paths = self.paths
    switch pinned.selection {
    case .pinned(let pattern, let pins):
      text += terms(of: pins, for: pattern) + expected(pins, on: paths) + seen(paths, pins)
    case .excluded(let pattern):
      text +=
        "<p>Left out of pinning by the entry \(Markup.text("\(pattern)")).</p>\n"
        + seen(paths, nil)
    case .unknown: text += "<p>No entry is for this host.</p>\n" + seen(paths, nil)
    }
    for hint in pinned.hints { text += "<p>Hint: \(Markup.text(hint))</p>\n" }
    return text
  }

  /// A path as a list of keys, each with its place.
  private struct Path {
    let name: String
    let isValid: Bool
    let places: [PathPlace]
  }

  /// The valid paths that were looked at, and then those that are not valid.
  private var paths: [Path] {
    pinned.validPaths.map { number, path in
      Path(name: "path \(number)", isValid: true, places: path.places)
    }
      + diagnosis.attempts.enumerated().map { index, attempt in
        Path(
          name: "invalid path \(index + 1)", isValid: false,
          places: PathPlace.places(attempt.certificates, attempt.anchor))
      }
  }

  /// When the pins count, and what happens then.
  private func terms(of pins: PinSet, for pattern: HostPattern) -> String {
    var enforcement = pins.mode == .reportOnly ? "reported, never refused" : "refused"
    if let start = pins.enforcedFrom, pins.mode == .enforced {
      enforcement =
        time < start
        ? "reported until \(start), then refused" : "refused since \(start)"
    }
    var expiry = "never"
    if let end = pins.expiry, let next = pins.actionAfterExpiry {
      let action =
        switch next {
        case .failClosed: "every connection is refused"
        case .reportOnly: "what the pins miss is reported"
        case .failOpen: "nothing is pinned"
        }
      let days = end.time.seconds(since: time) / 86_400
      expiry =
        end.time <= time
        ? "at \(end.time), which has passed: \(action)"
        : "at \(end.time), in \(days) days; then \(action)"
    }
    let distinct = Set(pins.pins.map(\.pin)).count
    let backup = distinct > 1 ? "yes, \(distinct) pins" : "no, this is the only pin"
    let facts = [
      ("entry", "\(pattern)"), ("a miss is", enforcement), ("expires", expiry), ("backup", backup),
    ]
    let items = facts.map { "<dt>\($0.0)</dt><dd>\(Markup.text($0.1))</dd>\n" }
    return "<dl>\n\(items.joined())</dl>\n"
  }

  /// Each pin that was expected, and where it was found.
  private func expected(_ pins: PinSet, on paths: [Path]) -> String {
    var rows: [[Cell]] = []
    for expected in pins.pins {
      let finds = finds(of: expected, on: paths)
      let label = [expected.label, expected.isForDebugging ? "for debugging" : nil]
      rows.append([
        .code("\(expected.pin)"),
        .text(label.compactMap(\.self).joined(separator: ", ")), .text("\(expected.scope)"),
        finds.isEmpty
          ? .text("nowhere")
          : .mark(finds.contains(where: \.counts), finds.map(\.message).joined(separator: "; ")),
      ])
    }
    for pin in pins.denied {
      let finds = finds(of: ScopedPin(pin), on: paths)
      rows.append([
        .code("\(pin)"), .text("denied"), .text("any"),
        finds.isEmpty
          ? .mark(true, "nowhere, as it must be")
          : .mark(false, finds.map(\.message).joined(separator: "; ")),
      ])
    }
    return Cell.table(["expected pin", "label", "counts as", "found"], rows)
  }

  /// A place where a pin was found.
  private struct Find {
    let path: Path
    let place: PathPlace
    /// Whether the pin counts in this place.
    let isInScope: Bool

    var counts: Bool { path.isValid && isInScope }
    var message: String {
      "\(place.scope) of \(path.name): \(PathText.name(place))"
        + (path.isValid && !isInScope ? ", where it does not count" : "")
    }
  }

  private func finds(of pin: ScopedPin, on paths: [Path]) -> [Find] {
    paths.flatMap { path in
      path.places.compactMap { place in
        PinSection.isInScope(pin, at: place).map {
          Find(path: path, place: place, isInScope: $0)
        }
      }
    }
  }

  /// Whether a pin counts at a place; nil where it is not found. `PinSet.evaluate` compares.
  private static func isInScope(_ pin: ScopedPin, at place: PathPlace) -> Bool? {
    do throws(PinSetError) {
      let set = try PinSet([pin], backup: .waived)
      do throws(PinnedPath.Reason) {
        _ = try set.evaluate([place])
        return true
      } catch {
        if case .wrongPlace = error { return false }
        return nil
      }
    } catch {
      // One pin, with its backup waived, is a set.
      return nil
    }
  }

  /// Each key that was seen, ready to be copied.
  private func seen(_ paths: [Path], _ pins: PinSet?) -> String {
    var rows: [[Cell]] = []
    for path in paths {
      for place in path.places {
        func isFound(_ pin: ScopedPin) -> Bool { PinSection.isInScope(pin, at: place) != nil }
        let isDenied = pins?.denied.contains { isFound(ScopedPin($0)) } == true
        let isPinned = pins?.pins.contains(where: isFound) == true
        var row: [Cell] = [
          .text(path.name), .text("\(place.scope)"), .name(PathText.name(place)),
          .code("\(place.pin)"),
        ]
        if pins != nil {
          row.append(
            isDenied
              ? .mark(false, "denied")
              : isPinned ? .mark(path.isValid, "pinned") : .text("not pinned"))
        }
        rows.append(row)
      }
    }
    let heads = ["seen on", "as", "certificate", "pin of its key"]
    return Cell.table(heads + (pins == nil ? [] : ["result"]), rows)
  }
}

/// A cell of a table.
private enum Cell {
  case text(String)
  /// The name of a certificate: however long it is, it has no blank.
  case name(String)
  case code(String)
  /// With a mark for good or bad.
  case mark(Bool, String)

  /// The cell; a narrow page shows its head beside it.
  private func html(_ head: String) -> String {
    let (attributes, content) =
      switch self {
      case .text(let text): ("", Markup.text(text))
      case .name(let text): (" class=\"name\"", Markup.text(text))
      case .code(let text): ("", "<code>\(Markup.text(text))</code>")
      case .mark(true, let text): (" class=\"fine\"", "✓ \(Markup.text(text))")
      case .mark(false, let text): (" class=\"problem\"", "✗ \(Markup.text(text))")
      }
    return "<td data-head=\"\(head)\"\(attributes)>\(content)</td>"
  }

  /// A table; each row has a cell for each head.
  static func table(_ heads: [String], _ rows: [[Cell]]) -> String {
    guard !rows.isEmpty else { return "" }
    var text = "<table>\n<tr>\(heads.map { "<th>\($0)</th>" }.joined())</tr>\n"
    for row in rows {
      text += "<tr>\(zip(heads, row).map { $1.html($0) }.joined())</tr>\n"
    }
    return text + "</table>\n"
  }
}
