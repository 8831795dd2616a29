public import HoldfastCertificates

/// Why no valid path was found: what was tried, and which rules each attempt broke.
///
/// The path that came nearest to a valid one explains: one to an anchor comes nearer than any other,
/// then one whose signatures all verify, then the one that breaks fewest rules. Text is generated only
/// by `description`.
///
/// What was tried, and what may help, is looked for when it is first read: a server that only rejects
/// pays nothing for it. Until then the error keeps the certificates and the validator's configuration.
public struct PathError: Error, Sendable {
  /// The certificate that was to be validated; nil if there was none, or no search.
  public let leaf: Certificate?

  /// The purpose of the validation.
  public let purpose: Purpose

  /// The time of the validation.
  public let time: Timestamp

  /// The kind of failure.
  public let cause: Cause

  /// The paths that were tried, the nearest miss first, which is the reason. At most 64 are kept.
  public var attempts: [Attempt] { reasons.found.attempts }

  /// The number of tried paths that are not in `attempts`.
  public var omitted: Int { reasons.found.omitted }

  /// Hints on what may be wrong.
  public var hints: [Hint] { reasons.found.hints }

  var reasons: Reasons

  /// The host and the port of the connection, if that is not the usual one.
  package var server: String?

  /// The entry of a table whose anchors, rules and revocation data have decided alone.
  package var entry: String?

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

  /// A path that was tried and is not valid.
  public struct Attempt: Sendable, Hashable {
    /// The certificates of the path as far as it got, leaf first, without the anchor's own.
    public internal(set) var certificates: [Certificate]

    /// The anchor, if the path reached one.
    public let anchor: TrustAnchor?

    /// Every rule that the path breaks, the reason first.
    public internal(set) var violations: [Violation]

    /// The result for the signatures on the path, whatever other rules it breaks.
    public internal(set) var signatures = Signatures.notVerified

    /// How near the path came to a valid one, as the search has left it.
    let nearness: Nearness

    /// The violations, each with the path.
    public var rejections: [Rejection] {
      violations.map { Rejection(path: certificates, anchor: anchor, violation: $0) }
    }

    /// The certificate at an index of the path, after the last that of the anchor.
    func certificate(at index: Int) -> Certificate? {
      index < certificates.count ? certificates[index] : anchor?.certificate
    }

    /// The result for the signatures on a path.
    public enum Signatures: Sendable, Hashable {
      /// All verify, from the leaf to the anchor.
      case verified
      /// At least one does not verify, or cannot be verified.
      case rejected
      /// None was verified: the path reaches no anchor, or the leaf is an anchor itself.
      case notVerified
    }
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

  /// What may help. Each names only what would: the certificate that is missing, not one that was
  /// sent.
  @nonexhaustive
  public enum Hint: Sendable, Hashable {
    /// The issuer of a certificate was not sent, and others above it were, or its location is known:
    /// the issuer's certificate may be at these.
    case missingIntermediate(DistinguishedName, locations: [ASCIIText])
    /// The issuer of the last certificate, which has this name, was not sent and is no anchor: a
    /// root that is not trusted, unless it is an intermediate.
    case missingRoot(DistinguishedName, locations: [ASCIIText])
    /// This was sent, and cannot be read.
    case unreadable(UnreadableCertificate)
    /// The path ends at this self-issued certificate, which is not among the anchors, of which
    /// there are this many.
    case unknownRoot(Certificate, anchors: Int)
    /// This certificate of a newer root was sent below a root that has expired: the newer root itself
    /// may be trusted, where the expired one was.
    case crossSigned(Certificate)
    /// None of the anchors is of this trust domain, to which the SPIFFE ID of the leaf belongs.
    case noBundle(SPIFFETrustDomain)
    /// An anchor has the right name but another key.
    case anchorWithOtherKey(TrustAnchor)
    /// Another CA of the issuer's name has signed this certificate, with the key of this identifier,
    /// if it is known. Its certificate was not sent.
    case otherSigner(Certificate, keyIdentifier: Bytes?)
    /// This certificate or its signature was changed.
    case changed(Certificate)
    /// This certificate should have been sent first.
    case notFirst(Certificate)
    /// Why the leaf does not match the host, though it almost does.
    case host(HostHint)
    /// A certificate above the leaf is not valid at this time.
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
    /// The same, of a certificate above the leaf: it is for its CA to mend, and another CA helps too.
    case remedyAboveLeaf(Rule, Certificate)
    /// This is a precertificate, in whose place its CA has issued a final certificate.
    case precertificate(Certificate)
    /// This certificate is on hold, which its CA may end. RFC 5280 §5.3.1.
    case onHold(Certificate)
    /// What helps against this reason for which the only CRL or OCSP response does not count.
    case source(CertificateRevocation.SourceOutcome)
    /// The rules of the preset with this name accept the chain.
    case acceptedBy(String)
    /// The search has ended at this limit: fewer certificates, or a higher limit, help.
    case limit(LimitReached)
  }
}

extension PathError {
  /// Creates the error of a validation without a search.
  init(_ cause: Cause, for purpose: Purpose, at time: Timestamp = .now) {
    self.init(leaf: nil, purpose: purpose, time: time, cause: cause, reasons: .none)
  }

