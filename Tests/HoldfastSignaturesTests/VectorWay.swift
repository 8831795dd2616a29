import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// A kind of products whose functions also run with plain C in place of the processor's
/// instructions.
protocol EmulatedKind: VectorKind {
  static var products: VectorProducts { get }
}

protocol EmulatedEdwardsKind: EmulatedKind, EdwardsVectorKind {
  static func edwardsDouble(_ point: inout [Word])
  static func edwardsAdd(_ point: inout [Word], _ addend: [UInt64], subtracts: Bool)
  /// Products of four numbers of limbs of 51 bits.
  static func edwardsProduct(_ left: [Word], _ right: [Word]) -> [Word]
  static func edwardsSquare(_ number: [Word]) -> [Word]
}

protocol EmulatedP384Kind: EmulatedKind, P384VectorKind {
  static func p384Double(_ point: inout [Word])
  static func p384Begin(_ point: inout [Word], _ addend: [Word], subtracts: Bool)
  static func p384Add(_ point: inout [Word], _ addend: [Word], subtracts: Bool)
  /// Products of four numbers of limbs of 48 bits.
  static func p384Product(_ left: [Word], _ right: [Word]) -> [Word]
}

protocol EmulatedMontgomeryKind: EmulatedKind, MontgomeryVectorKind {
  static func multiply(_ work: inout [Word], by offset: Int, _ vector: VectorMontgomery<Self>)
}

extension IFMA: EmulatedEdwardsKind, EmulatedP384Kind, EmulatedMontgomeryKind {
  static var products: VectorProducts { .ifma }
  static func multiply(_ work: inout [Word], by offset: Int, _ vector: VectorMontgomery<IFMA>) {
    EmulatedVector.ifmaMultiply(&work, by: offset, vector.constants, vector.negatedInverse)
  }
  static func edwardsDouble(_ point: inout [Word]) { EmulatedVector.edwardsDouble(&point) }
  static func edwardsAdd(_ point: inout [Word], _ addend: [UInt64], subtracts: Bool) {
    EmulatedVector.edwardsAdd(&point, addend, subtracts: subtracts)
  }
  static func p384Double(_ point: inout [Word]) { EmulatedVector.p384Double(&point) }
  static func p384Begin(_ point: inout [Word], _ addend: [Word], subtracts: Bool) {
    EmulatedVector.p384Begin(&point, addend, subtracts: subtracts)
  }
  static func p384Add(_ point: inout [Word], _ addend: [Word], subtracts: Bool) {
    EmulatedVector.p384Add(&point, addend, subtracts: subtracts)
  }
  static func edwardsProduct(_ left: [Word], _ right: [Word]) -> [Word] {
    EmulatedVector.edwardsProduct(left, right)
  }
  static func edwardsSquare(_ number: [Word]) -> [Word] { EmulatedVector.edwardsSquare(number) }
  static func p384Product(_ left: [Word], _ right: [Word]) -> [Word] {
    EmulatedVector.p384Product(left, right)
  }
}

extension Doubles: EmulatedEdwardsKind, EmulatedP384Kind, EmulatedMontgomeryKind {
  static var products: VectorProducts { .doubles }
  static func multiply(_ work: inout [Word], by offset: Int, _ vector: VectorMontgomery<Doubles>) {
    EmulatedVector.doublesMultiply(&work, by: offset, vector.constants)
  }
  static func edwardsDouble(_ point: inout [Word]) { EmulatedVector.edwardsDouble(&point) }
  static func edwardsAdd(_ point: inout [Word], _ addend: [UInt64], subtracts: Bool) {
    EmulatedVector.edwardsAdd(&point, addend, subtracts: subtracts)
  }
  static func p384Double(_ point: inout [Word]) { EmulatedVector.p384Double(&point) }
  static func p384Begin(_ point: inout [Word], _ addend: [Word], subtracts: Bool) {
    EmulatedVector.p384Begin(&point, addend, subtracts: subtracts)
  }
  static func p384Add(_ point: inout [Word], _ addend: [Word], subtracts: Bool) {
    EmulatedVector.p384Add(&point, addend, subtracts: subtracts)
  }
  static func edwardsProduct(_ left: [Word], _ right: [Word]) -> [Word] {
    EmulatedVector.edwardsProduct(left, right)
  }
  static func edwardsSquare(_ number: [Word]) -> [Word] { EmulatedVector.edwardsSquare(number) }
  static func p384Product(_ left: [Word], _ right: [Word]) -> [Word] {
    EmulatedVector.p384Product(left, right)
  }
}

