internal import HoldfastJSON

extension JSONValue {
  /// Decodes a type that Swift's `Decodable` describes.
  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try Content(from: TreeDecoder(value: self, codingPath: []))
  }
}

/// Swift's `Decoder` over a tree. RFC 8259 has one kind of number; the suites have whole ones.
private struct TreeDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object") }
    let values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    return KeyedDecodingContainer(Members(members: values, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch("an array") }
    return Elements(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(
      JSONValue.self,
      DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected)"))
  }

  func number<Number: LosslessStringConvertible>(_ type: Number.Type) throws -> Number {
    guard case .number(let text) = value, let number = Number(text) else {
      throw mismatch("a number of type \(type)")
    }
    return number
  }

  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch("true or false") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = value else { throw mismatch("a string") }
    return value
  }

  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try Content(from: self)
  }

  func decode(_ type: Double.Type) throws -> Double { try number(type) }
  func decode(_ type: Float.Type) throws -> Float { try number(type) }
  func decode(_ type: Int.Type) throws -> Int { try number(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  func superDecoder() throws -> any Decoder {
    let values = members.map { JSONValue.Member(name: $0.key, value: $0.value) }
    return TreeDecoder(value: .object(values), codingPath: codingPath)
  }

  private func member(_ key: Key) throws -> TreeDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such member"))
    }
    return TreeDecoder(value: value, codingPath: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    try member(key).decode(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try member(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try member(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try member(key).decode(type)
  }
}

/// The elements of an array, one after another.
private struct Elements: UnkeyedDecodingContainer {
  let values: [JSONValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex == values.count }

  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map { "\($0)" } ?? "" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
  }

  private mutating func element() throws -> TreeDecoder {
    let path = codingPath + [Index(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        DecodingError.Context(codingPath: path, debugDescription: "the array is too short"))
    }
    defer { currentIndex += 1 }
    return TreeDecoder(value: values[currentIndex], codingPath: path)
  }

  mutating func superDecoder() throws -> any Decoder { try element() }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try element().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element().unkeyedContainer()
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try element().decode(type)
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element().decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try element().decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try element().decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try element().decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try element().decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try element().decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try element().decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try element().decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try element().decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try element().decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element().decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element().decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element().decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element().decode(type) }
}
