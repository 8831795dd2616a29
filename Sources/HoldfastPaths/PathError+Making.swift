internal import HoldfastCertificates
internal import HoldfastDER

extension PathError {
  /// The answer of a search that has found no path.
  init(_ builder: PathBuilder, _ exhausted: Exhausted? = nil) {
    leaf = builder.certificate(0)
    purpose = builder.checks.purpose
    time = builder.checks.time
    cause = (exhausted ?? builder.limitReached).map(Cause.exhausted) ?? .rejected
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
    of builder: PathBuilder
  ) -> [(attempt: Attempts.Attempt, rejections: [PathError.Rejection])] {
    let attempts = builder.attempts.all.enumerated().sorted { a, b in
      let (x, y) = (a.element.closeness, b.element.closeness)
      return x != y ? x > y : a.offset < b.offset
    }
    return attempts.map { attempt in
      let path = attempt.element.nodes.map { builder.certificate($0) }
      let anchor = attempt.element.anchor
      let rejections = attempt.element.broken.map { broken in
        let certificate = broken.index < path.count ? path[broken.index] : anchor?.certificate
        let isAboutIdentity =
          switch broken.rule {
          case .hostName, .noHostNames, .wildcardTooWide, .emailAddress: true
          default: false
          }
        return PathError.Rejection(
          path: path, anchor: anchor, index: broken.index, rule: broken.rule,
          octets: broken.octets ?? certificate?.octets(of: broken.rule),
          expected: isAboutIdentity ? builder.checks.purpose.identity : nil)
      }
      return (attempt.element, rejections)
    }
  }
}

extension Attempts.Attempt {
  /// How near the attempt came: to an anchor, with few broken rules, those not of signatures.
  fileprivate var closeness: Int {
    var closeness = anchor != nil ? 1000 : 0
    closeness -= 10 * min(broken.count, 50)
    for broken in broken {
      switch broken.rule {
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
    for rejections: [PathError.Rejection], _ builder: PathBuilder
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
    for rejection: PathError.Rejection, _ builder: PathBuilder, _ budget: inout Budget
  ) -> PathError.Hint? {
    let anchors = builder.configuration.anchors
    switch rejection.rule {
    case .issuerNotFound:
      guard let certificate = rejection.certificate else { return nil }
      let locations = certificate.extensions.authorityInformationAccess.compactMap {
        access -> ASCIIText? in
        guard access.method == .caIssuersAccess, case .uri(let text) = access.location else {
          return nil
        }
        return text
      }
      return .missingIntermediate(certificate.issuer, locations: locations)
    case .untrustedRoot:
      guard let certificate = rejection.certificate else { return nil }
      return anchors.firstAnchor(named: certificate.subject, &budget).map {
        .anchorWithOtherKey($0)
      } ?? .unknownRoot(certificate)
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

extension Certificate {
  /// The octets of the field that a rule is about, where the check did not say.
  fileprivate func octets(of rule: Rule) -> Range<Int>? {
    switch rule {
    case .notYetValid: fieldRanges()?.notBefore
    case .expired: fieldRanges()?.notAfter
    case .issuerVersion, .version: fieldRanges()?.version
    case .encoding(.serialNumberZero), .encoding(.serialNumberNegative),
      .encoding(.serialNumberTooLong):
      serialNumber.octets.range
    default: nil
    }
  }

  /// Where the fields stand that keep no place of their own, headers included.
  private func fieldRanges() -> (
    version: Range<Int>?, notBefore: Range<Int>, notAfter: Range<Int>
  )? {
    do throws(DERError) {
      var reader = DERReader(der)
      var certificate = try reader.read(.sequence)
      var fields = try certificate.read(.sequence)
      let start = fields.offset
      var version: Range<Int>?
      if fields.nextTag == .constructedContext(0) {
        _ = try fields.readElement()
        version = start..<fields.offset
      }
      for _ in 0..<3 { _ = try fields.readElement() }
      var validity = try fields.read(.sequence)
      let first = validity.offset
      _ = try validity.readElement()
      let second = validity.offset
      _ = try validity.readElement()
      return (version, first..<second, second..<validity.offset)
    } catch {
      return nil
    }
  }
}
