internal import HoldfastPaths

/// What evaluators ask of a server's certificates.
extension ServerTrust {
  /// Returns the first valid path.
  ///
  /// - Parameter anchors: The anchors in place of the system's.
  func validate(
    for purpose: Purpose, anchors: AnchorSet? = nil, revocation other: Revocation? = nil
  ) throws(PathError) -> ValidatedPath {
    try validator(anchors).validate(
      chain, for: purpose, at: time, revocation: other ?? revocation)
  }

  /// What came of looking for something pinned.
  enum Match {
    /// This certificate is the one, or has the key. With a purpose, this is the path it is on.
    case found(Certificate, path: ValidatedPath?, certificates: [Certificate])
    /// None of these.
    case missed([Certificate])
  }

  /// Looks for a certificate that is pinned.
  ///
  /// With a purpose it must be on a valid path, and any will do; the search goes on to the next as
  /// long as there is none. Without one it is enough that signatures lead there. What was sent and
  /// is on no path never counts: whoever stands in the middle can send whatever is pinned.
  func match(
    for purpose: Purpose?, anchors: AnchorSet? = nil, _ isPinned: (Certificate) -> Bool
  ) throws(PathError) -> Match {
    let validator = validator(anchors)
    guard let purpose else {
      let linked = validator.linkedCertificates(from: chain)
      guard let found = linked.first(where: isPinned) else { return .missed(linked) }
      return .found(found, path: nil, certificates: linked)
    }
    var found: Certificate?
    var seen: [Certificate] = []
    do throws(PathError) {
      let path = try validator.validate(
        chain, for: purpose, at: time, revocation: revocation
      ) { path in
        found = path.certificates.first(where: isPinned)
        if found != nil { return nil }
        for certificate in path.certificates where !seen.contains(certificate) {
          seen.append(certificate)
        }
        return "nothing on the path is pinned"
      }
      guard let found else { return .missed(path.certificates) }
      return .found(found, path: path, certificates: path.certificates)
    } catch {
      // There was a valid path, so it is the pins that are missed.
      guard seen.isEmpty else { return .missed(seen) }
      throw error
    }
  }

  private func validator(_ anchors: AnchorSet?) -> PathValidator {
    anchors.map { validator.with($0) } ?? validator
  }
}

extension TrustError {
  /// No valid path for a host.
  init(_ error: PathError, host: String) { self = .trustEvaluationFailed(error) }
}

extension Purpose {
  /// A server, or why a text is not the name of one.
  static func server(named host: String) throws(TrustError) -> Purpose {
    do throws(HostNameError) {
      return try .server(host)
    } catch {
      throw .policyApplicationFailed(host: host, error)
    }
  }
}
