/// Returns how many of the first `count` indices come before what is looked for: those for which
/// `isBefore` holds, after which it holds for none.
@inlinable @inline(__always)
package func partitionPoint(of count: Int, where isBefore: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low &+ high) &>> 1
    if isBefore(middle) { low = middle &+ 1 } else { high = middle }
  }
  return low
}

/// Sorts numbers by their upper 32 bits. Many are sorted by eleven bits at a time from the lowest: the
/// time does not depend on the numbers, and for a million it is a fifth of that of a sort by
/// comparisons.
package func sortByUpperHalf(_ numbers: inout [UInt64]) {
  guard numbers.count > 512 else { return numbers.sort() }
  var sorted = [UInt64](repeating: 0, count: numbers.count)
  for shift in [32, 43, 54] as [UInt64] {
    sort(numbers.span, by: shift, into: &sorted)
    swap(&numbers, &sorted)
  }
}

/// Sorts numbers by eleven bits; those with the same keep their order.
private func sort(_ numbers: Span<UInt64>, by shift: UInt64, into sorted: inout [UInt64]) {
  let mask = 0x7FF
  var places = [Int](repeating: 0, count: mask + 1)
  var next = places.mutableSpan
  var result = sorted.mutableSpan
  for index in numbers.indices {
    next[Int(truncatingIfNeeded: numbers[index] >> shift) & mask] &+= 1
  }
  var start = 0
  for digit in next.indices { (next[digit], start) = (start, start &+ next[digit]) }
  for index in numbers.indices {
    let digit = Int(truncatingIfNeeded: numbers[index] >> shift) & mask
    result[next[digit]] = numbers[index]
    next[digit] &+= 1
  }
}
