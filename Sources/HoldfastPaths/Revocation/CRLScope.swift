internal import HoldfastCertificates

/// The check whether a CRL covers a certificate. RFC 5280 §6.3.3 (b), (d).
enum CRLScope {
  /// A distribution point of a certificate, or the implicit one for its issuer's own CRLs.
  struct Point {
    /// The names of the point; nil if it has none.
    let names: [GeneralName]?
    let reasons: ReasonFlags
    let crlIssuers: [DistinguishedName]
    /// Whether the certificate has the point, without a cRLIssuer: it refers to its issuer's own CRL.
    let isOfOwnIssuer: Bool
    /// Whether the certificate's issuer may itself issue the CRL.
    let namesOwnIssuer: Bool
    /// Whether the certificate refers only to CRLs of other issuers.
    let namesOnlyOtherIssuers: Bool
  }

  enum Match {
    /// The CRL covers the certificate for these reasons.
    case inside(ReasonFlags)
    /// Only revocations in the CRL count; the outcome says why.
    case revocationsOnly(CertificateRevocation.SourceOutcome)
    case outside(CertificateRevocation.SourceOutcome)
  }

  /// Returns the points of a certificate, and an implicit one for its issuer's CRLs from elsewhere.
  ///
  /// RFC 5280 §6.3.3, last paragraph: the implicit point has the issuer's name, no reasons and no
  /// cRLIssuer.
  ///
  /// Departs: if every point names another CRL issuer, the issuer's own CRLs need not list the
  /// certificate, so they can only show that it is revoked. BoringSSL does not use them at all.
  static func points(of subject: RevocationChecker.Subject) -> [Point] {
    let explicit = subject.certificate.extensions.crlDistributionPoints.map {
      Point($0, subject.issuer.name)
    }
    let implicit = Point(
      names: [.directory(subject.issuer.name)], reasons: .all, crlIssuers: [],
      isOfOwnIssuer: false, namesOwnIssuer: true,
      namesOnlyOtherIssuers: !explicit.isEmpty && explicit.allSatisfy { !$0.namesOwnIssuer })
    return explicit + [implicit]
  }

  /// Returns the most name comparisons that `match` can make; long names count as several.
  static func comparisons(_ crl: CRL, _ point: Point) -> Int {
    // Products of two counts, which Int may be too small for where it has 32 bits.
    let issuers = Int64(point.crlIssuers.count) * Int64(1 + crl.issuer.der.count / 64)
    guard let distributionPoint = crl.extensions[.issuingDistributionPoint] else {
      return Int(clamping: 1 + issuers)
    }
    var theirs = 1 + (distributionPoint.value.count + crl.issuer.der.count) / 64
    theirs += crl.extensions.issuingDistributionPoint?.name?.fullNames.count ?? 0
    let ours = max(point.names?.count ?? 0, point.crlIssuers.count)
    return Int(clamping: 1 + issuers + Int64(ours) * Int64(theirs))
  }

  /// Matches a CRL with a point. RFC 5280 §4.2.1.13 forbids a cRLIssuer that names the
  /// certificate's own issuer. One that is present is ignored, so the issuer's CRLs need not be
  /// indirect: §6.3.3, last paragraph.
  ///
  /// - Parameter isOwn: Whether the CRL's issuer is the certificate's.
  static func match(
    _ crl: CRL, isOwn: Bool, _ point: Point, _ subject: RevocationChecker.Subject
  ) -> Match {
    let scope = crl.extensions.issuingDistributionPoint
    // (b)(1): the CRL is the issuer's own, or an indirect one from an issuer that the point names.
    let isIndirect =
      scope?.indirectCRL == true && point.crlIssuers.contains { $0.matches(crl.issuer) }
    guard isOwn && point.namesOwnIssuer || isIndirect else { return .outside(.otherIssuer) }
    guard let scope else {
      return point.namesOnlyOtherIssuers
        ? .revocationsOnly(.otherDistributionPoint) : .inside(point.reasons)
    }
    // (b)(2)(i)
    if let name = scope.name {
      let theirs = names(name, relativeTo: crl.issuer)
      let ours = point.names ?? point.crlIssuers.map { GeneralName.directory($0) }
      guard ours.contains(where: { one in theirs.contains { same(one, $0) } }) else {
        return .outside(.otherDistributionPoint)
      }
    }
    // (b)(2)(ii)–(iv)
    let certificate = subject.certificate
    if scope.onlyContainsAttributeCerts { return .outside(.otherKind) }
    if scope.onlyContainsUserCerts || scope.onlyContainsCACerts {
      // A certificate of version 1 or 2 does not say whether it is a CA.
      guard certificate.version >= 3 else { return .revocationsOnly(.otherKind) }
      if certificate.isCA ? scope.onlyContainsUserCerts : scope.onlyContainsCACerts {
        return .outside(.otherKind)
      }
    }
    // Departs: a point without cRLIssuer refers to the issuer's own CRL, yet RFC 5280 would accept
    // an indirect one too. Here, as in BoringSSL, that shows only that a certificate is revoked.
    if scope.indirectCRL && point.isOfOwnIssuer {
      return .revocationsOnly(.unexpectedlyIndirect)
    }
    if point.namesOnlyOtherIssuers { return .revocationsOnly(.otherDistributionPoint) }
    let reasons = point.reasons.intersection(scope.onlySomeReasons ?? .all)  // (d)
    // Departs: a CRL for other reasons than the point's covers nothing, yet what its issuer signed as
    // revoked there is.
    return reasons.isEmpty ? .revocationsOnly(.redundant) : .inside(reasons)
  }

  /// Returns the names of a point, with relative ones completed.
  static func names(
    _ name: DistributionPointName, relativeTo issuer: DistinguishedName
  ) -> [GeneralName] {
    switch name {
    case .full(let names): Array(names)
    case .relative(let attributes): [.directory(issuer.appending(attributes))]
    }
  }

  /// Whether two names of points are equal: distinguished names by RFC 5280 §7.1, all others byte
  /// by byte.
  private static func same(_ a: GeneralName, _ b: GeneralName) -> Bool {
    if case .directory(let one) = a, case .directory(let other) = b { return one.matches(other) }
    return a == b
  }
}

extension CRLScope.Point {
  /// Creates a point from that of a certificate. A relative name is relative to the CRL issuer.
  /// RFC 5280 §4.2.1.13.
  fileprivate init(_ point: DistributionPoint, _ issuer: DistinguishedName) {
    crlIssuers = point.crlIssuer.compactMap { $0.directoryName }
    let base = crlIssuers.first ?? issuer
    names = point.name.map { CRLScope.names($0, relativeTo: base) }
    reasons = point.reasons ?? .all
    isOfOwnIssuer = point.crlIssuer.isEmpty
    namesOwnIssuer = isOfOwnIssuer || crlIssuers.contains { $0.matches(issuer) }
    namesOnlyOtherIssuers = false
  }
}
