internal import HoldfastDER

/// An EncryptedPrivateKeyInfo: an encryption and the encrypted bytes. RFC 5958 §3.
struct EncryptedKey {
  let encryption: Encryption
  private let bytes: [UInt8]

  /// Reads it from DER without trailing bytes.
  init(der: [UInt8]) throws(IdentityError) {
    var reader = FieldReader(der, .encryptedPrivateKey)
    var info = try reader.read(.sequence)
    try reader.finish()
    encryption = try Encryption(&info)
    info.field = .encryptedPrivateKey
    bytes = try info.readBytes(.octetString)
    try info.finish()
  }

  /// Decrypts the key with the first password that opens it.
  func open(
    _ passwords: [Password], _ budget: inout WorkBudget
  ) throws(IdentityError) -> PrivateKey {
    try SecretBytes.using(
      try Opening.open(bytes, encryption, passwords, .privateKey, &budget)
    ) { plain throws(IdentityError) in try PrivateKey(pkcs8: plain) }
  }
}

/// Decrypts parts of files.
enum Opening {
  /// Decrypts with the first password whose result is one element in BER, and returns its DER.
  ///
  /// A wrong key yields random bytes: nearly always the padding is wrong, and otherwise the bytes
  /// are not exactly one element.
  static func open(
    _ bytes: [UInt8], _ encryption: Encryption, _ passwords: [Password],
    _ locked: IdentityError.Locked, _ budget: inout WorkBudget
  ) throws(IdentityError) -> [UInt8] {
    for password in passwords {
      guard var plain = try encryption.decrypt(bytes, password, &budget) else { continue }
      defer { SecretBytes.overwrite(&plain) }
      guard plain.first == DERTag.sequence.rawValue else { continue }
      do throws(DERError) {
        return try BERNormalizer.normalized(plain)
      } catch {
        continue
      }
    }
    throw .locked(locked, passwords)
  }
}
