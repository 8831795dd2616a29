internal import Holdfast
internal import HoldfastCertificates

/// The times of validity of some certificates on one line of time, as SVG.
struct ValidityPicture {
  let certificates: [Certificate]
  let time: Timestamp

  private static let width = 640.0
  private static let left = 240

  /// The colours, light and dark.
  private static let style =
    ".name{fill:#1f2328}.now{fill:#0969da}"
    + "@media(prefers-color-scheme:dark){.name{fill:#e6edf3}.now{fill:#4493f8}}"

  var svg: String {
    let first = min(certificates.map(\.notBefore).min() ?? time, time).secondsSince1970
    let last = max(certificates.map(\.notAfter).max() ?? time, time).secondsSince1970
    let span = Double(last) - Double(first)
    func place(_ moment: Timestamp) -> Int {
      guard span > 0 else { return ValidityPicture.left }
      let share = (Double(moment.secondsSince1970) - Double(first)) / span
      return ValidityPicture.left + Int(share * ValidityPicture.width)
    }
    let width = ValidityPicture.left + Int(ValidityPicture.width) + 20
    let height = 26 * certificates.count + 34
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
      + "width=\"\(width)\" height=\"\(height)\" role=\"img\" "
      + "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>validity</title>\n"
    text += "<style>\(ValidityPicture.style)</style>\n"
    for (index, certificate) in certificates.enumerated() {
      let y = 26 * index + 8
      let start = place(certificate.notBefore)
      let size = max(place(certificate.notAfter) - start, 2)
      let name =
        certificate.subject.last(.commonName)?.text.map { shortened($0, to: PathText.longestName) }
        ?? PathText.name(certificate)
      text += "<text x=\"4\" y=\"\(y + 13)\" class=\"name\">\(Markup.text(name, most: 34))</text>"
      text += "<rect x=\"\(start)\" y=\"\(y)\" width=\"\(size)\" height=\"18\" rx=\"3\" "
      text += "fill=\"\(certificate.isCurrent(at: time) ? "#4ac26b" : "#ff8182")\"><title>"
      text += "\(certificate.notBefore) – \(certificate.notAfter)</title></rect>\n"
    }
    let now = place(time)
    let bottom = height - 22
    text += "<rect class=\"now\" x=\"\(now - 1)\" y=\"2\" width=\"2\" height=\"\(bottom - 2)\"/>"
    text += "<text class=\"now\" x=\"\(now)\" y=\"\(height - 6)\" text-anchor=\"middle\">"
    text += "\(time)</text>\n"
    return text + "</svg>\n"
  }
}
