internal import Synchronization

/// A run of words that any thread may read and change. It takes memory when the first is written.
///
/// Whoever reads writes nothing, not even a count of references, so that reading is as fast on many
/// cores as on one. An array cannot hold atomics, and of an object that is made late every reader
/// counts a reference: with a lock and objects two cores did 1.8 times the work of one, not 2.
struct SharedWords: ~Copyable, Sendable {
  let count: Int

  /// Where the words are; 0 while there are none.
  private let address = Atomic<UInt>(0)

  init(count: Int) {
    self.count = count
  }

  deinit {
    // SAFETY: `makeWords` made so many words there, and nobody reads them any more.
    guard let words = unsafe words else { return }
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()
  }

  // SAFETY: the address is that of `count` words, which stay there as long as this does.
  private var words: UnsafeMutablePointer<Atomic<UInt64>>? {
    unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  // SAFETY: all words are initialised before anybody is told where they are; of two runs that were
  // made at the same time, one is given back.
  private func makeWords() -> UnsafeMutablePointer<Atomic<UInt64>> {
    let new = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count)
    for place in 0..<count { unsafe (new + place).initialize(to: Atomic(0)) }
    let (isFirst, other) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing)
    if !isFirst, let other = unsafe UnsafeMutablePointer<Atomic<UInt64>>(bitPattern: other) {
      unsafe new.deinitialize(count: count)
      unsafe new.deallocate()
      return unsafe other
    }
    return unsafe new
  }

  /// The word at a place; 0 for one that nobody has written, or that is not there.
  ///
  /// Who sees a word that was stored sees what was stored before it.
  subscript(place: Int) -> UInt64 {
    // SAFETY: the place is one of the words.
    guard 0..<count ~= place, let words = unsafe words else { return 0 }
    return unsafe words[place].load(ordering: .acquiring)
  }

  /// Stores a word after all that were stored before.
  func store(_ word: UInt64, at place: Int) {
    guard 0..<count ~= place else { return }
    // SAFETY: the place is one of the words.
    unsafe (words ?? makeWords())[place].store(word, ordering: .releasing)
  }

  /// Adds bits to a word that was written before.
  func insert(_ bits: UInt64, at place: Int) {
    // SAFETY: the place is one of the words.
    guard 0..<count ~= place, let words = unsafe words else { return }
    unsafe words[place].bitwiseOr(bits, ordering: .relaxed)
  }
}

/// Octets in words, eight in each; the last is filled with zeros.
extension SharedWords {
  /// How many words some octets take.
  static func count(forOctets count: Int) -> Int { (count + 7) / 8 }

  /// Whether the words from a place on are these octets.
  func hold(_ octets: Span<UInt8>, from place: Int) -> Bool {
    let number = SharedWords.count(forOctets: octets.count)
    // SAFETY: the places are among the words.
    guard place >= 0, number <= count - place, let words = unsafe words else { return false }
    let isWhole = octets.count & 7 == 0
    let whole = octets.count >> 3
    for index in 0..<whole {
      // SAFETY: eight octets are there for each of so many words.
      let word = unsafe octets.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index &* 8, as: UInt64.self)
      if unsafe words[place &+ index].load(ordering: .acquiring) != word { return false }
    }
    return unsafe isWhole
      || words[place + whole].load(ordering: .acquiring) == SharedWords.word(whole, of: octets)
  }

  /// Stores octets from a place on, if there is room.
  func store(_ octets: Span<UInt8>, from place: Int) {
    for index in 0..<SharedWords.count(forOctets: octets.count) {
      store(SharedWords.word(index, of: octets), at: place + index)
    }
  }

  private static func word(_ index: Int, of octets: Span<UInt8>) -> UInt64 {
    let eight = octets.extracting(droppingFirst: index * 8).extracting(first: 8)
    var word: UInt64 = 0
    for place in eight.indices { word |= UInt64(eight[place]) << UInt64(8 * place) }
    return UInt64(littleEndian: word)
  }
}

/// Slots of so many words, in sets of at most eight. A number tells the set; in each, what nobody has
/// asked for since it was last looked at makes room first. A set takes memory when it is first used.
struct SharedSlots: ~Copyable, Sendable {
  private let count: Int
  private let ways: Int
  private let size: Int

  /// Where the sets are.
  private let address: UInt

  init(slots: Int, words size: Int) {
    ways = min(max(slots, 1), 8)
    count = max(slots / ways, 1)
    self.size = size
    // SAFETY: all are initialised here, before anybody else knows of them.
    let sets = UnsafeMutablePointer<SharedWords>.allocate(capacity: count)
    for set in 0..<count { unsafe (sets + set).initialize(to: SharedWords(count: 1 + ways * size)) }
    address = UInt(bitPattern: sets)
  }

  deinit {
    // SAFETY: `init` made so many there, and nobody reads them any more.
    guard let sets = unsafe sets else { return }
    unsafe sets.deinitialize(count: count)
    unsafe sets.deallocate()
  }

  // SAFETY: the address is that of `count` sets, which stay there as long as this does.
  private var sets: UnsafeMutablePointer<SharedWords>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  /// Whether one of the slots that a number tells is the right one: that is asked with the words of its
  /// set and the place of its first word among them.
  ///
  /// A word is written when a slot is asked for the first time since somebody looked for room.
  func contains(_ number: UInt64, _ isRight: (borrowing SharedWords, Int) -> Bool) -> Bool {
    // SAFETY: the place is one of the sets.
    guard let sets = unsafe sets else { return false }
    let set = unsafe sets + place(of: number)
    for slot in 0..<ways where unsafe isRight(set.pointee, 1 + slot * size) {
      let bit: UInt64 = 1 << UInt64(slot)
      if unsafe set.pointee[0] & bit == 0 { unsafe set.pointee.insert(bit, at: 0) }
      return true
    }
    return false
  }

  /// Has something new written into a slot. Only one thread may do so at a time.
  func add(_ number: UInt64, _ write: (borrowing SharedWords, Int) -> Void) {
    // SAFETY: the place is one of the sets.
    guard let sets = unsafe sets else { return }
    let set = unsafe sets + place(of: number)
    let head = unsafe set.pointee[0]
    var wereAsked = head & 0xFF
    var slot = Int(head >> 8) % ways
    while wereAsked >> UInt64(slot) & 1 == 1 {
      wereAsked &= ~(1 << UInt64(slot))
      slot = (slot + 1) % ways
    }
    unsafe set.pointee.store(UInt64((slot + 1) % ways) << 8 | wereAsked, at: 0)
    unsafe write(set.pointee, 1 + slot * size)
  }

  private func place(of number: UInt64) -> Int { Int(number % UInt64(count)) }
}
