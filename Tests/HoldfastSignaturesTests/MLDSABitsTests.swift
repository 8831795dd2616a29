import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// Coefficients that are taken out of bytes in vectors, natively and emulated, beside the portable
/// code.
@Suite("Bytes of ML-DSA in vectors")
struct MLDSABitsTests {
  private static let q = MLDSAPolynomial.modulus

  /// Lanes of eight states; in odd rounds many candidates are near q or the largest.
  private static func lanes(_ round: Int, _ source: inout SeededNumbers) -> [UInt64] {
    var lanes = source.limbs(200)
    guard round % 2 == 1 else { return lanes }
    let edges: [UInt64] = [
      UInt64(q) - 1, UInt64(q), UInt64(q) + 1, 0x7F_FFFF, 0xFF_FFFF, 0x80_0000,
    ]
    for number in 0..<8 {
      for candidate in 0..<56 where source.next() % 4 == 0 {
        let edge = edges[Int(source.next() % 6)]
        for index in 0..<3 {
          let byte = 3 * candidate + index
          let (lane, shift) = (8 * (byte / 8) + number, UInt64(8 * (byte % 8)))
          lanes[lane] &= ~(0xFF << shift)
          lanes[lane] |= (edge >> UInt64(8 * index) & 0xFF) << shift
        }
      }
    }
    return lanes
  }

  @Test("as many candidates are accepted as portably, and the same, from every number on")
  func candidates() {
    var source = SeededNumbers(seed: 168)
    var wrong = 0
    for round in 0..<max(64, scaled(20_000)) {
      let lanes = Self.lanes(round, &source)
      let number = Int(source.next() % 8)
      let before = round % 3 == 0 ? Int(source.next() % 257) : 240 + round % 17
      var expected = [UInt32](repeating: 0, count: 256)
      var (count, native) = (before, before)
      var span = expected.mutableSpan
      MLDSAPolynomial.accept(lanes.span, number, into: &span, from: 0, &count)
      var found = [UInt32](repeating: 0, count: 256)
      let emulated = EmulatedVector.accept(lanes, number, into: &found, before)
      if emulated != count || found[..<count] != expected[..<count] { wrong += 1 }
      guard MLDSAPolynomial.hasVectors else { continue }
      found = [UInt32](repeating: 0, count: 512)
      var longer = found.mutableSpan
      MLDSAPolynomial.acceptInVectors(lanes.span, number, into: &longer, from: 256, &native)
      if native != count || found[256..<256 + count] != expected[..<count] { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(
    "a response is read as portably, and a coefficient at a bound alone decides",
    arguments: [MLDSAParameterSet.mldsa44, .mldsa65, .mldsa87])
  func responses(_ set: MLDSAParameterSet) {
    let parameters = set.parameters
    let bits = parameters.gamma1Bits + 1
    let gamma1 = UInt32(1) << UInt32(parameters.gamma1Bits)
    let (least, span) = (parameters.beta + 1, 2 * gamma1 - 2 * parameters.beta - 1)
    var source = SeededNumbers(seed: 19)
    var wrong = 0
    for round in 0..<max(64, scaled(4_000)) {
      var numbers = source.limbs(256).map { least + UInt32($0 % UInt64(span)) }
      // One of them is the first or last that is valid or is not.
      let edges = [least, least + span - 1, least - 1, least + span, 0, 2 * gamma1 - 1]
      numbers[Int(source.next() % 256)] = edges[round % 6]
      var bytes = [UInt8](repeating: 0, count: parameters.responseLength)
      for (index, number) in numbers.enumerated() {
        for bit in 0..<bits where number >> UInt32(bit) & 1 == 1 {
          let place = bits * index + bit
          bytes[place / 8] |= 1 << UInt8(place % 8)
        }
      }
      var found = [UInt32](repeating: 0, count: 256)
      let isValid = EmulatedVector.response(
        &found, bytes, bits: bits, least: least, span: span)
      if isValid != (round % 6 < 2) || found != numbers.map({ Self.q + gamma1 - $0 }) { wrong += 1 }
      let native = MLDSAPolynomial(response: bytes.span, parameters)
      let portable = MLDSAPolynomial(response: bytes.span, parameters, portably: true)
      if (native != nil) != isValid || (portable != nil) != isValid { wrong += 1 }
      for index in 0..<256 where isValid {
        if native?.coefficients[index] != found[index] { wrong += 1 }
        if portable?.coefficients[index] != found[index] { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}
