/// The ranges of r and s in the DER of an `ECDSA-Sig-Value`.
struct ECDSASignature {
  let r: Range<Int>
  let s: Range<Int>

  /// Parses a signature. Returns nil unless it is exactly a SEQUENCE of two non-negative INTEGERs,
  /// with all lengths and numbers in their shortest form: X.690 §8.3.2, §10.1.
  init?(der: Span<UInt8>) {
    guard der.count >= 2, der[0] == 0x30 else { return nil }
    var start = 2
    var length = Int(der[1])
    if length == 0x81 {
      // The longest signature here, of P-521, has 139 bytes, so a length takes at most two.
      guard der.count >= 3, der[2] >= 0x80 else { return nil }
      length = Int(der[2])
      start = 3
    } else if length >= 0x80 {
      return nil
    }
    guard length == der.count &- start,
      let r = ECDSASignature.integer(der, at: start),
      let s = ECDSASignature.integer(der, at: r.upperBound), s.upperBound == der.count
    else { return nil }
    self.r = r
    self.s = s
  }

  private static func integer(_ der: Span<UInt8>, at start: Int) -> Range<Int>? {
    guard der.count &- start >= 3, der[start] == 0x02 else { return nil }
    let length = Int(der[start &+ 1])
    let first = start &+ 2
    guard length > 0, length < 0x80, length <= der.count &- first, der[first] < 0x80 else {
      return nil
    }
    if der[first] == 0, length > 1, der[first &+ 1] < 0x80 { return nil }
    return first..<(first &+ length)
  }
}
