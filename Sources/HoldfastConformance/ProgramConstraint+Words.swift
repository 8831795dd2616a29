internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// The words for constraints in `.case` files.
extension ProgramConstraint {
  /// Reads `issuedUntil=2025-06-01T00:00:00Z dnsNames=tr or purposes=emailProtection`: sets of
  /// conditions with `or` between them, `none` for an anchor that is not trusted, or `any` for no
  /// condition; nil if a word is unknown.
  init?(words text: String) {
    var alternatives = [Conditions()]
    for word in ["none", "any"].contains(text) ? [] : text.split(separator: " ") {
      if word == "or" {
        alternatives.append(Conditions())
      } else if !alternatives[alternatives.count - 1].add(word) {
        return nil
      }
    }
    self.init(
      RootProgram("Test", date: Timestamp(secondsSince1970: 1_767_225_600), source: "a case"),
      anyOf: text == "none" ? [] : alternatives)
  }
}

extension ProgramConstraint.Conditions {
  /// Adds the condition of a word such as `loggedUntil=2025-06-01T00:00:00Z`.
  fileprivate mutating func add(_ word: Substring) -> Bool {
    if word == "expiry" {
      enforcesExpiry = true
      return true
    }
    let parts = word.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return false }
    let values = parts[1].split(separator: ",").map(String.init)
    let time = Timestamp(String(parts[1]))
    switch (parts[0], time) {
    case ("issuedUntil", let time?): issuedUntil = time
    case ("issuedAfter", let time?): issuedAfter = time
    case ("loggedUntil", let time?): loggedUntil = time
    case ("loggedAfter", let time?): loggedAfter = time
    case ("dnsNames", nil): dnsNames = values
    case ("purposes", nil): purposes = values.compactMap { OID($0) }
    case ("policies", nil): policies = values.compactMap { OID($0) }
    default: return false
    }
    return true
  }
}
