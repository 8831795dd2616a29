internal import HoldfastCertificates

/// What X509-SVID asks of certificates by themselves, if the purpose is that of a workload.
extension CertificateChecks {
  /// Checks the certificate of a workload. X509-SVID §5.2.
  func checkSVID(
    _ leaf: Certificate, of peers: SPIFFEPeers, _ log: inout Violations
  ) throws(CheckFailure) {
    let range = leaf.range(of: .subjectAltName)
    let uris = leaf.uris
    if uris.count != 1 {
      try log.report(.spiffeIDCount, .number(uris.count), at: range)
    } else if let id = try spiffeID(uris[0], range, &log) {
      if !id.hasPath {
        try log.report(.spiffePathMissing, at: range)
      } else if !peers.contains(id) {
        try log.report(.spiffeID, .identity(.spiffe(peers)), at: range)
      }
    }
    // Other rules look at this themselves.
    if rules.leaf.acceptsCA, leaf.isCA {
      try log.report(
        .leafIsCA, at: leaf.range(of: .basicConstraints), citing: "X509-SVID §5.2")
    }
    let forbidden = leaf.extensions.keyUsage?.intersection([.keyCertSign, .cRLSign]) ?? []
    if !forbidden.isEmpty {
      try log.report(
        .keyUsageForbidden, .text(forbidden.names.joined(separator: ", ")),
        at: leaf.range(of: .keyUsage), citing: "X509-SVID §5.2")
    }
    try checkKeyUsageExtension(of: leaf, &log)
    guard checksProfile else { return }
    for usage: OID in [.serverAuth, .clientAuth]
    where leaf.extendedKeyUsageHas(usage) == false {
      try log.report(
        .extendedKeyUsage, .purpose(usage), at: leaf.range(of: .extKeyUsage),
        citing: "X509-SVID §4.4")
    }
  }

  /// Checks the certificate of a CA above a workload. It need not have a SPIFFE ID. X509-SVID §3.2.
  func checkSVIDSigner(
    _ issuer: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    try checkKeyUsageExtension(of: issuer, &log)
    let uris = issuer.uris
    let isSVID = uris.contains { uri in
      uri.prefix(7).map(Bytes.lowercased).elementsEqual("spiffe:".utf8)
    }
    guard isSVID else { return }
    let range = issuer.range(of: .subjectAltName)
    guard uris.count == 1 else {
      return try log.report(.spiffeIDCount, .number(uris.count), at: range)
    }
    // Departs: a lone slash, which SPIFFE-ID §2.2 forbids and appendix A of the standard for bundles
    // shows, is no path.
    var uri = uris[0]
    if uri.last == 0x2F, uri.count(where: { $0 == 0x2F }) == 3 { uri.removeLast() }
    if try spiffeID(uri, range, &log)?.hasPath == true {
      try log.report(.spiffePathForbidden, at: range)
    }
  }

  /// Checks that there is a key usage, and for the profile that it is critical. X509-SVID §4.3.
  private func checkKeyUsageExtension(
    of certificate: Certificate, _ log: inout Violations
  ) throws(CheckFailure) {
    let section = "X509-SVID §4.3"
    if certificate.extensions.keyUsage == nil {
      try log.report(.extensionMissing, of: .keyUsage, in: certificate, citing: section)
    } else if checksProfile, !certificate.extensions.isCritical(.keyUsage) {
      try log.report(.extensionNotCritical, of: .keyUsage, in: certificate, citing: section)
    }
  }

  /// Returns the SPIFFE ID; nil if it is malformed, which is reported.
  private func spiffeID(
    _ uri: [UInt8], _ range: Range<Int>?, _ log: inout Violations
  ) throws(CheckFailure) -> SPIFFEID? {
    do throws(SPIFFEIDError) {
      return try SPIFFEID(bytes: uri)
    } catch {
      try log.report(.spiffeIDSyntax, .text("\(error)"), at: range)
      return nil
    }
  }
}

extension Certificate {
  /// The URIs among the alternative names.
  fileprivate var uris: [[UInt8]] {
    extensions.subjectAlternativeNames.compactMap {
      if case .uri(let text) = $0 { text.bytes.array } else { nil }
    }
  }
}
