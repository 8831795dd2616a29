import HoldfastConformance
import HoldfastHashes
import HoldfastSignatures
import TestSupport
import Testing

/// What the worst inputs cost, in verifications under RSA-4096, which take 50 to 110 microseconds:
/// 200 of them are 10 to 22 ms. How long one takes is printed, not judged; that is the business of
/// `Scripts/bench`. Keys, signatures and messages together have 16 kB at most.
@Suite("The cost of hostile inputs", .serialized)
struct HeavyWorkTests {
  /// The most that any input may cost.
  private static let limit = 200.0

  private struct Input {
    let name: String
    let work: () -> Void
  }

  private static func ones(_ bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xff, count: (bits + 7) / 8)
    bytes[0] >>= UInt8(8 * bytes.count - bits)
    return bytes
  }

  /// 2^33 - 1: with every bit a multiplication beside the squaring.
  private static let longestExponent: [UInt8] = [1, 0xff, 0xff, 0xff, 0xff]

  private static func rsa(
    _ bits: Int, exponent: [UInt8], _ scheme: SignatureScheme, message: Int = 64,
    products: VectorProducts? = .best
  ) -> Input {
    let modulus = ones(bits)
    // Just below the modulus, so that it is taken.
    var signature = [UInt8](repeating: 0xa7, count: modulus.count)
    signature[0] = modulus[0] >> 1
    let bytes = [UInt8](repeating: 7, count: message)
    return Input(name: "RSA-\(bits), \(scheme), message of \(message)") {
      let key = try? VerificationKey(
        rsaModulus: modulus.span, exponent: exponent.span, products: products)
      #expect(key?.verify(scheme, message: bytes.span, signature: signature.span) == .invalid)
    }
  }

  private static func bytes(_ limbs: [UInt64], _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { index in
      UInt8(truncatingIfNeeded: limbs[index / 8] &>> UInt64(8 * (index % 8)))
    }
  }

  /// Keys in both forms, with r and s one below the order, and an x without a point.
  private static func curve(_ curve: NamedCurve) throws -> [Input] {
    let (parameters, length) = (try #require(curve.parameters), curve.coordinateLength)
    let x = bytes(parameters.generatorX, length)
    let whole = [4] + x + bytes(parameters.generatorY, length)
    var number = bytes(parameters.n, length)
    number[length - 1] -= 1
    let signature = WycheproofGroup.derSignature(number + number, length: length)
    let message = [UInt8](repeating: 7, count: 15_000)
    let verify = { (point: [UInt8]) in
      let key = try? VerificationKey(curve: curve, point: point.span)
      #expect(key != nil)
      let answer = key?.verify(
        .ecdsa(.sha3_512), message: message.span, signature: signature.span)
      #expect(answer == .invalid)
    }
    var inputs = [
      Input(name: "\(curve), whole point") { verify(whole) },
      Input(name: "\(curve), compressed point") { verify([2] + x) },
    ]
    for change in 1...20 as ClosedRange<UInt8> {
      var other = [2] + x
      other[length] ^= change
      guard (try? VerificationKey(curve: curve, point: other.span)) == nil else { continue }
      inputs.append(
        Input(name: "\(curve), x of no point") {
          #expect((try? VerificationKey(curve: curve, point: other.span)) == nil)
        })
      break
    }
    return inputs
  }

  /// Published keys and signatures of another message, as long as there is room.
  private static func published() throws -> [Input] {
    var inputs: [Input] = []
    let message = [UInt8](repeating: 7, count: 8_000)
    for line in try CommittedVectors.lines("curves/ed25519.txt").prefix(1) {
      let (key, signature) = (
        try parseHex(line[0]), try parseHex(line[2])
      )
      inputs.append(
        Input(name: "Ed25519") {
          let key = try? VerificationKey(.ed25519, key: key.span)
          let answer = key?.verify(.ed25519, message: message.span, signature: signature.span)
          #expect(answer == .invalid)
        })
    }
    for line in try SignatureLine.all(in: "rfc8032-ed448.txt").prefix(1) {
      inputs.append(
        Input(name: "Ed448") {
          let key = try? VerificationKey(.ed448, key: line.key.span)
          let answer = key?.verify(.ed448, message: message.span, signature: line.signature.span)
          #expect(answer == .invalid)
        })
    }
    let lines = try SignatureLine.all(in: "mldsa.txt")
    for set in MLDSAParameterSet.allCases {
      let line = try #require(lines.first { "ML-DSA-\($0.name)" == "\(set)-plain" })
      inputs.append(
        Input(name: "\(set)") {
          let key = try? VerificationKey(.mldsa(set), key: line.key.span)
          let answer = key?.verify(
            .mldsa(set), message: message.span, signature: line.signature.span)
          #expect(answer == .invalid)
        })
    }
    return inputs
  }

  /// Keys and signatures that are too long for what they say they are.
  private static func oversized() throws -> [Input] {
    let long = [UInt8](repeating: 0xff, count: 16_000)
    let message: [UInt8] = [7]
    var inputs: [Input] = [
      Input(name: "RSA with a modulus of 16,000 bytes") {
        #expect((try? VerificationKey(rsaModulus: long.span, exponent: [3].span)) == nil)
      },
      Input(name: "RSA with an exponent of 14,000 bytes") {
        let exponent = [UInt8](long.prefix(14_000))
        #expect(
          (try? VerificationKey(rsaModulus: ones(2_048).span, exponent: exponent.span)) == nil)
      },
    ]
    for curve in NamedCurve.verified {
      let (x, length) = (try #require(curve.parameters).generatorX, curve.coordinateLength)
      let point = [2] + bytes(x, length)
      // SEQUENCE of two INTEGERs of 7,000 bytes: well formed, and no r of any curve.
      let integer: [UInt8] = [2, 0x82, 0x1b, 0x58, 1] + [UInt8](repeating: 0xff, count: 6_999)
      let signature: [UInt8] = [0x30, 0x82, 0x36, 0xb8] + integer + integer
      inputs.append(
        Input(name: "\(curve), r and s of 7,000 bytes") {
          let key = try? VerificationKey(curve: curve, point: point.span)
          let answer = key?.verify(
            .ecdsa(.sha512), message: message.span, signature: signature.span)
          #expect(answer == .invalid)
        })
    }
    return inputs
  }

  private static func all() throws -> [Input] {
    var inputs: [Input] = []
    for hash in HashAlgorithm.allCases {
      if ![.sha3_224, .sha3_256, .sha3_384, .sha3_512].contains(hash) {
        inputs.append(rsa(16_384, exponent: longestExponent, .rsaPKCS1(hash), message: 12_000))
      }
      for salt in [0, hash.digestLength, 2_048 - hash.digestLength - 2] {
        inputs.append(
          rsa(
            16_384, exponent: longestExponent,
            .rsaPSS(PSSParameters(hash: hash, maskHash: hash, saltLength: salt)),
            message: 12_000))
      }
    }
    for bits in [1_024, 4_096, 8_192, 12_289, 16_321] {
      inputs.append(rsa(bits, exponent: longestExponent, .rsaPKCS1(.sha256)))
    }
    for id in NamedCurve.verified { inputs += try curve(id) }
    return try inputs + published() + oversized()
  }

  @Test("no input of 16 kB costs more than 200 verifications under RSA-4096")
  func work() throws {
    // The unit is the same whatever instructions the processor has.
    let usual = Self.rsa(4_096, exponent: [1, 0, 1], .rsaPKCS1(.sha256), products: nil).work
    usual()
    let inputs = try Self.all()
    #expect(inputs.count > 70)
    var costs: [(name: String, ratio: Double, time: Duration)] = []
    for input in inputs {
      // By turns, so that whatever else the machine does falls on both.
      let unit = leastProcessorTime(of: 20, usual)
      let time = leastProcessorTime(of: 3, input.work)
      try #require(unit > .zero)
      costs.append((input.name, time / unit, time))
    }
    costs.sort { $0.ratio > $1.ratio }
    for cost in costs.prefix(5) {
      print("the most work: \(cost.name): \(cost.time), \(Int(cost.ratio)) × RSA-4096")
    }
    let tooMuch = costs.filter { $0.ratio > Self.limit }.map { "\($0.name): \($0.ratio)" }
    #expect(tooMuch == [])
  }
}
