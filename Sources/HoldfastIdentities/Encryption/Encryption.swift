package import HoldfastDER
package import HoldfastHashes

/// How a part of a file is encrypted: everything needed to decrypt it except the password.
package struct Encryption: Sendable, Hashable {
  /// The identifier of the scheme: PBES2, or one of RFC 7292 appendix C.
  package let scheme: OID

  /// How the key is derived from the password.
  package let derivation: KeyDerivation

  /// The cipher.
  package let cipher: Cipher

  /// The initialization vector of PBES2; the older schemes derive it from the password.
  let vector: [UInt8]?

  /// The ciphers, all in CBC mode except RC4.
  @nonexhaustive
  package enum Cipher: Sendable, Hashable {
    /// FIPS 197.
    case aes128
    /// FIPS 197.
    case aes192
    /// FIPS 197.
    case aes256
    /// NIST SP 800-67, with two or three keys in 16 or 24 bytes.
    case tripleDES(keyLength: Int)
    /// RFC 2268.
    case rc2(keyLength: Int, effectiveBits: Int)
    /// RC4, as RFC 6229 describes it.
    case rc4(keyLength: Int)
  }

  /// Whether the cipher is not AES. Exporters gave up the others around 2022; they protect little,
  /// though the file may be sound.
  package var isOutdated: Bool {
    switch cipher {
    case .aes128, .aes192, .aes256: false
    case .tripleDES, .rc2, .rc4: true
    }
  }
}

/// How a key is derived from a password.
@nonexhaustive
package enum KeyDerivation: Sendable, Hashable {
  /// RFC 8018 §5.2, with HMAC over a hash function.
  case pbkdf2(HashAlgorithm, iterations: Int, salt: [UInt8])
  /// RFC 7914: N, r and p.
  case scrypt(rounds: Int, blockSize: Int, parallelization: Int, salt: [UInt8])
  /// RFC 7292 appendix B.
  case pkcs12(HashAlgorithm, iterations: Int, salt: [UInt8])

  /// The number of iterations that the file names; for scrypt, of blocks of 64 bytes that it mixes.
  ///
  /// A key longer than the output of the hash function takes these iterations several times:
  /// `Encryption.iterations` and `MessageAuthentication.iterations` have the sums.
  package var iterations: Int {
    switch self {
    case .pbkdf2(_, let iterations, _), .pkcs12(_, let iterations, _): return iterations
    case .scrypt(let rounds, let blockSize, let parallelization, _):
      return [rounds, blockSize, parallelization].reduce(4) { Clamped.product($0, $1) }
    }
  }

  /// Returns the iterations that it takes to derive `count` bytes. PBKDF2 and the derivation of
  /// PKCS #12 run all of them for each block of output. RFC 8018 §5.2, RFC 7292 appendix B.2.
  func iterations(for count: Int) -> Int {
    switch self {
    case .pbkdf2(let hash, let iterations, _), .pkcs12(let hash, let iterations, _):
      // Keys have at most 1,024 bytes: the reader checks it.
      let length = hash.digestLength
      return Clamped.product(iterations, max((count + length - 1) / length, 1))
    case .scrypt: return iterations
    }
  }
}

/// Arithmetic with numbers that are not negative, up to the highest one: an `Int` of 32 bits does not
/// hold every product of counts of 31 bits.
enum Clamped {
  static func product(_ one: Int, _ other: Int) -> Int {
    let (product, hasOverflowed) = one.multipliedReportingOverflow(by: other)
    return hasOverflowed ? .max : product
  }

  static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, hasOverflowed) = one.addingReportingOverflow(other)
    return hasOverflowed ? .max : sum
  }
}

extension Encryption {
  /// The number of iterations that decrypting takes: those of the key and, in the older schemes, of
  /// the initialization vector, each block of output counted.
  package var iterations: Int {
    Clamped.sum(
      derivation.iterations(for: cipher.keyLength),
      derivesVector ? derivation.iterations(for: cipher.vectorLength) : 0)
  }

  /// Whether the initialization vector is derived from the password, too.
  fileprivate var derivesVector: Bool { vector == nil && cipher.vectorLength > 0 }
}

