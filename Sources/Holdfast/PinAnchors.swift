internal import HoldfastCertificates
internal import HoldfastPaths

extension PathValidator {
  /// Returns the validator with the anchors of some sets: its own unless every set excludes them,
  /// and the certificates of the sets that bring their own.
  ///
  /// - Parameter pinned: The anchors that are made of the certificates.
  func anchored(by sets: [PinSet], _ pinned: [Certificate: TrustAnchor]) -> PathValidator {
    let own = sets.filter { $0.anchoring != .manager }.flatMap(\.certificates)
      .compactMap { pinned[$0] }
    guard !own.isEmpty else { return self }
    let keepsOwn = sets.contains { $0.anchoring != .pinsOnly }
    return with(AnchorSet(keepsOwn ? own + anchors.anchors : own))
  }
}

extension PinSet {
  /// The certificates of the pins that have one.
  var certificates: [Certificate] { pins.compactMap(\.pin.certificate) }
}

extension AnchorSet {
  /// Returns an anchor made from a certificate of pins.
  ///
  /// A pin makes a certificate an anchor, but takes back no distrust. What this set says of the same
  /// name and key, or of the key that signed the certificate, holds for it too: it is public if they
  /// are, and obeys their constraints. An issuer that is not in the set is not known.
  func anchor(pinning certificate: Certificate) -> TrustAnchor {
    var constraints = TrustAnchor.Constraints()
    var isPublic = false
    for anchor in anchors(named: certificate.subject)
    where anchor.publicKey == certificate.publicKey {
      isPublic = isPublic || anchor.isPublic
      constraints.add(anchor.constraints)
    }
    for anchor in anchors(named: certificate.issuer) {
      guard let issuer = anchor.certificate, issuer.publicKey != certificate.publicKey,
        certificate.isSigned(by: issuer)
      else { continue }
      isPublic = isPublic || anchor.isPublic
      constraints.add(anchor.constraints, above: certificate.isSelfIssued ? 0 : 1)
    }
    return TrustAnchor(certificate, constraints: constraints, isPublic: isPublic)
  }
}

extension TrustAnchor.Constraints {
  /// Adds what another anchor demands.
  ///
  /// - Parameter levels: How many certificates that count lie below it, down to this one.
  fileprivate mutating func add(_ other: TrustAnchor.Constraints, above levels: Int = 0) {
    for set in [other.names].compactMap({ $0 }) + other.moreNames
    where set != names && !moreNames.contains(set) {
      if names == nil { names = set } else { moreNames.append(set) }
    }
    // Below zero, nothing may be issued.
    let length = other.pathLength.map { max($0, 0) - levels }
    pathLength = [pathLength, length].compactMap { $0 }.min()
    if let usages = other.extendedKeyUsages {
      extendedKeyUsages = extendedKeyUsages?.filter(usages.contains) ?? usages
    }
    for program in other.programs where !programs.contains(program) { programs.append(program) }
  }
}
