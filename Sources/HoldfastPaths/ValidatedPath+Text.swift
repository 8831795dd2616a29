internal import HoldfastCertificates

/// What `print` shows of anchors and paths.
extension TrustAnchor: CustomStringConvertible {
  /// The name.
  public var description: String { "\(name)" }
}

extension AnchorSet: CustomStringConvertible {
  /// `139 anchors`; up to four of them by name.
  public var description: String {
    let number = count == 1 ? "1 anchor" : "\(count) anchors"
    guard 1...4 ~= count else { return number }
    return "\(number): " + anchors.map { "\($0)" }.joined(separator: "; ")
  }
}

extension ValidatedPath: CustomStringConvertible {
  /// `server example.com at 2026-03-01T00:00:00Z: CN=example.com < CN=Example CA < CN=Example Root`,
  /// from the leaf to the anchor.
  public var description: String {
    var names = certificates.map(\.shortName)
    if anchor.certificate == nil { names.append("\(anchor)") }
    return "\(purpose) at \(time): " + names.joined(separator: " < ")
  }
}

extension Diagnosis: CustomStringConvertible {
  /// The valid path, if there is one, or what was tried and why it failed.
  public var description: String {
    path.map { "\($0)" } ?? error.map { "\($0)" } ?? "nothing was tried"
  }
}

extension SystemAnchorsReport: CustomStringConvertible {
  /// A line for each file, and below it one for each certificate that was not taken.
  public var description: String { files.map { "\($0)" }.joined(separator: "\n") }
}

extension SystemAnchorsReport.File: CustomStringConvertible {
  /// `/etc/ssl/cert.pem: 139 certificates`, then what was not taken, and why.
  public var description: String {
    let taken = problem ?? (loaded == 1 ? "1 certificate" : "\(loaded) certificates")
    return (["\(path): \(taken)"] + skipped.map { "  skipped: \($0)" }).joined(separator: "\n")
  }
}
