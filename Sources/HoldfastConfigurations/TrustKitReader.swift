internal import Holdfast

/// Reads TrustKit's configuration: the dictionary with `TSKPinnedDomains`, alone or in the
/// `TSKConfiguration` of a property list.
enum TrustKitReader {
  private static let excludeKeys = [
    "TSKExcludeSubdomainFromParentPolicy",
    // The documentation uses the first, the constant in TrustKit's code this.
    "kSKExcludeSubdomainFromParentPolicy",
  ]

  static func read(
    _ list: PropertyList, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    let inner = list["TSKConfiguration"]
    var keys = try PropertyListKeys(inner ?? list, path: inner == nil ? "" : "TSKConfiguration")
    var remarks = Remarks()
    // Swizzling does not concern a table of pins.
    _ = try keys.bool("TSKSwizzleNetworkDelegates")
    if try keys.bool("TSKIgnorePinningForUserDefinedTrustAnchors") ?? true {
      remarks.add(
        "TSKIgnorePinningForUserDefinedTrustAnchors", nil,
        "TrustKit on macOS skips pins under user-installed roots; Holdfast does not")
    }
    guard let domains = keys.take("TSKPinnedDomains") else {
      let nearest = TextSearch.nearestName(
        to: "TSKPinnedDomains", among: keys.members.map { $0.key })
      throw ConfigurationError(
        .missing("TSKPinnedDomains" + (nearest.map { " (there is \"\($0)\")" } ?? "")),
        key: keys.path, line: keys.line)
    }
    try keys.finish()
    let table = try PropertyListKeys(domains, path: keys.path(to: "TSKPinnedDomains"))
    var entries: [PinTable.Entry] = []
    for member in table.members {
      entries.append(try domain(member, table.path(to: member.key), context, &remarks))
    }
    return try PinConfiguration(.trustKit, entries, remarks)
  }

  private static func domain(
    _ member: PropertyList.Member, _ path: String, _ context: PinConfiguration.Context,
    _ remarks: inout Remarks
  ) throws(ConfigurationError) -> PinTable.Entry {
    var keys = try PropertyListKeys(member.value, path: path)
    for key in excludeKeys {
      guard let excludes = try keys.bool(key), excludes else { continue }
      // No other key may be present.
      try keys.finish()
      let pattern = try FieldText.pattern(member.key, .host, key: path, line: member.line)
      return PinTable.Entry(excluding: pattern)
    }
    let includesSubdomains = try keys.bool("TSKIncludeSubdomains") ?? false
    let isEnforced = try keys.bool("TSKEnforcePinning") ?? true
    let reach: HostPattern.Reach = includesSubdomains ? .hostAndSubdomains : .host
    let pattern = try FieldText.pattern(member.key, reach, key: path, line: member.line)
    try check(pattern, path, member.line)
    if member.key != "\(pattern.host)" {
      remarks.add(
        member.key, member.line,
        "TrustKit does not normalize this host; Holdfast reads it as \(pattern.host)")
    }
    guard let hashes = try keys.strings("TSKPublicKeyHashes") else {
      throw ConfigurationError(.missing("TSKPublicKeyHashes"), key: path, line: member.line)
    }
    var pins: [Pin] = []
    for hash in hashes {
      pins.append(
        try FieldText.pin(
          base64: hash.text, key: keys.path(to: "TSKPublicKeyHashes"), line: hash.line))
    }
    var expiry: PinSet.Expiry?
    let date = try keys.string("TSKExpirationDate")
    if let date {
      let time = try FieldText.date(
        date.text, key: keys.path(to: "TSKExpirationDate"), line: date.line)
      expiry = PinSet.Expiry(at: time, action: context.expiryAction)
    }
    let reports = try keys.strings("TSKReportUris")?.map { $0.text } ?? []
    let disablesDefault = try keys.bool("TSKDisableDefaultReportUri") ?? false
    if !disablesDefault {
      remarks.add(
        member.key, member.line,
        "TrustKit also reports to its authors' server; Holdfast sends nothing")
    }
    if !reports.isEmpty {
      remarks.add(
        member.key, member.line,
        "TrustKit sends reports to TSKReportUris; Holdfast sends nothing: send them in `onMismatch`"
      )
    }
    if try keys.array("TSKPublicKeyAlgorithms") != nil {
      remarks.add(
        member.key, member.line, "TSKPublicKeyAlgorithms is ignored: every kind of key has a pin")
    }
    try keys.finish()
    if !isEnforced {
      remarks.add(
        member.key, member.line,
        "TSKEnforcePinning is off: TrustKit and Holdfast only report mismatches")
    }
    let line = member.line
    var set = try FieldText.set(key: keys.path(to: "TSKPublicKeyHashes"), line: line) {
      () throws(PinSetError) in
      try PinSet(
        pins, mode: isEnforced ? .enforced : .reportOnly, expiry: expiry,
        // TrustKit requires two pins if it enforces them.
        backup: isEnforced ? .required : .waived)
    }
    set.reportURIs = reports
    if let date, let action = set.actionAfterExpiry, action != .failOpen {
      remarks.add(
        member.key, date.line,
        "TrustKit stops pinning at \(date.text); in Holdfast \(action.words) from then on")
    }
    return PinTable.Entry(pattern, set)
  }

  /// Rejects hosts with which TrustKit does not start, as far as that is known without the list of
  /// public suffixes: a single label is none of a registrant.
  private static func check(
    _ pattern: HostPattern, _ path: String, _ line: Int?
  ) throws(ConfigurationError) {
    guard pattern.host.address == nil else {
      throw ConfigurationError(
        .unsupported("an IP address: TrustKit does not accept one"), key: path, line: line)
    }
    if pattern.reach != .host, !"\(pattern.host)".utf8.contains(0x2E) {
      throw ConfigurationError(
        .unsupported("a name of one label with its subdomains: TrustKit does not accept it"),
        key: path, line: line)
    }
  }
}
