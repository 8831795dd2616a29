import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// A curve whose steps in vectors are tested: those of the processor, or `Emulated` ones.
protocol TestedCurve: VectorCurve {
  static var curve: NamedCurve { get }
  static var products: VectorProducts { get }
  static var isNative: Bool { get }
  static var limbCount: Int { get }
  /// Limbs at which carries begin or end, the last the greatest of a product.
  static var edges: [Int64] { get }
  /// The same for the last limb.
  static var lastEdges: [Int64] { get }
  /// What limbs of X and Y may have more after a step, and what the last limb.
  static var more: (x: Int64, y: Int64) { get }
  static var lastMore: (x: Int64, y: Int64) { get }
  /// An element with the lowest of nine limbs of 64 bits.
  static func element(_ limbs: [UInt64]) -> Field
  static func set(_ words: inout Words, at index: Int, _ limb: Int64)
}

/// The steps of a curve, also with plain C in place of the processor's instructions.
protocol EmulatedCurve: TestedCurve {
  static func emulateDouble(_ words: inout Words)
  static func emulateBegin(_ words: inout Words, _ addend: Addend, subtracts: Bool)
  static func emulateAdd(_ words: inout Words, _ addend: Addend, subtracts: Bool)
}

/// A curve whose steps run with plain C in place of the processor's instructions.
enum Emulated<Curve: EmulatedCurve>: TestedCurve {
  typealias Kind = Curve.Kind
  typealias Field = Curve.Field
  typealias Words = Curve.Words
  typealias Addend = Curve.Addend

  static var zero: Words { Curve.zero }
  static var generatorTable: PointTable<Addend> { Curve.generatorTable }
  static func addend(_ point: AffinePoint<Field>) -> Addend { Curve.addend(point) }
  static func number(_ number: Int, of words: Words) -> Field { Curve.number(number, of: words) }

  static func double(_ words: inout Words) { Curve.emulateDouble(&words) }
  static func begin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    Curve.emulateBegin(&words, addend, subtracts: subtracts)
  }
  static func add(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    Curve.emulateAdd(&words, addend, subtracts: subtracts)
  }

  static var curve: NamedCurve { Curve.curve }
  static var products: VectorProducts { Curve.products }
  static var isNative: Bool { false }
  static var limbCount: Int { Curve.limbCount }
  static var edges: [Int64] { Curve.edges }
  static var lastEdges: [Int64] { Curve.lastEdges }
  static var more: (x: Int64, y: Int64) { Curve.more }
  static var lastMore: (x: Int64, y: Int64) { Curve.lastMore }
  static func element(_ limbs: [UInt64]) -> Field { Curve.element(limbs) }
  static func set(_ words: inout Words, at index: Int, _ limb: Int64) {
    Curve.set(&words, at: index, limb)
  }
}

/// A curve as the argument of a test.
struct CurveWay: Sendable, CustomTestStringConvertible {
  let curve: any TestedCurve.Type

  static let native: [CurveWay] = all.filter {
    VectorProducts.supported.contains($0.curve.products)
  }
  static let emulated: [CurveWay] = [
    CurveWay(curve: Emulated<VectorP256>.self), CurveWay(curve: Emulated<VectorP384<IFMA>>.self),
    CurveWay(curve: Emulated<VectorP384<Doubles>>.self),
    CurveWay(curve: Emulated<VectorP521>.self),
  ]
  /// The ways of this processor.
  static let runnable = native + emulated

  private static let all: [CurveWay] = [
    CurveWay(curve: VectorP256.self), CurveWay(curve: VectorP384<IFMA>.self),
    CurveWay(curve: VectorP384<Doubles>.self), CurveWay(curve: VectorP521.self),
  ]

  var testDescription: String {
    "\(curve.curve), \(curve.products), \(curve.isNative ? "native" : "emulated")"
  }
}

extension VectorP256: EmulatedCurve {
  static var curve: NamedCurve { .p256 }
  static var products: VectorProducts { .ifma }
  static var isNative: Bool { true }
  static var limbCount: Int { 6 }
  static var edges: [Int64] {
    [
      0, 1, 1 << 15, 1 << 16 - 1, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 48 - 1 << 16, 1 << 48 - 2,
      1 << 48 - 1, 1 << 48, 1 << 48 + 1 << 15 - 1,
    ]
  }
  static var lastEdges: [Int64] { [0, 1, 1 << 16 - 1, 1 << 16, 1 << 29, 1 << 30 - 1] }
  static var more: (x: Int64, y: Int64) { (4 * (1 << 48 - 1), 2 * (1 << 48 - 1)) }
  static var lastMore: (x: Int64, y: Int64) { (4 * (1 << 32 - 2), 2 * (1 << 32 - 2)) }
  static func element(_ limbs: [UInt64]) -> FieldP256 {
    FieldP256(limbs[0], limbs[1], limbs[2], limbs[3])
  }
  static func set(_ words: inout Words, at index: Int, _ limb: Int64) {
    words[index] = UInt64(bitPattern: limb)
  }

