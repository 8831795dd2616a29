extension DERReader {
  /// The maximum nesting depth of any input.
  package static let maximumDepth = 32

  /// Checks that content is valid DER for a universal type, at any depth.
  ///
  /// For values whose type is known only from the tag. Tags of other classes may have any type.
  ///
  /// - Parameter checksStrings: Whether to check the characters of strings.
  package func checkContent(
    of tag: DERTag, in input: [UInt8], checksStrings: Bool = true
  ) throws(DERError) {
    try checkForm(of: tag, in: input, checksStrings: checksStrings)
    if tag.isConstructed { try checkNested(in: input, checksStrings: checksStrings) }
  }

  /// Checks the content of one element, without descending into it.
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
      // X.690 §8.1.2.5 and §10.2: all other types are primitive, except those named here.
      guard !tag.isConstructed, !tag.isNeverPrimitive else {
        throw DERError(.unexpectedChoice(found: tag), at: position)
      }
      if checksStrings { try NameString.check(tag, self, in: input) }
    }
  }

  /// Checks that all bytes left are DER, descending into constructed elements.
  ///
  /// For values of unknown type. It uses no recursion and constant memory: only the ends of the
  /// enclosing elements.
  package func checkNested(in input: [UInt8], checksStrings: Bool = true) throws(DERError) {
    var ends = InlineArray<32, Int>(repeating: end)
    var depth = 0
    var offset = position
    while true {
      while offset >= ends[depth] {
        if depth == 0 { return }
        depth -= 1
      }
      var cursor = DERReader(unchecked: offset, ends[depth])
      let (tag, content) = try cursor.readAny(in: input)
      try content.checkForm(of: tag, in: input, checksStrings: checksStrings)
      guard tag.isConstructed else {
        offset = cursor.position
        continue
      }
      guard depth + 1 < DERReader.maximumDepth else {
        throw DERError(.tooDeep(limit: DERReader.maximumDepth), at: offset)
      }
      depth += 1
      ends[depth] = content.end
      offset = content.position
    }
  }

  /// Whether the elements left are in the order of a SET OF. X.690 §11.6.
  ///
  /// The encodings are ordered byte by byte. A shorter one is padded with zeros, so it precedes a
  /// longer one that it begins.
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
