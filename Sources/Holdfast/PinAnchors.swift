extension PathValidator {
  /// Returns the validator with the anchors of some sets: its own unless every set excludes them,
  /// and the certificates of the sets that bring their own.
  ///
  /// - Parameter pinned: The anchors that are made of the certificates.
  func anchored(by sets: [PinSet], _ pinned: [Certificate: TrustAnchor]) -> PathValidator {
    let own = sets.filter { $0.anchoring != .manager }.flatMap { $0.certificates }
      .compactMap { pinned[$0] }
    guard !own.isEmpty else { return self }
    let keepsOwn = sets.contains { $0.anchoring != .pinsOnly }
    return with(AnchorSet(keepsOwn ? own + anchors.anchors : own))
  }
}

extension AnchorSet {
  /// Returns the anchors made from the certificates of pins.
  ///
  /// A pin makes a certificate an anchor, but takes nothing back. What this set says of the same
  /// key, or of the key that signed the certificate, holds for it too: it is public if they are, and
  /// obeys their constraints. A pin can be the issuer of another one. What a root program distrusts
  /// wherever it is, it distrusts here. An issuer that is neither in the set nor a pin is not known.
  ///
  /// - Parameter checksConstraints: Whether the constraints in the certificates of anchors count.
  func anchors(
    pinning certificates: [Certificate], checksConstraints: Bool
  ) -> [Certificate: TrustAnchor] {
    let pins = AnchorSet(certificates)
    guard !pins.isEmpty else { return [:] }
    let byKey = Dictionary(grouping: anchors) { $0.publicKey }
    let distrust = distrustOfPrograms
    var found: [Certificate: TrustAnchor] = [:]
    var links: [(below: Certificate, issuer: Certificate)] = []
    for certificate in pins.anchors.compactMap({ $0.certificate }) {
      var pinned = TrustAnchor(certificate)
      for anchor in byKey[certificate.publicKey] ?? [] {
        pinned = pinned.obeying(anchor, checksConstraints: checksConstraints)
      }
      for anchor in issuers(of: certificate) {
        pinned = pinned.obeying(anchor, isIssuer: true, checksConstraints: checksConstraints)
      }
      found[certificate] = pinned.distrusting(distrust)
      links += pins.issuers(of: certificate).compactMap { $0.certificate }.map { (certificate, $0) }
    }
    // Each round hands what holds for a pin down by one level, and no chain of pins is longer.
    for _ in certificates where !links.isEmpty {
      var isChanged = false
      for link in links {
        guard let pinned = found[link.below], let issuer = found[link.issuer] else { continue }
        let next = pinned.obeying(issuer, isIssuer: true, checksConstraints: checksConstraints)
        isChanged = isChanged || next != pinned || next.isPublic != pinned.isPublic
        found[link.below] = next
      }
      if !isChanged { break }
    }
    return found
  }

  /// Returns the anchors whose name and key the issuer of a certificate has. Those with the key of
  /// the certificate itself are not above it.
  private func issuers(of certificate: Certificate) -> [TrustAnchor] {
    anchors(named: certificate.issuer).filter {
      $0.publicKey != certificate.publicKey && certificate.isSigned(under: $0.publicKey)
    }
  }

  /// What root programs distrust wherever it is on a path, without what they demand of anchors.
  private var distrustOfPrograms: [ProgramConstraint] {
    var all: [ProgramConstraint] = []
    for program in anchors.flatMap({ $0.constraints.programs }) where !program.distrusted.isEmpty {
      var distrust = program
      distrust.alternatives = [.init()]
      if !all.contains(distrust) { all.append(distrust) }
    }
    return all
  }
}

extension TrustAnchor {
  /// Returns the anchor with what another one demands, of the same key or of its issuer.
  fileprivate func obeying(
    _ other: TrustAnchor, isIssuer: Bool = false, checksConstraints: Bool
  ) -> TrustAnchor {
    guard let certificate else { return self }
    let levels = isIssuer && !certificate.isSelfIssued ? 1 : 0
    var all = constraints
    all.add(other.constraints, above: levels)
    if checksConstraints, let extensions = other.certificate?.extensions,
      other.certificate != certificate
    {
      var own = Constraints()
      own.names = extensions.nameConstraints
      own.pathLength = extensions.basicConstraints?.pathLength
      // A certificate for any purpose names others for those who do not know that one.
      if let usages = extensions.extendedKeyUsage, !usages.contains(.anyExtendedKeyUsage) {
        own.extendedKeyUsages = Array(usages)
      }
      all.add(own, above: levels)
    }
    let obeying = with(all, isPublic: isPublic || other.isPublic)
    return isIssuer ? obeying : obeying.issuing(as: other)
  }

  /// Returns the anchor with what root programs distrust wherever it is.
  fileprivate func distrusting(_ programs: [ProgramConstraint]) -> TrustAnchor {
    var all = constraints
    for next in programs {
      let isKnown = all.programs.contains {
        $0.program == next.program && $0.distrusted == next.distrusted
      }
      if !isKnown { all.programs.append(next) }
    }
    return with(all, isPublic: isPublic)
  }
}

extension TrustAnchor.Constraints {
  /// Adds what another anchor demands.
  ///
  /// - Parameter levels: How many certificates that count lie below it, down to this one.
  fileprivate mutating func add(_ other: TrustAnchor.Constraints, above levels: Int) {
    for set in [other.names].compactMap({ $0 }) + other.moreNames
    where set != names && !moreNames.contains(set) {
      if names == nil { names = set } else { moreNames.append(set) }
    }
    // Below zero, nothing may be issued.
    let length = other.pathLength.map { max($0, 0) - levels }
    pathLength = [pathLength, length].compactMap { $0 }.min()
    if let domains = other.trustDomains {
      trustDomains = trustDomains?.intersection(domains) ?? domains
    }
    if let usages = other.extendedKeyUsages {
      extendedKeyUsages = extendedKeyUsages?.filter(usages.contains) ?? usages
    }
    for program in other.programs where !programs.contains(program) { programs.append(program) }
  }
}
