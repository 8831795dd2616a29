internal import HoldfastHashes

extension MLDSAPolynomial {
  /// Computes the matrix A row by row, each element as a transform, one after the other. FIPS 204
  /// §7.3, algorithms 30 and 32.
  ///
  /// Five blocks of SHAKE128 give 280 candidates of 23 bits, of which one in a thousand is
  /// rejected; in rare cases more blocks follow.
  static func matrix(
    seed rho: [4 of UInt64], _ parameters: MLDSAParameters, width: Int = KeccakStates.widest
  ) -> [UInt32] {
    let isInVectors = width > 0 && hasVectors
    let columns = parameters.columns
    let count = parameters.rows &* columns
    var matrix = [UInt32](repeating: 0, count: 256 &* count)
    var coefficients = matrix.mutableSpan
    for first in stride(from: 0, to: count, by: KeccakStates.count) {
      let elements = first..<min(first &+ KeccakStates.count, count)
      // ρ, then the column, then the row, then the padding of FIPS 202 §6.2.
      var states = KeccakStates(width: width)
      var counts = [8 of Int](repeating: 0)
      for element in elements {
        let number = element &- first
        let (row, column) = element.quotientAndRemainder(dividingBy: columns)
        for lane in 0..<4 { states.lanes[8 &* lane &+ number] = rho[lane] }
        states.lanes[32 &+ number] = UInt64(column) | UInt64(row) &<< 8 | 0x1F &<< 16
        states.lanes[160 &+ number] = 0x8000_0000_0000_0000
      }
      while elements.contains(where: { counts[$0 &- first] < 256 }) {
        states.permute()
        let lanes = states.lanes.span
        for element in elements {
          let (number, start) = (element &- first, 256 &* element)
          if isInVectors {
            acceptInVectors(lanes, number, into: &coefficients, from: start, &counts[number])
          } else {
            accept(lanes, number, into: &coefficients, from: start, &counts[number])
          }
        }
      }
    }
    return matrix
  }

  /// Appends the candidates in a block of the state with this number, in Swift alone.
  static func accept(
    _ lanes: Span<UInt64>, _ number: Int, into w: inout MutableSpan<UInt32>, from start: Int,
    _ count: inout Int
  ) {
    // Three lanes hold eight candidates of three bytes.
    var lane = number
    while lane < 168, count < 256 {
      let (l0, l1, l2) = (lanes[lane], lanes[lane &+ 8], lanes[lane &+ 16])
      accept(l0, into: &w, from: start, &count)
      accept(l0 &>> 24, into: &w, from: start, &count)
      accept(l0 &>> 48 | l1 &<< 16, into: &w, from: start, &count)
      accept(l1 &>> 8, into: &w, from: start, &count)
      accept(l1 &>> 32, into: &w, from: start, &count)
      accept(l1 &>> 56 | l2 &<< 8, into: &w, from: start, &count)
      accept(l2 &>> 16, into: &w, from: start, &count)
      accept(l2 &>> 40, into: &w, from: start, &count)
      lane &+= 24
    }
  }

  /// Appends the 23 low bits of a candidate if they are below q and a coefficient is missing: FIPS
  /// 204 §7.1, algorithm 14. What is not accepted is overwritten by the next.
  @inline(__always)
  private static func accept(
    _ candidate: UInt64, into w: inout MutableSpan<UInt32>, from start: Int, _ count: inout Int
  ) {
    guard count < 256 else { return }
    let value = UInt32(truncatingIfNeeded: candidate) & 0x7F_FFFF
    w[start &+ (count & 255)] = value
    count &+= value < modulus ? 1 : 0
  }

  /// Computes the challenge from c̃: τ coefficients are 1 or q − 1, the others zero. FIPS 204 §7.3,
  /// algorithm 29.
  init(challenge seed: Span<UInt8>, tau: Int) {
    self.init()
    var hash = SHAKE(.shake256)
    hash.absorb(seed)
    var signs: UInt64 = 0
    for index in 0..<8 { signs |= UInt64(hash.squeeze()) &<< UInt64(8 &* index) }
    var w = coefficients.mutableSpan
    for index in (256 &- tau)..<256 {
      var position = Int(hash.squeeze())
      while position > index { position = Int(hash.squeeze()) }
      w[index] = w[position]
      w[position] = signs & 1 == 1 ? Self.modulus &- 1 : 1
      signs &>>= 1
    }
  }
}
