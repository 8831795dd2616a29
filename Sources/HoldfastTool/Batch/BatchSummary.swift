internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON

/// What the lines of a run come to: how many there are of each verdict, of each broken rule, and of
/// the issuer, the month of issuance and the key of the certificate in question.
///
/// `--summary FILE.json` writes `{"version": 1, "lines", "verdicts", "rules", "issuers",
/// "months", "keys"}`. `verdicts` has a number for each verdict. The others are lists of `{"name",
/// "count"}`: months in their order, others with the largest count first. A month is that of
/// notBefore, like `2026-11`. Of many names those that came first are counted on their own; how
/// often others came is the `count` of `{"name": null}` at the end. A certificate that could not be
/// parsed has neither issuer nor month nor key.
struct BatchSummary: Sendable {
  private(set) var counts = BatchCounts()
  private var tallies: [Subject: Tally] = [:]

  /// What is counted by its name, by the name of the list for programs.
  enum Subject: String, CaseIterable { case rules, issuers, months, keys }

  subscript(_ subject: Subject) -> Tally { tallies[subject] ?? Tally() }

  /// Counts a line.
  mutating func add(_ verdict: Answer.Verdict, rule: String?, leaf: Facts?) {
    counts[verdict] += 1
    if let rule { add(rule, to: .rules) }
    add(leaf)
  }

  private mutating func add(_ leaf: Facts?) {
    guard let leaf else { return }
    add(leaf.issuer, to: .issuers)
    add(leaf.month, to: .months)
    add(leaf.key, to: .keys)
  }

  private mutating func add(_ name: String, to subject: Subject) {
    tallies[subject, default: Tally()].add(name, 1)
  }

  /// Adds the summary of later lines.
  static func += (a: inout BatchSummary, b: BatchSummary) {
    a.counts += b.counts
    a.tallies.merge(b.tallies) { a, b in
      var sum = a
      sum += b
      return sum
    }
  }

  /// What is counted of a certificate.
  struct Facts: Sendable {
    let issuer: String
    let month: String
    let key: String
  }

  /// Counts of names in the order in which they came, of which memory has room for some.
  struct Tally: Sendable {
    private(set) var all: [(name: String, count: Int)] = []
    private(set) var others = 0
    private var places: [String: Int] = [:]

    /// The maximum number of names. Neighbors of a corpus of the Web PKI have a few hundred issuers.
    static let maximumNames = 1000

    mutating func add(_ name: String, _ count: Int) {
      if let place = places[name] {
        all[place].count += count
      } else if all.count < Tally.maximumNames {
        places[name] = all.count
        all.append((name, count))
      } else {
        others += count
      }
    }

    /// Adds the counts of later lines. The names of a piece are fewer than the maximum or are all
    /// that count, so that the result does not depend on how the input is cut.
    static func += (a: inout Tally, b: Tally) {
      for (name, count) in b.all { a.add(name, count) }
      a.others += b.others
    }
  }

  /// Names and counts of a subject as they are shown: months in their order, the largest of others
  /// first.
  func shown(_ subject: Subject) -> [(name: String, count: Int)] {
    self[subject].all.sorted {
      subject == .months || $0.count == $1.count ? $0.name < $1.name : $0.count > $1.count
    }
  }
}

/// The facts of certificates. Most of a run have one of a few issuers and keys.
struct BatchFacts {
  private var issuers: [DistinguishedName: String] = [:]
  private static let maximumIssuers = 256

  mutating func facts(of certificate: Certificate) -> BatchSummary.Facts {
    BatchSummary.Facts(
      issuer: name(of: certificate.issuer),
      month: String("\(certificate.notBefore)".prefix(7)), key: "\(certificate.publicKey)")
  }

  private mutating func name(of issuer: DistinguishedName) -> String {
    if let known = issuers[issuer] { return known }
    let name = issuer.limited
    if issuers.count >= BatchFacts.maximumIssuers { issuers = [:] }
    issuers[issuer] = name
    return name
  }
}

/// The summary as JSON.
extension BatchSummary {
  var json: JSONValue { json(["version": 1, "lines": counts.all], shown) }

  /// As it is kept for a run that goes on: names in the order in which they came.
  var state: JSONValue { json([:]) { self[$0].all } }

