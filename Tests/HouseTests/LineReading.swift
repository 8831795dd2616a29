/// What the rules ask of a piece of text.
extension StringProtocol {
  /// Whether a whole word stands in the text, at once followed by `next` if that is given.
  func hasWord(_ word: String, before next: Character? = nil) -> Bool {
    guard utf8.count >= word.utf8.count, contains(word) else { return false }
    var rest = self[...]
    var previous: Character = " "
    while let first = rest.first {
      if rest.hasPrefix(word), !previous.isWordPart {
        let following = rest.dropFirst(word.count).first ?? " "
        if let next {
          if following == next { return true }
        } else if !following.isWordPart {
          return true
        }
      }
      previous = first
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether code unwraps, casts or tries by force: a `!` behind something, and not `!=`.
  var hasForceMark: Bool {
    guard utf8.contains(UInt8(ascii: "!")) else { return false }
    var previous: Character = " "
    var rest = self[...]
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "!", previous.isWordPart || ")]?>}".contains(previous) {
        // `a != b` has a blank before the mark; `a!=b` is not how we write.
        if rest.first != "=" || rest.dropFirst().first == "=" { return true }
      }
      previous = first
    }
    return false
  }

  /// What follows a prefix, after leading blanks and attributes of access.
  func dropping(prefix: String) -> SubSequence? {
    let trimmed = drop { $0 == " " }
    for access in ["", "public ", "package ", "private ", "fileprivate "] {
      if trimmed.hasPrefix(access + prefix) { return trimmed.dropFirst((access + prefix).count) }
    }
    return nil
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
