internal import HoldfastDER

extension PublicKey {
  /// Reads the one public key in a PEM text, as `openssl pkey -pubout` writes it. RFC 7468 §13.
  ///
  /// `RSA PUBLIC KEY` is read, too. A backup key can so be pinned before there is a certificate for it.
  public init(pem text: String) throws(CertificateError) {
    let field = CertificateError.Field.subjectPublicKeyInfo
    let block = try PEMBlock.only(["PUBLIC KEY", "RSA PUBLIC KEY"], field, in: text)
    do throws(DERError) {
      self =
        try block.label == "PUBLIC KEY"
        ? PublicKey(der: block.octets) : PublicKey(pkcs1: block.octets)
    } catch {
      throw CertificateError(field, error).placed(in: block)
    }
  }
}

extension CertificateRequest {
  /// Reads the one request in a PEM text. RFC 7468 §7.
  public init(pem text: String) throws(CertificateError) {
    let labels = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]
    let block = try PEMBlock.only(labels, .request, in: text)
    do throws(CertificateError) {
      try self.init(der: block.octets)
    } catch {
      throw error.placed(in: block)
    }
  }
}

extension PEMBlock {
  /// The one block of a text that has one of some labels.
  fileprivate static func only(
    _ labels: [String], _ field: CertificateError.Field, in text: String
  ) throws(CertificateError) -> PEMBlock {
    let text = PEMText(Array(text.utf8), labels: labels)
    if let error = text.errors.first { throw CertificateError(error) }
    guard let block = text.blocks.first, text.blocks.count == 1 else {
      if text.blocks.isEmpty {
        throw CertificateError(PEMError(problem: .noBlock, block: 0, line: 1))
      }
      throw CertificateError(field, .notSingle(count: text.blocks.count), at: 0)
    }
    return block
  }
}

extension CertificateError {
  /// The same error with the place of the PEM block.
  fileprivate func placed(in block: PEMBlock) -> CertificateError {
    var error = self
    error.block = PEMPlace(block: block.number, line: block.line)
    return error
  }
}
