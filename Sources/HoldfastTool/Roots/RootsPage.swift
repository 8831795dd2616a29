internal import Holdfast

/// `roots` as one page of HTML: nothing is fetched, no script runs.
struct RootsPage {
  let report: RootsReport

  var text: String {
    let title = Markup.text(report.summary)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(ExplanationPage.style)</style>
      </head>
      <body>
      <h1 class="\(report.isClean ? "good" : "bad")">\(title)</h1>

      """
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
    return page + "<footer>Made by holdfast \(Version.number).</footer>\n</body>\n</html>\n"
  }

  private func table(_ title: String, _ rows: [RootsReport.Row]) -> String {
    guard !rows.isEmpty else { return "" }
    var text = "<h2>\(Markup.text(title)): \(rows.count)</h2>\n<table>\n"
    text += "<tr><th>name</th><th>state</th><th>valid until</th><th>SHA-256</th></tr>\n"
    for row in rows {
      let state =
        switch row.isForServers {
        case true?: "fine"
        case false?: "problem"
        case nil: "unknown"
        }
      text += "<tr><td data-head=\"name\" class=\"name\">\(Markup.text(row.name))</td>"
      text += "<td data-head=\"state\" class=\"\(state)\">"
      text += "\(Markup.text(row.state + report.expiry(row)))</td>"
      text +=
        "<td data-head=\"valid until\" style=\"white-space:nowrap\">\("\(row.certificate.notAfter)".prefix(10))</td>"
      let digest = Markup.digest(row.certificate.sha256, every: 16)
      text += "<td data-head=\"SHA-256\">\(digest)</td></tr>\n"
    }
    return text + "</table>\n"
  }
}
