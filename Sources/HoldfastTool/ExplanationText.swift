internal import Holdfast
internal import HoldfastCertificates

/// The words of `explain`: the verdict in one line, a tree for each path with the anchor on top, and
/// what may help.
struct ExplanationText {
  let style: TextStyle

  /// - Parameter holdsPins: Whether some valid path holds the pins; nil without pins.
  func text(of diagnosis: Diagnosis, holdsPins: Bool?) -> String {
    var text = ExplanationText.verdict(of: diagnosis, holdsPins: holdsPins, style) + "\n"
    if let path = diagnosis.path { text += "\n" + style.strong("the path") + "\n" + tree(of: path) }
    if let limit = diagnosis.limitReached {
      text += "\nthe search has ended early: \(limit)\n"
    }
    for (number, attempt) in diagnosis.attempts.enumerated() {
      let rules = attempt.violations.count == 1 ? "1 rule" : "\(attempt.violations.count) rules"
      text += "\n" + style.strong("path \(number + 1)") + ", which breaks \(rules)\n"
      text += tree(of: attempt)
    }
    for hint in diagnosis.error?.hints ?? [] { text += "\nhint: \(printable("\(hint)"))\n" }
    return text
  }

  /// The verdict in one line, with the certificate and the rule of the nearest miss.
  static func verdict(
    of diagnosis: Diagnosis, holdsPins: Bool?, _ style: TextStyle = .plain
  ) -> String {
    if diagnosis.path != nil, holdsPins == false {
      return style.bad("✗ rejected:") + " the path is valid, but no pin matches"
    }
    if let path = diagnosis.path {
      return style.good("✓ trusted:") + " \(printable("\(path.purpose)")) at \(path.time)"
    }
    guard let error = diagnosis.error else { return style.bad("✗ rejected") }
    if case .rejected = error.cause, let nearest = error.rejections.first {
      let name = nearest.certificate.map { PathText.name($0) } ?? "the anchor"
      return style.bad("✗ rejected:") + " \(name): \(printable("\(nearest.violation)"))"
    }
    return style.bad("✗ rejected:") + " \(printable(error.headline))"
  }

  private func tree(of path: ValidatedPath) -> String {
    var tree = Tree(style: style)
    if path.anchor.certificate == nil {
      tree.add("\(PathText.name(path.anchor.name))  (anchor)", [])
    }
    for (index, certificate) in path.certificates.enumerated().reversed() {
      let isAnchor = certificate == path.anchor.certificate
      tree.add(PathText.name(certificate) + (isAnchor ? "  (anchor)" : ""), [])
      guard path.revocation.indices.contains(index) else { continue }
      for line in "\(path.revocation[index])".split(separator: "\n") {
        tree.note(printable(String(line)))
      }
    }
    return tree.text
  }

  private func tree(of attempt: Diagnosis.Attempt) -> String {
    var tree = Tree(style: style)
    func broken(at index: Int) -> [PathError.Rejection] {
      attempt.violations.filter { $0.index == index }
    }
    if let anchor = attempt.anchor, attempt.certificates.last != anchor.certificate {
      tree.add(
        "\(PathText.name(anchor.name))  (anchor)", broken(at: attempt.certificates.count))
    }
    for (index, certificate) in attempt.certificates.enumerated().reversed() {
      let isAnchor = certificate == attempt.anchor?.certificate
      tree.add(PathText.name(certificate) + (isAnchor ? "  (anchor)" : ""), broken(at: index))
    }
    return tree.text
  }

  /// A path as a tree without branches, each certificate below its issuer.
  private struct Tree {
    let style: TextStyle
    var text = ""
    private var indentation = "  "

    init(style: TextStyle) {
      self.style = style
    }

    mutating func add(_ name: String, _ broken: [PathError.Rejection]) {
      let mark = broken.isEmpty ? style.good("✓") : style.bad("✗")
      if text.isEmpty {
        text += "\(indentation)\(mark) \(name)\n"
      } else {
        text += "\(indentation)└─ \(mark) \(name)\n"
        indentation += "   "
      }
      for rejection in broken {
        text += "\(indentation)    \(style.bad(printable("\(rejection.violation)")))\n"
        var place = rejection.field.map { "\($0), " } ?? ""
        if let bytes = rejection.bytes {
          place += "bytes \(bytes.lowerBound)..<\(bytes.upperBound) "
        } else if !place.isEmpty {
          place = "\(place.dropLast(2)) "
        }
        text +=
          "\(indentation)    " + style.faint("\(place)[\(rejection.violation.citation)]") + "\n"
      }
    }

    mutating func note(_ words: String) {
      text += "\(indentation)    \(style.faint(words))\n"
    }
  }
}
