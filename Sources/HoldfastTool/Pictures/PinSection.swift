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
    let words = pinned.words.split(separator: "\n").map(String.init)
    text += "<p>\(Markup.text(words.first ?? ""))</p>\n"
    for warning in words.dropFirst() where warning.hasPrefix("warning: ") {
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
    let keys: [Key]
  }

  /// A key on a path, and whose it is.
  private struct Key {
    let place: PinScope
    let name: String
    let key: PublicKey
    let certificate: Certificate?

    func has(_ pin: Pin) -> Bool { certificate.map(pin.matches) ?? pin.matches(key) }
  }

  /// The valid paths that were looked at, and then those that are not valid.
  private var paths: [Path] {
    var paths: [Path] = []
    for (number, path) in pinned.validPaths {
      paths.append(
        Path(
          name: "path \(number)", isValid: true,
          keys: keys(path.certificates, path.anchor)))
    }
    for (index, attempt) in diagnosis.attempts.enumerated() {
      paths.append(
        Path(
          name: "invalid path \(index + 1)", isValid: false,
          keys: keys(attempt.certificates, attempt.anchor)))
    }
    return paths
  }

  private func keys(_ certificates: [Certificate], _ anchor: TrustAnchor?) -> [Key] {
    var keys: [Key] = []
    for (index, certificate) in certificates.enumerated() {
      let isAnchor = certificate == anchor?.certificate
      keys.append(
        Key(
          place: index == 0 ? .leaf : isAnchor ? .anchor : .intermediate,
          name: PathText.name(certificate), key: certificate.publicKey, certificate: certificate))
    }
    if let anchor, anchor.certificate == nil || certificates.last != anchor.certificate {
      keys.append(
        Key(
          place: .anchor, name: "\(anchor)", key: anchor.publicKey,
          certificate: anchor.certificate))
    }
    return keys
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
      let places = self.places(of: expected.pin, on: paths)
      let counts = places.contains {
        $0.isValid && !expected.scope.isDisjoint(with: $0.key.place)
      }
      let words = places.map { place in
        let counts = place.isValid && !expected.scope.isDisjoint(with: place.key.place)
        return place.words + (counts || !place.isValid ? "" : ", where it does not count")
      }
      let label = [expected.label, expected.isForDebugging ? "for debugging" : nil]
      rows.append([
        .code("\(expected.pin)"),
        .text(label.compactMap(\.self).joined(separator: ", ")), .text("\(expected.scope)"),
        places.isEmpty
          ? .text("nowhere")
          : .mark(counts, words.joined(separator: "; ")),
      ])
    }
    for pin in pins.denied {
      let places = self.places(of: pin, on: paths)
      rows.append([
        .code("\(pin)"), .text("denied"), .text("any"),
        places.isEmpty
          ? .mark(true, "nowhere, as it must be")
          : .mark(false, places.map(\.words).joined(separator: "; ")),
      ])
    }
    return Cell.table(["expected pin", "label", "counts as", "found"], rows)
  }

  private struct Place {
    let isValid: Bool
    let path: String
    let key: Key

    var words: String { "\(key.place) of \(path): \(key.name)" }
  }

  private func places(of pin: Pin, on paths: [Path]) -> [Place] {
    paths.flatMap { path in
      path.keys.filter { $0.has(pin) }.map {
        Place(isValid: path.isValid, path: path.name, key: $0)
      }
    }
  }

  /// Each key that was seen, ready to be copied.
  private func seen(_ paths: [Path], _ pins: PinSet?) -> String {
    var rows: [[Cell]] = []
    for path in paths {
      for key in path.keys {
        let isPinned = pins?.pins.contains { key.has($0.pin) } == true
        let isDenied = pins?.denied.contains { key.has($0) } == true
        rows.append([
          .text(path.name), .text("\(key.place)"), .text(key.name),
          .code("\(Pin(key.key))"),
          isDenied ? .mark(false, "denied") : isPinned ? .mark(path.isValid, "pinned") : .text(""),
        ])
      }
    }
    return Cell.table(["seen on", "as", "certificate", "pin of its key", ""], rows)
  }
}

/// A cell of a table.
private enum Cell {
  case text(String)
  case code(String)
  /// With a mark for good or bad.
  case mark(Bool, String)

  private var html: String {
    switch self {
    case .text(let text): "<td>\(Markup.text(text))</td>"
    case .code(let text): "<td><code>\(Markup.text(text))</code></td>"
    case .mark(true, let text): "<td class=\"fine\">✓ \(Markup.text(text))</td>"
    case .mark(false, let text): "<td class=\"problem\">✗ \(Markup.text(text))</td>"
    }
  }

  static func table(_ heads: [String], _ rows: [[Cell]]) -> String {
    guard !rows.isEmpty else { return "" }
    let head = heads.map { "<th>\($0)</th>" }.joined()
    let body = rows.map { "<tr>\($0.map(\.html).joined())</tr>\n" }.joined()
    return "<table>\n<tr>\(head)</tr>\n\(body)</table>\n"
  }
}
