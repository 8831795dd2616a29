internal import HoldfastDER
internal import HoldfastHashes

extension Encryption {
  /// Reads the AlgorithmIdentifier of an encryption.
  init(_ reader: inout FieldReader) throws(IdentityError) {
    let start = reader.position
    reader.field = .encryptionParameters
    var (scheme, parameters) = try reader.readAlgorithm()
    if let cipher = Registry.oldSchemes[scheme] {
      // RFC 7292 appendix C: pkcs-12PbeParams.
      var values = try parameters.read(.sequence)
      let salt = try values.readBytes(.octetString)
      let iterations = try KeyDerivation.readIterations(&values)
      self.init(
        scheme: scheme, derivation: .pkcs12(.sha1, iterations: iterations, salt: salt),
        cipher: cipher, vector: nil)
      return
    }
    guard scheme == .pbes2 else { throw .unsupported(.encryption, scheme) }
    // RFC 8018 appendix A.4.
    var values = try parameters.read(.sequence)
    let (derivation, keyLength) = try KeyDerivation.read(&values)
    let (cipher, vector) = try Cipher.read(&values, keyLength: keyLength)
    guard keyLength == nil || keyLength == cipher.keyLength else {
      throw reader.error(.badValue, at: start)
    }
    self.init(scheme: scheme, derivation: derivation, cipher: cipher, vector: vector)
  }
}

extension KeyDerivation {
  /// Reads an iteration count of at least 1. `WorkBudget` bounds it before it is used.
  static func readIterations(_ reader: inout FieldReader) throws(IdentityError) -> Int {
    let start = reader.position
    let count = try reader.readNumber(upTo: Int(Int32.max))
    guard count >= 1 else { throw reader.error(.badValue, at: start) }
    return count
  }

  /// Reads the AlgorithmIdentifier of a key derivation, and the key length if it has one.
  static func read(
    _ reader: inout FieldReader
  ) throws(IdentityError) -> (derivation: KeyDerivation, keyLength: Int?) {
    var (name, parameters) = try reader.readAlgorithm()
    if name == .pbkdf2 { return try readPBKDF2(&parameters) }
    if name == .scrypt { return try readScrypt(&parameters) }
    throw .unsupported(.keyDerivation, name)
  }

  /// Reads the parameters of PBKDF2. RFC 8018 appendix A.2.
  private static func readPBKDF2(
    _ parameters: inout FieldReader
  ) throws(IdentityError) -> (derivation: KeyDerivation, keyLength: Int?) {
    var values = try parameters.read(.sequence)
    if values.nextTag == .sequence {
      throw .unsupported(.keyDerivation, .pbkdf2, name: "PBKDF2 with a salt from elsewhere")
    }
    let salt = try values.readBytes(.octetString)
    let iterations = try readIterations(&values)
    let keyLength = try readKeyLength(&values)
    // DEFAULT is HMAC with SHA-1. Some writers encode it nevertheless.
    var hash = HashAlgorithm.sha1
    if !values.isAtEnd {
      let (name, _) = try values.readAlgorithm()
      guard let known = Registry.keyedHashes[name] else { throw .unsupported(.keyedHash, name) }
      hash = known
    }
    try values.finish()
    return (.pbkdf2(hash, iterations: iterations, salt: salt), keyLength)
  }

  /// Reads the parameters of scrypt. RFC 7914 §7.
  private static func readScrypt(
    _ parameters: inout FieldReader
  ) throws(IdentityError) -> (derivation: KeyDerivation, keyLength: Int?) {
    var values = try parameters.read(.sequence)
    let salt = try values.readBytes(.octetString)
    let start = values.position
    let rounds = try values.readNumber(upTo: Int(Int32.max))
    let blockSize = try values.readNumber(upTo: Int(Int32.max))
    let parallelization = try values.readNumber(upTo: Int(Int32.max))
    let keyLength = try readKeyLength(&values)
    try values.finish()
    guard rounds >= 2, rounds & (rounds - 1) == 0, blockSize >= 1, parallelization >= 1 else {
      throw values.error(.badValue, at: start)
    }
    let maximum = IdentityOptions.maximumScryptMemory
    let found = Clamped.product(Clamped.product(max(rounds, parallelization), blockSize), 128)
    guard found <= maximum else {
      throw IdentityError(.limit(.scryptMemory(found: found, maximum: maximum)))
    }
    return (
      .scrypt(
        rounds: rounds, blockSize: blockSize, parallelization: parallelization, salt: salt),
      keyLength
    )
  }

  private static func readKeyLength(_ reader: inout FieldReader) throws(IdentityError) -> Int? {
    guard reader.nextTag == .integer else { return nil }
    let start = reader.position
    let length = try reader.readNumber(upTo: 1024)
    guard length >= 1 else { throw reader.error(.badValue, at: start) }
    return length
  }
}

extension Encryption.Cipher {
  /// Reads the AlgorithmIdentifier of a cipher. RFC 8018 appendix B.2.
  fileprivate static func read(
    _ reader: inout FieldReader, keyLength: Int?
  ) throws(IdentityError) -> (cipher: Encryption.Cipher, vector: [UInt8]) {
    var (name, parameters) = try reader.readAlgorithm()
    let start = parameters.position
    var cipher = Registry.ciphers[name]
    var vector: [UInt8]
    if name == .rc2CBC {
      // The version encodes the number of effective bits; without it they are 32.
      var values = try parameters.read(.sequence)
      let version = values.nextTag == .integer ? try values.readNumber(upTo: 1024) : nil
      let bits: Int
      switch version {
      case nil: bits = 32
      case 160: bits = 40
      case 120: bits = 64
      case 58: bits = 128
      case let version? where version >= 256: bits = version
      default: throw values.error(.badValue, at: start)
      }
      vector = try values.readBytes(.octetString)
      try values.finish()
      let length = keyLength ?? (bits + 7) / 8
      guard length <= 128 else { throw values.error(.badValue, at: start) }
      cipher = .rc2(keyLength: length, effectiveBits: bits)
    } else if cipher != nil {
      vector = try parameters.readBytes(.octetString)
    } else {
      throw .unsupported(.encryption, name)
    }
    try parameters.finish()
    guard let cipher, vector.count == cipher.vectorLength else {
      throw parameters.error(.badValue, at: start)
    }
    return (cipher, vector)
  }
}
