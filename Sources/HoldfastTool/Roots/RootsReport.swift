internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastTrustStores

/// The anchors of a set with what root programs think of them.
///
/// `--json` writes `version`, `time`, `source`, `table` (the program and the date of the embedded
/// table), `isOutdated`, `problems` (what could not be read, in words), `anchors` (`sha256`, `name`, `notAfter`, `state`, `isForServers`), and
/// with `--against` also `against`, `unwanted`, `unconstrained` and `missing`, which are lists of
/// such anchors, and `agreed`, a number.
struct RootsReport {
  let source: String
  let time: Timestamp
  let facts = ProgramFacts.mozilla
  let rows: [Row]
  let comparison: Comparison?
  /// What could not be read, with file, line and label.
  var problems: [String] = []

  /// An anchor.
  struct Row {
    let certificate: Certificate
    let name: String
    let state: String
    /// Whether the program trusts it for servers; nil if it does not know it.
    let isForServers: Bool?
  }

  /// How the set differs from a store.
  struct Comparison {
    let store: String
    let unwanted: [Row]
    let unconstrained: [Row]
    let missing: [Row]
    let agreed: Int
  }

  init(_ anchors: AnchorSet, of source: String, against store: TrustStore?, at time: Timestamp) {
    self.source = source
    self.time = time
    let facts = ProgramFacts.mozilla
    rows = anchors.anchors.compactMap(\.certificate).map { certificate in
      let fact = facts.fact(about: certificate)
      return Row(
        certificate: certificate, name: fact?.label ?? certificate.shortName,
        state: fact.map { "\($0.state)" } ?? "not in the table",
        isForServers: fact?.state.isForServers)
    }
    .sorted {
      ($0.isForServers == false ? 0 : 1, $0.name) < ($1.isForServers == false ? 0 : 1, $1.name)
    }
    comparison = store.map { store in
      let found = StoreComparison(anchors, against: store)
      func row(_ certificate: Certificate, _ entry: TrustStore.Entry?) -> Row {
        Row(
          certificate: certificate,
          name: entry?.label ?? facts.fact(about: certificate)?.label ?? certificate.shortName,
          state: entry.map(RootsReport.state) ?? "not in the store",
          isForServers: entry?.isTrusted(for: .serverAuth) ?? false)
      }
      func sorted(_ rows: [Row]) -> [Row] { rows.sorted { $0.name < $1.name } }
      return Comparison(
        store: "\(store)",
        unwanted: sorted(found.unwanted.map { row($0.certificate, $0.entry) }),
        unconstrained: sorted(found.unconstrained.map { row($0.certificate, $0.entry) }),
        missing: sorted(found.missing.map { row($0.certificate, $0) }), agreed: found.agreed)
    }
  }

  private static func state(_ entry: TrustStore.Entry) -> String {
    let constraints = entry.constraints.programs.map { program in
      program.alternatives.isEmpty
        ? "not trusted" : program.alternatives.map { "\($0)" }.joined(separator: ", or ")
    }
    return constraints.isEmpty ? "trusted" : constraints.joined(separator: "; ")
  }

  /// Whether nothing is too much or missing; without a store, whether the program trusts all that it
  /// knows.
  var isClean: Bool {
    guard let comparison else { return !rows.contains { $0.isForServers == false } }
    return comparison.unwanted.isEmpty && comparison.unconstrained.isEmpty
      && comparison.missing.isEmpty
  }

  /// The counts, in one line: what the comparison found or, without one, what the program thinks.
  var summary: String {
    guard let comparison else { return "\(anchors); \(opinion)" }
    return "\(anchors): \(comparison.unwanted.count) too many, "
      + "\(comparison.unconstrained.count) without the store's conditions, "
      + "\(comparison.missing.count) missing"
  }

  private var anchors: String {
    "\(rows.count) anchor\(rows.count == 1 ? "" : "s") of \(source)"
  }