  /// The rules that are broken on the paths that were tried, those of the nearest miss first.
  public var rejections: [Rejection] { attempts.flatMap { $0.rejections } }

  /// The limit that ended the search; nil if none did.
  var limitReached: LimitReached? {
    if case .limitReached(let limit) = cause { limit } else { nil }
  }

  /// ` (2 more rules are broken)`, after the one that a line is about; nothing for none.
  package static func more(rules count: Int) -> String {
    count == 0 ? "" : " (\(count) more rule\(count == 1 ? " is" : "s are") broken)"
  }
}

extension PathError: HoldfastError {
  /// The stable identifier of the broken rule, or of what ended the search.
  public var code: String {
    switch cause {
    case .emptyChain: ErrorCode.noCertificate.rawValue
    case .invalidName(let error): error.code
    case .limitReached: ErrorCode.limitReached.rawValue
    case .rejected: attempts.first?.violations.first?.rule.code ?? ErrorCode.noPath.rawValue
    }
  }

  /// The host that was asked about, the code, the certificate that breaks a rule, and the message: the
  /// headline, the section, and how many more rules the path breaks.
  public var fields: [(key: String, value: String)] {
    let violations = cause == .rejected ? attempts.first?.violations ?? [] : []
    // A certificate with the name of the host needs no name of its own after it.
    let shortened = purpose.identity.flatMap { leaf?.hasSubject($0) == true ? leaf : nil }
    var namesLeaf = false
    var message = headline(
      besideHost: server == nil ? purpose.identity != nil : purpose.identity?.isHost == true,
      calling: { certificate in
        if certificate == leaf { namesLeaf = true }
        return certificate == shortened ? "its certificate" : certificate.shortName
      })
    if purpose.identity == nil, let leaf, !namesLeaf {
      // A server's log says which client it has refused.
      message = "\(leaf.shortName): \(message)"
    }
    var details: [(key: String, value: String)] = []
    if let reason = violations.first {
      message += " [\(reason.citation)]\(PathError.more(rules: violations.count - 1))"
      details.append((key: "section", value: "\(reason.citation)"))
      if let name = attempts.first?.certificate(at: reason.index)?.shortName {
        details.append((key: "certificate", value: name))
      }
    }
    if let entry {
      message += " (by the trust of \(entry) alone)"
      details.append((key: "entry", value: entry))
    }
    var host = server
    switch purpose.identity {
    case .host(let asked): host = server ?? "\(asked)"
    case .mailbox(let asked): details.insert((key: "mailbox", value: "\(asked)"), at: 0)
    case .spiffe(let asked): details.insert((key: "spiffe_id", value: "\(asked)"), at: 0)
    case nil: break
    }
    return fields(server: host, message: message, details)
  }

  /// What is wrong, in one plain sentence: that of the path nearest to a valid one.
  public var summary: String {
    switch cause {
    case .emptyChain: return "No certificate was presented."
    case .invalidName(let error): return error.summary
    case .limitReached: return "The certificates are too complicated to check."
    case .rejected:
      guard let rejection = attempts.first?.rejections.first else {
        return "\(owner(at: 0)) was not issued by a trusted authority."
      }
      return "\(owner(at: rejection.index)) \(rejection.rule.row.kind.predicate)."
    }
  }

  /// Whose certificate it is at an index of a path.
  private func owner(at index: Int) -> String {
    let host: String? = if case .host(let host)? = purpose.identity { "\(host)" } else { nil }
    if index > 0 {
      return "The certificate of an authority" + (host.map { " that vouches for \($0)" } ?? "")
    }
    if let host { return "The certificate of \(host)" }
    return purpose.extendedKeyUsages.contains(.serverAuth)
      ? "The server's certificate" : "The certificate"
  }
}
