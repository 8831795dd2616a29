public import HoldfastCertificates
internal import HoldfastDER

/// Why no valid path was found: what was tried, and which rules each attempt broke.
///
/// The attempt nearest to a valid path comes first. All properties are values; text is generated
/// only by `description`.
public struct PathError: Error, Sendable {
  /// The certificate that was to be validated; nil if there was none, or no search.
  public let leaf: Certificate?

  /// The purpose of the validation.
  public let purpose: Purpose

  /// The time of the validation.
  public let time: Timestamp

  /// The kind of failure.
  public let cause: Cause

  /// The paths that were tried, the nearest miss first. At most 64 are kept.
  public let rejections: [Rejection]

  /// The number of tried paths that are not in `rejections`.
  public let omitted: Int

  /// Hints on what may be wrong.
  public let hints: [Hint]

  /// The kinds of failures.
  @nonexhaustive
  public enum Cause: Sendable, Hashable {
    /// Every path breaks a rule.
    case rejected
    /// The search reached a limit, so there may be a valid path that was not found.
    case limitReached(LimitReached)
    /// The chain is empty.
    case emptyChain
    /// The name in the purpose is not a host name, an address or a mailbox.
    case invalidName(HostNameError)
  }

  /// A violation, and the path on which it was found.
  public struct Rejection: Sendable, Hashable {
    /// The path as far as it got, leaf first, without the anchor's own certificate.
    public let path: [Certificate]

    /// The anchor, if the path reached one.
    public let anchor: TrustAnchor?

    /// The broken rule, what was found, and the index of the certificate that breaks it: 0 is the
    /// leaf, `path.count` the anchor.
    public let violation: Violation

    /// The range of bytes in that certificate that break the rule, if known.
    public var bytes: Range<Int>? { violation.bytes }

    /// The broken rule.
    public var rule: Rule { violation.rule }

    /// The index of the certificate that breaks the rule.
    public var index: Int { violation.index }

    /// The identity that the leaf lacks; nil if another rule is broken.
    public var expected: ReferenceIdentity? {
      if case .identity(let identity)? = violation.detail { identity } else { nil }
    }

    /// The names that the leaf has instead of `expected`; nil if another rule is broken.
    public var found: GeneralNames? {
      expected == nil ? nil : certificate?.extensions.subjectAlternativeNames
    }

    /// The certificate that breaks the rule; nil for an anchor without one.
    public var certificate: Certificate? {
      index < path.count ? path[index] : anchor?.certificate
    }
  }

  /// A hint on what may be wrong.
  @nonexhaustive
  public enum Hint: Sendable, Hashable {
    /// The peer did not send the issuer of its certificate, and no anchor has this name; the
    /// issuer's certificate may be available at these locations.
    case missingIntermediate(DistinguishedName, locations: [ASCIIText])
    /// The peer sent CA certificates, but the issuer of the last one, which has this name, is
    /// neither among them nor an anchor.
    case missingRoot(DistinguishedName, locations: [ASCIIText])
    /// The path ends at this self-issued certificate, which is not among the anchors, of which
    /// there are this many.
    case unknownRoot(Certificate, anchors: Int)
    /// An anchor has the right name but another key.
    case anchorWithOtherKey(TrustAnchor)
    /// Why the leaf does not match the host, though it almost does.
    case host(HostHint)
    /// A certificate above the leaf was skipped because it is not valid at this time.
    case outsideValidity(Certificate)
    /// The leaf has expired: no other path can help, only a new certificate.
    case leafExpired(Certificate)
    /// The leaf is not valid yet, or the clock is wrong.
    case leafNotYetValid(Certificate)
    /// The certificate to validate is itself an anchor, which these rules reject; `.rfc5280` and
    /// `.apple` accept it.
    case isAnchorItself(Certificate)
    /// The leaf does not have this name among its alternative names.
    case otherNames(ReferenceIdentity, Certificate)
    /// There are no anchors.
    case noAnchors
    /// What helps against this broken rule, where nothing more is known.
    case remedy(Rule)
  }
}

extension PathError {
  /// Creates the error of a search that found no path.
  init(_ builder: borrowing PathBuilder, _ limit: LimitReached?, _ budget: inout Budget) {
    leaf = builder.certificate(0)
    purpose = builder.checks.purpose
    time = builder.checks.time
    cause = (limit ?? builder.limitReached).map(Cause.limitReached) ?? .rejected
    rejections = Diagnosis.Attempt.all(of: builder).flatMap(\.violations)
    omitted = builder.attempts.omitted
    hints = Hint.all(for: rejections, builder, &budget)
  }

