#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

// Shifts of whole vectors. The standard library shifts lane by lane, which the compiler does not
// always turn back into a vector shift: SHA-512 then takes a fifth longer. SSE2 is part of x86-64
// and needs no flags; other processors use the standard shifts.

@inline(__always)
func shiftedLeft(_ x: SIMD2<UInt64>, _ count: Int32) -> SIMD2<UInt64> {
  #if arch(x86_64)
    // SAFETY: the two types are the same 16 bytes.
    unsafe unsafeBitCast(
      _mm_slli_epi64(unsafeBitCast(x, to: SIMD2<Int64>.self), count), to: SIMD2<UInt64>.self)
  #else
    x &<< SIMD2(repeating: UInt64(truncatingIfNeeded: count))
  #endif
}

@inline(__always)
func shiftedRight(_ x: SIMD2<UInt64>, _ count: Int32) -> SIMD2<UInt64> {
  #if arch(x86_64)
    // SAFETY: the two types are the same 16 bytes.
    unsafe unsafeBitCast(
      _mm_srli_epi64(unsafeBitCast(x, to: SIMD2<Int64>.self), count), to: SIMD2<UInt64>.self)
  #else
    x &>> SIMD2(repeating: UInt64(truncatingIfNeeded: count))
  #endif
}

@inline(__always)
func shiftedLeft(_ x: SIMD4<UInt32>, _ count: Int32) -> SIMD4<UInt32> {
  #if arch(x86_64)
    // SAFETY: the two types are the same 16 bytes.
    unsafe unsafeBitCast(
      _mm_slli_epi32(unsafeBitCast(x, to: SIMD2<Int64>.self), count), to: SIMD4<UInt32>.self)
  #else
    x &<< SIMD4(repeating: UInt32(truncatingIfNeeded: count))
  #endif
}

@inline(__always)
func shiftedRight(_ x: SIMD4<UInt32>, _ count: Int32) -> SIMD4<UInt32> {
  #if arch(x86_64)
    // SAFETY: the two types are the same 16 bytes.
    unsafe unsafeBitCast(
      _mm_srli_epi32(unsafeBitCast(x, to: SIMD2<Int64>.self), count), to: SIMD4<UInt32>.self)
  #else
    x &>> SIMD4(repeating: UInt32(truncatingIfNeeded: count))
  #endif
}
