internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// Identifiers of the formats: PKCS #5, #7, #9 and #12.
extension OID {
  static let data: OID = "1.2.840.113549.1.7.1"
  static let signedData: OID = "1.2.840.113549.1.7.2"
  static let encryptedData: OID = "1.2.840.113549.1.7.6"
  static let friendlyName: OID = "1.2.840.113549.1.9.20"
  static let localKeyID: OID = "1.2.840.113549.1.9.21"
  static let x509Certificate: OID = "1.2.840.113549.1.9.22.1"
  static let x509CRL: OID = "1.2.840.113549.1.9.23.1"
  static let keyBag: OID = "1.2.840.113549.1.12.10.1.1"
  static let shroudedKeyBag: OID = "1.2.840.113549.1.12.10.1.2"
  static let certificateBag: OID = "1.2.840.113549.1.12.10.1.3"
  static let crlBag: OID = "1.2.840.113549.1.12.10.1.4"
  static let secretBag: OID = "1.2.840.113549.1.12.10.1.5"
  static let safeContentsBag: OID = "1.2.840.113549.1.12.10.1.6"
  static let pbes2: OID = "1.2.840.113549.1.5.13"
  static let pbmac1: OID = "1.2.840.113549.1.5.14"
  static let pbkdf2: OID = "1.2.840.113549.1.5.12"
  static let scrypt: OID = "1.3.6.1.4.1.11591.4.11"
  static let rc2CBC: OID = "1.2.840.113549.3.2"
  static let tripleDESCBC: OID = "1.2.840.113549.3.7"
}

/// The algorithms by the identifiers that files use for them.
enum Registry {
  /// HMAC by hash function. RFC 8018 appendix B.1.1, NIST's register for SHA-3.
  static let keyedHashes = OIDTable<HashAlgorithm>([
    ("1.2.840.113549.2.7", .sha1), ("1.2.840.113549.2.8", .sha224),
    ("1.2.840.113549.2.9", .sha256), ("1.2.840.113549.2.10", .sha384),
    ("1.2.840.113549.2.11", .sha512), ("1.2.840.113549.2.12", .sha512_224),
    ("1.2.840.113549.2.13", .sha512_256), ("2.16.840.1.101.3.4.2.13", .sha3_224),
    ("2.16.840.1.101.3.4.2.14", .sha3_256), ("2.16.840.1.101.3.4.2.15", .sha3_384),
    ("2.16.840.1.101.3.4.2.16", .sha3_512),
  ])

  /// Hash functions, by the identifiers in the MAC of a PKCS #12 file. RFC 5754 §2.
  static let hashes = OIDTable<HashAlgorithm>([
    ("1.3.14.3.2.26", .sha1), ("2.16.840.1.101.3.4.2.4", .sha224),
    ("2.16.840.1.101.3.4.2.1", .sha256), ("2.16.840.1.101.3.4.2.2", .sha384),
    ("2.16.840.1.101.3.4.2.3", .sha512), ("2.16.840.1.101.3.4.2.5", .sha512_224),
    ("2.16.840.1.101.3.4.2.6", .sha512_256), ("2.16.840.1.101.3.4.2.7", .sha3_224),
    ("2.16.840.1.101.3.4.2.8", .sha3_256), ("2.16.840.1.101.3.4.2.9", .sha3_384),
    ("2.16.840.1.101.3.4.2.10", .sha3_512),
  ])

  /// Ciphers of PBES2 whose only parameter is the initialization vector. RFC 8018 appendix B.2.
  static let ciphers = OIDTable<Encryption.Cipher>([
    ("2.16.840.1.101.3.4.1.2", .aes128), ("2.16.840.1.101.3.4.1.22", .aes192),
    ("2.16.840.1.101.3.4.1.42", .aes256), (.tripleDESCBC, .tripleDES(keyLength: 24)),
  ])

  /// The schemes of RFC 7292 appendix C, all with SHA-1.
  static let oldSchemes = OIDTable<Encryption.Cipher>([
    ("1.2.840.113549.1.12.1.1", .rc4(keyLength: 16)),
    ("1.2.840.113549.1.12.1.2", .rc4(keyLength: 5)),
    ("1.2.840.113549.1.12.1.3", .tripleDES(keyLength: 24)),
    ("1.2.840.113549.1.12.1.4", .tripleDES(keyLength: 16)),
    ("1.2.840.113549.1.12.1.5", .rc2(keyLength: 16, effectiveBits: 128)),
    ("1.2.840.113549.1.12.1.6", .rc2(keyLength: 5, effectiveBits: 40)),
  ])

  /// Names of unsupported algorithms and types that files may contain.
  private static let names = OIDTable<String>([
    ("1.2.840.113549.1.5.3", "pbeWithMD5AndDES-CBC"),
    ("1.2.840.113549.1.5.10", "pbeWithSHA1AndDES-CBC"), ("1.2.840.113549.2.5", "MD5"),
    ("1.3.14.3.2.7", "DES-CBC"), ("1.2.392.200011.61.1.1.1.2", "Camellia-128-CBC"),
    ("1.2.392.200011.61.1.1.1.4", "Camellia-256-CBC"),
    ("2.16.840.1.101.3.4.1.6", "AES-128-GCM"), ("2.16.840.1.101.3.4.1.46", "AES-256-GCM"),
    ("1.2.840.113549.1.7.3", "envelopedData"),
    (.signedData, "signedData"), (.encryptedData, "encryptedData"), (.data, "data"),
  ])

  static func name(_ oid: OID) -> String? { names[oid] }
}

extension OID {
  /// The common name of an unsupported algorithm or type.
  var knownName: String? { Registry.name(self) }
}
