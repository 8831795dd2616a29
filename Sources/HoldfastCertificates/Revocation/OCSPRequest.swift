internal import HoldfastDER

/// A question to an OCSP responder, for whoever does the fetching. RFC 6960 §4.1.
///
/// It is sent as the body of an HTTP POST of the type `application/ocsp-request`. It is not signed.
public struct OCSPRequest: Sendable, Hashable {
  /// The certificates that are asked about.
  public let certificateIDs: [OCSPCertificateID]

  /// What the answer must repeat; nil for nothing, so that a responder may answer from its stock.
  public let nonce: [UInt8]?

  /// How long a nonce may be. RFC 9654 §2.1.
  public static let nonceLengths = 1...128

  /// A question for some certificates; nil if there are none, or if the nonce has a length that
  /// RFC 9654 §2.1 does not allow. 32 random octets are what it recommends.
  public init?(_ certificateIDs: [OCSPCertificateID], nonce: [UInt8]? = nil) {
    guard !certificateIDs.isEmpty else { return nil }
    if let nonce, !OCSPRequest.nonceLengths.contains(nonce.count) { return nil }
    self.certificateIDs = certificateIDs
    self.nonce = nonce
  }

  /// A question for one certificate, by SHA-1 and without a nonce.
  public init(_ certificateID: OCSPCertificateID) {
    certificateIDs = [certificateID]
    nonce = nil
  }

  /// The request in DER.
  public var der: [UInt8] {
    let requests = certificateIDs.flatMap { DERWriting.element(.sequence, $0.der) }
    var extensions: [UInt8] = []
    if let nonce {
      let value = DERWriting.element(.octetString, nonce)
      let item = DERWriting.element(
        .sequence, DERWriting.element(.objectIdentifier, OID.ocspNonce.content),
        DERWriting.element(.octetString, value))
      extensions = DERWriting.element(
        .constructedContext(2), DERWriting.element(.sequence, item))
    }
    let tbs = DERWriting.element(
      .sequence, DERWriting.element(.sequence, requests), extensions)
    return DERWriting.element(.sequence, tbs)
  }
}
