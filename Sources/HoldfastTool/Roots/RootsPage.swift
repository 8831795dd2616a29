internal import Holdfast

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
