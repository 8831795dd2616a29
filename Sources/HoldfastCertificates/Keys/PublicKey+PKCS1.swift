public import HoldfastDER

extension PublicKey {
  /// Reads an RSA key from its `RSAPublicKey` alone, as files labelled `RSA PUBLIC KEY` hold it.
  /// RFC 8017 appendix A.1.1.
  ///
  /// `der` is then the SubjectPublicKeyInfo that a certificate for the key has. RFC 3279 §2.3.1.
  public init(pkcs1: [UInt8]) throws(DERError) {
    var reader = DERReader(pkcs1)
    _ = try reader.read(.sequence)
    try reader.finish()
    let identifier = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, OID.rsaEncryption.content),
      DERWriting.element(.null))
    let der = DERWriting.element(
      .sequence, identifier, DERWriting.element(.bitString, [0x00], pkcs1))
    do throws(DERError) {
      try self.init(der: der)
    } catch {
      throw DERError(error.problem, at: max(error.offset - (der.count - pkcs1.count), 0))
    }
  }
}
