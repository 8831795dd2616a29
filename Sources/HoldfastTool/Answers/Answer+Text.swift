internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations

/// Answers for people.
extension Answer {
  func text(_ style: TextStyle) -> String {
    lines.map { $0.isEmpty ? "\n" : $0.text(style) + "\n" }.joined()
  }

  /// The headline, what may help, and the paths with what is known of each certificate.
  var lines: [Line] {
    var lines = [headline] + hints.map { "  hint: \($0)" }
    // The nearest miss is shown with its rejections.
    if attempts.isEmpty || hasValidPath { lines += tree(path, anchor, [], revocation) }
    if let folder = input.sources.upkiFolder {
      lines.append("  revocation filters: upki's, in \(printable(folder))")
    }
    for report in input.fetched { lines.append("  fetched: \(printable("\(report)"))") }
    if let trust = input.trust { lines.append(.faint("  trust: \(trust)")) }
    for remark in input.remarks { lines.append("  remark: \(remark)") }
    for item in unchecked where item != .revocation { lines.append("  unchecked: \(item)") }
    for item in forecast?.unchecked ?? [] { lines.append("  unchecked: \(item)") }
    if let connection, let address = input.address {
      lines += [""] + connection.lines(of: address, at: input.time ?? .now)
    }
    if let response { lines += ["", response.line] }
    for (number, attempt) in attempts.enumerated() {
      let count = attempt.violations.count
      lines.append("")
      lines.append(
        .strong("path \(number + 1)") + ", which breaks \(count) rule\(count == 1 ? "" : "s")")
      lines += tree(attempt.certificates, attempt.anchor, attempt.rejections, [])
    }
    if omitted > 0 { lines.append("\(omitted) more paths were tried") }
    if let pins { lines += self.lines(of: pins) }
    if let transparency {
      // The headline of a rejection for it has the summary.
      let report = transparency.summaryLines.dropFirst(reason == transparency.summary ? 1 : 0)
      if !report.isEmpty { lines += [""] + report }
    }
    if let forecast { lines += [""] + forecast.lines }
    return lines
  }

  private func lines(of pins: Pins) -> [Line] {
    guard !pins.details.isEmpty || pins.result == .notCompared && !attempts.isEmpty else {
      return []
    }
    var lines: [Line] = ["", .strong("pins")] + pins.details.map { Line($0) }
    guard pins.result == .notCompared else { return lines }
    lines.append("  there is no valid path on which to look for pins")
    for (number, attempt) in attempts.enumerated() {
      lines.append("  seen on path \(number + 1):")
      for element in PathElement.elements(attempt.certificates, attempt.anchor) {
        let anchor = element.scope == .anchor ? "  (anchor)" : ""
        lines.append("    \(element.pin)  \(PathText.name(element))\(anchor)")
      }
    }
    return lines
  }

  /// A path as a tree without branches, the leaf first, each issuer below what it has issued, with
  /// what is wrong or known about it.
  private func tree(
    _ certificates: [Certificate], _ anchor: TrustAnchor?,
    _ broken: [PathError.Rejection], _ revocation: [CertificateRevocation]
  ) -> [Line] {
    // RFC 5280 §6.1.1 (d): an anchor is a name and a key, and does not expire.
    let end = anchor?.certificate.map { $0.notAfter }
    let isPast = end.map { $0 < input.time ?? .now } ?? false
    let mark = "  (anchor\(isPast ? ", whose certificate has expired" : ""))"
    var names = certificates.map {
      PathText.name($0) + ($0 == anchor?.certificate ? mark : "")
    }
    if let anchor, certificates.last != anchor.certificate || certificates.isEmpty {
      names.append("\(PathText.name(anchor.name))\(mark)")
    }
    var lines: [Line] = []
    for index in names.indices {
      let rejections = broken.filter { $0.index == index }
      let branch = index == 0 ? "" : String(repeating: "   ", count: index - 1) + "└─ "
      lines.append(
        Line("  " + branch) + (rejections.isEmpty ? .good("✓") : .bad("✗")) + " \(names[index])")
      let inset = Line(String(repeating: "   ", count: index) + "      ")
      for rejection in rejections {
        lines.append(inset + .bad("\(rejection.finding(naming: input.sources.name(of:)))"))
        lines.append(inset + .faint(rejection.location))
      }
      if revocation.indices.contains(index) {
        lines += revocation[index].lines(input.sources).map { inset + .faint($0) }
      }
    }
    return lines
  }
}

extension PathError.Rejection {
  /// `notAfter, bytes 107-121 [RFC 5280 §6.1.3 (a)(2)]`; the section alone if names were found.
  fileprivate var location: String {
    if namesFound != nil { return "[\(violation.citation)]" }
    let range = bytes.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)" }
    let location = [field, range].compactMap { $0 }.joined(separator: ", ")
    return (location.isEmpty ? "" : location + " ") + "[\(violation.citation)]"
  }
}

extension CertificateRevocation {
  /// The status, and a line for what each CRL and each OCSP response says.
  fileprivate func lines(_ sources: RevocationSources) -> [String] {
    ["\(status)"]
      + facts.map { "  \(sources.name(of: $0.source)): \($0.message) [\($0.citation)]" }
  }
}
