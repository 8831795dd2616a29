// What the result of a validation tells a question that may fetch more.
internal import Holdfast
internal import HoldfastCertificates

extension Result<ValidatedPath, PathError> {
  /// What a CRL or an OCSP response says about a certificate of the path, or of one that breaks no
  /// rule but those of revocation, and the key of its issuer there.
  var revocationFacts: [(fact: CertificateRevocation.Fact, issuerKey: PublicKey)] {
    switch self {
    case .success(let path):
      path.revocation.enumerated().flatMap { index, found in
        found.facts.map { ($0, path.issuerKey(index)) }
      }
    case .failure(let error):
      error.revocationRejections.flatMap { rejection in
        guard case .revocation(let found)? = rejection.violation.detail,
          let key = rejection.issuerKey
        else { return [(fact: CertificateRevocation.Fact, issuerKey: PublicKey)]() }
        return found.facts.map { ($0, key) }
      }
    }
  }

  /// Whether the path goes through a certificate that was fetched, and not sent.
  func hasUsed(_ value: FetchedValue, besides sent: [Certificate]) -> Bool {
    guard case .success(let path) = self, case .issuers(let certificates) = value else {
      return false
    }
    return certificates.contains { path.certificates.contains($0) && !sent.contains($0) }
  }
}

extension ValidatedPath {
  /// The key of the issuer of the certificate at an index.
  func issuerKey(_ index: Int) -> PublicKey {
    index + 1 < count ? self[index + 1].publicKey : anchor.publicKey
  }
}

extension PathError.Rejection {
  /// The key of the issuer of the certificate that breaks the rule; nil if no anchor was reached.
  var issuerKey: PublicKey? {
    anchor.map { index + 1 < path.count ? path[index + 1].publicKey : $0.publicKey }
  }
}

extension PathError {
  /// The rejections of paths that break no rule but those of revocation. CAs have signed all of such
  /// a path, and with it the URLs.
  var revocationRejections: [Rejection] {
    attempts.filter { attempt in
      attempt.violations.allSatisfy { $0.rule == .revoked || $0.rule == .revocationUnknown }
    }.flatMap(\.rejections)
  }

  /// Where the issuers are for whose lack, and for nothing else, a path ends: on any path, since
  /// another than the one that came nearest may become valid.
  var issuerLocations: [String] {
    var locations: [String] = []
    var known: Set<String> = []
    for attempt in attempts where attempt.violations.count == 1 {
      guard let rejection = attempt.rejections.first, let certificate = rejection.certificate,
        rejection.rule == .issuerNotFound || rejection.rule == .issuerUnreadable
      else { continue }
      locations += certificate.locations(of: .issuers).filter { known.insert($0).inserted }
    }
    return locations
  }

  /// Whether a path fails because a fetched issuer is the wrong one, or no longer the right one.
  func isDue(to value: FetchedValue) -> Bool {
    guard case .issuers(let certificates) = value else { return false }
    return rejections.contains { rejection in
      guard let place = rejection.path.firstIndex(where: certificates.contains) else {
        return false
      }
      return switch rejection.rule {
      case .signature, .unsupportedAlgorithm: rejection.index == place - 1
      case .expired, .notYetValid, .revoked: rejection.index == place
      default: false
      }
    }
  }
}

extension CertificateRevocation.SourceOutcome {
  /// Whether a source decides about the certificate. Its signature has verified then, under a key
  /// that the certificate's issuer has or authorizes; what is found before that, such as that others
  /// say as much, may be said by anybody.
  var isUseful: Bool {
    switch self {
    case .notRevoked, .revoked, .removed: true
    default: false
    }
  }
}