  /// Creates the error of a validation without a search.
  init(_ cause: Cause, for purpose: Purpose, at time: Timestamp = .now) {
    leaf = nil
    self.purpose = purpose
    self.time = time
    self.cause = cause
    rejections = []
    omitted = 0
    hints = []
  }
}

extension PathError {
  /// The host that was asked about, the headline and the section:
  /// `example.com: its certificate expired 20 days ago, at 2026-03-01T00:00:00Z [RFC …]`.
  public var logLine: String {
    var text = headline
    if let host = purpose.identity.map({ "\($0)" }) {
      let name = leaf?.shortName ?? ""
      let rest = text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text
      if !text.contains(host) {
        text = "\(host): \(text)"
      } else if !name.isEmpty, !rest.contains(host) {
        // The name of the leaf is that of the host.
        text = "\(host): its certificate\(rest)"
      }
    }
    guard case .rejected = cause, let citation = rejections.first?.violation.citation else {
      return text
    }
    return "\(text) [\(citation)]"
  }
}

extension PathError.Hint {
  /// The most hints in one error.
  private static let maximum = 8

  static func all(
    for rejections: [PathError.Rejection], _ builder: borrowing PathBuilder,
    _ budget: inout Budget
  ) -> [PathError.Hint] {
    var hints: [PathError.Hint] = builder.configuration.anchors.isEmpty ? [.noAnchors] : []
    for rejection in rejections where hints.count < maximum {
      for hint in self.hints(for: rejection, builder, &budget) where !hints.contains(hint) {
        hints.append(hint)
      }
    }
    // No other path helps a leaf that must be replaced.
    let leafHints = hints.filter { $0.isAboutValidityOfLeaf }
    if !leafHints.isEmpty { return leafHints }
    return hints.isEmpty ? rejections.first.map { [.remedy($0.rule)] } ?? [] : hints
  }

  private var isAboutValidityOfLeaf: Bool {
    switch self {
    case .leafExpired, .leafNotYetValid: true
    default: false
    }
  }

  private static func hints(
    for rejection: PathError.Rejection, _ builder: borrowing PathBuilder, _ budget: inout Budget
  ) -> [PathError.Hint] {
    let first = hint(for: rejection, builder, &budget)
    guard case .host? = rejection.rule.row.hint, let identity = builder.checks.purpose.identity
    else { return first.map { [$0] } ?? [] }
    return [.otherNames(identity, builder.certificate(0))] + (first.map { [$0] } ?? [])
  }

  private static func hint(
    for rejection: PathError.Rejection, _ builder: borrowing PathBuilder, _ budget: inout Budget
  ) -> PathError.Hint? {
    let anchors = builder.configuration.anchors
    switch rejection.rule.row.hint {
    case nil: return nil
    case .missingIssuer:
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
    case .anchorAsLeaf:
      let leaf = builder.certificate(0)
      return anchors.anchor(madeFrom: leaf).map { _ in .isAnchorItself(leaf) }
    case .unknownRoot:
      guard let certificate = rejection.certificate,
        anchors.anchor(madeFrom: certificate) == nil
      else { return nil }
      return anchors.firstAnchor(named: certificate.subject, &budget).map {
        .anchorWithOtherKey($0)
      } ?? .unknownRoot(certificate, anchors: anchors.count)
    case .anchorWithOtherKey:
      guard let anchor = rejection.anchor, rejection.index + 1 == rejection.path.count else {
        return nil
      }
      return .anchorWithOtherKey(anchor)
    case .host:
      guard case .host(let host)? = builder.checks.purpose.identity else { return nil }
      return host.hint(for: builder.certificate(0)).map { .host($0) }
    case .validity:
      guard rejection.index == 0 else { return rejection.certificate.map { .outsideValidity($0) } }
      let leaf = builder.certificate(0)
      return rejection.rule == .expired ? .leafExpired(leaf) : .leafNotYetValid(leaf)
    }
  }
}

extension PathBuilder {
  /// Whether no given certificate and no anchor has the issuer's name. If one does, it did not
  /// sign, or would make the path a cycle.
  fileprivate func lacksIssuer(of certificate: Certificate) -> Bool {
    graph.nodes.contains { node in
      node.certificate == certificate
        && graph.names[node.issuerName].anchors.isEmpty
        && graph.names[node.issuerName].intermediates.isEmpty
    }
  }
}
