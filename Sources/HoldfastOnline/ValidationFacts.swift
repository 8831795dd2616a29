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
  /// Where the issuers are that neither the chain nor the anchors have.
  var issuerLocations: [String] {
    hints.flatMap { hint -> [String] in
      switch hint {
      case .missingIntermediate(_, let locations), .missingRoot(_, let locations):
        locations.map { "\($0)" }
      default: []
      }
    }
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
