internal import Holdfast

/// The summary of a run as one page.
struct BatchSummaryPage {
  let summary: BatchSummary

  /// How many rows a table has; what is beyond them is one row.
  private static let maximumRows = 100

  var text: String {
    let title = Markup.text(summary.counts.summary)
    var page = ""
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
    .share span{display:inline-block;height:.7em;min-width:1px;background:var(--green)}\
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
