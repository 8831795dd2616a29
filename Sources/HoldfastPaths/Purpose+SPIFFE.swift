public import HoldfastCertificates

/// Workloads with a SPIFFE ID. X509-SVID.
extension Purpose {
  /// Returns the purpose of a workload, the peer of a TLS connection on either side, with one of these
  /// SPIFFE IDs.
  ///
  /// Its certificate is an X509-SVID, and the anchor belongs to the trust domain of the ID:
  /// `TrustAnchor.Constraints.trustDomains`. The rules say nothing else about that.
  public static func spiffe(_ peers: SPIFFEPeers) -> Purpose {
    Purpose(
      extendedKeyUsages: [.serverAuth, .clientAuth], keyUsage: .digitalSignature,
      identity: .spiffe(peers))
  }

  /// Returns the purpose of a workload with this SPIFFE ID.
  public static func spiffe(_ id: String) throws(SPIFFEIDError) -> Purpose {
    .spiffe(try SPIFFEPeers.id(id))
  }

  /// Returns the same purpose for one side of a connection: for the server's or the client's usage.
  package func narrowed(to usage: OID) -> Purpose {
    var purpose = self
    purpose.extendedKeyUsages = [usage]
    return purpose
  }

  /// The SPIFFE IDs of which the leaf has one; nil if another identity is asked for, or none.
  package var workloads: SPIFFEPeers? {
    if case .spiffe(let peers)? = identity { peers } else { nil }
  }
}

extension ValidatedPath {
  /// The SPIFFE ID of the leaf, if the purpose asked for one; nil for any other purpose, which does not
  /// show that the anchor may vouch for it. The identity of the path's purpose is this ID.
  public var spiffeID: SPIFFEID? {
    purpose.workloads.flatMap { _ in SPIFFEID.only(in: leaf.extensions.subjectAlternativeNames) }
  }
}
