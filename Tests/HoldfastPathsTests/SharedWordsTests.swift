import Testing

@testable import HoldfastPaths

/// What threads share of the memory: words, octets in words, and slots.
struct SharedWordsTests {
  @Test("a word is zero until it is written, and stands where it was written")
  func words() {
    let words = SharedWords(count: 4)
    func all() -> [UInt64] { (-1...5).map { words[$0] } }
    #expect(all() == [0, 0, 0, 0, 0, 0, 0])
    words.insert(1, at: 2)
    #expect(all() == [0, 0, 0, 0, 0, 0, 0])
    words.store(7, at: 3)
    words.insert(8, at: 3)
    words.store(.max, at: 0)
    // Places that are not there are left alone.
    for place in [-1, 4, .max, .min] {
      words.store(9, at: place)
      words.insert(9, at: place)
    }
    #expect(all() == [0, .max, 0, 0, 15, 0, 0])
  }

  @Test("octets of any length are found where they were put, and no others", arguments: 0...25)
  func octets(length: Int) {
    let words = SharedWords(count: 6)
    let octets = (0..<length).map { UInt8(truncatingIfNeeded: 37 &* $0 &+ 1) }
    let size = SharedWords.count(forOctets: length)
    #expect(size == (length + 7) / 8)
    words.store(.max, at: size + 1)
    words.store(octets.span, from: 1)
    func isHeld(_ octets: [UInt8], from place: Int) -> Bool { words.hold(octets.span, from: place) }
    #expect(isHeld(octets, from: 1))
    let around = [words[0], words[size + 1]]
    #expect(around == [0, .max])
    for place in octets.indices {
      var other = octets
      other[place] ^= 0x80
      #expect(!isHeld(other, from: 1))
    }
    for start in [-1, 7, 7 - size] { #expect(!isHeld(octets, from: start)) }
  }

  @Test("of eight slots all are filled before one makes room, and one that is asked for stays")
  func slots() {
    let slots = SharedSlots(slots: 8, words: 2)
    func contains(_ place: Int) -> Bool { slots.contains(5) { $0 == place } }
    let room = (0..<8).map { _ in slots.makeRoom(5) }
    #expect(Set(room).count == 8)
    #expect(contains(room[3]) && !contains(-1))
    let next = (0..<15).map { _ in slots.makeRoom(5) }
    #expect(Array(next.prefix(7)) == Array(room.prefix(3) + room.suffix(4)))
    #expect(next.contains(room[3]))
    // If all were asked for, one makes room all the same.
    for place in room { #expect(contains(place)) }
    let last = slots.makeRoom(5)
    #expect(room.contains(last))
  }

  @Test("as many slots as were asked for, at most, and no two in one place", arguments: 1...40)
  func sizes(count: Int) {
    let slots = SharedSlots(slots: count, words: 3)
    var places: Set<Int> = []
    for number in 0..<UInt64(count) {
      for _ in 0..<8 { places.insert(slots.makeRoom(number)) }
    }
    #expect(places.count <= count && places.count > count - 8)
    let words = places.flatMap { [$0, $0 + 1, $0 + 2] }
    let room = slots.words.count
    #expect(Set(words).count == words.count && (words.max() ?? 0) < room)
  }
}
