internal import HoldfastDER

/// A reader that knows its field, so that every error names the field.
struct FieldReader {
  private let input: [UInt8]
  private var cursor: DERReader

  /// The field being read.
  var field: IdentityError.Field

  /// Creates a reader of DER.
  init(_ input: [UInt8], _ field: IdentityError.Field) {
    self.init(input, DERReader(input), field)
  }

  private init(_ input: [UInt8], _ cursor: DERReader, _ field: IdentityError.Field) {
    self.input = input
    self.cursor = cursor
    self.field = field
  }

  var isAtEnd: Bool { cursor.isAtEnd }
  var position: Int { cursor.position }
  var nextTag: DERTag? { cursor.nextTag(in: input) }

  /// The remaining bytes.
  var rest: [UInt8] { cursor.rest(in: input).array }

  /// The number of remaining bytes.
  var count: Int { cursor.count }

  /// The number of remaining bytes after leading zeros.
  var significantCount: Int { cursor.rest(in: input).drop { $0 == 0 }.count }

  /// Returns the error for a problem at a position.
  func error(_ problem: DERError.Problem, at offset: Int) -> IdentityError {
    IdentityError(.damaged(Damage(field, .der(problem), at: offset)))
  }

  /// Reads with the cursor and gives an error its field.
  private mutating func take<Value>(
    _ read: (inout DERReader, [UInt8]) throws(DERError) -> Value
  ) throws(IdentityError) -> Value {
    do throws(DERError) {
      return try read(&cursor, input)
    } catch {
      throw self.error(error.problem, at: error.offset)
    }
  }

  mutating func read(_ tag: DERTag) throws(IdentityError) -> FieldReader {
    let inner = try take { (cursor, input) throws(DERError) in try cursor.read(tag, in: input) }
    return FieldReader(input, inner, field)
  }

  mutating func readIfPresent(_ tag: DERTag) throws(IdentityError) -> FieldReader? {
    nextTag == tag ? try read(tag) : nil
  }

  /// Moves past the next element and returns it with its header.
  mutating func readWhole(_ tag: DERTag? = nil) throws(IdentityError) -> [UInt8] {
    let start = cursor.position
    if let tag {
      _ = try read(tag)
    } else {
      _ = try take { (cursor, input) throws(DERError) in try cursor.readAny(in: input) }
    }
    return Array(input[start..<cursor.position])
  }

  /// Reads the next element and returns its content.
  mutating func readBytes(_ tag: DERTag) throws(IdentityError) -> [UInt8] {
    try read(tag).rest
  }

  /// Reads `[number] IMPLICIT OCTET STRING`, which may still be in parts: `BERNormalizer` cannot
  /// know from the tag that it is a string.
  mutating func readImplicitString(_ number: UInt8) throws(IdentityError) -> [UInt8] {
    guard nextTag == .constructedContext(number) else { return try readBytes(.context(number)) }
    var parts = try read(.constructedContext(number))
    var bytes: [UInt8] = []
    while !parts.isAtEnd { bytes += try parts.readBytes(.octetString) }
    return bytes
  }

  mutating func readOID() throws(IdentityError) -> OID {
    try take { (cursor, input) throws(DERError) in try cursor.readOID(in: input) }
  }

  /// Reads an INTEGER from 0 to `highest`.
  mutating func readNumber(upTo highest: Int = .max) throws(IdentityError) -> Int {
    try take { (cursor, input) throws(DERError) in
      Int(try cursor.readUInt64(upTo: UInt64(highest), in: input))
    }
  }

  /// Reads an INTEGER that is not negative and returns it with its header.
  mutating func readPositiveWhole() throws(IdentityError) -> [UInt8] {
    let start = cursor.position
    try take { (cursor, input) throws(DERError) in
      let content = try cursor.readInteger(in: input)
      if input[content.position] >= 0x80 { throw DERError(.integerOutOfRange, at: start) }
    }
    return Array(input[start..<cursor.position])
  }

  /// Reads a BIT STRING without unused bits and returns its bytes.
  mutating func readBits(_ tag: DERTag = .bitString) throws(IdentityError) -> [UInt8] {
    try take { (cursor, input) throws(DERError) in
      let start = cursor.position
      let string = try cursor.readBitString(tag, in: input)
      guard string.unusedBits == 0 else { throw DERError(.badBitString, at: start) }
      return string.bytes.array
    }
  }

  /// Reads an AlgorithmIdentifier and returns its OID and a reader of its parameters.
  mutating func readAlgorithm() throws(IdentityError) -> (name: OID, parameters: FieldReader) {
    var identifier = try read(.sequence)
    return (try identifier.readOID(), identifier)
  }

  /// Throws if any bytes are left.
  func finish() throws(IdentityError) {
    guard isAtEnd else { throw error(.trailingData, at: position) }
  }
}
