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
  let mask = 0x7FF
  var sorted = [UInt64](repeating: 0, count: numbers.count)
  for shift in [32, 43, 54] as [UInt64] {
    var next = [Int](repeating: 0, count: mask + 1)
    for number in numbers { next[Int(truncatingIfNeeded: number >> shift) & mask] &+= 1 }
    var start = 0
    for digit in next.indices { (next[digit], start) = (start, start &+ next[digit]) }
    for number in numbers {
      let digit = Int(truncatingIfNeeded: number >> shift) & mask
      sorted[next[digit]] = number
      next[digit] &+= 1
    }
    swap(&numbers, &sorted)
  }
}
