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
    var entryDeviations: [EncodingDeviation] = []
    var counter = entries
    var count = 0
    while !counter.isAtEnd {
      _ = try counter.read(.sequence, in: input)
      count &+= 1
    }
    slots.reserveCapacity(count)
    var reader = entries
    while !reader.isAtEnd {
      let offset = reader.position
      let outline = try RevokedCertificateOutline(&reader, in: input, version: version)
      let mixed = RevokedCertificateIndex.mix(outline.serialNumber, in: input)
      slots.append((mixed << 32) | UInt64(offset))
      if outline.extensions != nil {
        try check(offset, reader.position, in: input, &entryDeviations)
      }
    }
    deviations += entryDeviations
    slots.sort()
    sortTies(in: input)
  }

  /// Reads the extensions of one entry, and records its issuer, deviations and critical extensions.
  private mutating func check(
    _ offset: Int, _ end: Int, in input: [UInt8], _ entryDeviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var cursor = DERReader(unchecked: offset, end)
    var noted: [EncodingDeviation] = []
    let entry = try RevokedCertificate(&cursor, in: input, version: 2, &noted)
    if unknownCriticalExtension == nil {
      unknownCriticalExtension = Extension.firstUnknownCritical(in: entry.extensions)
    }
    if !noted.isEmpty {
      entryDeviations = EncodingDeviation.firstOfEachKind(entryDeviations + noted)
    }
    if !entry.certificateIssuer.isEmpty {
      issuerOffsets.append(UInt32(truncatingIfNeeded: offset))
    }
  }

  /// Returns the offsets of the entries with a serial number, ascending.
  func offsets(
    of serialNumber: Bytes, in input: [UInt8]
  ) -> some RandomAccessCollection<Int> {
    let mixed = RevokedCertificateIndex.mix(DERReader(serialNumber), in: serialNumber.input)
    let low = partitionPoint(of: slots.count) {
      let own = slots[$0] >> 32
      return own == mixed
        ? serial(slots[$0], in: input).isLess(than: serialNumber) : own < mixed
    }
    var high = low
    if low < slots.count, serial(slots[low], in: input) == serialNumber {
      high = partitionPoint(of: slots.count) {
        let own = slots[$0] >> 32
        return own == mixed
          ? !serialNumber.isLess(than: serial(slots[$0], in: input)) : own < mixed
      }
    }
    return slots[low..<high].lazy.map { Int($0 & 0xFFFF_FFFF) }
  }

  /// Returns the offset of the entry that names the issuer for the entry at an offset: the entry
  /// itself or the last preceding one that names an issuer. RFC 5280 §5.3.3.
  func issuerOffset(for offset: Int) -> Int? {
    let next = partitionPoint(of: issuerOffsets.count) { Int(issuerOffsets[$0]) <= offset }
    return next == 0 ? nil : Int(issuerOffsets[next - 1])
  }

  private func serial(_ slot: UInt64, in input: [UInt8]) -> Bytes {
    var cursor = DERReader(unchecked: Int(slot & 0xFFFF_FFFF), input.count)
    do throws(DERError) {
      var entry = try cursor.read(.sequence, in: input)
      return try entry.readInteger(in: input).rest(in: input)
    } catch {
      // Unreachable: the initializer has read all entries.
      return Bytes([])
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
          return first == second ? $0 < $1 : first.isLess(than: second)
        }
        slots.replaceSubrange(start..<end, with: run)
      }
      start = end
    }
  }

  /// Returns a 32-bit hash of a serial number.
  @inline(__always)
  private static func mix(_ serialNumber: DERReader, in input: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in serialNumber.position..<serialNumber.end {
      hash = (hash ^ UInt64(input[offset])) &* 0x0000_0100_0000_01B3
    }
    // The low bits of a product depend on few bits of its factors, the high bits on all of them.
    return (hash &* 0x9E37_79B9_7F4A_7C15) >> 32
  }
}
