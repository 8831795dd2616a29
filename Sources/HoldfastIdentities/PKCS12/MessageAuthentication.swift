internal import HoldfastDER
package import HoldfastHashes

/// The MAC that authenticates a PKCS #12 file under its password. RFC 7292 §4, RFC 9579.
package struct MessageAuthentication: Sendable, Hashable {
  /// The hash function of the MAC.
  package let hash: HashAlgorithm

  /// How its key is derived from the password.
  package let derivation: KeyDerivation

  /// The length of the key.
  let keyLength: Int
  let digest: [UInt8]

  /// Whether it is PBMAC1 rather than the older scheme of RFC 7292. RFC 9579 §4.
  package var isPBMAC1: Bool {
    if case .pkcs12 = derivation { return false }
    return true
  }

  /// The number of iterations that verifying takes, each block of the key counted.
  package var iterations: Int { derivation.iterations(for: keyLength) }

  /// Reads MacData.
  init(_ reader: inout FieldReader) throws(IdentityError) {
    var fields = try reader.read(.sequence)
    var info = try fields.read(.sequence)
    let start = info.position
    var (name, parameters) = try info.readAlgorithm()
    digest = try info.readBytes(.octetString)
    try info.finish()
    let salt = try fields.readBytes(.octetString)
    // DEFAULT is 1.
    let iterations = fields.isAtEnd ? 1 : try KeyDerivation.readIterations(&fields)
    try fields.finish()
    if name == .pbmac1 {
      // RFC 9579 §4: the salt and iterations of PBKDF2 count, those of MacData are ignored.
      (hash, derivation, keyLength) = try Self.readPBMAC1(&parameters)
    } else {
      guard let known = Registry.hashes[name] else { throw .unsupported(.authentication, name) }
      hash = known
      keyLength = known.digestLength
      derivation = .pkcs12(known, iterations: iterations, salt: salt)
    }
    guard digest.count == hash.digestLength else { throw info.error(.badValue, at: start) }
  }

  /// Reads the parameters of PBMAC1. RFC 8018 appendix A.5.
  private static func readPBMAC1(
    _ parameters: inout FieldReader
  ) throws(IdentityError) -> (HashAlgorithm, KeyDerivation, Int) {
    var values = try parameters.read(.sequence)
    let start = values.position
    let (derivation, keyLength) = try KeyDerivation.read(&values)
    let (name, _) = try values.readAlgorithm()
    try values.finish()
    guard let hash = Registry.keyedHashes[name] else { throw .unsupported(.keyedHash, name) }
    // RFC 9579 §5: the key length must be present, and keys shorter than 20 bytes are rejected.
    // The limit above is ours: HMAC hashes keys longer than its block, and no writer has longer
    // ones than the longest digest.
    guard let keyLength, 20...64 ~= keyLength else { throw values.error(.badValue, at: start) }
    return (hash, derivation, keyLength)
  }

  /// Whether this is the MAC of contents under a password. The time does not depend on where two
  /// MACs differ.
  func authenticates(
    _ contents: [UInt8], _ password: Password, _ budget: inout WorkBudget
  ) throws(IdentityError) -> Bool {
    var key = try derivation.derive(.mac, password, count: keyLength, &budget)
    defer { SecretBytes.overwrite(&key) }
    let code = HMAC(hash, key: key).code(of: contents.span)
    return SecretBytes.areEqual(code.array, digest)
  }
}

extension MessageAuthentication: CustomStringConvertible {
  /// `HMAC-SHA-256, PKCS #12 key derivation with SHA-256, 2048 iterations`.
  package var description: String { "HMAC-\(hash), \(derivation)" }
}
