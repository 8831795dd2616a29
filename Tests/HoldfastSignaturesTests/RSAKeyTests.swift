import HoldfastConformance
import HoldfastHashes
import HoldfastSignatures
import Testing

@Suite("RSA keys and signatures")
struct RSAKeyTests {
  static func error(_ modulus: [UInt8], _ exponent: [UInt8]) -> KeyError? {
    do throws(KeyError) {
      _ = try VerificationKey(rsaModulus: modulus.span, exponent: exponent.span)
      return nil
    } catch {
      return error
    }
  }

  /// A number of exactly `bits` bits, all of which are one.
  static func ones(_ bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xff, count: (bits + 7) / 8)
    bytes[0] >>= UInt8(8 * bytes.count - bits)
    return bytes
  }

  @Test("moduli have 1,024 to 16,384 bits and are odd")
  func moduli() {
    let exponent: [UInt8] = [1, 0, 1]
    for bits in [1_024, 1_025, 1_031, 2_047, 2_048, 16_384] {
      #expect(Self.error(Self.ones(bits), exponent) == nil, "\(bits)")
      #expect(Self.error([0, 0, 0] + Self.ones(bits), exponent) == nil, "\(bits)")
      var even = Self.ones(bits)
      even[even.count - 1] = 0xfe
      #expect(Self.error(even, exponent) == .evenModulus)
    }
    for modulus in [[], [0], [1], [0xff], Self.ones(512), Self.ones(1_023)] {
      #expect(Self.error(modulus, exponent) == .modulusTooSmall)
    }
    for bits in [16_385, 32_832, 32_833, 131_072, 1_000_000] {
      #expect(Self.error(Self.ones(bits), exponent) == .modulusTooLarge)
    }
  }

  @Test("exponents are odd and between 3 and 2^33")
  func exponents() {
    let modulus = Self.ones(2_048)
    let good: [[UInt8]] = [[3], [0, 3], [5], [1, 0, 1], [1, 0xff, 0xff, 0xff, 0xff]]
    for exponent in good { #expect(Self.error(modulus, exponent) == nil) }
    let bad: [[UInt8]] = [
      [], [0], [1], [2], [4], [1, 0, 0], [2, 0, 0, 0, 1], Self.ones(2_048), Self.ones(1_000_000),
    ]
    for exponent in bad { #expect(Self.error(modulus, exponent) == .badExponent) }
  }

  // A debug build takes seconds for one power of the longest key.
  #if DEBUG
    static let hostileSizes = [1_024, 1_031]
    static let hostileHashes: [HashAlgorithm] = [.sha256, .sha3_512]
  #else
    static let hostileSizes = [1_024, 1_025, 1_031, 2_048, 4_096, 16_384]
    static let hostileHashes = HashAlgorithm.allCases
  #endif

  @Test("no signature under a hostile key traps or verifies")
  func hostileSignatures() throws {
    for bits in Self.hostileSizes {
      let modulus = Self.ones(bits)
      let key = try VerificationKey(
        rsaModulus: modulus.span, exponent: [1, 0xff, 0xff, 0xff, 0xff].span)
      var above = modulus
      above[above.count - 1] = 0xfe
      let zero = [UInt8](repeating: 0, count: modulus.count)
      var one = zero
      one[one.count - 1] = 1
      let signatures: [[UInt8]] = [
        [], [0], zero, one, above, modulus, modulus + [0], [0] + modulus,
        [UInt8](repeating: 0xff, count: modulus.count), [UInt8](modulus.dropLast()),
      ]
      for signature in signatures {
        for hash in Self.hostileHashes {
          let message = [UInt8](repeating: 7, count: 40)
          let pkcs1 = key.verify(.rsaPKCS1(hash), message: message.span, signature: signature.span)
          #expect(pkcs1 != .valid)
          for salt in [0, 20, hash.digestLength, 500, .max, -1, .min] {
            let scheme = SignatureScheme.rsaPSS(
              PSSParameters(hash: hash, maskHash: hash, saltLength: salt))
            let pss = key.verify(scheme, message: message.span, signature: signature.span)
            #expect(pss == .invalid)
          }
        }
      }
    }
  }

  @Test("schemes for other kinds of keys are unsupported")
  func otherSchemes() throws {
    let key = try VerificationKey(rsaModulus: Self.ones(2_048).span, exponent: [3].span)
    let empty: [UInt8] = []
    let others: [SignatureScheme] = [.ecdsa(.sha256), .rsaPKCS1(.sha3_256), .rsaPKCS1(.sha3_512)]
    for scheme in others {
      let answer = key.verify(scheme, message: empty.span, signature: empty.span)
      #expect(answer == .unsupported)
    }
  }
}

@Suite("Wycheproof's RSA signatures")
struct WycheproofRSATests {
  @Test(
    "valid signatures verify; invalid ones and those without NULL parameters do not",
    .enabled(if: VectorSuites.has("wycheproof"), "\(VectorSuites.absence(of: "wycheproof"))"))
  func suite() throws {
    var wrong: [String] = []
    var count = 0
    for group in try WycheproofGroup.load() where group.key.modulus != nil {
      let scheme = try group.scheme.get()
      let modulus = try #require(group.key.modulus)
      let exponent = try #require(group.key.exponent)
      #if DEBUG
        if modulus.count > 257 { continue }
      #endif
      let forms = try ([nil] + VectorProducts.supported).map { products in
        try VerificationKey(rsaModulus: modulus.span, exponent: exponent.span, products: products)
      }
      for test in group.tests {
        count += 1
        for form in forms {
          let answer = form.verify(
            scheme, message: test.message.span, signature: test.signature.span)
          if answer != (test.result == .valid ? .valid : .invalid) {
            wrong.append("\(test.id) \(test.comment): \(answer)")
          }
        }
      }
    }
    #expect(wrong == [])
    #expect(count > 500)
  }
}