  /// How many the program does not trust.
  private var opinion: String {
    let distrusted = rows.count { $0.isForServers == false }
    let unknown = rows.count { $0.isForServers == nil }
    let found = distrusted == 0 ? "distrusts none" : "does not trust \(distrusted)"
    return "\(facts.program.name) \(found) for servers, and \(unknown) "
      + "\(unknown == 1 ? "is" : "are") not in its table"
  }

  /// What should be known of the table.
  var remarks: [String] {
    (comparison == nil ? [] : [opinion]) + ["the table is of \(facts.program)"]
      + (facts.isOutdated(at: time) ? ["it is more than a year old: update holdfast"] : [])
  }
}

extension RootsReport {
  /// The report for people and for programs.
  var document: Document {
    var document = Document(title: Line(summary))
    document.add("version", 1)
    document.add("time", "\(time)")
    document.add("source", source)
    document.add("table", "\(facts.program)")
    document.add("isOutdated", facts.isOutdated(at: time))
    document.add("problems", problems)
    document.addLines(nil, remarks)
    add(comparison == nil ? "anchors" : nil, "anchors", rows, to: &document)
    guard let comparison else { return document }
    document.add("against", comparison.store)
    document.addLines(
      nil, ["against \(comparison.store): \(comparison.agreed) agree"])
    document.add("agreed", comparison.agreed)
    add("too many, not trusted for servers there", "unwanted", comparison.unwanted, to: &document)
    add(
      "without the conditions of the store", "unconstrained", comparison.unconstrained,
      to: &document)
    add("too few, trusted for servers there", "missing", comparison.missing, to: &document)
    return document
  }

  private func add(_ title: String?, _ key: String, _ rows: [Row], to document: inout Document) {
    document.add(
      key,
      rows.map { row in
        [
          "sha256": row.certificate.sha256, "name": row.name,
          "notAfter": "\(row.certificate.notAfter)",
          "state": row.state, "isForServers": row.isForServers,
        ] as Document
      })
    guard let title, !rows.isEmpty else { return }
    document.addSection(
      .strong("\(title): \(rows.count)"),
      rows.map { row in
        let text = padded(row.name, to: 52) + row.state + expiry(row)
        return row.isForServers == false ? .bad(text) : Line(text)
      })
  }

  /// `, expired at 2025-05-12T23:59:00Z` of what has.
  func expiry(_ row: Row) -> String {
    row.certificate.notAfter < time ? ", expired at \(row.certificate.notAfter)" : ""
  }
}

/// `roots` as one page.
struct RootsPage {
  let report: RootsReport

  var text: String {
    let title = Markup.text(report.summary)
    var page = ""
    for remark in report.remarks {
      page += "<p>\(Markup.text(remark.prefix(1).uppercased() + remark.dropFirst())).</p>\n"
    }
    for problem in report.problems { page += "<p class=\"problem\">\(Markup.text(problem))</p>\n" }
    if let comparison = report.comparison {
      page += "<p>Against \(Markup.text(comparison.store)): \(comparison.agreed) agree.</p>\n"
      page += table("Too many: not trusted for servers there", comparison.unwanted)
      page += table("Without the conditions of the store", comparison.unconstrained)
      page += table("Too few: trusted for servers there", comparison.missing)
    }
    page += table("Anchors", report.rows)
    return Page.text(title, isGood: report.isClean, page)
  }

  private func table(_ title: String, _ rows: [RootsReport.Row]) -> String {
    guard !rows.isEmpty else { return "" }
    return "<h2>\(Markup.text(title)): \(rows.count)</h2>\n"
      + Cell.table(
        ["name", "state", "valid until", "SHA-256"],
        rows.map { row in
          let state = row.isForServers.map { $0 ? "fine" : "problem" } ?? "unknown"
          return [
            .name(row.name), .markup(Markup.text(row.state + report.expiry(row)), class: state),
            .markup(row.certificate.notAfter.day, class: "time"),
            .markup(Markup.digest(row.certificate.sha256, every: 16), class: ""),
          ]
        })
  }
}
