internal import Holdfast
internal import HoldfastCertificates

/// `explain` as one page of HTML: everything is in it, nothing is fetched, no script runs.
struct ExplanationPage {
  let answer: Answer
  private let question: PathQuestion

  init(_ answer: Answer, _ question: PathQuestion) {
    self.answer = answer
    self.question = question
  }

  static let file: Option<String?> = .file(
    "--html", "one page with pictures, all in it, beside the answer; - is standard output",
    use: .written)

  /// The options of `explain` and `verify` for the page.
  static let options = OptionGroup(
    "page", [file, CommonOptions.force.described("replace the file of --html if it exists")])

  var text: String {
    let verdict = answer.headline.text(.plain)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(Markup.text(verdict))</title>
      <style>\(ExplanationPage.style)</style>
      </head>
      <body>
      <h1 class="\(answer.isTrusted ? "good" : "bad")">\(Markup.name(verdict))</h1>
      <p>Asked for \(Markup.text("\(question.purpose)")) at \(Markup.sentence("\(question.time)"))\
      \(question.time.local().map { Markup.sentence(" (\($0))") } ?? ""), \
      anchors: \(question.validator.anchors.count).</p>

      """
    page += hints
    for problem in answer.input.unreadable {
      page += "<p>Not read: \(Markup.text("\(problem)"))</p>\n"
    }
    page += PinSection(answer: answer, time: question.time).text
    page += "<h2>Paths</h2>\n" + paths + attempts
    page += "<h2>Validity</h2>\n<div class=\"picture times\">\n"
    let trusted = answer.isTrusted ? answer.path : []
    page += ValidityPicture(certificates: certificates, trusted: trusted, time: question.time).svg
    page += "</div>\n"
    page += "<h2>Certificates</h2>\n<div class=\"cards\">\n"
    for certificate in certificates { page += card(certificate) }
    page += "</div>\n"
    return page + "<footer>Made by holdfast \(Version.number).</footer>\n</body>\n</html>\n"
  }

  static let style = """
    :root{--text:#1f2328;--faint:#57606a;--page:#f6f8fa;--card:#fff;--line:#d0d7de;--good:#dafbe1;\
    --bad:#ffebe9;--green:#1a7f37;--red:#cf222e}@media(prefers-color-scheme:dark){:root{\
    --text:#e6edf3;--faint:#9198a1;--page:#0d1117;--card:#151b23;--line:#3d444d;--good:#12361f;\
    --bad:#4b1113;--green:#3fb950;--red:#ff7b72}}\
    body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);\
    margin:2rem auto;max-width:75rem;padding:0 1rem}h1{font-size:1.3rem;padding:.8rem 1rem;\
    border-radius:8px;overflow-wrap:anywhere}.good{background:var(--good)}.bad{\
    background:var(--bad)}.picture{overflow-x:auto;background:var(--card);\
    border:1px solid var(--line);border-radius:8px}.picture svg{display:block;margin:auto}.times{padding:.4rem 1rem}\
    .tall{display:none}@media(max-width:72rem){.wide{display:none}.tall{display:block}}\
    .cards{display:grid;gap:1rem;\
    grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr))}.card{background:var(--card);\
    border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;overflow-wrap:anywhere}\
    .card h3{margin:0 0 .5rem;font-size:1rem}.wrong{border-color:var(--red)}dl{margin:0;\
    display:grid;grid-template-columns:7rem 1fr;gap:.1rem .6rem;font-size:.85rem}\
    dt{color:var(--faint)}dd{margin:0}table{border-collapse:collapse;width:100%;margin:1rem 0;\
    background:var(--card);font-size:.85rem}th,td{text-align:left;\
    vertical-align:top;padding:.35rem .6rem;border:1px solid var(--line)}th{color:var(--faint)}\
    code,.name{overflow-wrap:anywhere}.digest{overflow-wrap:normal;font-size:.9em}@media(max-width:50rem){table,tbody,tr,td{display:block}\
    table{overflow-wrap:anywhere}tr{border:1px solid var(--line);padding:.3rem 0}\
    tr:first-child,td:empty{display:none}td{display:grid;grid-template-columns:6.5rem 1fr;border:0;\
    padding:.1rem .6rem}td::before{content:attr(data-head);color:var(--faint)}}\
    .time{white-space:nowrap}p,ol,ul{overflow-wrap:anywhere}ol,ul{padding-left:1.4rem}.fine{color:var(--green)}.problem{color:var(--red)}\
    footer{margin-top:2rem;color:var(--faint);font-size:.8rem}
    """

  /// The picture of the paths: rightwards where the page is as wide as that, else downwards.
  private var paths: String {
    let picture = PathPicture(answer, question).picture
    func block(_ names: String, _ direction: Picture.Direction) -> String {
      "<div class=\"\(names)\">\n\(picture.svg(direction))</div>\n"
    }
    // A page has the width of three boxes and their gaps.
    guard picture.size.columns <= 3 else { return block("picture", .downwards) }
    return block("picture wide", .rightwards) + block("picture tall", .downwards)
  }

  /// What was sent and looked at, in its order, and then what else stands on some path.
  private var certificates: [Certificate] {
    var all: [Certificate] = []
    func add(_ certificate: Certificate?) {
      if let certificate, !all.contains(certificate) { all.append(certificate) }
    }
    question.chain.prefix(1 + question.validator.limits.candidates).forEach(add)
    answer.path.forEach(add)
    for rejection in answer.rejections {
      rejection.path.forEach(add)
      add(rejection.anchor?.certificate)
    }
    return all
  }

  private var hints: String {
    let hints = answer.hints
    guard !hints.isEmpty else { return "" }
    let items = hints.map { "<li>\(Markup.name($0))</li>\n" }.joined()
    return "<h2>What may help</h2>\n<ul>\n\(items)</ul>\n"
  }

  /// Each path that was rejected, with every rule that it breaks.
  private var attempts: String {
    guard !answer.rejections.isEmpty else { return "" }
    var text = "<ol>\n"
    for attempt in answer.attempts {
      var names = (attempt.first?.path ?? []).map { PathText.name($0) }
      if let anchor = attempt.first?.anchor { names.append("anchor \(PathText.name(anchor.name))") }
      text += "<li>\(Markup.name(names.joined(separator: " ← ")))<ul>\n"
      for rejection in attempt {
        let name = rejection.certificate.map { PathText.name($0) } ?? "the anchor"
        let finding = rejection.finding(naming: answer.input.sources.name(of:))
        text += "<li class=\"problem\">\(Markup.name(name)): \(Markup.sentence(finding)) "
        text += "<small>[\(Markup.text(rejection.violation.citation))]</small></li>\n"
      }
      text += "</ul></li>\n"
    }
    return text + "</ol>\n"
  }

  private func card(_ certificate: Certificate) -> String {
    let broken = answer.rejections.filter { $0.certificate == certificate }
    var problems: [String] = []
    for rejection in broken where !problems.contains(rejection.shortFinding) {
      problems.append(rejection.shortFinding)
    }
    if let problem = answer.problem, certificate == question.chain.first {
      problems.append(problem)
    }
    var text = "<section class=\"card\(problems.isEmpty ? "" : " wrong")\">"
    text += "<h3>\(Markup.name(PathText.name(certificate)))</h3>\n<dl>\n"
    var document = Document()
    document.add(certificate, at: question.time)
    if let start = certificate.notBefore.local(), let end = certificate.notAfter.local() {
      document.add("local time", "localTime", "\(start) to \(end)")
    }
    text += document.definitions(of: ExplanationPage.facts)
    text += "</dl>\n"
    for problem in problems { text += "<p class=\"problem\">✗ \(Markup.sentence(problem))</p>\n" }
    return text + "</section>\n"
  }

  /// What of a certificate is on its card, by the labels of its report.
  private static let facts: Set = [
    "issuer", "serial number", "valid", "local time", "key", "signed with", "names", "key usage",
    "CA", "pin",
    "SHA-256",
  ]
}

extension ExplanationPage {
  /// Writes the page if a command line asks for it.
  func write(_ call: Invocation) throws(UsageError) {
    guard let path = call[ExplanationPage.file] else { return }
    try FileWriter(call).write(text.utf8, to: path)
  }
}

extension Answer {
  /// Why a chain with a valid path is rejected, for its leaf; nil of all others.
  var problem: String? {
    guard !isTrusted, hasValidPath else { return nil }
    return verdict == .pinMismatch ? "no pin matches" : reason
  }
}

extension Document {
  /// The maximum number of lines of one field on a card.
  private static let maximumLines = 20

  /// Some of the fields, by their labels, as the items of a list of definitions in HTML.
  fileprivate func definitions(of labels: Set<String>) -> String {
    var text = ""
    var (label, count) = ("", 0)
    for row in rows {
      if let next = row.label, !next.isEmpty { (label, count) = (next, 0) }
      count += 1
      guard labels.contains(label), count <= Document.maximumLines else { continue }
      let shown = row.line.text(.plain)
      // Eight bytes of a fingerprint, or half of a pin, on a line.
      let line =
        switch label {
        case "SHA-256": Markup.digest(shown, every: 24)
        case "pin": Markup.digest(shown, every: 26)
        default: Markup.unbroken(Markup.text(shown, maximum: PathText.maximumNameLength))
        }
      text += "<dt>\(count == 1 ? label : "")</dt><dd>\(line)</dd>\n"
    }
    return text
  }
}
