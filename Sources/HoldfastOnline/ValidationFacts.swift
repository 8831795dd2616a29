// What the result of a validation tells a question that may fetch more.
internal import Holdfast

extension Result<ValidatedPath, PathError> {
  /// What each CRL and OCSP response says about the certificates of the path, or of those that were
  /// tried.
  var revocationFacts: [CertificateRevocation.Fact] {
    switch self {
    case .success(let path): path.revocation.flatMap(\.facts)
    case .failure(let error):
      error.rejections.flatMap { rejection -> [CertificateRevocation.Fact] in
        guard case .revocation(let found)? = rejection.violation.detail else { return [] }
        return found.facts
      }
    }
  }
}

extension PathError {
  /// Where the issuers are for whose lack, and for nothing else, a path ends: on any path, since
  /// another than the one that came nearest may become valid.
  var issuerLocations: [String] {
    var locations: [String] = []
    for rejection in rejections {
      switch rejection.rule {
      case .issuerNotFound, .issuerUnreadable: break
      default: continue
      }
      let isAlone =
        rejections.count { $0.path == rejection.path && $0.anchor == rejection.anchor } == 1
      guard isAlone, let certificate = rejection.certificate else { continue }
      locations += certificate.locations(of: .issuers).filter { !locations.contains($0) }
    }
    return locations
  }
}

extension CertificateRevocation.SourceOutcome {
  /// Whether a source is what it claims to be: it says something, or others say more.
  var isUseful: Bool {
    switch self {
    case .notRevoked, .revoked, .removed, .unknownToResponder, .redundant, .deltaWithoutBase: true
    default: false
    }
  }
}