extension Encryption: CustomStringConvertible {
  /// `AES-256-CBC, PBKDF2 with HMAC-SHA-256, 2048 iterations`.
  package var description: String { "\(cipher), \(derivation)" }
}

extension Encryption.Cipher: CustomStringConvertible {
  /// `AES-256-CBC`.
  package var description: String {
    switch self {
    case .aes128: "AES-128-CBC"
    case .aes192: "AES-192-CBC"
    case .aes256: "AES-256-CBC"
    case .tripleDES(let length): "Triple DES with \(length / 8) keys"
    case .rc2(_, let bits): "RC2 with \(bits) bits"
    case .rc4(let length): "RC4 with \(length * 8) bits"
    }
  }

  /// The key length in bytes.
  var keyLength: Int {
    switch self {
    case .aes128: 16
    case .aes192: 24
    case .aes256: 32
    case .tripleDES(let length), .rc2(let length, _), .rc4(let length): length
    }
  }

  /// The length of the initialization vector in bytes.
  var vectorLength: Int {
    switch self {
    case .aes128, .aes192, .aes256: 16
    case .tripleDES, .rc2: 8
    case .rc4: 0
    }
  }
}

extension KeyDerivation: CustomStringConvertible {
  /// `PBKDF2 with HMAC-SHA-256, 2048 iterations`.
  package var description: String {
    switch self {
    case .pbkdf2(let hash, let iterations, _):
      "PBKDF2 with HMAC-\(hash), \(iterations) iterations"
    case .scrypt(let rounds, let blockSize, let parallelization, _):
      "scrypt with N \(rounds), r \(blockSize), p \(parallelization)"
    case .pkcs12(let hash, let iterations, _):
      "PKCS #12 key derivation with \(hash), \(iterations) iterations"
    }
  }
}

// MARK: Decrypting

extension Encryption {
  /// Decrypts the bytes. Returns nil if the length or the padding is wrong; with a wrong password
  /// the padding nearly always is. RC4 has no padding.
  func decrypt(
    _ bytes: [UInt8], _ password: Password, _ budget: inout WorkBudget
  ) throws(IdentityError) -> [UInt8]? {
    var key = try derivation.derive(.key, password, count: cipher.keyLength, &budget)
    defer { SecretBytes.overwrite(&key) }
    let vector =
      derivesVector
      ? try derivation.derive(.initializationVector, password, count: cipher.vectorLength, &budget)
      : vector ?? []
    switch cipher {
    case .aes128, .aes192, .aes256:
      return AES(key: key).flatMap { CBC.decrypt(bytes.span, with: $0, vector: vector) }
    case .tripleDES:
      return TripleDES(key: key).flatMap { CBC.decrypt(bytes.span, with: $0, vector: vector) }
    case .rc2(_, let bits):
      return RC2(key: key, effectiveBits: bits).flatMap {
        CBC.decrypt(bytes.span, with: $0, vector: vector)
      }
    case .rc4: return RC4.apply(key: key, to: bytes.span)
    }
  }
}

extension KeyDerivation {
  /// Derives bytes, after charging the budget for each block of them.
  func derive(
    _ purpose: PKCS12KeyDerivation.Purpose, _ password: Password, count: Int,
    _ budget: inout WorkBudget
  ) throws(IdentityError) -> [UInt8] {
    try budget.pay(iterations(for: count))
    return switch self {
    case .pbkdf2(let hash, let iterations, let salt):
      PBKDF2.derive(
        password: password.utf8, salt: salt, iterations: iterations, count: count, by: hash)
    case .scrypt(let rounds, let blockSize, let parallelization, let salt):
      Scrypt.derive(
        password: password.utf8, salt: salt,
        cost: Scrypt.Cost(
          rounds: rounds, blockSize: blockSize, parallelization: parallelization),
        count: count)
    case .pkcs12(let hash, let iterations, let salt):
      PKCS12KeyDerivation.derive(
        purpose, password: password.bmp, salt: salt, iterations: iterations, count: count,
        by: hash)
    }
  }
}
