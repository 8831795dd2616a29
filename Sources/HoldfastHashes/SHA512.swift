/// SHA-512 and its shorter variants, computed incrementally. FIPS 180-4 §6.4–6.7.
package struct SHA512: Sendable, BlockHash {
  /// The function, which determines the initial state and the digest length.
  package enum Variant: Sendable {
    case sha384
    case sha512
    case sha512_224
    case sha512_256
  }

  static var blockLength: Int { 128 }
  var state: [8 of UInt64]
  private let digestLength: Int
  var pending = [128 of UInt8](repeating: 0)
  var pendingCount = 0
  var messageLength: UInt64 = 0

  package init(_ variant: Variant = .sha512) {
    switch variant {
    case .sha384:
      digestLength = 48
      state = [
        0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
        0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4,
      ]
    case .sha512:
      digestLength = 64
      state = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
      ]
    case .sha512_224:
      digestLength = 28
      state = [
        0x8c3d_37c8_1954_4da2, 0x73e1_9966_89dc_d4d6, 0x1dfa_b7ae_32ff_9c82, 0x679d_d514_582f_9fcf,
        0x0f6d_2b69_7bd4_4da8, 0x77e3_6f73_04c4_8942, 0x3f9d_85a8_6a1d_36c8, 0x1112_e6ad_91d6_92a1,
      ]
    case .sha512_256:
      digestLength = 32
      state = [
        0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
      ]
    }
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    absorb(bytes)
  }

  package consuming func finish() -> Digest {
    pad()
    var bytes = [64 of UInt8](repeating: 0)
    for index in 0..<8 {
      let word = state[index]
      for offset in 0..<8 {
        bytes[8 * index + offset] = UInt8(truncatingIfNeeded: word &>> UInt64(56 - 8 * offset))
      }
    }
    return Digest(bytes, count: digestLength)
  }

  static func digest(of bytes: Span<UInt8>, _ variant: Variant) -> Digest {
    var hash = SHA512(variant)
    hash.absorb(bytes)
    return hash.finish()
  }
}
