public import HoldfastCertificates
internal import HoldfastSignatures

extension Certificate {
  /// Whether the signature verifies under the key of an issuer. Nothing else is checked: not names
  /// or validity, nor whether the issuer is a CA or the algorithm is still safe.
  public func isSigned(by issuer: Certificate) -> Bool {
    let key = issuer.publicKey
    guard let scheme = signatureScheme, key.verifies(scheme),
      let prepared = SignatureChecks.verificationKey(key)
    else { return false }
    return SignatureChecks.verify(self, scheme, under: prepared) == .valid
  }
}
