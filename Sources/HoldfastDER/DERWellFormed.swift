extension DERReader {
  /// The deepest nesting that any input may have.
  package static let deepestNesting = 32

  /// Refuses content that a value of a universal type cannot have in DER, at any depth.
  ///
  /// For values whose type only their tag tells. What has a tag of another class may be of any type.
  ///
  /// - Parameter checksStrings: Whether strings have only characters of their type.
  package func checkContent(
    of tag: DERTag, in input: [UInt8], checksStrings: Bool = true
  ) throws(DERError) {
    try checkForm(of: tag, in: input, checksStrings: checksStrings)
    if tag.isConstructed { try checkNested(in: input, checksStrings: checksStrings) }
  }

  /// The same for one element, without a look at what is inside.
  private func checkForm(
    of tag: DERTag, in input: [UInt8], checksStrings: Bool
  ) throws(DERError) {
    guard tag.isUniversal else { return }
    switch tag {
    case .utf8String, .printableString, .ia5String:
      if checksStrings { try NameString.check(tag, self, in: input) }
    case .sequence, .set, .external, .embeddedValue, .characterString: return
    case .boolean: try checkBoolean(in: input)
    case .integer, .enumerated: try checkInteger(in: input)
    case .bitString: _ = try bitString(in: input)
    case .null: if !isAtEnd { throw DERError(.badNull, at: position) }
    case .objectIdentifier: _ = try OID(self, in: input)
    case .utcTime: _ = try Timestamp(utcTime: self, in: input)
    case .generalizedTime: try Timestamp.check(generalizedTime: self, in: input)
    default:
      // X.690 §8.1.2.5 and §10.2: strings and the like are primitive, and what has a name above is not.
      guard !tag.isConstructed, !tag.isNeverPrimitive else {
        throw DERError(.unexpectedChoice(found: tag), at: position)
      }
      if checksStrings { try NameString.check(tag, self, in: input) }
    }
  }

  /// Walks over all that is left, and into everything constructed, and refuses what is not DER.
  ///
  /// For values whose type is unknown: it needs neither recursion nor memory that grows, only the
  /// ends of the elements that enclose the current place.
  package func checkNested(in input: [UInt8], checksStrings: Bool = true) throws(DERError) {
    var ends = InlineArray<32, Int>(repeating: end)
    var depth = 0
    var place = position
    while true {
      while place >= ends[depth] {
        if depth == 0 { return }
        depth -= 1
      }
      var cursor = DERReader(unchecked: place, ends[depth])
      let (tag, content) = try cursor.readAny(in: input)
      try content.checkForm(of: tag, in: input, checksStrings: checksStrings)
      guard tag.isConstructed else {
        place = cursor.position
        continue
      }
      guard depth + 1 < DERReader.deepestNesting else {
        throw DERError(.tooDeep(limit: DERReader.deepestNesting), at: place)
      }
      depth += 1
      ends[depth] = content.end
      place = content.position
    }
  }

  /// Whether the elements that are left are in the order of a SET OF. X.690 §11.6.
  ///
  /// The order is that of the encodings, byte by byte; a shorter one that is the beginning of a
  /// longer one comes first, as if it were padded with zeros.
  package func isSorted(in input: [UInt8]) throws(DERError) -> Bool {
    var reader = self
    guard !reader.isAtEnd else { return true }
    var previous = try reader.skipAny(in: input).rest(in: input)
    while !reader.isAtEnd {
      let next = try reader.skipAny(in: input).rest(in: input)
      if next.lexicographicallyPrecedes(previous) { return false }
      previous = next
    }
    return true
  }
}
