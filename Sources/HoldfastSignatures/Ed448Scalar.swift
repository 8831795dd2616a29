/// An integer modulo the order L of the base point of edwards448,
/// L = 2^446 − 13818066809895115352007386748515426880336692474882178609894547503885.
/// RFC 8032 §5.2.
struct Ed448Scalar {
  /// The limbs, the lowest first. The number is below L.
  private var limbs = [7 of UInt64](repeating: 0)

  /// The number in as many limbs as any curve here needs.
  var padded: Limbs {
    var result = Limbs(repeating: 0)
    for index in 0..<7 { result[index] = limbs[index] }
    return result
  }

  private static let order: [7 of UInt64] = [
    0x2378_C292_AB58_44F3, 0x216C_C272_8DC5_8F55, 0xC44E_DB49_AED6_3690, 0xFFFF_FFFF_7CCA_23E9,
    0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0x3FFF_FFFF_FFFF_FFFF,
  ]

  /// 2^448 modulo L, which is 2^448 − 4L.
  private static let fold: [4 of UInt64] = [
    0x721C_F5B5_529E_EC34, 0x7A4C_F635_C8E9_C2AB, 0xEEC4_92D9_44A7_25BF, 0x0000_0002_0CD7_7058,
  ]

  /// Reads the 57 bytes of S in a signature; `nil` unless S is below L.
  /// RFC 8032 §5.2.7 (1).
  init?(canonical octets: Span<UInt8>) {
    guard octets.count == 57, octets[56] == 0 else { return nil }
    for index in 0..<56 {
      limbs[index &>> 3] |= UInt64(octets[index]) &<< UInt64(8 &* (index & 7))
    }
    if isAtLeastOrder { return nil }
  }

  /// Reduces a number of up to 114 bytes, such as the output of the hash. RFC 8032 §5.2.7 (2).
  init(reducing octets: Span<UInt8>) {
    var number = [15 of UInt64](repeating: 0)
    for index in 0..<min(octets.count, 114) {
      number[index &>> 3] |= UInt64(octets[index]) &<< UInt64(8 &* (index & 7))
    }
    // Multiplying the upper part, 464 bits, by the 226 bits of `fold` leaves 242 bits above, then
    // 21, then 1, then none.
    for _ in 0..<4 {
      let whole = number
      for index in 7..<15 { number[index] = 0 }
      for index in 0..<8 {
        var carry: UInt128 = 0
        for offset in 0..<4 {
          carry &+= UInt128(whole[7 &+ index]) &* UInt128(Self.fold[offset])
          carry &+= UInt128(number[index &+ offset])
          number[index &+ offset] = UInt64(truncatingIfNeeded: carry)
          carry &>>= 64
        }
        var position = index &+ 4
        while carry != 0, position < 15 {
          carry &+= UInt128(number[position])
          number[position] = UInt64(truncatingIfNeeded: carry)
          carry &>>= 64
          position &+= 1
        }
      }
    }
    for index in 0..<7 { limbs[index] = number[index] }
    // The number is below 2^448 < 4L + 2^226.
    for _ in 0..<4 where isAtLeastOrder { subtractOrder() }
  }

  private var isAtLeastOrder: Bool {
    var index = 6
    while index >= 0 {
      if limbs[index] != Self.order[index] { return limbs[index] > Self.order[index] }
      index &-= 1
    }
    return true
  }

  private mutating func subtractOrder() {
    var borrow: UInt64 = 0
    for index in 0..<7 {
      let (first, under) = limbs[index].subtractingReportingOverflow(Self.order[index])
      let (second, underAgain) = first.subtractingReportingOverflow(borrow)
      limbs[index] = second
      borrow = under || underAgain ? 1 : 0
    }
  }
}
