internal import Holdfast

/// The times of validity of some certificates on one line of time, as SVG as wide as the page.
struct ValidityPicture {
  let certificates: [Certificate]
  /// Those of the path that is trusted. Only they are green: that a certificate is within its time
  /// does not make it a good one.
  let trusted: [Certificate]
  let time: Timestamp

  private static let rowHeight = 44

  /// The colors, light and dark.
  private static let style =
    ".name{fill:#1f2328}.fact{fill:#57606a}.now{fill:#0969da}.axis{fill:#8c959f}"
    + "@media(prefers-color-scheme:dark){.name{fill:#e6edf3}.fact{fill:#9198a1}"
    + ".now{fill:#4493f8}.axis{fill:#656c76}}"

  var svg: String {
    let first = min(certificates.map { $0.notBefore }.min() ?? time, time)
    let last = max(certificates.map { $0.notAfter }.max() ?? time, time)
    let seconds = last.seconds(since: first)
    func share(_ moment: Timestamp) -> Double {
      seconds > 0 ? Double(moment.seconds(since: first)) / Double(seconds) : 0
    }
    let bottom = ValidityPicture.rowHeight * certificates.count
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"\(bottom + 44)\" "
      + "role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
      + "<title>validity</title>\n<style>\(ValidityPicture.style)</style>\n"
    for (index, certificate) in certificates.enumerated() {
      let (start, end) = (certificate.notBefore, certificate.notAfter)
      let y = ValidityPicture.rowHeight * index
      text += label(Markup.text(certificate.title, maximum: 28), "name", at: 0, y: y + 16)
      text += label("\(start.day) – \(end.day)", "fact", at: 1, y: y + 16)
      text += "<rect x=\"\(percent(share(start)))\" y=\"\(y + 22)\" height=\"16\" rx=\"3\" "
      // The shortest time is still to be seen.
      text += "width=\"\(percent(max(share(end) - share(start), 0.004)))\" "
      text += "fill=\"\(color(of: certificate))\"><title>"
      text += "\(start) – \(end)</title></rect>\n"
      text += "<rect class=\"now\" x=\"\(percent(share(time)))\" y=\"\(y + 20)\" "
      text += "width=\"2\" height=\"20\"/>\n"
    }
    text += "<rect class=\"axis\" y=\"\(bottom)\" width=\"100%\" height=\"1\"/>\n"
    for offset in seconds > 0 ? [0, 0.5, 1] : [0] {
      let moment = Timestamp(
        secondsSince1970: first.secondsSince1970 + Int64(Double(seconds) * offset))
      text += label(moment.day, "fact", at: offset, y: bottom + 16)
    }
    text += label("\(time)", "now", at: share(time), y: bottom + 36)
    return text + "</svg>\n"
  }

  private func color(of certificate: Certificate) -> String {
    guard certificate.isCurrent(at: time) else { return "#ff8182" }
    return trusted.contains(certificate) ? "#4ac26b" : "#8c959f"
  }

  /// Text at a share of the width, written so that it does not leave the picture.
  private func label(_ text: String, _ style: String, at share: Double, y: Int) -> String {
    let anchor = share < 0.25 ? "start" : share > 0.75 ? "end" : "middle"
    return "<text class=\"\(style)\" x=\"\(percent(share))\" y=\"\(y)\" "
      + "text-anchor=\"\(anchor)\">\(text)</text>\n"
  }

  /// `12.3%`.
  private func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
