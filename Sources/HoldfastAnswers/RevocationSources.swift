package import Holdfast
internal import HoldfastDER

/// Where each CRL and each OCSP response came from, in the order of `Revocation`: its file, or the
/// handshake. Filters name their files themselves.
package struct RevocationSources: Sendable {
  /// The place of each CRL; empty if it is not known.
  package var crls: [String] = []
  package var unreadableCRLs: [String] = []
  package var ocspResponses: [String] = []
  package var unreadableResponses: [String] = []
  /// The folder of upki's cache, if its filters are used.
  package var upkiFolder: String?

  package init() {}

  /// The place of a source; its number if that is not known.
  package func name(of source: CertificateRevocation.Source) -> String {
    location(of: source) ?? printable("\(source)")
  }

  /// The place of a source, if it is known.
  package func location(of source: CertificateRevocation.Source) -> String? {
    let (locations, index) =
      switch source {
      case .crl(let index): (crls, index)
      case .unreadableCRL(let index): (unreadableCRLs, index)
      case .unreadableResponse(let index): (unreadableResponses, index)
      case .ocspResponse(let index), .stapledResponse(let index): (ocspResponses, index)
      case .filter: ([], 0)
      }
    return locations.indices.contains(index) && !locations[index].isEmpty ? locations[index] : nil
  }
}
