public import HoldfastCertificates
internal import HoldfastDER

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
    /// The peer sent no issuer of its own certificate, and no anchor has this name; perhaps the
    /// issuer's certificate can be had at these places.
    case missingIntermediate(DistinguishedName, locations: [ASCIIText])
    /// The peer sent CA certificates, but the issuer of the last one, which has this name, is neither
    /// among them nor an anchor.
    case missingRoot(DistinguishedName, locations: [ASCIIText])
    /// The path ends at this self-issued certificate, which is not among this number of anchors.
    case unknownRoot(Certificate, anchors: Int)
    /// An anchor has the right name and another key.
    case anchorWithOtherKey(TrustAnchor)
    /// Why the host was not found in the leaf, though it nearly is.
    case host(HostHint)
    /// A certificate that is not valid at this time was passed over.
    case outsideValidity(Certificate)
    /// The certificate to validate is an anchor itself, which these rules refuse; `.rfc5280` and
    /// `.apple` accept it.
    case isAnchorItself(Certificate)
    /// Nothing at all is trusted.
    case noAnchors
  }
}

extension PathError {
  /// The answer of a search that has found no path.
  init(_ builder: borrowing PathBuilder, _ limit: LimitReached? = nil) {
    leaf = builder.certificate(0)
    purpose = builder.checks.purpose
    time = builder.checks.time
    cause = (limit ?? builder.limitReached).map(Cause.limitReached) ?? .rejected
    rejections = Rejection.byAttempt(of: builder).flatMap(\.rejections)
    omitted = builder.attempts.omitted
    hints = Hint.all(for: rejections, builder)
  }

  /// The answer to a chain without certificates.
  init(emptyChainFor purpose: Purpose, _ time: Timestamp) {
    leaf = nil
    self.purpose = purpose
    self.time = time
    cause = .emptyChain
    rejections = []
    omitted = 0
    hints = []
  }
}

extension PathError.Rejection {
  /// What was tried, the nearest miss first: by attempt, each with all that it broke.
  static func byAttempt(
    of builder: borrowing PathBuilder
  ) -> [(attempt: Attempts.Attempt, rejections: [PathError.Rejection])] {
    let attempts = builder.attempts.all.enumerated().sorted { a, b in
      let (x, y) = (a.element.closeness, b.element.closeness)
      return x != y ? x > y : a.offset < b.offset
    }
    return attempts.map { attempt in
      let path = attempt.element.nodes.map { builder.certificate($0) }
      let anchor = attempt.element.anchor
      let rejections = attempt.element.violations.map { violation in
        let certificate =
          violation.index < path.count ? path[violation.index] : anchor?.certificate
        return PathError.Rejection(
          path: path, anchor: anchor, violation: violation,
          bytes: violation.bytes ?? certificate?.bytes(of: violation))
      }
      return (attempt.element, rejections)
    }
  }
}

extension Attempts.Attempt {
  /// How near the attempt came: to an anchor, with few broken rules, those not of signatures.
  fileprivate var closeness: Int {
    var closeness = anchor != nil ? 1000 : 0
    closeness -= 10 * min(violations.count, 50)
    for violation in violations {
      switch violation.rule {
      case .signature, .untrustedRoot, .issuerNotFound, .nameChaining, .unsupportedKey:
        closeness -= 100
      case .notAuthority, .basicConstraintsMissing, .issuerVersion: closeness -= 50
      default: break
      }
    }
    return closeness
  }
}

extension PathError.Hint {
  /// The most hints that an answer has.
  private static let most = 8

  static func all(
    for rejections: [PathError.Rejection], _ builder: borrowing PathBuilder
  ) -> [PathError.Hint] {
    var hints: [PathError.Hint] = builder.configuration.anchors.isEmpty ? [.noAnchors] : []
    var budget = builder.budget
    for rejection in rejections where hints.count < most {
      guard let hint = hint(for: rejection, builder, &budget), !hints.contains(hint) else {
        continue
      }
      hints.append(hint)
    }
    return hints
  }

  private static func hint(
    for rejection: PathError.Rejection, _ builder: borrowing PathBuilder, _ budget: inout Budget
  ) -> PathError.Hint? {
    let anchors = builder.configuration.anchors
    switch rejection.rule {
    case .issuerNotFound:
      guard let certificate = rejection.certificate, builder.lacksIssuer(of: certificate) else {
        return nil
      }
      let locations = certificate.extensions.authorityInformationAccess.compactMap {
        access -> ASCIIText? in
        guard access.method == .caIssuersAccess, case .uri(let text) = access.location else {
          return nil
        }
        return text
      }
      return rejection.index == 0
        ? .missingIntermediate(certificate.issuer, locations: locations)
        : .missingRoot(certificate.issuer, locations: locations)
    case .leafIsAuthority, .leafIsAnchor:
      let leaf = builder.certificate(0)
      return anchors.anchor(madeFrom: leaf).map { _ in .isAnchorItself(leaf) }
    case .untrustedRoot:
      guard let certificate = rejection.certificate,
        anchors.anchor(madeFrom: certificate) == nil
      else { return nil }
      return anchors.firstAnchor(named: certificate.subject, &budget).map {
        .anchorWithOtherKey($0)
      } ?? .unknownRoot(certificate, anchors: anchors.count)
    case .signature:
      guard let anchor = rejection.anchor, rejection.index + 1 == rejection.path.count else {
        return nil
      }
      return .anchorWithOtherKey(anchor)
    case .hostName, .noHostNames:
      guard case .host(let host)? = builder.checks.purpose.identity else { return nil }
      return host.hint(for: builder.certificate(0)).map { .host($0) }
    case .expired, .notYetValid:
      return rejection.certificate.map { .outsideValidity($0) }
    default: return nil
    }
  }
}

extension PathBuilder {
  /// Whether neither a certificate nor an anchor was given that has the issuer's name. Otherwise there
  /// is one that did not sign, or that would make the path a circle.
  fileprivate func lacksIssuer(of certificate: Certificate) -> Bool {
    graph.nodes.contains { node in
      node.certificate == certificate
        && graph.names[node.issuerName].anchors.isEmpty
        && graph.names[node.issuerName].intermediates.isEmpty
    }
  }
}

extension Certificate {
  /// The bytes of the field that a rule is about, where the check did not say.
  fileprivate func bytes(of violation: Violation) -> Range<Int>? {
    switch violation.rule {
    case .notYetValid: range(of: .notBefore)
    case .expired: range(of: .notAfter)
    case .issuerVersion, .version: range(of: .version)
    case .encoding where violation.citation == "RFC 5280 §4.1.2.2": range(of: .serialNumber)
    default: nil
    }
  }
}
