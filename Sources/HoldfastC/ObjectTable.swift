internal import HoldfastBase

/// The objects that a C program holds, by numbers that look like pointers.
///
/// A number is never the address of anything, and each is used once: so an object that was freed, one of
/// another kind or a pointer to something else is not found, instead of being read. A number is made of a
/// bit that makes it odd, the kind, the place in the table, and how often the place was used before.
struct ObjectTable<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let kind: UInt
  private let places = Guarded(Places())

  private static var kindBits: UInt { 2 }
  /// Four million objects; 16,384 where a pointer has 32 bits.
  private static var placeBits: UInt { UInt.bitWidth == 64 ? 22 : 14 }
  private static var placeMask: UInt { 1 << placeBits - 1 }
  private static var maximumUses: UInt { .max >> (1 + kindBits + placeBits) }

  private struct Places: Sendable {
    var objects: [Object?] = []
    /// How often each place was used.
    var uses: [UInt] = []
    var free: [Int] = []
  }

  /// - Parameter kind: From 1 to 3; tables have different ones.
  init(kind: UInt) { self.kind = kind }

  /// Returns a number for an object; nil if there are too many.
  func insert(_ object: Object) -> UInt? {
    places.withLock { places in
      if let place = places.free.popLast() {
        places.objects[place] = object
        return number(of: place, uses: places.uses[place])
      }
      guard places.objects.count <= Int(Self.placeMask) else { return nil }
      places.objects.append(object)
      places.uses.append(1)
      return number(of: places.objects.count - 1, uses: 1)
    }
  }

  /// Returns the object with a number; nil if there is none any more.
  func object(_ number: UInt) -> Object? {
    places.withLock { places in
      place(of: number, places).flatMap { places.objects[$0] }
    }
  }

  /// Removes the object with a number, and returns it; nil if there is none any more.
  func remove(_ number: UInt) -> Object? {
    places.withLock { places in
      guard let place = place(of: number, places) else { return nil }
      let object = places.objects[place]
      places.objects[place] = nil
      // A place whose numbers are used up is not used again.
      if places.uses[place] < Self.maximumUses {
        places.uses[place] += 1
        places.free.append(place)
      }
      return object
    }
  }

  private func number(of place: Int, uses: UInt) -> UInt {
    ((uses << Self.placeBits | UInt(place)) << Self.kindBits | kind) << 1 | 1
  }

  /// The place of an object that is in the table.
  private func place(of number: UInt, _ places: borrowing Places) -> Int? {
    guard number & 1 == 1, number >> 1 & (1 << Self.kindBits - 1) == kind else { return nil }
    let rest = number >> (1 + Self.kindBits)
    let place = Int(rest & Self.placeMask)
    guard place < places.objects.count, places.uses[place] == rest >> Self.placeBits,
      places.objects[place] != nil
    else { return nil }
    return place
  }
}

/// The policies and the answers that the program holds.
enum Objects {
  static let policies = ObjectTable<Policy>(kind: 1)
  static let answers = ObjectTable<GivenAnswer>(kind: 2)
}
