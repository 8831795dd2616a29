internal import Holdfast
internal import HoldfastCertificates

/// Why a chain is trusted or not: the verdict, every path that was tried, and what may help.
///
/// `holdfast explain` shows it of a file, and `holdfast connect` of what a server has sent.
struct Explanation {
  let question: PathQuestion
  let diagnosis: Diagnosis
  /// What became of the pins; nil if there are none.
  let pinned: PinnedQuestion?
  /// The one verdict, which decides; the diagnosis only explains it.
  let answer: Answer

  /// Whether the chain is trusted, and by which path.
  struct Answer {
    let status: ExitStatus
    /// `trusted`, or why not, in one word.
    let verdict: String
    /// The valid path, which may be rejected for another reason.
    let path: ValidatedPath?
    /// Why a chain with a valid path is rejected, in a few words.
    var problem: String?
  }

  /// The explanation of what `verify` answers.
  init(_ question: PathQuestion, _ pinned: PinnedQuestion?) {
    self.init(question, pinned, pinned?.answer ?? Answer(question))
  }

  /// The explanation of an answer that was given before.
  init(_ question: PathQuestion, _ pinned: PinnedQuestion?, _ answer: Answer) {
    self.question = question
    self.pinned = pinned
    self.answer = answer
    diagnosis = question.validator.diagnose(
      question.chain, for: question.purpose, at: question.time)
  }

  var status: ExitStatus { answer.status }

  /// The valid path, if there is one.
  var path: ValidatedPath? { answer.path ?? diagnosis.path }

  /// The verdict in one line, with the certificate and the rule of the nearest miss.
  var verdict: Line {
    guard status == .success else {
      let word = status == .rejected ? "rejected" : answer.verdict
      return .bad("✗ \(word):") + " \(reason)"
    }
    return .good("✓ trusted:") + " \(path?.title ?? "")"
  }

  /// Why the leaf of a valid path is rejected, in a few words.
  var problem: String? { path == nil || status == .success ? nil : answer.problem }

  private var reason: String {
    if let problem { return "the path is valid, but \(problem)" }
    guard let error = diagnosis.error else { return "" }
    guard case .rejected = error.cause, let nearest = error.rejections.first else {
      return error.headline
    }
    return "\(nearest.certificate.map(PathText.name) ?? "the anchor"): \(nearest.shortFinding)"
  }

  /// What is known of the valid path or, if there is none, of those that were tried, under the one
  /// verdict.
  private var result: Document {
    var result: Document = ["verdict": answer.verdict]
    let facts =
      path?.facts(question.sources, pinned?.transparency)
      ?? diagnosis.error?.facts(question.sources)
    result.addMembers(of: facts ?? Document())
    return result
  }

  /// `result` has the verdict and what `verify` without pins says of the path, `attempts` each path
  /// with every rule that it breaks, and `pinning`, under the same verdict, what became of the
  /// pins.
  var document: Document {
    var document = Document(title: verdict)
    document.add("result", result.json)
    if let path {
      document.addSection(
        .strong("the path"), tree(path.certificates, path.anchor, notes: path.revocation))
      for line in path.uncheckedLines(beside: pinned?.transparency) { document.addSection(line) }
    }
    if let limit = diagnosis.limitReached {
      document.addSection("the search has ended early: \(limit)")
    }
    var certificates = CertificateDocuments()
    document.add(
      "attempts",
      diagnosis.attempts.enumerated().map { section($1, $0 + 1, &certificates) })
    for hint in hints { document.addSection("hint: \(hint)") }
    if let pinned { document.add("pinning", pinned.section(diagnosis.attempts)) }
    return document
  }

  /// What may help.
  var hints: [PathError.Hint] { status == .success ? [] : diagnosis.error?.hints ?? [] }

  private func section(
    _ attempt: Diagnosis.Attempt, _ number: Int, _ certificates: inout CertificateDocuments
  ) -> Document {
    let count = attempt.violations.count
    var section = Document(
      title: .strong("path \(number)") + ", which breaks \(count) rule\(count == 1 ? "" : "s")")
    section.add("path", attempt.certificates.map { certificates.fingerprint(of: $0) })
    if let anchor = attempt.anchor { section.add("anchor", CertificateDocuments.name(anchor.name)) }
    section.add("broken", attempt.violations.map { $0.document(&certificates, question.sources) })
    section.addLines(nil, tree(attempt.certificates, attempt.anchor, broken: attempt.violations))
    return section
  }

  /// A path as a tree without branches, each certificate below its issuer, with what is wrong or
  /// known about it.
  private func tree(
    _ certificates: [Certificate], _ anchor: TrustAnchor?, broken: [PathError.Rejection] = [],
    notes: [CertificateRevocation] = []
  ) -> [Line] {
    var names = certificates.map {
      PathText.name($0) + ($0 == anchor?.certificate ? "  (anchor)" : "")
    }
    if let anchor, certificates.last != anchor.certificate {
      names.append("\(PathText.name(anchor.name))  (anchor)")
    }
    var lines: [Line] = []
    for (depth, index) in names.indices.reversed().enumerated() {
      let rejections = broken.filter { $0.index == index }
      let branch = depth == 0 ? "" : String(repeating: "   ", count: depth - 1) + "└─ "
      lines.append(
        Line(branch) + (rejections.isEmpty ? .good("✓") : .bad("✗")) + " \(names[index])")
      let inset = Line(String(repeating: "   ", count: depth) + "    ")
      for rejection in rejections {
        lines.append(inset + .bad("\(rejection.finding(naming: question.sources.name(of:)))"))
        lines.append(inset + .faint(rejection.location))
      }
      if notes.indices.contains(index) {
        lines += notes[index].lines(question.sources).map { inset + .faint($0) }
      }
    }
    return lines
  }
}

extension Explanation.Answer {
  /// The answer of `verify` without pins.
  fileprivate init(_ question: PathQuestion) {
    do throws(PathError) {
      path = try question.validator.validate(
        question.chain, for: question.purpose, at: question.time)
      (status, verdict) = (.success, "trusted")
    } catch {
      (status, verdict, path) = (.rejected, error.verdict, nil)
    }
  }
}

extension PathError.Rejection {
  /// What is wrong in a few words: of revocations neither when nor who says so.
  var shortFinding: String {
    guard case .revocation(let found)? = violation.detail else { return "\(violation)" }
    return found.isRevoked ? "revoked" : "revocation status unknown"
  }

  /// `notAfter, bytes 107..<122 [RFC 5280 §6.1.3 (a)(2)]`; the section alone if names were found.
  fileprivate var location: String {
    if namesFound != nil { return "[\(violation.citation)]" }
    let range = bytes.map { "bytes \($0.lowerBound)..<\($0.upperBound)" }
    let location = [field, range].compactMap(\.self).joined(separator: ", ")
    return (location.isEmpty ? "" : location + " ") + "[\(violation.citation)]"
  }
}
