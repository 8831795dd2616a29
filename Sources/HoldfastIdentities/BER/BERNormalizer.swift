internal import HoldfastDER

/// Converts the BER that exporters write into DER for the strict reader.
///
/// It replaces indefinite and overlong lengths, and joins OCTET STRINGs that are in parts. X.690
/// §8.1.3, §8.7.3. Everything else stays byte for byte, so DER is unchanged, and so are the bytes
/// that a certificate's signature covers.
struct BERNormalizer {
  /// The deepest nesting: sixteen nested bags of three levels each, and the contents of the last
  /// one.
  static let maximumDepth = 64

  /// An element that has begun and not ended.
  private struct Frame {
    let tag: DERTag
    /// Where its content begins in the output.
    let start: Int
    /// The position in the input before which it ends.
    let limit: Int
    let isIndefinite: Bool
    /// Whether it is a part of a string; a part has no header in the output.
    let isPart: Bool

    /// Whether it is an OCTET STRING in parts.
    var isString: Bool { tag == BERNormalizer.partedString }
  }

  private static let partedString = DERTag(rawValue: 0x24)

  private let input: [UInt8]
  private var offset = 0
  private var output: [UInt8] = []
  private var open: [Frame] = []

  private init(_ input: [UInt8]) {
    self.input = input
    // The DER is hardly ever longer. A buffer that had to grow would leave a copy of a secret
    // behind.
    output.reserveCapacity(input.count + 1024)
  }

  /// Returns the DER of an input that is exactly one element.
  static func normalized(_ input: [UInt8]) throws(DERError) -> [UInt8] {
    var normalizer = BERNormalizer(input)
    do throws(DERError) {
      try normalizer.run()
    } catch {
      SecretBytes.overwrite(&normalizer.output)
      throw error
    }
    return normalizer.output
  }

  private mutating func run() throws(DERError) {
    repeat {
      if let frame = open.last, endsHere(frame) {
        close()
      } else {
        try readElement()
      }
    } while !open.isEmpty
    guard offset == input.count else { throw DERError(.trailingData, at: offset) }
  }

  /// Whether an element ends here; moves past the two zero bytes that end an indefinite length.
  private mutating func endsHere(_ frame: Frame) -> Bool {
    guard frame.isIndefinite else { return offset == frame.limit }
    guard frame.limit - offset >= 2, input[offset] == 0, input[offset + 1] == 0 else {
      return false
    }
    offset += 2
    return true
  }

  private mutating func readElement() throws(DERError) {
    let start = offset
    let limit = open.last?.limit ?? input.count
    guard limit - offset >= 2 else { throw DERError(.truncated, at: start) }
    let tag = DERTag(rawValue: input[offset])
    guard tag.number != 0x1F else { throw DERError(.highTag, at: start) }
    guard tag.rawValue != 0 else { throw DERError(.unexpectedChoice(found: tag), at: start) }
    let length = try readLength(before: limit)
    let isPart = open.last?.isString == true
    if isPart, tag != .octetString, tag != Self.partedString {
      throw DERError(.unexpectedTag(found: tag, expected: .octetString), at: start)
    }
    if tag.isConstructed {
      // OCTET STRING is the only string type that exporters write in parts.
      let isOtherString = tag.rawValue < 0x40 && tag != .sequence && tag != .set
      if isOtherString, tag != Self.partedString {
        throw DERError(.unexpectedChoice(found: tag), at: start)
      }
      guard open.count < Self.maximumDepth else {
        throw DERError(.tooDeep(limit: Self.maximumDepth), at: start)
      }
      open.append(
        Frame(
          tag: tag, start: output.count, limit: length.map { offset + $0 } ?? limit,
          isIndefinite: length == nil, isPart: isPart))
    } else {
      guard let length else { throw DERError(.indefiniteLength, at: start + 1) }
      if !isPart { output += Self.header(tag, length) }
      output += input[offset..<offset + length]
      offset += length
    }
  }

  /// Reads a header and returns the length; nil if it is indefinite. X.690 §8.1.3.
  private mutating func readLength(before limit: Int) throws(DERError) -> Int? {
    let start = offset + 1
    let first = input[start]
    offset += 2
    guard first != 0x80 else { return nil }
    var length = Int(first)
    if first > 0x80 {
      length = 0
      guard Int(first & 0x7F) <= limit - offset else { throw DERError(.truncated, at: start) }
      for _ in 0..<first & 0x7F {
        guard length <= Int(Int32.max) >> 8 else { throw DERError(.excessiveLength, at: start) }
        length = length << 8 | Int(input[offset])
        offset += 1
      }
    }
    guard length <= limit - offset else { throw DERError(.truncated, at: start) }
    return length
  }

  private mutating func close() {
    guard let frame = open.popLast(), !frame.isPart else { return }
    let tag = frame.isString ? DERTag.octetString : frame.tag
    let header = Self.header(tag, output.count - frame.start)
    output.insert(contentsOf: header, at: frame.start)
  }

  /// Returns the shortest header. X.690 §10.1.
  private static func header(_ tag: DERTag, _ length: Int) -> [UInt8] {
    guard length >= 0x80 else { return [tag.rawValue, UInt8(length)] }
    let count = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return [tag.rawValue, 0x80 | UInt8(count)] + bytes
  }
}
