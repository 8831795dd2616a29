/// The rules by which a policy decides, in the order in which they are asked.
extension SecurityPolicy {
  /// Which rule has decided.
  @nonexhaustive
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Invalid certificates are allowed and a domain is to be validated, without pins: that is a
    /// contradiction, and refused before anything else is looked at.
    case domainNeedsPinning = "G"
    /// Nothing is pinned and invalid certificates are allowed: everything is trusted.
    case allowsEverything = "N-allow"
    /// Nothing is pinned: the system decides.
    case systemDecides = "N-sys"
    /// The system does not trust the server.
    case systemRefuses = "S"
    /// There is no valid path to a pinned certificate as the anchor.
    case pinsDoNotAnchor = "C-anchor"
    /// Whether a certificate of the path is pinned.
    case certificateMatch = "C-match"
    /// Whether the key of a certificate of the path is pinned.
    case keyMatch = "K-match"
    /// The mode is none that is known.
    case unknownMode = "X"
  }

  /// What a policy asks of a server, each only if it comes to it.
  package protocol Answers {
    /// Whether the system's anchors vouch for the server.
    mutating func systemTrusts() -> Bool
    /// Whether the pins alone, as anchors, vouch for the server.
    mutating func pinsVouch() -> Bool
    /// Whether a certificate of the path below the pins is one of them.
    mutating func certificateIsPinned() -> Bool
    /// Whether the path has a pinned key.
    mutating func keyIsPinned() -> Bool
  }

  /// Decides by the answers alone.
  package func decide(
    hasDomain: Bool, hasPins: Bool, asking answers: inout some Answers
  ) -> (isTrusted: Bool, rule: Rule) {
    if hasDomain, allowsInvalidCertificates, validatesDomainName, pinningMode == .none || !hasPins {
      return (false, .domainNeedsPinning)
    }
    if pinningMode == .none {
      if allowsInvalidCertificates { return (true, .allowsEverything) }
      return (answers.systemTrusts(), .systemDecides)
    }
    if !allowsInvalidCertificates, !answers.systemTrusts() { return (false, .systemRefuses) }
    switch pinningMode {
    case .certificate:
      // With invalid certificates allowed, it is the system's anchors only that are not asked.
      guard hasPins, answers.pinsVouch() else { return (false, .pinsDoNotAnchor) }
      return (answers.certificateIsPinned(), .certificateMatch)
    case .publicKey: return (hasPins && answers.keyIsPinned(), .keyMatch)
    default: return (false, .unknownMode)
    }
  }
}

extension SecurityPolicy.Rule: CustomStringConvertible {
  /// What the rule says, in words.
  public var description: String {
    switch self {
    case .domainNeedsPinning:
      "to validate the domain of servers that nobody vouches for, certificates must be pinned"
    case .allowsEverything: "invalid certificates are allowed, and nothing is pinned"
    case .systemDecides: "the system's anchors decide"
    case .systemRefuses: "the system's anchors do not vouch for the server"
    case .pinsDoNotAnchor: "there is no valid path to a pinned certificate"
    case .certificateMatch: "whether a certificate of the path is pinned"
    case .keyMatch: "whether a key of the path is pinned"
    case .unknownMode: "the pinning mode is unknown"
    }
  }
}