extension NEONPairs: EmulatedEdwardsKind {
  static var products: VectorProducts { .neon }
  static func edwardsDouble(_ point: inout [Word]) { EmulatedVector.neonEdwardsDouble(&point) }
  static func edwardsAdd(_ point: inout [Word], _ addend: [UInt64], subtracts: Bool) {
    EmulatedVector.neonEdwardsAdd(&point, addend, subtracts: subtracts)
  }
  static func edwardsProduct(_ left: [Word], _ right: [Word]) -> [Word] {
    EmulatedVector.neonEdwardsProduct(left, right)
  }
  static func edwardsSquare(_ number: [Word]) -> [Word] {
    EmulatedVector.neonEdwardsSquare(number)
  }
}

extension NEONLimbs: EmulatedMontgomeryKind {
  static var products: VectorProducts { .neon }
  static func multiply(
    _ work: inout [Word], by offset: Int, _ vector: VectorMontgomery<NEONLimbs>
  ) {
    EmulatedVector.neonMultiply(&work, by: offset, vector.constants)
  }
}

/// How vector code runs: its kind of products, by the processor's instructions or with plain C in
/// their place.
struct VectorWay: Sendable, CustomTestStringConvertible {
  let kind: any EmulatedKind.Type
  let isNative: Bool

  /// The ways of this processor to take steps on edwards25519, and to multiply for RSA.
  static let edwards = runnable([IFMA.self, Doubles.self, NEONPairs.self])
  static let montgomery = runnable([IFMA.self, Doubles.self, NEONLimbs.self])

  private static func runnable(_ kinds: [any EmulatedKind.Type]) -> [VectorWay] {
    kinds.flatMap(runnable)
  }

  private static func runnable(_ kind: any EmulatedKind.Type) -> [VectorWay] {
    let emulated = VectorWay(kind: kind, isNative: false)
    guard VectorProducts.supported.contains(kind.products) else { return [emulated] }
    return [VectorWay(kind: kind, isNative: true), emulated]
  }

  var testDescription: String { "\(kind.products), \(isNative ? "native" : "emulated")" }

  func double<Kind: EmulatedEdwardsKind>(_ point: inout VectorEdwardsPoint<Kind>) {
    guard !isNative else { return point.double() }
    emulate(&point) { Kind.edwardsDouble(&$0) }
  }

  func add<Kind: EmulatedEdwardsKind>(
    _ addend: EdwardsAddend, to point: inout VectorEdwardsPoint<Kind>, subtracts: Bool
  ) {
    guard !isNative else { return subtracts ? point.subtract(addend) : point.add(addend) }
    let words = (0..<12).map { addend.words[$0] }
    emulate(&point) { Kind.edwardsAdd(&$0, words, subtracts: subtracts) }
  }

  private func emulate<Kind>(
    _ point: inout VectorEdwardsPoint<Kind>, _ step: (inout [Kind.Word]) -> Void
  ) {
    var words = (0..<20).map { point.words[$0] }
    step(&words)
    for index in 0..<20 { point.words[index] = words[index] }
  }

  /// Powers modulo a number of a length that `VectorMontgomery` takes.
  func power<Kind: EmulatedMontgomeryKind>(
    _ vector: VectorMontgomery<Kind>, _ base: [UInt64], _ exponent: UInt64
  ) -> [UInt64]? {
    guard !isNative else { return vector.power(base, exponent) }
    return vector.power(base, exponent) { work, offset in
      Kind.multiply(&work, by: offset, vector)
    }
  }
}

@Suite("Which vector code runs here")
struct VectorWayTests {
  @Test("all vector code runs, by the processor or with its instructions emulated")
  func ways() {
    for products in VectorProducts.allCases {
      let ways = VectorWay.edwards.filter { $0.kind.products == products }
      #expect(
        ways.map(\.testDescription)
          == VectorWay.montgomery.filter { $0.kind.products == products }.map(\.testDescription))
      let names = ways.map { $0.isNative ? "native" : "emulated" }.joined(separator: " and ")
      let needs =
        switch products {
        case .ifma: "AVX-512 IFMA"
        case .doubles: "AVX2 and FMA"
        case .neon: "NEON"
        }
      let curves = CurveWay.emulated.filter { $0.curve.products == products }
      for code in ["products for RSA", "steps on edwards25519"]
        + curves.map({ "steps on \($0.curve.curve)" })
      {
        print("VECTORS: \(code) (\(needs)): \(names)")
      }
      #expect(ways.contains { !$0.isNative })
      #expect(
        ways.contains(where: \.isNative) == VectorProducts.supported.contains(products))
    }
    #expect(
      VectorProducts.best == (Vectors.used == .none ? nil : VectorProducts.supported.first))
  }
}
