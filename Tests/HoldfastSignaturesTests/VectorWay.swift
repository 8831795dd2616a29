import TestSupport
import Testing

@testable import HoldfastSignatures

/// How vector code runs: by the processor's instructions, or with plain C in their place.
enum VectorWay: String, CaseIterable, Sendable {
  case native
  case emulated

  /// The ways of this processor for the code that needs AVX-512 IFMA.
  static let runnable: [VectorWay] = VectorMontgomery.isSupported ? allCases : [.emulated]

  func double(_ point: inout VectorEdwardsPoint) {
    switch self {
    case .native: point.double()
    case .emulated: emulate(&point) { EmulatedVector.edwardsDouble(&$0) }
    }
  }

  func add(_ addend: EdwardsAddend, to point: inout VectorEdwardsPoint, subtracts: Bool) {
    switch self {
    case .native where subtracts: point.subtract(addend)
    case .native: point.add(addend)
    case .emulated:
      let words = (0..<12).map { addend.words[$0] }
      emulate(&point) { EmulatedVector.edwardsAdd(&$0, words, subtracts: subtracts) }
    }
  }

  func double(_ point: inout VectorP384Point) {
    switch self {
    case .native: point.double()
    case .emulated: emulate(&point) { EmulatedVector.p384Double(&$0) }
    }
  }

  func add(_ point: AffinePoint<FieldP384>, to sum: inout VectorP384Point, subtracts: Bool) {
    let addend = VectorP384Point.addend(point)
    switch self {
    case .native where subtracts: sum.subtract(addend)
    case .native: sum.add(addend)
    case .emulated:
      let words = (0..<16).map { addend[$0] }
      emulate(&sum) { EmulatedVector.p384Add(&$0, words, subtracts: subtracts) }
    }
  }

  private func emulate(_ point: inout VectorEdwardsPoint, _ step: (inout [UInt64]) -> Void) {
    var words = (0..<20).map { point.words[$0] }
    step(&words)
    for index in 0..<20 { point.words[index] = words[index] }
  }

  private func emulate(_ point: inout VectorP384Point, _ step: (inout [UInt64]) -> Void) {
    var words = (0..<32).map { point.words[$0] }
    step(&words)
    for index in 0..<32 { point.words[index] = words[index] }
  }

  /// Powers modulo a number of a length that `VectorMontgomery` takes.
  func power(_ vector: VectorMontgomery, _ base: [UInt64], _ exponent: UInt64) -> [UInt64] {
    switch self {
    case .native: return vector.power(base, exponent)
    case .emulated:
      return vector.power(base, exponent) { work, offset in
        EmulatedVector.ifmaMultiply(
          &work, by: offset, vector.modulus, vector.negatedInverse)
      }
    }
  }
}

@Suite("Which vector code runs here")
struct VectorWayTests {
  @Test("all vector code runs, by the processor or with its instructions emulated")
  func ways() {
    let ways = VectorWay.runnable.map(\.rawValue).joined(separator: " and ")
    for code in ["products for RSA", "steps on edwards25519", "steps on P-384"] {
      print("VECTORS: \(code) (AVX-512 IFMA): \(ways)")
    }
    #expect(VectorWay.runnable.contains(.emulated))
    #expect(VectorWay.runnable.contains(.native) == VectorMontgomery.isSupported)
  }
}
