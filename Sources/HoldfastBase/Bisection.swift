/// Returns how many of the first `count` indices come before what is looked for: those for which
/// `isBefore` holds, after which it holds for none.
@inlinable @inline(__always)
package func partitionPoint(of count: Int, where isBefore: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
