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

  /// Creates parameters from words of 64 bits, the most significant first, as in standards.
  private init(
    p: [UInt64], a: [UInt64], b: [UInt64], generatorX: [UInt64], generatorY: [UInt64], n: [UInt64]
  ) {
    (self.p, self.a, self.b) = (p.reversed(), a.reversed(), b.reversed())
    (self.generatorX, self.generatorY) = (generatorX.reversed(), generatorY.reversed())
    self.n = n.reversed()
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
    p: [0xffffffff, 0xffffffffffffffff, 0xffffffff00000000, 0x0000000000000001],
    a: [0xffffffff, 0xffffffffffffffff, 0xfffffffeffffffff, 0xfffffffffffffffe],
    b: [0xb4050a85, 0x0c04b3abf5413256, 0x5044b0b7d7bfd8ba, 0x270b39432355ffb4],
    generatorX: [0xb70e0cbd, 0x6bb4bf7f321390b9, 0x4a03c1d356c21122, 0x343280d6115c1d21],
    generatorY: [0xbd376388, 0xb5f723fb4c22dfe6, 0xcd4375a05a074764, 0x44d5819985007e34],
    n: [0xffffffff, 0xffffffffffffffff, 0xffff16a2e0b8f03e, 0x13dd29455c5c2a3d])

  /// P-256: SP 800-186 §3.2.1.3.
  package static let p256 = CurveParameters(
    p: [0xffffffff00000001, 0x0000000000000000, 0x00000000ffffffff, 0xffffffffffffffff],
    a: [0xffffffff00000001, 0x0000000000000000, 0x00000000ffffffff, 0xfffffffffffffffc],
    b: [0x5ac635d8aa3a93e7, 0xb3ebbd55769886bc, 0x651d06b0cc53b0f6, 0x3bce3c3e27d2604b],
    generatorX: [0x6b17d1f2e12c4247, 0xf8bce6e563a440f2, 0x77037d812deb33a0, 0xf4a13945d898c296],
    generatorY: [0x4fe342e2fe1a7f9b, 0x8ee7eb4a7c0f9e16, 0x2bce33576b315ece, 0xcbb6406837bf51f5],
    n: [0xffffffff00000000, 0xffffffffffffffff, 0xbce6faada7179e84, 0xf3b9cac2fc632551])

  /// P-384: SP 800-186 §3.2.1.4.
  static let p384 = CurveParameters(
    p: [
      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffffe,
      0xffffffff00000000, 0x00000000ffffffff,
    ],
    a: [
      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffffe,
      0xffffffff00000000, 0x00000000fffffffc,
    ],
    b: [
      0xb3312fa7e23ee7e4, 0x988e056be3f82d19, 0x181d9c6efe814112, 0x0314088f5013875a,
      0xc656398d8a2ed19d, 0x2a85c8edd3ec2aef,
    ],
    generatorX: [
      0xaa87ca22be8b0537, 0x8eb1c71ef320ad74, 0x6e1d3b628ba79b98, 0x59f741e082542a38,
      0x5502f25dbf55296c, 0x3a545e3872760ab7,
    ],
    generatorY: [
      0x3617de4a96262c6f, 0x5d9e98bf9292dc29, 0xf8f41dbd289a147c, 0xe9da3113b5f0b8c0,
      0x0a60b1ce1d7e819d, 0x7a431d7c90ea0e5f,
    ],
    n: [
      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xc7634d81f4372ddf,
      0x581a0db248b0a77a, 0xecec196accc52973,
    ])

  /// P-521: SP 800-186 §3.2.1.5.
  static let p521 = CurveParameters(
    p: [
      0x1ff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
      0xffffffffffffffff,
    ],
    a: [
      0x1ff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
      0xfffffffffffffffc,
    ],
    b: [
      0x51, 0x953eb9618e1c9a1f, 0x929a21a0b68540ee, 0xa2da725b99b315f3,
      0xb8b489918ef109e1, 0x56193951ec7e937b, 0x1652c0bd3bb1bf07, 0x3573df883d2c34f1,
      0xef451fd46b503f00,
    ],
    generatorX: [
      0xc6, 0x858e06b70404e9cd, 0x9e3ecb662395b442, 0x9c648139053fb521,
      0xf828af606b4d3dba, 0xa14b5e77efe75928, 0xfe1dc127a2ffa8de, 0x3348b3c1856a429b,
      0xf97e7e31c2e5bd66,
    ],
    generatorY: [
      0x118, 0x39296a789a3bc004, 0x5c8a5fb42c7d1bd9, 0x98f54449579b4468,
      0x17afbd17273e662c, 0x97ee72995ef42640, 0xc550b9013fad0761, 0x353c7086a272c240,
      0x88be94769fd16650,
    ],
    n: [
      0x1ff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
      0xfffffffffffffffa, 0x51868783bf2f966b, 0x7fcc0148f709a5d0, 0x3bb5c9b8899c47ae,
      0xbb6fb71e91386409,
    ])

  /// secp256k1: SEC 2 §2.4.1.
  static let secp256k1 = CurveParameters(
    p: [0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffefffffc2f],
    a: [0x0],
    b: [0x7],
    generatorX: [0x79be667ef9dcbbac, 0x55a06295ce870b07, 0x029bfcdb2dce28d9, 0x59f2815b16f81798],
    generatorY: [0x483ada7726a3c465, 0x5da4fbfc0e1108a8, 0xfd17b448a6855419, 0x9c47d08ffb10d4b8],
    n: [0xffffffffffffffff, 0xfffffffffffffffe, 0xbaaedce6af48a03b, 0xbfd25e8cd0364141])

  /// brainpoolP256r1: RFC 5639 §3.4.
  static let brainpoolP256r1 = CurveParameters(
    p: [0xa9fb57dba1eea9bc, 0x3e660a909d838d72, 0x6e3bf623d5262028, 0x2013481d1f6e5377],
    a: [0x7d5a0975fc2c3057, 0xeef67530417affe7, 0xfb8055c126dc5c6c, 0xe94a4b44f330b5d9],
    b: [0x26dc5c6ce94a4b44, 0xf330b5d9bbd77cbf, 0x958416295cf7e1ce, 0x6bccdc18ff8c07b6],
    generatorX: [0x8bd2aeb9cb7e57cb, 0x2c4b482ffc81b7af, 0xb9de27e1e3bd23c2, 0x3a4453bd9ace3262],
    generatorY: [0x547ef835c3dac4fd, 0x97f8461a14611dc9, 0xc27745132ded8e54, 0x5c1d54c72f046997],
    n: [0xa9fb57dba1eea9bc, 0x3e660a909d838d71, 0x8c397aa3b561a6f7, 0x901e0e82974856a7])

  /// brainpoolP384r1: RFC 5639 §3.6.
  static let brainpoolP384r1 = CurveParameters(
    p: [
      0x8cb91e82a3386d28, 0x0f5d6f7e50e641df, 0x152f7109ed5456b4, 0x12b1da197fb71123,
      0xacd3a729901d1a71, 0x874700133107ec53,
    ],
    a: [
      0x7bc382c63d8c150c, 0x3c72080ace05afa0, 0xc2bea28e4fb22787, 0x139165efba91f90f,
      0x8aa5814a503ad4eb, 0x04a8c7dd22ce2826,
    ],
    b: [
      0x4a8c7dd22ce2826, 0x8b39b55416f0447c, 0x2fb77de107dcd2a6, 0x2e880ea53eeb62d5,
      0x7cb4390295dbc994, 0x3ab78696fa504c11,
    ],
    generatorX: [
      0x1d1c64f068cf45ff, 0xa2a63a81b7c13f6b, 0x8847a3e77ef14fe3, 0xdb7fcafe0cbd10e8,
      0xe826e03436d646aa, 0xef87b2e247d4af1e,
    ],
    generatorY: [
      0x8abe1d7520f9c2a4, 0x5cb1eb8e95cfd552, 0x62b70b29feec5864, 0xe19c054ff9912928,
      0x0e46462177918111, 0x42820341263c5315,
    ],
    n: [
      0x8cb91e82a3386d28, 0x0f5d6f7e50e641df, 0x152f7109ed5456b3, 0x1f166e6cac0425a7,
      0xcf3ab6af6b7fc310, 0x3b883202e9046565,
    ])

  /// brainpoolP512r1: RFC 5639 §3.7.
  static let brainpoolP512r1 = CurveParameters(
    p: [
      0xaadd9db8dbe9c48b, 0x3fd4e6ae33c9fc07, 0xcb308db3b3c9d20e, 0xd6639cca70330871,
      0x7d4d9b009bc66842, 0xaecda12ae6a380e6, 0x2881ff2f2d82c685, 0x28aa6056583a48f3,
    ],
    a: [
      0x7830a3318b603b89, 0xe2327145ac234cc5, 0x94cbdd8d3df91610, 0xa83441caea9863bc,
      0x2ded5d5aa8253aa1, 0x0a2ef1c98b9ac8b5, 0x7f1117a72bf2c7b9, 0xe7c1ac4d77fc94ca,
    ],
    b: [
      0x3df91610a83441ca, 0xea9863bc2ded5d5a, 0xa8253aa10a2ef1c9, 0x8b9ac8b57f1117a7,
      0x2bf2c7b9e7c1ac4d, 0x77fc94cadc083e67, 0x984050b75ebae5dd, 0x2809bd638016f723,
    ],
    generatorX: [
      0x81aee4bdd82ed964, 0x5a21322e9c4c6a93, 0x85ed9f70b5d916c1, 0xb43b62eef4d0098e,
      0xff3b1f78e2d0d48d, 0x50d1687b93b97d5f, 0x7c6d5047406a5e68, 0x8b352209bcb9f822,
    ],
    generatorY: [
      0x7dde385d566332ec, 0xc0eabfa9cf7822fd, 0xf209f70024a57b1a, 0xa000c55b881f8111,
      0xb2dcde494a5f485e, 0x5bca4bd88a2763ae, 0xd1ca2b2fa8f05406, 0x78cd1e0f3ad80892,
    ],
    n: [
      0xaadd9db8dbe9c48b, 0x3fd4e6ae33c9fc07, 0xcb308db3b3c9d20e, 0xd6639cca70330870,
      0x553e5c414ca92619, 0x418661197fac1047, 0x1db1d381085ddadd, 0xb58796829ca90069,
    ])
}
