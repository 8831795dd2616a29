#if Curl
  /// Undoes the content coding `gzip`. RFC 1952, RFC 1951.
  ///
  /// libcurl can do this, too, but takes a stream that is cut off for a whole one. Input and output
  /// come in pieces: reading stops where either ends, and goes on there.
  struct GzipReader {
    /// What is wrong with a stream.
    struct Problem: Error, Hashable {
      let text: String
      init(_ text: String) { self.text = text }
    }

    /// What comes next. RFC 1952 §2.3, RFC 1951 §3.2.3.
    private enum State: Equatable {
      case header(Int)
      case optionalField
      case extraLength
      case skipped(Int)
      case zeroEnded
      case block
      case storedLength
      case stored(Int)
      case sizes
      case lengthsOfLengths(Int)
      case lengths
      case symbols
      case copy(distance: Int, left: Int)
      case checksum
      case size
    }

    private var state = State.header(0)
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var flags: UInt32 = 0
    private var isLastBlock = false
    /// The last bytes of the output, to which distances lead back, and the number of all.
    private var window = [UInt8](repeating: 0, count: GzipReader.windowLength)
    private var total: UInt64 = 0
    private var checksum: UInt32 = .max
    /// The number of bytes of the input that were taken, and of those in whole members.
    private var position: UInt64 = 0
    private var end: UInt64 = 0
    /// The numbers of code lengths that a block announces, and those that were read.
    private var literalCount = 0
    private var distanceCount = 0
    private var lengthCount = 0
    private var lengths: [UInt8] = []
    private var lengthCode = PrefixCode.none
    private var literalCode = PrefixCode.none
    private var distanceCode = PrefixCode.none

    private static let windowLength = 32 * 1024

    /// Whether the input may end here: after a member, or before the first one.
    var isComplete: Bool { state == .header(0) && bitCount == 0 }

    /// Reads on from `offset` until the input is used up, or `output` has `limit` bytes.
    mutating func read(
      _ input: Span<UInt8>, from offset: inout Int, to output: inout [UInt8], limit: Int
    ) throws(Problem) {
      while output.count < limit {
        while bitCount <= 56, offset < input.count {
          bits |= UInt64(input[offset]) << UInt64(bitCount)
          bitCount += 8
          offset += 1
          position += 1
        }
        let before = (bits, bitCount)
        guard try step(&output, limit) else {
          // What was taken of something incomplete is taken again with the rest.
          (bits, bitCount) = before
          return
        }
      }
    }

    /// Takes bits, at most 16; nil if there are too few.
    private mutating func take(_ count: Int) -> Int? {
      guard count <= bitCount else { return nil }
      let value = bits & (1 << UInt64(count) - 1)
      bits >>= UInt64(count)
      bitCount -= count
      return Int(value)
    }

    /// Takes 32 bits, which are more than an `Int` has on some processors; nil if there are too few.
    private mutating func takeWord() -> UInt32? {
      guard bitCount >= 32 else { return nil }
      defer { (bits, bitCount) = (bits >> 32, bitCount - 32) }
      return UInt32(truncatingIfNeeded: bits)
    }

    /// Drops the bits before the next byte.
    private mutating func align() { _ = take(bitCount % 8) }

    /// Takes what comes next; false if the input is too short for it.
    private mutating func step(_ output: inout [UInt8], _ limit: Int) throws(Problem) -> Bool {
      switch state {
      case .header(let index):
        guard let byte = take(8) else { return false }
        try readHeader(index, byte)
      case .optionalField: beginOptionalField()
      case .extraLength:
        guard let count = take(16) else { return false }
        state = .skipped(count)
      case .skipped(let left):
        guard left > 0 else {
          state = .optionalField
          return true
        }
        guard take(8) != nil else { return false }
        state = .skipped(left - 1)
      case .zeroEnded:
        guard let byte = take(8) else { return false }
        if byte == 0 { state = .optionalField }
      case .block:
        guard let head = take(3) else { return false }
        try beginBlock(isLast: head & 1 == 1, kind: head >> 1)
      case .storedLength:
        guard let length = take(16), let complement = take(16) else { return false }
        guard length ^ complement == 0xFFFF else { throw Problem("a stored length is damaged") }
        state = .stored(length)
      case .stored(var left):
        while left > 0, output.count < limit, let byte = take(8) {
          emit(UInt8(byte), to: &output)
          left -= 1
        }
        let isStuck = left > 0 && output.count < limit && state == .stored(left)
        state = .stored(left)
        if left == 0 { endBlock() }
        return !isStuck
      case .sizes, .lengthsOfLengths, .lengths: return try readLengths()
      case .symbols: return try readSymbol(to: &output)
      case .copy(let distance, var left):
        while left > 0, output.count < limit {
          emit(window[GzipReader.place(total - UInt64(distance))], to: &output)
          left -= 1
        }
        state = left == 0 ? .symbols : .copy(distance: distance, left: left)
      case .checksum:
        guard let value = takeWord() else { return false }
        guard value == ~checksum else { throw Problem("its checksum is wrong") }
        state = .size
      case .size:
        guard let value = takeWord() else { return false }
        guard value == UInt32(truncatingIfNeeded: total) else {
          throw Problem("its length is wrong")
        }
        (total, checksum, end) = (0, .max, position - UInt64(bitCount / 8))
        // RFC 1952 §2.2: another member may follow.
        state = .header(0)
      }
      return true
    }

    private mutating func emit(_ byte: UInt8, to output: inout [UInt8]) {
      output.append(byte)
      window[GzipReader.place(total)] = byte
      total += 1
      checksum =
        checksum >> 8 ^ GzipReader.checksums[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)]
    }

    /// Where a byte of the output is in the window.
    private static func place(_ index: UInt64) -> Int { Int(index % UInt64(windowLength)) }

    /// CRC-32 of each byte. RFC 1952 §8.
    private static let checksums: [UInt32] = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// The header of a member. RFC 1952 §2.3.
  extension GzipReader {
    private mutating func readHeader(_ index: Int, _ byte: Int) throws(Problem) {
      let expected: [Int?] = [0x1F, 0x8B, 8]
      if index < expected.count, byte != expected[index] {
        throw Problem(
          end == 0
            ? "it is no gzip stream"
            : "byte \(end + UInt64(index)), after its end, is not of another member")
      }
      if index == 3 {
        guard byte & 0xE0 == 0 else { throw Problem("it has unknown flags") }
        flags = UInt32(byte)
      }
      state = index == 9 ? .optionalField : .header(index + 1)
    }

    /// FEXTRA, FNAME, FCOMMENT and FHCRC, each of which its flag announces. What they say is skipped.
    private mutating func beginOptionalField() {
      for (flag, next) in [
        (4, State.extraLength), (8, .zeroEnded), (16, .zeroEnded), (2, .skipped(2)),
      ] as [(UInt32, State)] where flags & flag != 0 {
        flags &= ~flag
        state = next
        return
      }
      state = .block
    }
  }

  /// Blocks. RFC 1951 §3.2.
  extension GzipReader {
    private mutating func beginBlock(isLast: Bool, kind: Int) throws(Problem) {
      isLastBlock = isLast
      switch kind {
      case 0:
        align()
        state = .storedLength
      case 1:
        (literalCode, distanceCode) = (.fixedLiterals, .fixedDistances)
        state = .symbols
      case 2: state = .sizes
      default: throw Problem("it has a block of an unknown kind")
      }
    }

    private mutating func endBlock() {
      if isLastBlock { align() }
      state = isLastBlock ? .checksum : .block
    }

    /// The order in which the lengths of the codes for code lengths are written. RFC 1951 §3.2.7.
    private static let order = [
      16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    /// Reads a part of the codes of a block; false if the input is too short for it.
    private mutating func readLengths() throws(Problem) -> Bool {
      switch state {
      case .sizes:
        guard let literals = take(5), let distances = take(5), let count = take(4) else {
          return false
        }
        (literalCount, distanceCount, lengthCount) = (literals + 257, distances + 1, count + 4)
        guard literalCount <= 286, distanceCount <= 30 else {
          throw Problem("a block has too many codes")
        }
        lengths = [UInt8](repeating: 0, count: 19)
        state = .lengthsOfLengths(0)
      case .lengthsOfLengths(let index):
        guard index < lengthCount else {
          lengthCode = try PrefixCode(lengths[...])
          lengths = []
          state = .lengths
          return true
        }
        guard let length = take(3) else { return false }
        lengths[GzipReader.order[index]] = UInt8(length)
        state = .lengthsOfLengths(index + 1)
      default:
        guard lengths.count < literalCount + distanceCount else {
          guard lengths[256] > 0 else { throw Problem("a block has no end") }
          literalCode = try PrefixCode(lengths[..<literalCount], mayBeIncomplete: true)
          distanceCode = try PrefixCode(lengths[literalCount...], mayBeIncomplete: true)
          state = .symbols
          return true
        }
        guard let symbol = try takeSymbol(lengthCode) else { return false }
        var (length, repetitions) = (UInt8(0), 1)
        switch symbol {
        case 16:
          guard let last = lengths.last else { throw Problem("a code length repeats nothing") }
          guard let more = take(2) else { return false }
          (length, repetitions) = (last, 3 + more)
        case 17:
          guard let more = take(3) else { return false }
          repetitions = 3 + more
        case 18:
          guard let more = take(7) else { return false }
          repetitions = 11 + more
        default: length = UInt8(symbol)
        }
        guard repetitions <= literalCount + distanceCount - lengths.count else {
          throw Problem("a block has too many code lengths")
        }
        lengths += repeatElement(length, count: repetitions)
      }
      return true
    }

    /// Lengths from symbol 257 on, and distances. RFC 1951 §3.2.5.
    private static let lengthBases = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
      131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
      2049, 3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
    ]

    /// Reads a byte, or a length and a distance; false if the input is too short for it.
    private mutating func readSymbol(to output: inout [UInt8]) throws(Problem) -> Bool {
      guard let symbol = try takeSymbol(literalCode) else { return false }
      guard symbol > 255 else {
        emit(UInt8(symbol), to: &output)
        return true
      }
      guard symbol > 256 else {
        endBlock()
        return true
      }
      let index = symbol - 257
      guard index < GzipReader.lengthBases.count else { throw Problem("a length is unknown") }
      guard let more = take(GzipReader.lengthBits[index]),
        let place = try takeSymbol(distanceCode)
      else { return false }
      guard place < GzipReader.distanceBases.count else { throw Problem("a distance is unknown") }
      guard let farther = take(max(place / 2 - 1, 0)) else { return false }
      let distance = GzipReader.distanceBases[place] + farther
      guard distance <= total else { throw Problem("a distance leads before the beginning") }
      state = .copy(distance: distance, left: GzipReader.lengthBases[index] + more)
      return true
    }

    /// Takes the symbol of a code; nil if there are too few bits.
    private mutating func takeSymbol(_ code: PrefixCode) throws(Problem) -> Int? {
      var (value, first, index) = (0, 0, 0)
      var rest = bits
      for length in 1..<code.counts.count {
        guard length <= bitCount else { return nil }
        value |= Int(rest & 1)
        rest >>= 1
        let count = code.counts[length]
        if value - first < count {
          bits = rest
          bitCount -= length
          return Int(code.symbols[index + value - first])
        }
        index += count
        first = (first + count) << 1
        value <<= 1
      }
      throw Problem("it has an unknown code")
    }
  }

  /// A code in which no word begins with another. RFC 1951 §3.2.2.
  private struct PrefixCode {
    /// The number of symbols whose word has each length, from 0 to 15.
    let counts: [Int]
    /// The symbols in the order of their words.
    let symbols: [UInt16]

    static let none = PrefixCode(known: [])
    /// The codes of a block without codes of its own. RFC 1951 §3.2.6. An empty one has ten bits, so a
    /// stream can have many of them: these codes are made once.
    static let fixedLiterals = PrefixCode(
      known: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }[...])
    static let fixedDistances = PrefixCode(known: [UInt8](repeating: 5, count: 30)[...])

    /// - Parameter mayBeIncomplete: Whether some words may stand for nothing.
    init(_ lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool = false) throws(GzipReader.Problem) {
      self.init(known: lengths)
      let free = counts[1...].reduce(1) { $0 * 2 - $1 }
      // `free` is negative as soon as one length has too many words, and remains so.
      guard free == 0 || free > 0 && mayBeIncomplete else {
        throw GzipReader.Problem("it has an impossible code")
      }
    }

    /// - Parameter lengths: The lengths of the words of a code, from 0 to 15.
    private init(known lengths: ArraySlice<UInt8>) {
      var counts = [Int](repeating: 0, count: 16)
      for length in lengths { counts[Int(length)] += 1 }
      self.counts = [0] + counts[1...]
      var starts = [0]
      for count in counts[1...] { starts.append((starts.last ?? 0) + count) }
      var symbols = [UInt16](repeating: 0, count: lengths.count - counts[0])
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[starts[Int(length) - 1]] = UInt16(symbol)
        starts[Int(length) - 1] += 1
      }
      self.symbols = symbols
    }
  }
#endif
