/// Searches texts as bytes, and names for misspelt ones. The search of `String` is in the module of
/// regular expressions, which `Scripts/checks/static` leaves out of the tool.
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

  /// Returns the known name nearest to a misspelt one, if one is near. Case is ignored.
  package static func nearestName(to name: String, among known: [String]) -> String? {
    let misspelt = Array(name.lowercased().utf8)
    let ranked = known.map {
      (distance: editDistance(misspelt, Array($0.lowercased().utf8)), name: $0)
    }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, nearest.name.utf8.count / 3)
    else { return nil }
    return nearest.name
  }

  /// Returns the number of bytes to insert, delete, change or swap with a neighbor.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    // Names this long are not typing errors.
    guard a.count <= 64, b.count <= 64 else { return .max }
    var rows = [Array(0...b.count)]
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
