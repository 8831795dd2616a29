internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities

/// What was fetched, parsed. It is trusted for nothing: the search decides about it as about what
/// a peer sent.
enum FetchedValue: Sendable {
  case issuers([Certificate])
  case ocsp(OCSPResponse)
  case crl(CRL)

  /// The most certificates of one response. The limit is ours.
  private static let maximumIssuers = 8

  /// Reads a response by what it is asked for; its Content-Type counts for nothing.
  init(_ bytes: [UInt8], _ kind: FetchKind) throws(FetchError) {
    do throws(ParseError) {
      switch kind {
      case .issuers: self = try FetchedValue.issuers(in: bytes)
      case .ocsp: self = .ocsp(try OCSPResponse(der: bytes))
      case .crl: self = .crl(try CRL(der: bytes))
      }
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Reads a certificate in DER, several in PEM, or a PKCS #7 file without signatures. RFC 5280
  /// §4.2.2.1.
  private static func issuers(in bytes: [UInt8]) throws(ParseError) -> FetchedValue {
    let bundle = CertificateBundle(bytes)
    var certificates = bundle.certificates
    if certificates.isEmpty {
      do throws(IdentityError) {
        certificates = try PKCS7(bytes).certificates
      } catch {
        // What it is not is told by the error of the usual format.
      }
    }
    if certificates.isEmpty, let error = bundle.errors.first { throw error }
    return .issuers(Array(certificates.prefix(maximumIssuers)))
  }

  /// Until when it may be used, as its signer says; nil if it does not.
  var end: Timestamp? {
    switch self {
    case .issuers(let certificates): certificates.map(\.notAfter).max()
    case .ocsp(let response): response.basic?.responses.compactMap(\.nextUpdate).min()
    case .crl(let crl): crl.nextUpdate
    }
  }

  /// When its signer knew what it says; nil for certificates.
  var thisUpdate: Timestamp? {
    switch self {
    case .issuers: nil
    case .ocsp(let response): response.basic?.responses.map(\.thisUpdate).max()
    case .crl(let crl): crl.thisUpdate
    }
  }
}
