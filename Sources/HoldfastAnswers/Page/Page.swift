internal import HoldfastCertificates
internal import HoldfastDER

/// A page of HTML: everything is in it, nothing is fetched, no script runs.
package enum Page {
  /// - Parameters:
  ///   - title: The title, and unless there is a `heading` the first line, as markup.
  ///   - style: Rules for this page alone.
  package static func text(
    _ title: String, heading: String? = nil, isGood: Bool, style: String = "", _ body: String
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>\(title)</title>
    <style>\(Page.style)\(style)</style>
    </head>
    <body>
    <h1 class="\(isGood ? "good" : "bad")">\(heading ?? title)</h1>
    \(body)<footer>Made by holdfast \(Answer.version).</footer>
    </body>
    </html>

    """
  }

  private static let style = """
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
}

/// A cell of a table.
package enum Cell {
  case text(String)
  /// The name of a certificate: however long it is, it has no blank.
  case name(String)
  case code(String)
  /// With a mark for good or bad.
  case mark(Bool, String)
  /// Markup with a class.
  case markup(String, class: String)

  /// The cell; a narrow page shows its head beside it.
  private func html(_ head: String) -> String {
    let (style, content) =
      switch self {
      case .text(let text): ("", Markup.sentence(text))
      case .name(let text): ("name", Markup.text(text))
      case .code(let text): ("", "<code>\(Markup.text(text))</code>")
      case .mark(true, let text): ("fine", "✓ \(Markup.text(text))")
      case .mark(false, let text): ("problem", "✗ \(Markup.text(text))")
      case .markup(let markup, let style): (style, markup)
      }
    let attributes = style.isEmpty ? "" : " class=\"\(style)\""
    return "<td data-head=\"\(head)\"\(attributes)>\(content)</td>"
  }

  /// A table; each row has a cell for each head.
  package static func table(_ heads: [String], _ rows: [[Cell]]) -> String {
    guard !rows.isEmpty else { return "" }
    var text = "<table>\n<tr>\(heads.map { "<th>\($0)</th>" }.joined())</tr>\n"
    for row in rows {
      text += "<tr>\(zip(heads, row).map { $1.html($0) }.joined())</tr>\n"
    }
    return text + "</table>\n"
  }
}

/// Text that comes from certificates, inside of HTML and SVG.
package enum Markup {
  /// The text with everything escaped that markup or a terminal would obey rather than show.
  package static func text(_ text: String) -> String { Printable.escapedForXML(printable(text)) }

  /// The text of a sentence, in whose dates and times no line ends.
  package static func sentence(_ text: String) -> String { unbroken(self.text(text)) }

  /// The same, with places after commas at which a line may end: a name has no blanks.
  package static func name(_ text: String) -> String {
    sentence(text).split(separator: ",", omittingEmptySubsequences: false)
      .joined(separator: ",<wbr>")
  }

  /// Keeps each date and each time on one line: they have hyphens.
  package static func unbroken(_ markup: String) -> String {
    var text: [UInt8] = []
    var rest = markup.utf8[...]
    while let byte = rest.first {
      let length = text.last.map { Bytes.isAlphanumeric($0) } == true ? nil : timeLength(at: rest)
      if let length {
        text += Array("<span class=\"time\">\(Substring(rest.prefix(length)))</span>".utf8)
      } else {
        text.append(byte)
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number of bytes of the time or date that a text begins with; nil if there is none.
  private static func timeLength(at text: Substring.UTF8View) -> Int? {
    ["0000-00-00T00:00:00Z", "0000-00-00"].map { $0.utf8 }.first { form in
      text.prefix(form.count).count == form.count
        && zip(text, form).allSatisfy { $1 == 0x30 ? Bytes.isDigit($0) : $0 == $1 }
        && text.dropFirst(form.count).first.map { Bytes.isAlphanumeric($0) } != true
    }?.count
  }

  /// A digest, whose lines may end only after a number of characters.
  package static func digest(_ text: String, every length: Int) -> String {
    var pieces: [Substring] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return "<code class=\"digest\">"
      + pieces.map { Markup.text(String($0)) }.joined(separator: "<wbr>")
      + "</code>"
  }

  /// The text, cut to a number of characters, and then escaped.
  package static func text(_ text: String, maximum: Int) -> String {
    let shown = printable(text)
    return Printable.escapedForXML(shown.count > maximum ? shown.prefix(maximum - 1) + "…" : shown)
  }
}
