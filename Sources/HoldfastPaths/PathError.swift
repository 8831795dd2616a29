public import HoldfastCertificates

/// Why there is no valid path: what was tried, and which rule each attempt broke.
///
/// The attempt that came nearest to a valid path is the first. Everything here is a value; the words
/// are made when they are asked for.
public struct PathError: Error, Sendable {
  /// The certificate that was to be validated; nil if the chain was empty.
  public let leaf: Certificate?

  /// What for.
  public let purpose: Purpose

  /// At which time.
  public let time: Timestamp

  /// What kind of answer this is.
  public let cause: Cause

  /// The paths that were tried, the nearest miss first. At most 64 are kept.
  public let rejections: [Rejection]

  /// How many more paths were tried than are in `rejections`.
  public let omitted: Int

  /// What may help.
  public let hints: [Hint]

  /// The kinds of answers.
  @nonexhaustive
  public enum Cause: Sendable, Hashable {
    /// Every path breaks a rule.
    case rejected
    /// The search cost more than its limits, so there may be a valid path that was not found.
    case limitReached(LimitReached)
    /// The chain has no certificate.
    case emptyChain
  }

  /// A violation, and the path on which it was found.
  public struct Rejection: Sendable, Hashable {
    /// The path as far as it went, the leaf first; the anchor's own certificate is not in it.
    public let path: [Certificate]

    /// The anchor, if the path has reached one.
    public let anchor: TrustAnchor?

    /// The rule, what was found, and which certificate breaks the rule: 0 is the leaf, `path.count`
    /// the anchor.
    public let violation: Violation

    /// The bytes of that certificate that break the rule, if they are known.
    public let bytes: Range<Int>?

    /// The rule.
    public var rule: Rule { violation.rule }

    /// Which certificate breaks the rule.
    public var index: Int { violation.index }

    /// Who the leaf was to be for, if it is for others; nil where another rule was broken.
    public var expected: ReferenceIdentity? {
      if case .identity(let identity)? = violation.detail { identity } else { nil }
    }

    /// Who the leaf is for instead of `expected`, if that is what is wrong.
    public var found: GeneralNames? {
      expected == nil ? nil : certificate?.extensions.subjectAlternativeNames
    }

    /// The certificate that breaks the rule; nil for an anchor without one.
    public var certificate: Certificate? {
      index < path.count ? path[index] : anchor?.certificate
    }
  }

  /// Something that may help the caller.
  @nonexhaustive
  public enum Hint: Sendable, Hashable {
    /// No certificate with this subject was given; perhaps it can be had at these places.
    case missingIntermediate(DistinguishedName, locations: [ASCIIText])
    /// The path ends at this self-issued certificate, which is no anchor.
    case unknownRoot(Certificate)
    /// An anchor has the right name and another key.
    case anchorWithOtherKey(TrustAnchor)
    /// Why the host was not found in the leaf, though it nearly is.
    case host(HostHint)
    /// A certificate that is not valid at this time was passed over.
    case outsideValidity(Certificate)
    /// Nothing at all is trusted.
    case noAnchors
  }
}
