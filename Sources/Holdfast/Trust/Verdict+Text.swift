internal import HoldfastCertificates

/// What `print` shows of a verdict.
extension Verdict: CustomStringConvertible {
  /// `www.example.com: a valid path`, and the hazards.
  public var description: String {
    let warnings = hazards.map { "; hazard: \($0)" }.joined()
    return "\(host ?? "(no host)"): \(ground)\(warnings)"
  }
}

extension Verdict.Ground: CustomStringConvertible {
  /// Why the server is trusted, in words.
  public var description: String {
    switch self {
    case .validPath: "a valid path"
    case .pinnedCertificate(let certificate): "the pinned certificate \(certificate.shortName)"
    case .pinnedKey(let certificate): "the pinned key of \(certificate.shortName)"
    case .pins(let verdict): "\(verdict)"
    case .disabled: "every server is trusted"
    case .all(let verdicts): verdicts.map { "\($0.ground)" }.joined(separator: ", and ")
    case .custom(let words): words
    }
  }
}
