internal import Holdfast

/// Reads `NSPinnedDomains` from a whole Info.plist, from `NSAppTransportSecurity` alone, or as a
/// dictionary with this key.
enum PinnedDomainsReader {
  /// The other keys of `NSAppTransportSecurity` that Apple documents.
  private static let others = [
    "NSAllowsArbitraryLoads", "NSAllowsArbitraryLoadsForMedia",
    "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsInMedia",
    "NSAllowsLocalNetworking", "NSExceptionDomains",
  ]

  static func isLikely(_ list: PropertyList) -> Bool {
    list["NSAppTransportSecurity"] != nil || list["NSPinnedDomains"] != nil
  }

  static func read(
    _ list: PropertyList, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    let transport = list["NSAppTransportSecurity"]
    let path = transport == nil ? "" : "NSAppTransportSecurity"
    var keys = try PropertyListKeys(transport ?? list, path: path)
    for key in others { _ = keys.take(key) }
    guard let domains = keys.take("NSPinnedDomains") else {
      try keys.finish()
      throw ConfigurationError(.missing("NSPinnedDomains"), key: path, line: keys.line)
    }
    try keys.finish()
    let table = try PropertyListKeys(domains, path: keys.path(to: "NSPinnedDomains"))
    var entries: [PinTable.Entry] = []
    var remarks = Remarks()
    for member in table.members {
      entries.append(try domain(member, table.path(to: member.key), &remarks))
    }
    return try PinConfiguration(.nsPinnedDomains, entries, overlap: .united, remarks)
  }

  private static func domain(
    _ member: PropertyList.Member, _ path: String, _ remarks: inout Remarks
  ) throws(ConfigurationError) -> PinTable.Entry {
    var keys = try PropertyListKeys(member.value, path: path)
    let includesSubdomains = try keys.bool("NSIncludesSubdomains") ?? false
    let reach: HostPattern.Reach = includesSubdomains ? .hostAndOneLabelBelow : .host
    let pattern = try FieldText.pattern(member.key, reach, key: path, line: member.line)
    var pins: [ScopedPin] = []
    var scopes: [PinScope] = []
    let lists: [(String, PinScope)] = [
      ("NSPinnedCAIdentities", .authority), ("NSPinnedLeafIdentities", .leaf),
    ]
    for (name, scope) in lists {
      guard let identities = try keys.array(name) else { continue }
      scopes.append(scope)
      if identities.isEmpty {
        remarks.add(member.key, member.line, "\(name) is empty, so every connection is rejected")
      }
      for identity in identities {
        var inner = try PropertyListKeys(identity, path: keys.path(to: name))
        guard let digest = try inner.string("SPKI-SHA256-BASE64") else {
          try inner.finish()
          throw ConfigurationError(
            .missing("SPKI-SHA256-BASE64"), key: inner.path, line: identity.line)
        }
        try inner.finish()
        pins.append(
          ScopedPin(
            try FieldText.pin(base64: digest.text, key: inner.path, line: digest.line), in: scope))
      }
    }
    try keys.finish()
    guard !scopes.isEmpty else {
      throw ConfigurationError(
        .missing("NSPinnedCAIdentities or NSPinnedLeafIdentities"), key: path, line: member.line)
    }
    if includesSubdomains {
      remarks.add(
        member.key, member.line, "NSIncludesSubdomains covers one label below, not deeper names")
    }
    let set = try FieldText.set(key: path, line: member.line) { () throws(PinSetError) in
      try PinSet(pins, requiredScopes: scopes, backup: .waived)
    }
    remarks.addLoneKey(set, member.key, member.line)
    return PinTable.Entry(pattern, set)
  }
}
