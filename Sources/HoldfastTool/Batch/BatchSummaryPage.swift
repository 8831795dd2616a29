internal import Holdfast

/// The summary of a run as one page of HTML: nothing is fetched, no script runs.
struct BatchSummaryPage {
  let summary: BatchSummary

  /// How many rows a table has; what is beyond them is one row.
  private static let maximumRows = 100

  var text: String {
    let title = Markup.text(summary.counts.summary)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(ExplanationPage.style)
      td.count{width:6rem;text-align:right;font-variant-numeric:tabular-nums}td.share{width:35%}
      .share span{display:inline-block;height:.7em;min-width:1px;background:var(--green)}
      @media(max-width:50rem){td.count,td.share{width:auto;text-align:left}}
      </style>
      </head>
      <body>
      <h1 class="\(summary.counts.status == .trusted ? "good" : "bad")">\(title)</h1>

      """
    let verdicts = Answer.Verdict.allCases.map { (name: $0.words, count: summary.counts[$0]) }
    page += table("Verdicts", "verdict", verdicts.filter { $0.count > 0 }, others: 0)
    page += table("Broken rules", "rule", summary.rules.largest, others: summary.rules.others)
    page += table(
      "Months of issuance", "month", summary.months.ordered, others: summary.months.others,
      maximum: BatchSummary.Tally.maximumNames)
    page += table("Issuers", "issuer", summary.issuers.largest, others: summary.issuers.others)
    page += table("Keys", "key", summary.keys.largest, others: summary.keys.others)
    return page + "<footer>Made by holdfast \(Version.number).</footer>\n</body>\n</html>\n"
  }

  private func table(
    _ title: String, _ head: String, _ counts: [(name: String, count: Int)], others: Int,
    maximum: Int = BatchSummaryPage.maximumRows
  ) -> String {
    guard !counts.isEmpty else { return "" }
    let rest = counts.dropFirst(maximum).reduce(others) { $0 + $1.count }
    let most = counts.reduce(1) { max($0, $1.count) }
    var text = "<h2>\(title)</h2>\n<table>\n"
    text += "<tr><th>\(head)</th><th>lines</th><th></th></tr>\n"
    for row in counts.prefix(maximum) {
      text += self.row(Markup.name(row.name), row.count, most, head)
    }
    if rest > 0 { text += row("others", rest, most, head) }
    return text + "</table>\n"
  }

  private func row(_ name: String, _ count: Int, _ most: Int, _ head: String) -> String {
    let share = min(count * 1000 / most, 1000)
    return "<tr><td data-head=\"\(head)\" class=\"name\">\(name)</td>"
      + "<td data-head=\"lines\" class=\"count\">\(count)</td>"
      + "<td class=\"share\"><span style=\"width:\(share / 10).\(share % 10)%\"></span></td></tr>\n"
  }
}
