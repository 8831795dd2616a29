internal import Holdfast
internal import HoldfastDER

/// What a file of a revocation filter covers: an item of `holdfast inspect`.
///
/// In JSON it has `version`, `isDelta`, `size`, `coverageEnd`, `coverage` (a list of `log`, `first`
/// and `last`), the number of `issuers` and their `issuerKeyHashes`.
extension Document {
  /// - Parameter limit: How many logs and issuers are shown at most.
  init(_ card: Clubcard, in file: String, entries limit: Int) {
    self.init(title: "\(InputLocation(file: file)): revocation filter")
    add("file", file)
    add("kind", "revocation filter")
    add("version", "version", card.version)
    add("part", "isDelta", Shown(card.isDelta, card.isDelta ? "a delta" : "a base"))
    add("size", "size", Shown(card.size, "\(card.size) bytes"))
    add("covers until", "coverageEnd", "\(card.coverageEnd)")
    let coverage = card.coverage
    add("logs", nil, "\(coverage.count)")
    let logs = coverage.prefix(limit)
    add("", nil, logs.map { "\($0.log)  \($0.first) to \($0.last)" })
    addRest(coverage.count - logs.count)
    add(
      "coverage",
      logs.map {
        ["log": "\($0.log)", "first": "\($0.first)", "last": "\($0.last)"] as Document
      })
    let hashes = card.issuerKeyHashes
    let issuers = hashes.prefix(limit)
    add("issuers", "issuers", hashes.count)
    add("", "issuerKeyHashes", issuers.map { Hexadecimal.text(of: $0) })
    addRest(hashes.count - issuers.count)
  }

  private mutating func addRest(_ count: Int) {
    if count > 0 { add("", nil, "and \(count) more") }
  }
}
