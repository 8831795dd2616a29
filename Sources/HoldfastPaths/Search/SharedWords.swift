internal import HoldfastDER
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
    for index in 0..<number {
      let word = unsafe words[place + index].load(ordering: .acquiring)
      if word != SharedWords.word(index, of: octets) { return false }
    }
    return true
  }

  /// Stores octets from a place on, if there is room.
  func store(_ octets: Span<UInt8>, from place: Int) {
    for index in 0..<SharedWords.count(forOctets: octets.count) {
      store(SharedWords.word(index, of: octets), at: place + index)
    }
  }

  private static func word(_ index: Int, of octets: Span<UInt8>) -> UInt64 {
    let start = index * 8
    if octets.count - start >= 8 { return DERCursor.word(at: start, in: octets) }
    var word: UInt64 = 0
    for place in start..<octets.count { word = word << 8 | UInt64(octets[place]) }
    return word
  }
}

/// Slots of so many words, in sets of at most eight. A number tells the set; in each, what nobody has
/// asked for since it was last looked at makes room first.
struct SharedSlots: ~Copyable, Sendable {
  let words: SharedWords

  private let sets: Int
  private let ways: Int
  private let size: Int

  init(slots: Int, words size: Int) {
    ways = min(max(slots, 1), 8)
    sets = max(slots / ways, 1)
    self.size = size
    words = SharedWords(count: sets * (1 + ways * size))
  }

  /// Whether one of the slots that a number tells is the right one: that is asked with its first word.
  ///
  /// A word is written when a slot is asked for the first time since somebody looked for room.
  func contains(_ number: UInt64, _ isRight: (Int) -> Bool) -> Bool {
    let set = set(of: number)
    for slot in 0..<ways where isRight(set + 1 + slot * size) {
      let bit: UInt64 = 1 << UInt64(slot)
      if words[set] & bit == 0 { words.insert(bit, at: set) }
      return true
    }
    return false
  }

  /// The first word of a slot for something new. Only one thread may ask at a time.
  func makeRoom(_ number: UInt64) -> Int {
    let set = set(of: number)
    var wereAsked = words[set] & 0xFF
    var slot = Int(words[set] >> 8) % ways
    while wereAsked >> UInt64(slot) & 1 == 1 {
      wereAsked &= ~(1 << UInt64(slot))
      slot = (slot + 1) % ways
    }
    words.store(UInt64((slot + 1) % ways) << 8 | wereAsked, at: set)
    return set + 1 + slot * size
  }

  /// The word of a set that says which slots were asked for, and where to look for room.
  private func set(of number: UInt64) -> Int {
    Int(number % UInt64(sets)) * (1 + ways * size)
  }
}
