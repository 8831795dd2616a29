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

  init(_ question: PathQuestion, _ pinned: PinnedQuestion?) {
    self.question = question
    self.pinned = pinned
    diagnosis = question.validator.diagnose(
      question.chain, for: question.purpose, at: question.time)
  }

  var status: ExitStatus { pinned?.status ?? (diagnosis.path != nil ? .success : .rejected) }

  /// The verdict in one line, with the certificate and the rule of the nearest miss.
  var verdict: Line {
    if let path = diagnosis.path, status == .success {
      return .good("✓ trusted:") + " \(path.title)"
    }
    return .bad("✗ rejected:") + " \(reason)"
  }

  /// Why the pins refuse the leaf of a valid path, in a few words.
  var pinProblem: String? {
    diagnosis.path == nil || status == .success ? nil : pinned?.reason
  }

  private var reason: String {
    if let pinProblem { return "the path is valid, but \(pinProblem)" }
    guard let error = diagnosis.error else { return "" }
    guard case .rejected = error.cause, let nearest = error.rejections.first else {
      return error.headline
    }
    return "\(nearest.certificate.map(PathText.name) ?? "the anchor"): \(nearest.violation)"
  }

  /// `result` is what `verify` answers, `attempts` has each path with every rule that it breaks, and
  /// `pinning` what became of the pins.
  var document: Document {
    var document = Document(title: verdict)
    document.add("result", (diagnosis.path?.document ?? diagnosis.error?.document).json)
    if let path = diagnosis.path {
      document.addSection(
        .strong("the path"),
        Explanation.tree(path.certificates, path.anchor, notes: path.revocation))
    }
    if let limit = diagnosis.limitReached {
      document.addSection("the search has ended early: \(limit)")
    }
    var certificates = CertificateDocuments()
    document.add(
      "attempts",
      diagnosis.attempts.enumerated().map { Explanation.section($1, $0 + 1, &certificates) })
    for hint in diagnosis.error?.hints ?? [] { document.addSection("hint: \(hint)") }
    if let pinned { document.add("pinning", pinned.section(diagnosis.attempts)) }
    return document
  }

  private static func section(
    _ attempt: Diagnosis.Attempt, _ number: Int, _ certificates: inout CertificateDocuments
  ) -> Document {
    let count = attempt.violations.count
    var section = Document(
      title: .strong("path \(number)") + ", which breaks \(count) rule\(count == 1 ? "" : "s")")
    section.add("path", attempt.certificates.map { certificates.fingerprint(of: $0) })
    if let anchor = attempt.anchor { section.add("anchor", CertificateDocuments.name(anchor.name)) }
    section.add("broken", attempt.violations.map { $0.document(&certificates) })
    section.addLines(nil, tree(attempt.certificates, attempt.anchor, broken: attempt.violations))
    return section
  }

  /// A path as a tree without branches, each certificate below its issuer, with what is wrong or known
  /// about it.
  private static func tree(
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
        lines.append(inset + .bad("\(rejection.violation)"))
        lines.append(inset + .faint(rejection.place))
      }
      if notes.indices.contains(index) {
        lines += "\(notes[index])".split(separator: "\n").map { inset + .faint(String($0)) }
      }
    }
    return lines
  }
}

extension PathError.Rejection {
  /// `notAfter, bytes 107..<122 [RFC 5280 §6.1.3 (a)(2)]`.
  fileprivate var place: String {
    let range = bytes.map { "bytes \($0.lowerBound)..<\($0.upperBound)" }
    let place = [field, range].compactMap(\.self).joined(separator: ", ")
    return (place.isEmpty ? "" : place + " ") + "[\(violation.citation)]"
  }
}
