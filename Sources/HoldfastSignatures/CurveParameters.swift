package import HoldfastHashes

/// The domain parameters of a curve y^2 = x^3 + ax + b modulo p with a generator of prime order n,
/// in limbs, least significant first. The cofactor is 1 for all curves here.
package struct CurveParameters: Sendable {
  package let p: [UInt64]
  package let a: [UInt64]
  package let b: [UInt64]
  package let generatorX: [UInt64]
  package let generatorY: [UInt64]
  package let n: [UInt64]

  /// Creates parameters from hexadecimal words of 64 bits, most significant first, as in standards.
  private init(p: String, a: String, b: String, generatorX: String, generatorY: String, n: String) {
    func limbs(_ words: String) -> [UInt64] {
      words.split(separator: " ").reversed().map { UInt64($0, radix: 16) ?? 0 }
    }
    (self.p, self.a, self.b) = (limbs(p), limbs(a), limbs(b))
    (self.generatorX, self.generatorY) = (limbs(generatorX), limbs(generatorY))
    self.n = limbs(n)
  }
}

extension NamedCurve {
  /// The domain parameters; nil for P-192, on which nothing is verified.
  package var parameters: CurveParameters? {
    switch self {
    case .p192: nil
    case .p224: .p224
    case .p256: .p256
    case .p384: .p384
    case .p521: .p521
    case .secp256k1: .secp256k1
    case .brainpoolP256r1: .brainpoolP256r1
    case .brainpoolP384r1: .brainpoolP384r1
    case .brainpoolP512r1: .brainpoolP512r1
    }
  }
}

extension CurveParameters {
  /// P-224: SP 800-186 §3.2.1.2.
  static let p224 = CurveParameters(
    p: "ffffffff ffffffffffffffff ffffffff00000000 0000000000000001",
    a: "ffffffff ffffffffffffffff fffffffeffffffff fffffffffffffffe",
    b: "b4050a85 0c04b3abf5413256 5044b0b7d7bfd8ba 270b39432355ffb4",
    generatorX: "b70e0cbd 6bb4bf7f321390b9 4a03c1d356c21122 343280d6115c1d21",
    generatorY: "bd376388 b5f723fb4c22dfe6 cd4375a05a074764 44d5819985007e34",
    n: "ffffffff ffffffffffffffff ffff16a2e0b8f03e 13dd29455c5c2a3d")

  /// P-256: SP 800-186 §3.2.1.3.
  package static let p256 = CurveParameters(
    p: "ffffffff00000001 0000000000000000 00000000ffffffff ffffffffffffffff",
    a: "ffffffff00000001 0000000000000000 00000000ffffffff fffffffffffffffc",
    b: "5ac635d8aa3a93e7 b3ebbd55769886bc 651d06b0cc53b0f6 3bce3c3e27d2604b",
    generatorX: "6b17d1f2e12c4247 f8bce6e563a440f2 77037d812deb33a0 f4a13945d898c296",
    generatorY: "4fe342e2fe1a7f9b 8ee7eb4a7c0f9e16 2bce33576b315ece cbb6406837bf51f5",
    n: "ffffffff00000000 ffffffffffffffff bce6faada7179e84 f3b9cac2fc632551")

  /// P-384: SP 800-186 §3.2.1.4.
  static let p384 = CurveParameters(
    p: "ffffffffffffffff ffffffffffffffff ffffffffffffffff"
      + " fffffffffffffffe ffffffff00000000 00000000ffffffff",
    a: "ffffffffffffffff ffffffffffffffff ffffffffffffffff"
      + " fffffffffffffffe ffffffff00000000 00000000fffffffc",
    b: "b3312fa7e23ee7e4 988e056be3f82d19 181d9c6efe814112"
      + " 0314088f5013875a c656398d8a2ed19d 2a85c8edd3ec2aef",
    generatorX: "aa87ca22be8b0537 8eb1c71ef320ad74 6e1d3b628ba79b98"
      + " 59f741e082542a38 5502f25dbf55296c 3a545e3872760ab7",
    generatorY: "3617de4a96262c6f 5d9e98bf9292dc29 f8f41dbd289a147c"
      + " e9da3113b5f0b8c0 0a60b1ce1d7e819d 7a431d7c90ea0e5f",
    n: "ffffffffffffffff ffffffffffffffff ffffffffffffffff"
      + " c7634d81f4372ddf 581a0db248b0a77a ecec196accc52973")

  /// P-521: SP 800-186 §3.2.1.5.
  static let p521 = CurveParameters(
    p: "1ff ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff"
      + " ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff",
    a: "1ff ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff"
      + " ffffffffffffffff ffffffffffffffff ffffffffffffffff fffffffffffffffc",
    b: "51 953eb9618e1c9a1f 929a21a0b68540ee a2da725b99b315f3 b8b489918ef109e1"
      + " 56193951ec7e937b 1652c0bd3bb1bf07 3573df883d2c34f1 ef451fd46b503f00",
    generatorX: "c6 858e06b70404e9cd 9e3ecb662395b442 9c648139053fb521 f828af606b4d3dba"
      + " a14b5e77efe75928 fe1dc127a2ffa8de 3348b3c1856a429b f97e7e31c2e5bd66",
    generatorY: "118 39296a789a3bc004 5c8a5fb42c7d1bd9 98f54449579b4468 17afbd17273e662c"
      + " 97ee72995ef42640 c550b9013fad0761 353c7086a272c240 88be94769fd16650",
    n: "1ff ffffffffffffffff ffffffffffffffff ffffffffffffffff fffffffffffffffa"
      + " 51868783bf2f966b 7fcc0148f709a5d0 3bb5c9b8899c47ae bb6fb71e91386409")

