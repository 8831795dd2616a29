/// The indices of elements by a hash of each: a table with room for all, made once. Elements with
/// equal hashes are found in the order in which they were added.
struct HashIndex: Sendable {
  private struct Slot: Sendable {
    var hash: UInt64
    /// -1 in a free slot.
    var index: Int
  }

  /// Twice as many as there can be elements or more, and a power of two.
  private var slots: [Slot]

  /// Creates a table with room for `capacity` elements.
  init(capacity: Int) {
    var size = 2
    while size < 2 * capacity { size *= 2 }
    slots = [Slot](repeating: Slot(hash: 0, index: -1), count: size)
  }

  /// Adds an element, of which there may not be more than the capacity.
  mutating func add(_ index: Int, hash: UInt64) {
    var slot = first(hash)
    while slots[slot].index >= 0 { slot = next(slot) }
    slots[slot] = Slot(hash: hash, index: index)
  }

  /// The indices of the elements with a hash.
  subscript(hash: UInt64) -> Matches { Matches(table: self, hash: hash, slot: first(hash)) }

  /// The first slot in which an element may be. The high bits of a product depend on all bits.
  private func first(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
  }

  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

  struct Matches: Sequence, IteratorProtocol {
    fileprivate let table: HashIndex
    fileprivate let hash: UInt64
    fileprivate var slot: Int

    mutating func next() -> Int? {
      while table.slots[slot].index >= 0 {
        let found = table.slots[slot]
        slot = table.next(slot)
        if found.hash == hash { return found.index }
      }
      return nil
    }
  }
}
