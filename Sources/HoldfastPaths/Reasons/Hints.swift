internal import HoldfastCertificates

/// The hints, made of the path that came nearest to a valid one.
extension IssuerGraph {
  func hints(for best: PathError.Attempt?) -> [PathError.Hint] {
    let maximum = 8
    var hints: [PathError.Hint] = checks.configuration.anchors.isEmpty ? [.noAnchors] : []
    for (number, rejection) in (best?.rejections ?? []).enumerated() where hints.count < maximum {
      var found = self.hints(for: rejection)
      if found.isEmpty, number == 0 { found = [remedy(for: rejection)] }
      // What else is wrong with a certificate that is not the one asked about, is not signed or is
      // revoked needs no hint.
      let isAll = number == 0 && rejection.rule.row.kind.rank != .other
      if isAll || found == [.remedy(.leafIsCA)] { return found }
      for hint in found where !hints.contains(hint) && hints.count < maximum { hints.append(hint) }
    }
    // No other path helps a leaf that must be replaced.
    let leafHints = hints.filter {
      switch $0 {
      case .leafExpired, .leafNotYetValid: true
      default: false
      }
    }
    return leafHints.isEmpty ? hints : leafHints
  }

  /// What helps in general: above the leaf, the certificate of another CA as well.
  ///
  /// - Parameter other: A rule that has the same remedy; nil for the broken one.
  private func remedy(
    for rejection: PathError.Rejection, as other: Rule? = nil
  ) -> PathError.Hint {
    let rule = other ?? rejection.rule
    guard rejection.index > 0, rule.row.kind.isMendedByIssuing,
      let certificate = rejection.certificate
    else { return .remedy(rule) }
    return .remedyAboveLeaf(rule, certificate)
  }

  private func hints(for rejection: PathError.Rejection) -> [PathError.Hint] {
    if let newer = crossSigned(below: rejection) { return [.crossSigned(newer)] }
    if let domain = trustDomainWithoutBundle(rejection) { return [.noBundle(domain)] }
    let first = hint(for: rejection).map { [$0] } ?? []
    guard rejection.rule == .hostName || rejection.rule == .noHostNames,
      let identity = checks.purpose.identity
    else { return first }
    return [.otherNames(identity, nodes[0].certificate)] + first
  }

  /// Returns the certificate of a newer root, if the one above it is a root that has expired and is
  /// to blame: to trust that again would be the wrong remedy. What a root issues there issues other CAs,
  /// so an intermediate of the leaf is none.
  private func crossSigned(below rejection: PathError.Rejection) -> Certificate? {
    guard rejection.rule == .expired || rejection.rule == .untrustedRoot, rejection.index >= 3,
      let root = rejection.certificate, root.isSelfIssued, root.notAfter < checks.time
    else { return nil }
    let newer = rejection.path[rejection.index - 1]
    return newer.isSelfIssued || !newer.isCurrent(at: checks.time) ? nil : newer
  }

  /// Returns the trust domain of a workload that would be trusted, if none of the anchors is of it: its
  /// issuer's certificate alone would be no help.
  private func trustDomainWithoutBundle(
    _ rejection: PathError.Rejection
  ) -> SPIFFETrustDomain? {
    guard [.issuerNotFound, .untrustedRoot, .trustDomain].contains(rejection.rule),
      let peers = checks.purpose.workloads,
      let id = SPIFFEID.only(in: nodes[0].certificate.extensions.subjectAlternativeNames),
      peers.contains(id)
    else { return nil }
    let isGiven = checks.configuration.anchors.anchors.contains {
      $0.constraints.trustDomains?.contains(id.trustDomain) == true
    }
    return isGiven ? nil : id.trustDomain
  }

  private func hint(for rejection: PathError.Rejection) -> PathError.Hint? {
    let anchors = checks.configuration.anchors
    let detail = rejection.violation.detail
    if let rule = rejection.otherRule { return remedy(for: rejection, as: rule) }
    switch (detail == .signer(.other) ? .signature : rejection.rule, detail) {
    case (_, .revocation(let found)?) where found.isOnHold:
      return rejection.certificate.map { .onHold($0) }
    case (.issuerNotFound, _):
      return rejection.certificate.flatMap { missingIssuer(of: $0, rejection) }
    case (.issuerUnreadable, .unreadable(let certificate)?): return .unreadable(certificate)
    case (.leafNotFirst, .certificate(let certificate)?):
      // What is not valid at this time helps nowhere.
      if certificate.isCurrent(at: checks.time) { return .notFirst(certificate) }
      return .outsideValidity(certificate)
    case (.leafIsCA, _), (.leafIsAnchor, _):
      let leaf = nodes[0].certificate
      return anchors.anchor(madeFrom: leaf).map { _ in .isAnchorItself(leaf) }
    case (.untrustedRoot, _):
      guard let certificate = rejection.certificate, !anchors.contains(certificate),
        let node = nodes.first(where: { $0.certificate == certificate })
      else { return nil }
      return nodes[node.issuerName].anchors.first.map { .anchorWithOtherKey(anchors[$0]) }
        ?? .unknownRoot(certificate, anchors: anchors.count)
    case (.signature, _):
      guard let certificate = rejection.certificate else { return nil }
      if detail == .signer(.same) { return .changed(certificate) }
      let isUnderAnchor = rejection.index + 1 == rejection.path.count
      if detail == .signer(.other), isUnderAnchor, let anchor = rejection.anchor {
        return .anchorWithOtherKey(anchor)
      }
      let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier
      return .otherSigner(certificate, keyIdentifier: detail == .signer(.other) ? identifier : nil)
    case (.unknownCriticalExtension, .extension(.precertificatePoison)?):
      return rejection.certificate.map { .precertificate($0) }
    case (.revocationUnknown, .revocation(let found)?):
      return found.obstacle.map { .source($0) }
    case (.hostName, _):
      // Of a leaf without any alternative names the other rule says it all.
      guard case .host(let host)? = checks.purpose.identity else { return nil }
      return host.hint(for: nodes[0].certificate).map { .host($0) }
    case (.notYetValid, _), (.expired, _):
      guard rejection.index == 0 else { return rejection.certificate.map { .outsideValidity($0) } }
      let leaf = nodes[0].certificate
      return rejection.rule == .expired ? .leafExpired(leaf) : .leafNotYetValid(leaf)
    // The row of the rule says what helps.
    default: return nil
    }
  }

  /// Returns whether an intermediate is missing or a root is unknown; nil if the issuer was sent, and
  /// did not sign or would make the path a cycle.
  private func missingIssuer(
    of certificate: Certificate, _ rejection: PathError.Rejection
  ) -> PathError.Hint? {
    let isMissing = nodes.indices.contains {
      nodes[$0].certificate == certificate && !hasNamedIssuer($0)
    }
    guard isMissing else { return nil }
    let locations = certificate.extensions.accessLocations(.caIssuersAccess)
    // What issued the last CA may be a root. What issued the leaf is an intermediate if a CA above it
    // was sent, or if the leaf says where it is, as those of public CAs do, whose roots issue none.
    let isBetween =
      rejection.index == 0 && (!locations.isEmpty || hasRoute(besides: rejection.path))
    return isBetween
      ? .missingIntermediate(certificate.issuer, locations: locations)
      : .missingRoot(certificate.issuer, locations: locations)
  }

  /// Whether a CA's certificate that is not on a path has an issuer among the anchors, or one that
  /// has.
  private func hasRoute(besides path: [Certificate]) -> Bool {
    nodes.contains { node in
      node.distance != nil && node.certificate.isCA && !path.contains(node.certificate)
    }
  }
}