  /// secp256k1: SEC 2 §2.4.1.
  static let secp256k1 = CurveParameters(
    p: "ffffffffffffffff ffffffffffffffff ffffffffffffffff fffffffefffffc2f",
    a: "0",
    b: "7",
    generatorX: "79be667ef9dcbbac 55a06295ce870b07 029bfcdb2dce28d9 59f2815b16f81798",
    generatorY: "483ada7726a3c465 5da4fbfc0e1108a8 fd17b448a6855419 9c47d08ffb10d4b8",
    n: "ffffffffffffffff fffffffffffffffe baaedce6af48a03b bfd25e8cd0364141")

  /// brainpoolP256r1: RFC 5639 §3.4.
  static let brainpoolP256r1 = CurveParameters(
    p: "a9fb57dba1eea9bc 3e660a909d838d72 6e3bf623d5262028 2013481d1f6e5377",
    a: "7d5a0975fc2c3057 eef67530417affe7 fb8055c126dc5c6c e94a4b44f330b5d9",
    b: "26dc5c6ce94a4b44 f330b5d9bbd77cbf 958416295cf7e1ce 6bccdc18ff8c07b6",
    generatorX: "8bd2aeb9cb7e57cb 2c4b482ffc81b7af b9de27e1e3bd23c2 3a4453bd9ace3262",
    generatorY: "547ef835c3dac4fd 97f8461a14611dc9 c27745132ded8e54 5c1d54c72f046997",
    n: "a9fb57dba1eea9bc 3e660a909d838d71 8c397aa3b561a6f7 901e0e82974856a7")

  /// brainpoolP384r1: RFC 5639 §3.6.
  static let brainpoolP384r1 = CurveParameters(
    p: "8cb91e82a3386d28 0f5d6f7e50e641df 152f7109ed5456b4"
      + " 12b1da197fb71123 acd3a729901d1a71 874700133107ec53",
    a: "7bc382c63d8c150c 3c72080ace05afa0 c2bea28e4fb22787"
      + " 139165efba91f90f 8aa5814a503ad4eb 04a8c7dd22ce2826",
    b: "4a8c7dd22ce2826 8b39b55416f0447c 2fb77de107dcd2a6"
      + " 2e880ea53eeb62d5 7cb4390295dbc994 3ab78696fa504c11",
    generatorX: "1d1c64f068cf45ff a2a63a81b7c13f6b 8847a3e77ef14fe3"
      + " db7fcafe0cbd10e8 e826e03436d646aa ef87b2e247d4af1e",
    generatorY: "8abe1d7520f9c2a4 5cb1eb8e95cfd552 62b70b29feec5864"
      + " e19c054ff9912928 0e46462177918111 42820341263c5315",
    n: "8cb91e82a3386d28 0f5d6f7e50e641df 152f7109ed5456b3"
      + " 1f166e6cac0425a7 cf3ab6af6b7fc310 3b883202e9046565")

  /// brainpoolP512r1: RFC 5639 §3.7.
  static let brainpoolP512r1 = CurveParameters(
    p: "aadd9db8dbe9c48b 3fd4e6ae33c9fc07 cb308db3b3c9d20e d6639cca70330871"
      + " 7d4d9b009bc66842 aecda12ae6a380e6 2881ff2f2d82c685 28aa6056583a48f3",
    a: "7830a3318b603b89 e2327145ac234cc5 94cbdd8d3df91610 a83441caea9863bc"
      + " 2ded5d5aa8253aa1 0a2ef1c98b9ac8b5 7f1117a72bf2c7b9 e7c1ac4d77fc94ca",
    b: "3df91610a83441ca ea9863bc2ded5d5a a8253aa10a2ef1c9 8b9ac8b57f1117a7"
      + " 2bf2c7b9e7c1ac4d 77fc94cadc083e67 984050b75ebae5dd 2809bd638016f723",
    generatorX: "81aee4bdd82ed964 5a21322e9c4c6a93 85ed9f70b5d916c1 b43b62eef4d0098e"
      + " ff3b1f78e2d0d48d 50d1687b93b97d5f 7c6d5047406a5e68 8b352209bcb9f822",
    generatorY: "7dde385d566332ec c0eabfa9cf7822fd f209f70024a57b1a a000c55b881f8111"
      + " b2dcde494a5f485e 5bca4bd88a2763ae d1ca2b2fa8f05406 78cd1e0f3ad80892",
    n: "aadd9db8dbe9c48b 3fd4e6ae33c9fc07 cb308db3b3c9d20e d6639cca70330870"
      + " 553e5c414ca92619 418661197fac1047 1db1d381085ddadd b58796829ca90069")
}
