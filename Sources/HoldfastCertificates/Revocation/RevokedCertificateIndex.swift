internal import HoldfastDER

/// The offsets of the entries of a CRL, ordered for look-up by serial number.
///
/// One pass checks all entries completely. The index keeps eight bytes per entry: its offset and a
/// 32-bit hash of its serial number, which determines the order. Entries with equal hashes are
/// ordered by serial number, and those with equal serial numbers by offset. So a look-up bisects,
/// whatever the serial numbers are: both ends of a run of equal ones are found without reading it.
struct RevokedCertificateIndex: Sendable {
  /// The hash of the serial number in the upper half, the offset of the entry in the lower half.
  private(set) var slots: [UInt64] = []

  /// The offsets of the entries that name the issuer of their certificate, ascending.
  private(set) var issuerOffsets: [UInt32] = []

  /// An unknown critical extension of an entry, if any.
  private(set) var unknownCriticalExtension: OID?

  /// Reads all entries; the reader is inside the SEQUENCE.
  ///
  /// Records only the first deviation for each section.
  init(
    _ entries: DERReader, in input: [UInt8], version: Int, _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var counter = entries
    var count = 0
    while !counter.isAtEnd {
      _ = try counter.read(.sequence, in: input)
      count &+= 1
    }
    slots.reserveCapacity(count)
    var kept: [EncodingDeviation] = []
    var noted: [EncodingDeviation] = []
    var reader = entries
    while !reader.isAtEnd {
      let offset = reader.position
      let entry = try RevokedCertificateOutline(
        &reader, in: input, version: version, &unknownCriticalExtension, &noted)
      let mixed = RevokedCertificateIndex.mix(entry.serialNumber, in: input)
      slots.append((mixed << 32) | UInt64(offset))
      if entry.values.issuer != nil { issuerOffsets.append(UInt32(truncatingIfNeeded: offset)) }
      // The first of each section: a list may have millions of entries.
      for next in noted where !kept.contains(where: { $0.citation == next.citation }) {
        kept.append(next)
      }
      noted.removeAll(keepingCapacity: true)
    }
    deviations += kept
    sortByUpperHalf(&slots)
    sortTies(in: input)
  }

  /// Returns the slots of the entries with a serial number, in the order of the entries.
  func slots(of serialNumber: Bytes, in input: [UInt8]) -> Range<Int> {
    let mixed = RevokedCertificateIndex.mix(DERReader(serialNumber), in: serialNumber.input)
    let low = partitionPoint(of: slots.count) { slots[$0] >> 32 < mixed }
    guard low < slots.count, slots[low] >> 32 == mixed else { return low..<low }
    let (number, own) = (DERReader(serialNumber), serialNumber.input)
    // Nearly always one slot has the hash, which the next slot shows.
    guard low + 1 < slots.count, slots[low + 1] >> 32 == mixed else {
      let isEqual = serial(slots[low], in: input).equals(number, in: input, own)
      return low..<(isEqual ? low + 1 : low)
    }
    // Of several the serial numbers decide.
    let count = partitionPoint(of: slots.count - low) { slots[low + $0] >> 32 == mixed }
    let less = partitionPoint(of: count) {
      serial(slots[low + $0], in: input).isLess(than: number, in: input, own)
    }
    let notGreater = partitionPoint(of: count) {
      !number.isLess(than: serial(slots[low + $0], in: input), in: own, input)
    }
    return low + less..<low + notGreater
  }

  /// Returns the offset of the entry of a slot.
  func offset(of slot: Int) -> Int { Int(slots[slot] & 0xFFFF_FFFF) }

  /// Returns the offset of the entry that names the issuer for the entry at an offset: the entry
  /// itself or the last preceding one that names an issuer. RFC 5280 §5.3.3.
  func issuerOffset(for offset: Int) -> Int? {
    let next = partitionPoint(of: issuerOffsets.count) { Int(issuerOffsets[$0]) <= offset }
    return next == 0 ? nil : Int(issuerOffsets[next - 1])
  }

  private func serial(_ slot: UInt64, in input: [UInt8]) -> DERReader {
    var cursor = DERReader(unchecked: Int(slot & 0xFFFF_FFFF), input.count)
    do throws(DERError) {
      var entry = try cursor.read(.sequence, in: input)
      return try entry.readInteger(in: input)
    } catch {
      // Unreachable: the initializer has read all entries.
      return .empty
    }
  }

  /// Sorts entries with equal hashes by their serial numbers, then by their offsets.
  private mutating func sortTies(in input: [UInt8]) {
    var start = 0
    while start < slots.count {
      var end = start + 1
      while end < slots.count, slots[end] >> 32 == slots[start] >> 32 { end += 1 }
      if end - start > 1 {
        let run = slots[start..<end].sorted {
          let (first, second) = (serial($0, in: input), serial($1, in: input))
          return first.equals(second, in: input)
            ? $0 < $1 : first.isLess(than: second, in: input, input)
        }
        slots.replaceSubrange(start..<end, with: run)
      }
      start = end
    }
  }

  /// Returns a 32-bit hash of a serial number.
  @inline(__always)
  private static func mix(_ serialNumber: DERReader, in input: [UInt8]) -> UInt64 {
    let bytes = input.span
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var offset = serialNumber.position
    while serialNumber.end &- offset >= 8 {
      hash = mix(hash, DERReader.word(at: offset, in: bytes))
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < serialNumber.end {
      rest = rest << 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    return mix(hash, rest) >> 32
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    // The low bits of a product depend on few bits of its factors, the high bits on all of them.
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }
}
