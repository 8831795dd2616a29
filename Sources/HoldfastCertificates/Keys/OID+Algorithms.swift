public import HoldfastDER

/// Keys and their parameters.
extension OID {
  /// 1.2.840.113549.1.1.1: an RSA key. RFC 3279 §2.3.1.
  @inlinable public static var rsaEncryption: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0100_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.10: RSASSA-PSS, of keys and signatures. RFC 4055 §3.1.
  @inlinable public static var rsaPSS: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0A00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.8: the mask generation function of PSS. RFC 4055 §2.2.
  @inlinable public static var mgf1: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0800_0000_0000_0009)
  }
  /// 1.2.840.10045.2.1: a key on an elliptic curve. RFC 5480 §2.1.1.
  @inlinable public static var ecPublicKey: OID {
    OID(high: 0x2A86_48CE_3D02_0100, low: 0x0000_0000_0000_0007)
  }
  /// 1.2.840.10045.3.1.1: the curve P-192. RFC 5480 §2.1.1.1.
  @inlinable public static var p192: OID {
    OID(high: 0x2A86_48CE_3D03_0101, low: 0x0000_0000_0000_0008)
  }
  /// 1.2.840.10045.3.1.7: the curve P-256. RFC 5480 §2.1.1.1.
  @inlinable public static var p256: OID {
    OID(high: 0x2A86_48CE_3D03_0107, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.132.0.33: the curve P-224. RFC 5480 §2.1.1.1.
  @inlinable public static var p224: OID {
    OID(high: 0x2B81_0400_2100_0000, low: 0x0000_0000_0000_0005)
  }
  /// 1.3.132.0.34: the curve P-384. RFC 5480 §2.1.1.1.
  @inlinable public static var p384: OID {
    OID(high: 0x2B81_0400_2200_0000, low: 0x0000_0000_0000_0005)
  }
  /// 1.3.132.0.35: the curve P-521. RFC 5480 §2.1.1.1.
  @inlinable public static var p521: OID {
    OID(high: 0x2B81_0400_2300_0000, low: 0x0000_0000_0000_0005)
  }
  /// 1.3.132.0.10: the curve secp256k1. SEC 2 §2.4.1.
  @inlinable public static var secp256k1: OID {
    OID(high: 0x2B81_0400_0A00_0000, low: 0x0000_0000_0000_0005)
  }
  /// 1.3.36.3.3.2.8.1.1.7: the curve brainpoolP256r1. RFC 5639 §4.1.
  @inlinable public static var brainpoolP256r1: OID {
    OID(high: 0x2B24_0303_0208_0101, low: 0x0700_0000_0000_0009)
  }
  /// 1.3.36.3.3.2.8.1.1.11: the curve brainpoolP384r1. RFC 5639 §4.1.
  @inlinable public static var brainpoolP384r1: OID {
    OID(high: 0x2B24_0303_0208_0101, low: 0x0B00_0000_0000_0009)
  }
  /// 1.3.36.3.3.2.8.1.1.13: the curve brainpoolP512r1. RFC 5639 §4.1.
  @inlinable public static var brainpoolP512r1: OID {
    OID(high: 0x2B24_0303_0208_0101, low: 0x0D00_0000_0000_0009)
  }
  /// 1.3.101.110: an X25519 key. RFC 8410 §3.
  @inlinable public static var x25519: OID {
    OID(high: 0x2B65_6E00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 1.3.101.111: an X448 key. RFC 8410 §3.
  @inlinable public static var x448: OID {
    OID(high: 0x2B65_6F00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 1.3.101.112: Ed25519, of keys and signatures. RFC 8410 §3.
  @inlinable public static var ed25519: OID {
    OID(high: 0x2B65_7000_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 1.3.101.113: Ed448, of keys and signatures. RFC 8410 §3.
  @inlinable public static var ed448: OID {
    OID(high: 0x2B65_7100_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.16.840.1.101.3.4.3.17: ML-DSA-44, of keys and signatures. RFC 9881 §2.
  @inlinable public static var mldsa44: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x1100_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.18: ML-DSA-65, of keys and signatures. RFC 9881 §2.
  @inlinable public static var mldsa65: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x1200_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.19: ML-DSA-87, of keys and signatures. RFC 9881 §2.
  @inlinable public static var mldsa87: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x1300_0000_0000_0009)
  }
  /// 1.2.840.10040.4.1: a DSA key. RFC 3279 §2.3.2.
  @inlinable public static var dsa: OID {
    OID(high: 0x2A86_48CE_3804_0100, low: 0x0000_0000_0000_0007)
  }
}

/// Signatures. RFC 3279, RFC 4055, RFC 5758, FIPS 202.
extension OID {
  /// 1.2.840.113549.1.1.2: MD2 with RSA.
  @inlinable public static var md2WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0200_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.4: MD5 with RSA.
  @inlinable public static var md5WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0400_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.5: SHA-1 with RSA.
  @inlinable public static var sha1WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0500_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.11: SHA-256 with RSA.
  @inlinable public static var sha256WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0B00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.12: SHA-384 with RSA.
  @inlinable public static var sha384WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0C00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.13: SHA-512 with RSA.
  @inlinable public static var sha512WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0D00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.14: SHA-224 with RSA.
  @inlinable public static var sha224WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0E00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.15: SHA-512/224 with RSA. RFC 8017 appendix C.
  @inlinable public static var sha512_224WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x0F00_0000_0000_0009)
  }
  /// 1.2.840.113549.1.1.16: SHA-512/256 with RSA. RFC 8017 appendix C.
  @inlinable public static var sha512_256WithRSA: OID {
    OID(high: 0x2A86_4886_F70D_0101, low: 0x1000_0000_0000_0009)
  }
  /// 1.3.14.3.2.29: SHA-1 with RSA, by an older name.
  @inlinable public static var sha1WithRSASignature: OID {
    OID(high: 0x2B0E_0302_1D00_0000, low: 0x0000_0000_0000_0005)
  }
  /// 1.2.840.10045.4.1: ECDSA with SHA-1.
  @inlinable public static var ecdsaWithSHA1: OID {
    OID(high: 0x2A86_48CE_3D04_0100, low: 0x0000_0000_0000_0007)
  }
  /// 1.2.840.10045.4.3.1: ECDSA with SHA-224.
  @inlinable public static var ecdsaWithSHA224: OID {
    OID(high: 0x2A86_48CE_3D04_0301, low: 0x0000_0000_0000_0008)
  }
  /// 1.2.840.10045.4.3.2: ECDSA with SHA-256.
  @inlinable public static var ecdsaWithSHA256: OID {
    OID(high: 0x2A86_48CE_3D04_0302, low: 0x0000_0000_0000_0008)
  }
  /// 1.2.840.10045.4.3.3: ECDSA with SHA-384.
  @inlinable public static var ecdsaWithSHA384: OID {
    OID(high: 0x2A86_48CE_3D04_0303, low: 0x0000_0000_0000_0008)
  }
  /// 1.2.840.10045.4.3.4: ECDSA with SHA-512.
  @inlinable public static var ecdsaWithSHA512: OID {
    OID(high: 0x2A86_48CE_3D04_0304, low: 0x0000_0000_0000_0008)
  }
  /// 2.16.840.1.101.3.4.3.10: ECDSA with SHA3-256.
  @inlinable public static var ecdsaWithSHA3_256: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0A00_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.11: ECDSA with SHA3-384.
  @inlinable public static var ecdsaWithSHA3_384: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0B00_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.12: ECDSA with SHA3-512.
  @inlinable public static var ecdsaWithSHA3_512: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0C00_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.14: SHA3-256 with RSA.
  @inlinable public static var sha3_256WithRSA: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0E00_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.15: SHA3-384 with RSA.
  @inlinable public static var sha3_384WithRSA: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0F00_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.3.16: SHA3-512 with RSA.
  @inlinable public static var sha3_512WithRSA: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x1000_0000_0000_0009)
  }
  /// 1.2.840.10040.4.3: DSA with SHA-1.
  @inlinable public static var dsaWithSHA1: OID {
    OID(high: 0x2A86_48CE_3804_0300, low: 0x0000_0000_0000_0007)
  }
  /// 2.16.840.1.101.3.4.3.2: DSA with SHA-256.
  @inlinable public static var dsaWithSHA256: OID {
    OID(high: 0x6086_4801_6503_0403, low: 0x0200_0000_0000_0009)
  }
}

/// Hash functions. RFC 4055 §2.1, FIPS 202.
extension OID {
  /// 1.3.14.3.2.26: SHA-1.
  @inlinable public static var sha1: OID {
    OID(high: 0x2B0E_0302_1A00_0000, low: 0x0000_0000_0000_0005)
  }
  /// 2.16.840.1.101.3.4.2.1: SHA-256.
  @inlinable public static var sha256: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0100_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.2: SHA-384.
  @inlinable public static var sha384: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0200_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.3: SHA-512.
  @inlinable public static var sha512: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0300_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.4: SHA-224.
  @inlinable public static var sha224: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0400_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.5: SHA-512/224.
  @inlinable public static var sha512_224: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0500_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.6: SHA-512/256.
  @inlinable public static var sha512_256: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0600_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.8: SHA3-256.
  @inlinable public static var sha3_256: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0800_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.9: SHA3-384.
  @inlinable public static var sha3_384: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0900_0000_0000_0009)
  }
  /// 2.16.840.1.101.3.4.2.10: SHA3-512.
  @inlinable public static var sha3_512: OID {
    OID(high: 0x6086_4801_6503_0402, low: 0x0A00_0000_0000_0009)
  }
}
