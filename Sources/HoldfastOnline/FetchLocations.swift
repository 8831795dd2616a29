internal import Holdfast
package import HoldfastCertificates
internal import HoldfastDER

extension Certificate {
  /// The URLs of what is fetched for a certificate, as it has them.
  package func locations(of kind: FetchKind) -> [String] {
    switch kind {
    case .issuers: extensions.accessLocations(.caIssuersAccess).map { "\($0)" }
    case .ocsp: extensions.accessLocations(.ocspAccess).map { "\($0)" }
    case .crl: crlLocations
    }
  }

  /// Where CRLs, complete and delta, are: all distribution points. RFC 5280 §4.2.1.13, §4.2.1.15.
  private var crlLocations: [String] {
    [extensions.crlDistributionPoints, extensions.freshestCRL].flatMap { points in
      points.flatMap(\.fullNames).compactMap {
        if case .uri(let text) = $0 { "\(text)" } else { nil }
      }
    }
  }
}

extension FetchURL {
  /// The URL of a GET for an OCSP request; nil if it would have 255 bytes or more, and POST is for
  /// it. RFC 6960 A.1, RFC 5019 §5.
  func forOCSP(
    _ request: [UInt8], ports: Set<UInt16>, ranges: [AddressRange]
  ) -> FetchURL? {
    guard !text.utf8.contains(0x3F) else { return nil }
    var path = ""
    for byte in Base64.text(of: request).utf8 {
      switch byte {
      case 0x2B: path += "%2B"
      case 0x2F: path += "%2F"
      case 0x3D: path += "%3D"
      default: path.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    let url = text + (text.utf8.last == 0x2F ? "" : "/") + path
    guard url.utf8.count < 255 else { return nil }
    do throws(FetchError) {
      return try FetchURL(url, ports: ports, ranges: ranges)
    } catch {
      return nil
    }
  }
}
