internal import HoldfastHashes

extension MLDSAPolynomial {
  /// Computes the element of the matrix A at `row` and `column`, as a transform. FIPS 204 §7.3,
  /// algorithms 30 and 32.
  ///
  /// Five blocks of SHAKE128 give 280 candidates of 23 bits, of which one in a thousand is
  /// rejected; in rare cases more blocks follow.
  init(matrixSeed rho: [4 of UInt64], row: Int, column: Int) {
    self.init()
    // ρ, then the column, then the row, then the padding of FIPS 202 §6.2.
    var state = KeccakState()
    for lane in 0..<4 { state.lanes[lane] = rho[lane] }
    state.lanes[4] = UInt64(column & 0xFF) | UInt64(row & 0xFF) &<< 8 | 0x1F &<< 16
    state.lanes[20] = 0x8000_0000_0000_0000
    var w = coefficients.mutableSpan
    var count = 0
    while count < 256 {
      state.permute()
      let lanes = state.lanes.span
      // Three lanes hold eight candidates of three bytes.
      var lane = 0
      while lane < 21 {
        let l0 = lanes[lane]
        let l1 = lanes[lane &+ 1]
        let l2 = lanes[lane &+ 2]
        Self.accept(l0, &w, &count)
        Self.accept(l0 &>> 24, &w, &count)
        Self.accept(l0 &>> 48 | l1 &<< 16, &w, &count)
        Self.accept(l1 &>> 8, &w, &count)
        Self.accept(l1 &>> 32, &w, &count)
        Self.accept(l1 &>> 56 | l2 &<< 8, &w, &count)
        Self.accept(l2 &>> 16, &w, &count)
        Self.accept(l2 &>> 40, &w, &count)
        lane &+= 3
      }
    }
  }

  /// Appends the 23 low bits as the next coefficient if they are below q.
  /// FIPS 204 §7.1, algorithm 14.
  @inline(__always)
  private static func accept(
    _ bits: UInt64, _ coefficients: inout MutableSpan<UInt32>, _ count: inout Int
  ) {
    let value = UInt32(truncatingIfNeeded: bits) & 0x7F_FFFF
    guard value < modulus, count < 256 else { return }
    coefficients[count] = value
    count &+= 1
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
