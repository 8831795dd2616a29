/// Searches texts as bytes. The search of `String` is in the module of regular expressions, which
/// `Scripts/checks/static` leaves out of the tool.
package enum TextSearch {
  /// Returns where the first occurrence of a part ends.
  package static func end(of part: String, in text: String) -> String.Index? {
    var rest = text.utf8[...]
    while !rest.starts(with: part.utf8) {
      guard rest.popFirst() != nil else { return nil }
    }
    return rest.index(rest.startIndex, offsetBy: part.utf8.count)
  }

  package static func contains(_ part: String, in text: String) -> Bool {
    end(of: part, in: text) != nil
  }
}