  static func emulateDouble(_ words: inout Words) {
    emulated(&words) { EmulatedVector.p256Double(&$0) }
  }
  static func emulateBegin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { EmulatedVector.p256Begin(&$0, array(addend), subtracts: subtracts) }
  }
  static func emulateAdd(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { EmulatedVector.p256Add(&$0, array(addend), subtracts: subtracts) }
  }
}

extension VectorP384: TestedCurve, EmulatedCurve where Kind: EmulatedP384Kind {
  static var curve: NamedCurve { .p384 }
  static var products: VectorProducts { Kind.products }
  static var isNative: Bool { true }
  static var limbCount: Int { 8 }
  static var edges: [Int64] {
    switch products {
    case .ifma:
      [
        0, 1, 1 << 15, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 47, 1 << 48 - 1 << 32 - 2, 1 << 48 - 2,
        1 << 48 - 1, 1 << 48, 1 << 48 + 1 << 15 - 1,
      ]
    case .doubles, .neon:
      [
        0, 1, 1 << 15, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 46, 1 << 47 - 1, 1 << 47,
        1 << 47 + 1 << 31 - 1, 1 << 47 + 1 << 31,
      ]
    }
  }
  static var lastEdges: [Int64] { edges }
  static var more: (x: Int64, y: Int64) {
    switch products {
    case .ifma: (4 << 48, 2 << 48)
    // Four and two times the greatest.
    case .doubles, .neon: (3 * (1 << 47 + 1 << 31), 1 << 47 + 1 << 31)
    }
  }
  static var lastMore: (x: Int64, y: Int64) { more }
  static func element(_ limbs: [UInt64]) -> FieldP384 {
    FieldP384(limbs[0], limbs[1], limbs[2], limbs[3], limbs[4], limbs[5])
  }
  static func set(_ words: inout Words, at index: Int, _ limb: Int64) {
    words[index] = Kind.word(UInt64(bitPattern: limb))
  }

  static func emulateDouble(_ words: inout Words) {
    emulated(&words) { Kind.p384Double(&$0) }
  }
  static func emulateBegin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { Kind.p384Begin(&$0, array(addend), subtracts: subtracts) }
  }
  static func emulateAdd(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { Kind.p384Add(&$0, array(addend), subtracts: subtracts) }
  }
}

extension VectorP521: EmulatedCurve {
  static var curve: NamedCurve { .p521 }
  static var products: VectorProducts { .doubles }
  static var isNative: Bool { true }
  static var limbCount: Int { 11 }
  static var edges: [Int64] { VectorP384<Doubles>.edges + [1 << 7, 1 << 41 - 1, 1 << 41] }
  static var lastEdges: [Int64] { edges }
  static var more: (x: Int64, y: Int64) { VectorP384<Doubles>.more }
  static var lastMore: (x: Int64, y: Int64) { more }
  static func element(_ limbs: [UInt64]) -> FieldP521 {
    FieldP521(limbs: Limbs { $0 < 8 ? limbs[$0] : limbs[$0] & 0x1ff }) ?? .zero
  }
  static func set(_ words: inout Words, at index: Int, _ limb: Int64) {
    words[index] = Double(limb)
  }

  static func emulateDouble(_ words: inout Words) {
    emulated(&words) { EmulatedVector.p521Double(&$0) }
  }
  static func emulateBegin(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { EmulatedVector.p521Begin(&$0, array(addend), subtracts: subtracts) }
  }
  static func emulateAdd(_ words: inout Words, _ addend: Addend, subtracts: Bool) {
    emulated(&words) { EmulatedVector.p521Add(&$0, array(addend), subtracts: subtracts) }
  }
}

private func array<Word, let count: Int>(_ words: [count of Word]) -> [Word] {
  (0..<count).map { words[$0] }
}

private func emulated<Word, let count: Int>(
  _ words: inout [count of Word], _ step: (inout [Word]) -> Void
) {
  var numbers = array(words)
  step(&numbers)
  for index in 0..<count { words[index] = numbers[index] }
}
