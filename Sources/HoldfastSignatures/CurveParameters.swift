/// The domain parameters of a curve y^2 = x^3 + ax + b modulo p with a generator of prime order n,
/// in limbs, least significant first. The cofactor is 1 for all curves here.
package struct CurveParameters: Sendable {
  package let p: [UInt64]
  package let a: [UInt64]
  package let b: [UInt64]
  package let generatorX: [UInt64]
  package let generatorY: [UInt64]
  package let n: [UInt64]
}

extension CurveID {
  package var parameters: CurveParameters {
    switch self {
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
    p: [
      0x0000_0000_0000_0001, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff,
    ],
    a: [
      0xffff_ffff_ffff_fffe, 0xffff_fffe_ffff_ffff, 0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff,
    ],
    b: [
      0x270b_3943_2355_ffb4, 0x5044_b0b7_d7bf_d8ba, 0x0c04_b3ab_f541_3256, 0x0000_0000_b405_0a85,
    ],
    generatorX: [
      0x3432_80d6_115c_1d21, 0x4a03_c1d3_56c2_1122, 0x6bb4_bf7f_3213_90b9, 0x0000_0000_b70e_0cbd,
    ],
    generatorY: [
      0x44d5_8199_8500_7e34, 0xcd43_75a0_5a07_4764, 0xb5f7_23fb_4c22_dfe6, 0x0000_0000_bd37_6388,
    ],
    n: [
      0x13dd_2945_5c5c_2a3d, 0xffff_16a2_e0b8_f03e, 0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff,
    ])

  /// P-256: SP 800-186 §3.2.1.3.
  static let p256 = CurveParameters(
    p: [
      0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff, 0x0000_0000_0000_0000, 0xffff_ffff_0000_0001,
    ],
    a: [
      0xffff_ffff_ffff_fffc, 0x0000_0000_ffff_ffff, 0x0000_0000_0000_0000, 0xffff_ffff_0000_0001,
    ],
    b: [
      0x3bce_3c3e_27d2_604b, 0x651d_06b0_cc53_b0f6, 0xb3eb_bd55_7698_86bc, 0x5ac6_35d8_aa3a_93e7,
    ],
    generatorX: [
      0xf4a1_3945_d898_c296, 0x7703_7d81_2deb_33a0, 0xf8bc_e6e5_63a4_40f2, 0x6b17_d1f2_e12c_4247,
    ],
    generatorY: [
      0xcbb6_4068_37bf_51f5, 0x2bce_3357_6b31_5ece, 0x8ee7_eb4a_7c0f_9e16, 0x4fe3_42e2_fe1a_7f9b,
    ],
    n: [
      0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
    ])

  /// P-384: SP 800-186 §3.2.1.4.
  static let p384 = CurveParameters(
    p: [
      0x0000_0000_ffff_ffff, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff,
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
    ],
    a: [
      0x0000_0000_ffff_fffc, 0xffff_ffff_0000_0000, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff,
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
    ],
    b: [
      0x2a85_c8ed_d3ec_2aef, 0xc656_398d_8a2e_d19d, 0x0314_088f_5013_875a, 0x181d_9c6e_fe81_4112,
      0x988e_056b_e3f8_2d19, 0xb331_2fa7_e23e_e7e4,
    ],
    generatorX: [
      0x3a54_5e38_7276_0ab7, 0x5502_f25d_bf55_296c, 0x59f7_41e0_8254_2a38, 0x6e1d_3b62_8ba7_9b98,
      0x8eb1_c71e_f320_ad74, 0xaa87_ca22_be8b_0537,
    ],
    generatorY: [
      0x7a43_1d7c_90ea_0e5f, 0x0a60_b1ce_1d7e_819d, 0xe9da_3113_b5f0_b8c0, 0xf8f4_1dbd_289a_147c,
      0x5d9e_98bf_9292_dc29, 0x3617_de4a_9626_2c6f,
    ],
    n: [
      0xecec_196a_ccc5_2973, 0x581a_0db2_48b0_a77a, 0xc763_4d81_f437_2ddf, 0xffff_ffff_ffff_ffff,
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
    ])

  /// P-521: SP 800-186 §3.2.1.5.
  static let p521 = CurveParameters(
    p: [
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
      0x0000_0000_0000_01ff,
    ],
    a: [
      0xffff_ffff_ffff_fffc, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
      0x0000_0000_0000_01ff,
    ],
    b: [
      0xef45_1fd4_6b50_3f00, 0x3573_df88_3d2c_34f1, 0x1652_c0bd_3bb1_bf07, 0x5619_3951_ec7e_937b,
      0xb8b4_8991_8ef1_09e1, 0xa2da_725b_99b3_15f3, 0x929a_21a0_b685_40ee, 0x953e_b961_8e1c_9a1f,
      0x0000_0000_0000_0051,
    ],
    generatorX: [
      0xf97e_7e31_c2e5_bd66, 0x3348_b3c1_856a_429b, 0xfe1d_c127_a2ff_a8de, 0xa14b_5e77_efe7_5928,
      0xf828_af60_6b4d_3dba, 0x9c64_8139_053f_b521, 0x9e3e_cb66_2395_b442, 0x858e_06b7_0404_e9cd,
      0x0000_0000_0000_00c6,
    ],
    generatorY: [
      0x88be_9476_9fd1_6650, 0x353c_7086_a272_c240, 0xc550_b901_3fad_0761, 0x97ee_7299_5ef4_2640,
      0x17af_bd17_273e_662c, 0x98f5_4449_579b_4468, 0x5c8a_5fb4_2c7d_1bd9, 0x3929_6a78_9a3b_c004,
      0x0000_0000_0000_0118,
    ],
    n: [
      0xbb6f_b71e_9138_6409, 0x3bb5_c9b8_899c_47ae, 0x7fcc_0148_f709_a5d0, 0x5186_8783_bf2f_966b,
      0xffff_ffff_ffff_fffa, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
      0x0000_0000_0000_01ff,
    ])

  /// secp256k1: SEC 2 §2.4.1.
  static let secp256k1 = CurveParameters(
    p: [
      0xffff_fffe_ffff_fc2f, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
    ],
    a: [
      0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000,
    ],
    b: [
      0x0000_0000_0000_0007, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000,
    ],
    generatorX: [
      0x59f2_815b_16f8_1798, 0x029b_fcdb_2dce_28d9, 0x55a0_6295_ce87_0b07, 0x79be_667e_f9dc_bbac,
    ],
    generatorY: [
      0x9c47_d08f_fb10_d4b8, 0xfd17_b448_a685_5419, 0x5da4_fbfc_0e11_08a8, 0x483a_da77_26a3_c465,
    ],
    n: [
      0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff,
    ])

  /// brainpoolP256r1: RFC 5639 §3.4.
  static let brainpoolP256r1 = CurveParameters(
    p: [
      0x2013_481d_1f6e_5377, 0x6e3b_f623_d526_2028, 0x3e66_0a90_9d83_8d72, 0xa9fb_57db_a1ee_a9bc,
    ],
    a: [
      0xe94a_4b44_f330_b5d9, 0xfb80_55c1_26dc_5c6c, 0xeef6_7530_417a_ffe7, 0x7d5a_0975_fc2c_3057,
    ],
    b: [
      0x6bcc_dc18_ff8c_07b6, 0x9584_1629_5cf7_e1ce, 0xf330_b5d9_bbd7_7cbf, 0x26dc_5c6c_e94a_4b44,
    ],
    generatorX: [
      0x3a44_53bd_9ace_3262, 0xb9de_27e1_e3bd_23c2, 0x2c4b_482f_fc81_b7af, 0x8bd2_aeb9_cb7e_57cb,
    ],
    generatorY: [
      0x5c1d_54c7_2f04_6997, 0xc277_4513_2ded_8e54, 0x97f8_461a_1461_1dc9, 0x547e_f835_c3da_c4fd,
    ],
    n: [
      0x901e_0e82_9748_56a7, 0x8c39_7aa3_b561_a6f7, 0x3e66_0a90_9d83_8d71, 0xa9fb_57db_a1ee_a9bc,
    ])

  /// brainpoolP384r1: RFC 5639 §3.6.
  static let brainpoolP384r1 = CurveParameters(
    p: [
      0x8747_0013_3107_ec53, 0xacd3_a729_901d_1a71, 0x12b1_da19_7fb7_1123, 0x152f_7109_ed54_56b4,
      0x0f5d_6f7e_50e6_41df, 0x8cb9_1e82_a338_6d28,
    ],
    a: [
      0x04a8_c7dd_22ce_2826, 0x8aa5_814a_503a_d4eb, 0x1391_65ef_ba91_f90f, 0xc2be_a28e_4fb2_2787,
      0x3c72_080a_ce05_afa0, 0x7bc3_82c6_3d8c_150c,
    ],
    b: [
      0x3ab7_8696_fa50_4c11, 0x7cb4_3902_95db_c994, 0x2e88_0ea5_3eeb_62d5, 0x2fb7_7de1_07dc_d2a6,
      0x8b39_b554_16f0_447c, 0x04a8_c7dd_22ce_2826,
    ],
    generatorX: [
      0xef87_b2e2_47d4_af1e, 0xe826_e034_36d6_46aa, 0xdb7f_cafe_0cbd_10e8, 0x8847_a3e7_7ef1_4fe3,
      0xa2a6_3a81_b7c1_3f6b, 0x1d1c_64f0_68cf_45ff,
    ],
    generatorY: [
      0x4282_0341_263c_5315, 0x0e46_4621_7791_8111, 0xe19c_054f_f991_2928, 0x62b7_0b29_feec_5864,
      0x5cb1_eb8e_95cf_d552, 0x8abe_1d75_20f9_c2a4,
    ],
    n: [
      0x3b88_3202_e904_6565, 0xcf3a_b6af_6b7f_c310, 0x1f16_6e6c_ac04_25a7, 0x152f_7109_ed54_56b3,
      0x0f5d_6f7e_50e6_41df, 0x8cb9_1e82_a338_6d28,
    ])

  /// brainpoolP512r1: RFC 5639 §3.7.
  static let brainpoolP512r1 = CurveParameters(
    p: [
      0x28aa_6056_583a_48f3, 0x2881_ff2f_2d82_c685, 0xaecd_a12a_e6a3_80e6, 0x7d4d_9b00_9bc6_6842,
      0xd663_9cca_7033_0871, 0xcb30_8db3_b3c9_d20e, 0x3fd4_e6ae_33c9_fc07, 0xaadd_9db8_dbe9_c48b,
    ],
    a: [
      0xe7c1_ac4d_77fc_94ca, 0x7f11_17a7_2bf2_c7b9, 0x0a2e_f1c9_8b9a_c8b5, 0x2ded_5d5a_a825_3aa1,
      0xa834_41ca_ea98_63bc, 0x94cb_dd8d_3df9_1610, 0xe232_7145_ac23_4cc5, 0x7830_a331_8b60_3b89,
    ],
    b: [
      0x2809_bd63_8016_f723, 0x9840_50b7_5eba_e5dd, 0x77fc_94ca_dc08_3e67, 0x2bf2_c7b9_e7c1_ac4d,
      0x8b9a_c8b5_7f11_17a7, 0xa825_3aa1_0a2e_f1c9, 0xea98_63bc_2ded_5d5a, 0x3df9_1610_a834_41ca,
    ],
    generatorX: [
      0x8b35_2209_bcb9_f822, 0x7c6d_5047_406a_5e68, 0x50d1_687b_93b9_7d5f, 0xff3b_1f78_e2d0_d48d,
      0xb43b_62ee_f4d0_098e, 0x85ed_9f70_b5d9_16c1, 0x5a21_322e_9c4c_6a93, 0x81ae_e4bd_d82e_d964,
    ],
    generatorY: [
      0x78cd_1e0f_3ad8_0892, 0xd1ca_2b2f_a8f0_5406, 0x5bca_4bd8_8a27_63ae, 0xb2dc_de49_4a5f_485e,
      0xa000_c55b_881f_8111, 0xf209_f700_24a5_7b1a, 0xc0ea_bfa9_cf78_22fd, 0x7dde_385d_5663_32ec,
    ],
    n: [
      0xb587_9682_9ca9_0069, 0x1db1_d381_085d_dadd, 0x4186_6119_7fac_1047, 0x553e_5c41_4ca9_2619,
      0xd663_9cca_7033_0870, 0xcb30_8db3_b3c9_d20e, 0x3fd4_e6ae_33c9_fc07, 0xaadd_9db8_dbe9_c48b,
    ])
}
