extension DERCursor {
  /// The deepest nesting that any input may have.
  package static let deepestNesting = 32

  /// Walks over all that is left, and into everything constructed, and refuses what is not DER.
  ///
  /// For values whose type is unknown: it needs neither recursion nor memory that grows, only the
  /// ends of the elements that enclose the current place.
  package func checkNested(in input: [UInt8]) throws(DERError) {
    var ends = InlineArray<32, Int>(repeating: end)
    var depth = 0
    var place = position
    while true {
      while place >= ends[depth] {
        if depth == 0 { return }
        depth -= 1
      }
      var cursor = DERCursor(unchecked: place, ends[depth])
      let (tag, content) = try cursor.readAny(in: input)
      guard tag.isConstructed else {
        place = cursor.position
        continue
      }
      guard depth + 1 < DERCursor.deepestNesting else {
        throw DERError(.tooDeep(limit: DERCursor.deepestNesting), at: place)
      }
      depth += 1
      ends[depth] = content.end
      place = content.position
    }
  }

  /// Whether the elements that are left stand in the order of a SET OF. X.690 §11.6.
  ///
  /// The order is that of the encodings, octet by octet; a shorter one that is the beginning of a
  /// longer one comes first, as if it were padded with zeros.
  package func isSorted(in input: [UInt8]) throws(DERError) -> Bool {
    var cursor = self
    guard !cursor.isAtEnd else { return true }
    var previous = try cursor.readElement(in: input).whole
    while !cursor.isAtEnd {
      let next = try cursor.readElement(in: input).whole
      if next.lexicographicallyPrecedes(previous) { return false }
      previous = next
    }
    return true
  }
}
