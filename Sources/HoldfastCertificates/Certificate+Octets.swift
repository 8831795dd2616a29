/// The same from octets that are in no array: Foundation's `Data`, a slice, a buffer, `Octets`.
extension Certificate {
  /// Reads a certificate from DER, which must be nothing but the certificate.
  public init(
    der: some Collection<UInt8>, largest: Int = Certificate.largestByDefault
  ) throws(CertificateError) {
    guard der.count <= largest else {
      throw CertificateError(.certificate, .tooLarge(limit: largest), at: 0)
    }
    try self.init(der: Array(der), largest: largest)
  }
}

extension CertificateBundle {
  /// Reads the octets of a file: a PEM text, one certificate in DER, or several one after another.
  public init(_ octets: some Collection<UInt8>, largest: Int = Certificate.largestByDefault) {
    self.init(Array(octets), largest: largest)
  }
}

extension CertificateList {
  /// Reads a list from DER, which must be nothing but the list.
  public init(
    der: some Collection<UInt8>, largest: Int = CertificateList.largestByDefault
  ) throws(RevocationDataError) {
    guard der.count <= largest else {
      throw RevocationDataError(.certificateList, .tooLarge(limit: largest), at: 0)
    }
    try self.init(der: Array(der), largest: largest)
  }
}

extension OCSPResponse {
  /// Reads an answer from DER, which must be nothing but the answer.
  public init(
    der: some Collection<UInt8>, largest: Int = OCSPResponse.largestByDefault
  ) throws(RevocationDataError) {
    guard der.count <= largest else {
      throw RevocationDataError(.response, .tooLarge(limit: largest), at: 0)
    }
    try self.init(der: Array(der), largest: largest)
  }
}
