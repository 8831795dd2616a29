package import Holdfast

/// An answer of `verify` as one page of HTML: everything is in it, nothing is fetched, no script runs.
package struct ExplanationPage {
  private let answer: Answer
  private let question: Question
  private let validator: PathValidator
  private let time: Timestamp
  /// By how many seconds the reader's clocks are ahead of UTC, at a moment in seconds since 1970.
  private let offset: (Int64) -> Int64

  /// - Parameter answer: As `explained` returns it.
  package init(
    _ answer: Answer, _ question: Question, by validator: PathValidator,
    ahead offset: @escaping (Int64) -> Int64
  ) {
    self.answer = answer
    self.question = question
    self.validator = validator
    time = question.time ?? .now
    self.offset = offset
  }

  package var text: String {
    var page = """
      <p>Asked for \(Markup.text("\(question.purpose)")) at \(Markup.sentence("\(time)"))\
      \(time.local(ahead: offset).map { Markup.sentence(" (\($0))") } ?? ""), \
      anchors: \(validator.anchors.count).</p>

      """
    page += ExplanationPage.help(answer)
    for remark in answer.input.remarks {
      page += "<p>Remark: \(Markup.sentence(remark))</p>\n"
    }
    page += PinSection(answer: answer, time: time).text
    let drawing = PathPicture(answer, sent: sent, at: time)
    page += "<h2>Paths</h2>\n" + paths(drawing.picture) + attempts
    page += "<h2>Validity</h2>\n<div class=\"picture times\">\n"
    let trusted = answer.isTrusted ? answer.path : []
    page += ValidityPicture(certificates: certificates, trusted: trusted, time: time).svg
    page += "</div>\n"
    page += "<h2>Certificates</h2>\n<div class=\"cards\">\n"
    for certificate in certificates { page += card(certificate, drawing.node(of: certificate)) }
    return ExplanationPage.text(of: answer, page + "</div>\n")
  }

  /// The page about an answer to what is no question: the host or the leaf cannot be read.
  package static func text(of answer: Answer) -> String { text(of: answer, help(answer)) }

  private static func text(of answer: Answer, _ body: String) -> String {
    let verdict = answer.headline.text(.plain)
    return Page.text(
      Markup.text(verdict), heading: Markup.name(verdict), isGood: answer.isTrusted, body)
  }

  /// The picture of the paths: rightwards where the page is as wide as that, else downwards.
  private func paths(_ picture: Picture) -> String {
    func block(_ names: String, _ direction: Picture.Direction) -> String {
      "<div class=\"\(names)\">\n\(picture.svg(direction))</div>\n"
    }
    let key =
      picture.edges.contains { $0.mark == .rejected }
      ? "<p><small>A dashed line leads from a certificate that breaks a rule to its issuer.</small></p>\n"
      : ""
    // A page has the width of three boxes and their gaps.
    guard picture.size.columns <= 3 else { return block("picture", .downwards) + key }
    return block("picture wide", .rightwards) + block("picture tall", .downwards) + key
  }

  /// What of the chain was looked at.
  private var sent: [Certificate] { Array(question.chain.prefix(1 + validator.limits.candidates)) }

  /// What was sent and looked at, in its order, and then what else stands on some path.
  private var certificates: [Certificate] {
    var all: [Certificate] = []
    func add(_ certificate: Certificate?) {
      if let certificate, !all.contains(certificate) { all.append(certificate) }
    }
    for certificate in sent + answer.path { add(certificate) }
    for attempt in answer.attempts {
      for certificate in attempt.certificates { add(certificate) }
      add(attempt.anchor?.certificate)
    }
    return all
  }

  /// What may help, and what could not be read.
  private static func help(_ answer: Answer) -> String {
    let items = answer.hints.map { "<li>\(Markup.name($0))</li>\n" }.joined()
    return (items.isEmpty ? "" : "<h2>What may help</h2>\n<ul>\n\(items)</ul>\n")
      + answer.input.unreadable.map { "<p>Not read: \(Markup.text("\($0)"))</p>\n" }.joined()
  }

  /// Each path that was rejected, with every rule that it breaks.
  private var attempts: String {
    guard !answer.attempts.isEmpty else { return "" }
    var text = "<ol>\n"
    for attempt in answer.attempts {
      var names = attempt.certificates.map { PathText.name($0) }
      if let anchor = attempt.anchor { names.append("anchor \(PathText.name(anchor.name))") }
      text += "<li>\(Markup.name(names.joined(separator: " ← ")))<ul>\n"
      for rejection in attempt.rejections {
        let name = rejection.certificate.map { PathText.name($0) } ?? "the anchor"
        let finding = rejection.finding(naming: answer.input.sources.name(of:))
        text += "<li class=\"problem\">\(Markup.name(name)): \(Markup.sentence(finding)) "
        text += "<small>[\(Markup.text(rejection.violation.citation))]</small></li>\n"
      }
      text += "</ul></li>\n"
    }
    return text + "</ol>\n"
  }

  /// What is known of a certificate, and what is wrong with it as its box says.
  private func card(_ certificate: Certificate, _ box: Picture.Node?) -> String {
    var text = "<section class=\"card\(box?.isWrong == true ? " wrong" : "")\">"
    text += "<h3>\(Markup.name(PathText.name(certificate)))</h3>\n<dl>\n"
    var document = Document()
    document.add(certificate, at: time)
    if let start = certificate.notBefore.local(ahead: offset),
      let end = certificate.notAfter.local(ahead: offset)
    {
      document.add("local time", "localTime", "\(start) to \(end)")
    }
    text += document.definitions(of: ExplanationPage.facts)
    text += "</dl>\n"
    for problem in box?.problems ?? [] {
      text += "<p class=\"problem\">✗ \(Markup.sentence(problem))</p>\n"
    }
    return text + "</section>\n"
  }

  /// What of a certificate is on its card, by the labels of its report.
  private static let facts: Set = [
    "issuer", "serial number", "valid", "local time", "key", "signed with", "proof", "names",
    "key usage", "extended usage", "CA", "permitted names", "excluded names", "pin", "SHA-256",
  ]
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
