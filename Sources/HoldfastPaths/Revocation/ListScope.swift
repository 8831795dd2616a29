internal import HoldfastCertificates
internal import HoldfastDER

/// Whether a list covers a certificate. RFC 5280 §6.3.3 (b), (d).
enum ListScope {
  /// A distribution point of a certificate, or its replacement where it has no point.
  struct Point {
    /// The names of the place; nil if the point has no name.
    let names: [GeneralName]?
    let reasons: ReasonFlags
    let crlIssuers: [DistinguishedName]
    let namesCRLIssuer: Bool
    /// Whether the issuer of the certificate is among those who sign the list.
    let namesOwnIssuer: Bool
    /// Whether the point is in the certificate.
    let isExplicit: Bool
    /// Whether the certificate says that other lists than these are about it.
    let isElsewhere: Bool
  }

  enum Match {
    /// The list covers the certificate for these reasons.
    case inside(ReasonFlags)
    /// What the list says against the certificate counts, and nothing else, for this reason.
    case onlyAgainst(CertificateRevocation.SourceOutcome)
    case outside(CertificateRevocation.SourceOutcome)
  }

  /// The points of a certificate, and one for lists that its issuer publishes anywhere.
  ///
  /// RFC 5280 §6.3.3, last paragraph: that one is named like the issuer, has no reasons and no
  /// issuer of its own.
  ///
  /// Departs: where every point names another issuer of lists, the issuer's own lists need not have
  /// the certificate, so they show only that it is revoked. BoringSSL does not use them at all.
  static func points(of subject: RevocationChecker.Subject) -> [Point] {
    let explicit = subject.certificate.extensions.crlDistributionPoints.map {
      Point($0, subject.issuerName)
    }
    let implicit = Point(
      names: [.directory(subject.issuerName)], reasons: .all, crlIssuers: [],
      namesCRLIssuer: false, namesOwnIssuer: true, isExplicit: false,
      isElsewhere: !explicit.isEmpty && explicit.allSatisfy { !$0.namesOwnIssuer })
    return explicit + [implicit]
  }

  /// How many names are compared at most, long ones counted as several.
  static func comparisons(_ list: CertificateList, _ point: Point) -> Int {
    let issuers = point.crlIssuers.count * (1 + list.issuer.der.count / 64)
    guard let place = list.extensions[.issuingDistributionPoint] else { return 1 + issuers }
    var theirs = 1 + (place.value.count + list.issuer.der.count) / 64
    if case .full(let names) = list.extensions.issuingDistributionPoint?.name {
      theirs += names.count
    }
    return 1 + issuers + max(point.names?.count ?? 0, point.crlIssuers.count) * theirs
  }

  /// RFC 5280 §4.2.1.13 wants a cRLIssuer left out that is the certificate's own issuer. One that is
  /// there counts as if it were not, so that its lists need not be indirect: §6.3.3, last paragraph.
  ///
  /// - Parameter isOwn: Whether the list's issuer is the certificate's.
  static func match(
    _ list: CertificateList, isOwn: Bool, _ point: Point, _ subject: RevocationChecker.Subject
  ) -> Match {
    let scope = list.extensions.issuingDistributionPoint
    // (b)(1): the list is of the issuer itself, or an indirect one of an issuer that the point names.
    let isIndirect =
      scope?.indirectCRL == true && point.crlIssuers.contains { $0.matches(list.issuer) }
    guard isOwn && point.namesOwnIssuer || isIndirect else { return .outside(.otherIssuer) }
    guard let scope else {
      return point.isElsewhere ? .onlyAgainst(.otherDistributionPoint) : .inside(point.reasons)
    }
    // (b)(2)(i)
    if let name = scope.name {
      let theirs = names(name, relativeTo: list.issuer)
      let ours = point.names ?? point.crlIssuers.map { GeneralName.directory($0) }
      guard ours.contains(where: { one in theirs.contains { same(one, $0) } }) else {
        return .outside(.otherDistributionPoint)
      }
    }
    // (b)(2)(ii)–(iv)
    let certificate = subject.certificate
    let isAuthority = certificate.extensions.basicConstraints?.isCA == true
    if scope.onlyContainsAttributeCerts || scope.onlyContainsUserCerts && isAuthority
      || scope.onlyContainsCACerts && !isAuthority
    {
      return .outside(.otherKind)
    }
    // A certificate of version 1 or 2 does not tell of which kind it is.
    if certificate.version < 3, scope.onlyContainsUserCerts || scope.onlyContainsCACerts {
      return .outside(.otherKind)
    }
    // Departs: a point without cRLIssuer says that the list is the issuer's own, and RFC 5280 would
    // take an indirect one too. Here, like in BoringSSL, it shows only that a certificate is revoked.
    if scope.indirectCRL && point.isExplicit && !point.namesCRLIssuer {
      return .onlyAgainst(.unexpectedlyIndirect)
    }
    if point.isElsewhere { return .onlyAgainst(.otherDistributionPoint) }
    let reasons = point.reasons.intersection(scope.onlySomeReasons ?? .all)  // (d)
    return reasons.isEmpty ? .outside(.nothingNew) : .inside(reasons)
  }

  /// The names of a place, in full.
  static func names(
    _ name: DistributionPointName, relativeTo issuer: DistinguishedName
  ) -> [GeneralName] {
    switch name {
    case .full(let names): return Array(names)
    case .relative(let attributes):
      do throws(DERError) {
        let content = issuer.content.array + DERWriting.element(.set, attributes.array)
        return [.directory(try DistinguishedName(content: content))]
      } catch {
        return []
      }
    }
  }

  /// Whether two names of places are the same: distinguished names by RFC 5280 §7.1, all others
  /// byte by byte.
  private static func same(_ a: GeneralName, _ b: GeneralName) -> Bool {
    if case .directory(let one) = a, case .directory(let other) = b { return one.matches(other) }
    return a == b
  }
}

extension ListScope.Point {
  /// A point of a certificate. A relative name is relative to the issuer of the list.
  /// RFC 5280 §4.2.1.13.
  fileprivate init(_ point: DistributionPoint, _ issuer: DistinguishedName) {
    crlIssuers = point.crlIssuer.compactMap(\.directoryName)
    let base = crlIssuers.first ?? issuer
    names = point.name.map { ListScope.names($0, relativeTo: base) }
    reasons = point.reasons ?? .all
    namesCRLIssuer = !point.crlIssuer.isEmpty
    namesOwnIssuer = !namesCRLIssuer || crlIssuers.contains { $0.matches(issuer) }
    isExplicit = true
    isElsewhere = false
  }
}