  private func json(
    _ head: Document, _ names: (Subject) -> [(name: String, count: Int)]
  ) -> JSONValue {
    var (document, verdicts) = (head, Document())
    for verdict in Answer.Verdict.ofLines { verdicts.add(verdict.rawValue, counts[verdict]) }
    document.addMembers(of: ["verdicts": verdicts])
    for subject in Subject.allCases {
      document.add(subject.rawValue, self[subject].json(names(subject)))
    }
    return document.json
  }

  /// Reads what `state` has written; nil if it is something else.
  init?(state: JSONValue?) {
    guard let state, let verdicts = state["verdicts"] else { return nil }
    for verdict in Answer.Verdict.ofLines {
      guard let count = verdicts[verdict.rawValue]?.integer else { return nil }
      counts[verdict] = count
    }
    for subject in Subject.allCases {
      guard let tally = Tally(state[subject.rawValue]) else { return nil }
      tallies[subject] = tally
    }
  }
}

extension BatchSummary.Tally {
  fileprivate func json(_ counts: [(name: String, count: Int)]) -> JSONValue {
    let named = counts.map { ["name": $0.name, "count": $0.count] as Document }
    let rest: Document = ["name": JSONValue.null, "count": others]
    return (others > 0 ? named + [rest] : named).json
  }

  fileprivate init?(_ state: JSONValue?) {
    guard case .array(let members)? = state else { return nil }
    for member in members {
      guard let name = member["name"], let count = member["count"]?.integer else { return nil }
      if let text = name.text { add(text, count) } else { others += count }
    }
  }
}

extension JSONValue {
  /// The value of a whole number.
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}

/// The summary of a run as one page.
struct BatchSummaryPage {
  let summary: BatchSummary
  /// How lines were validated that say nothing of it themselves.
  let basis: String?

  /// How many rows a table has; what is beyond them is one row.
  private static let maximumRows = 100

  var text: String {
    let title = Markup.text(summary.counts.summary)
    var page = basis.map { "<p>If a line says nothing else: \(Markup.text($0))</p>\n" } ?? ""
    let verdicts = Answer.Verdict.ofLines.map { (name: $0.words, count: summary.counts[$0]) }
    page += table("Verdicts", "verdict", verdicts.filter { $0.count > 0 }, others: 0)
    let tables: [(BatchSummary.Subject, title: String, head: String)] = [
      (.rules, "Broken rules", "rule"), (.months, "Months of issuance", "month"),
      (.issuers, "Issuers", "issuer"), (.keys, "Keys", "key"),
    ]
    for (subject, title, head) in tables {
      page += table(
        title, head, summary.shown(subject), others: summary[subject].others,
        maximum: subject == .months
          ? BatchSummary.Tally.maximumNames : BatchSummaryPage.maximumRows)
    }
    return Page.text(
      title, isGood: summary.counts.status == .trusted, style: BatchSummaryPage.style, page)
  }

  private static let style = """
    td.count{width:6rem;text-align:right;font-variant-numeric:tabular-nums}td.share{width:35%}\
    .share span{display:inline-block;height:.7em;min-width:1px;background:var(--faint)}\
    @media(max-width:50rem){td.count,td.share{width:auto;text-align:left}}
    """

  private func table(
    _ title: String, _ head: String, _ counts: [(name: String, count: Int)], others: Int,
    maximum: Int = maximumRows
  ) -> String {
    guard !counts.isEmpty else { return "" }
    let rest = counts.dropFirst(maximum).reduce(others) { $0 + $1.count }
    let most = counts.reduce(1) { max($0, $1.count) }
    let shown = counts.prefix(maximum).map { (name: Markup.name($0.name), count: $0.count) }
    return "<h2>\(title)</h2>\n"
      + Cell.table(
        [head, "lines", ""],
        (shown + (rest > 0 ? [(name: "others", count: rest)] : [])).map { row in
          let share = min(row.count * 1000 / most, 1000)
          return [
            .markup(row.name, class: "name"), .markup("\(row.count)", class: "count"),
            .markup("<span style=\"width:\(share / 10).\(share % 10)%\"></span>", class: "share"),
          ]
        })
  }
}
