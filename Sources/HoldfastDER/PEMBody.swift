/// The base64 between two boundaries.
struct PEMBody {
  /// The octet that is looked at.
  var place: Int
  /// The line ends that were passed.
  var lines = 0
  /// The octets that were decoded.
  var count = 0

  private var group: UInt32 = 0
  private var digits = 0
  private var padding = 0
  private var isAfterBlank = false

  init(place: Int) {
    self.place = place
  }

  /// Stops at the line of the next boundary, at the end of the text or at the first octet that is
  /// wrong. `octets` grows as it needs to.
  mutating func decode(_ text: Span<UInt8>, into octets: inout [UInt8]) -> PEMError.Problem? {
    while true {
      if octets.count &- count < PEMBody.piece {
        octets.append(contentsOf: repeatElement(0, count: octets.count + PEMBody.piece))
      }
      var room = octets.mutableSpan
      if case .end(let problem) = decode(text, into: &room) { return problem }
    }
  }

  /// Why decoding stopped.
  private enum Stop {
    /// There may be too little room for what comes next.
    case full
    /// The body is at its end, or wrong.
    case end(PEMError.Problem?)
  }

  private mutating func decode(
    _ text: Span<UInt8>, into octets: inout MutableSpan<UInt8>
  ) -> Stop {
    let table = Base64.groups
    let groups = table.span.extracting(0..<Base64.groupCount)
    while place < text.count {
      if octets.count &- count < PEMBody.piece { return .full }
      if digits == 0 && padding == 0 && !isAfterBlank {
        decodeWholeLines(text, groups, into: &octets)
        decodeWholeGroups(text, groups, into: &octets)
      }
      guard place < text.count else { break }
      let octet = text[place]
      switch octet {
      case 0x0A:
        lines += 1
        isAfterBlank = false
        if place + 1 < text.count, text[place + 1] == 0x2D {
          place += 1
          return .end(finish())
        }
      case 0x20, 0x09, 0x0D:
        isAfterBlank = true
      case 0x3A:
        return .end(.headers)
      default:
        if isAfterBlank { return .end(.badCharacter(0x20)) }
        if let problem = take(octet, groups, into: &octets) {
          if case .badCharacter = problem, isHeader(text) { return .end(.headers) }
          return .end(problem)
        }
      }
      place += 1
    }
    return .end(.missingEnd)
  }

  /// Whether the line goes on like a header, `Proc-Type: 4,ENCRYPTED`: with a colon after what can be
  /// a name. RFC 1421 §4.6.
  private func isHeader(_ text: Span<UInt8>) -> Bool {
    var index = place
    while index < text.count, index < place + 64 {
      switch text[index] {
      case 0x3A: return true
      case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: index += 1
      default: return false
      }
    }
    return false
  }

  /// The free places that every step finds: those of the longest line, by RFC 7468 §2, and more.
  private static let piece = 256

  /// Lines of 64 digits, as RFC 7468 §2 has them, as long as an LF and no boundary comes after them.
  @inline(__always)
  private mutating func decodeWholeLines(
    _ text: Span<UInt8>, _ groups: Span<UInt32>, into octets: inout MutableSpan<UInt8>
  ) {
    while text.count &- place >= 66 && octets.count &- count >= 64 {
      // The length of this part is known when it is compiled, so none of its places are checked.
      let line = text.extracting(place..<place &+ 66)
      var index = 0
      var next = max(count, 0)
      while index < 64 {
        let first =
          groups[Int(line[index])] | groups[256 &+ Int(line[index &+ 1])]
          | groups[512 &+ Int(line[index &+ 2])] | groups[768 &+ Int(line[index &+ 3])]
        let second =
          groups[Int(line[index &+ 4])] | groups[256 &+ Int(line[index &+ 5])]
          | groups[512 &+ Int(line[index &+ 6])] | groups[768 &+ Int(line[index &+ 7])]
        if first | second > 0x00FF_FFFF { break }
        // From the last: one check is enough for all six.
        octets[next + 5] = UInt8(truncatingIfNeeded: second)
        octets[next + 4] = UInt8(truncatingIfNeeded: second >> 8)
        octets[next + 3] = UInt8(truncatingIfNeeded: second >> 16)
        octets[next + 2] = UInt8(truncatingIfNeeded: first)
        octets[next + 1] = UInt8(truncatingIfNeeded: first >> 8)
        octets[next] = UInt8(truncatingIfNeeded: first >> 16)
        next += 6
        index &+= 8
      }
      place &+= index
      count = next
      guard index == 64, line[64] == 0x0A, line[65] != 0x2D else { return }
      place &+= 1
      lines &+= 1
    }
  }

  /// Four digits at a time, as long as there is nothing else.
  @inline(__always)
  private mutating func decodeWholeGroups(
    _ text: Span<UInt8>, _ groups: Span<UInt32>, into octets: inout MutableSpan<UInt8>
  ) {
    while text.count &- place >= 4 && octets.count &- count >= 4 {
      let four = text.extracting(place..<place &+ 4)
      let group =
        groups[Int(four[0])] | groups[256 &+ Int(four[1])] | groups[512 &+ Int(four[2])]
        | groups[768 &+ Int(four[3])]
      if group > 0x00FF_FFFF { return }
      octets[count] = UInt8(truncatingIfNeeded: group >> 16)
      octets[count &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
      octets[count &+ 2] = UInt8(truncatingIfNeeded: group)
      place &+= 4
      count &+= 3
    }
  }

  /// One digit, or one padding character.
  private mutating func take(
    _ octet: UInt8, _ groups: Span<UInt32>, into octets: inout MutableSpan<UInt8>
  ) -> PEMError.Problem? {
    let value = groups[768 + Int(octet)]
    if octet == 0x3D {
      guard digits + padding >= 2, digits + padding < 4 else { return .badPadding }
      padding += 1
      if digits + padding == 4 { return takePaddedGroup(into: &octets) }
      return nil
    }
    guard value < 64 else { return .badCharacter(octet) }
    guard padding == 0 else { return .badPadding }
    group = group << 6 | value
    digits += 1
    if digits == 4 {
      write(3, of: group, into: &octets)
      group = 0
      digits = 0
    }
    return nil
  }

  private mutating func takePaddedGroup(
    into octets: inout MutableSpan<UInt8>
  ) -> PEMError.Problem? {
    let unused = UInt32(padding * 2)
    guard group & ((1 << unused) - 1) == 0 else { return .nonZeroPadBits }
    write(3 - padding, of: group << UInt32(padding * 6), into: &octets)
    return nil
  }

  private mutating func write(
    _ number: Int, of group: UInt32, into octets: inout MutableSpan<UInt8>
  ) {
    for index in 0..<number where count < octets.count {
      octets[count] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
      count += 1
    }
  }

  /// What is left over where the base64 ends.
  private func finish() -> PEMError.Problem? {
    padding > 0 ? (digits + padding == 4 ? nil : .badPadding) : (digits == 0 ? nil : .badPadding)
  }
}
