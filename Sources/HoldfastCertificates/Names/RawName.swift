internal import HoldfastDER

/// A distinguished name as it is read, without a reference to the input. RFC 5280 §4.1.2.4.
struct RawName {
  /// The SEQUENCE as it stands, header included.
  let whole: DERCursor
  /// The relative names inside.
  let content: DERCursor

  /// The most attributes of one relative name. X.501 has no such limit; certificates have one
  /// attribute, seldom two. As a relative name is a set, comparing two takes the square of it.
  static let mostAttributes = 16

  /// Reads a name and checks its structure and, if asked, that its strings have only octets that
  /// their types have; notes what X.690 forbids but others read.
  init(
    _ reader: inout DERCursor, in input: borrowing [UInt8], checksStrings: Bool,
    _ findings: inout [Finding]
  ) throws(DERError) {
    let start = reader.position
    content = try reader.read(.sequence, in: input)
    whole = DERCursor(unchecked: start, reader.position)
    try RawName.check(content, in: input, checksStrings: checksStrings, &findings)
  }

  /// Checks relative names, which stand without a header around them.
  static func check(
    _ names: DERCursor, in input: [UInt8], checksStrings: Bool, _ findings: inout [Finding]
  ) throws(DERError) {
    var names = names
    while !names.isAtEnd {
      let start = names.position
      let set = try names.read(.set, in: input)
      var attributes = set
      guard !attributes.isAtEnd else { throw DERError(.empty, at: start) }
      var count = 0
      while !attributes.isAtEnd {
        let place = attributes.position
        let attribute = try RawAttribute(&attributes, in: input)
        guard count < mostAttributes else {
          throw DERError(.tooMany(limit: mostAttributes), at: place)
        }
        try attribute.value.checkContent(
          of: attribute.tag, in: input, checksStrings: checksStrings)
        count &+= 1
      }
      if count > 1, try !set.isSorted(in: input) { findings.append(.setNotSorted(at: start)) }
    }
  }
}

/// An attribute as it is read, without a reference to the input.
struct RawAttribute {
  let type: OID
  let tag: DERTag
  let value: DERCursor

  @inline(__always)
  init(_ set: inout DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    var attribute = try set.read(.sequence, in: input)
    type = try attribute.readOID(in: input)
    (tag, value) = try attribute.readAny(in: input)
    try attribute.finish()
  }
}
