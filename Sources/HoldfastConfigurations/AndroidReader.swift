internal import Holdfast

/// Reads Android's network security configuration, `res/xml/network_security_config.xml`.
///
/// Android ignores unknown elements; here they are errors, because a misspelt `pin-set` would pin
/// nothing.
struct AndroidReader {
  private let context: PinConfiguration.Context
  private var entries: [PinTable.Entry] = []
  private var remarks = Remarks()
  /// Hosts without pins of their own, which a wider entry may pin.
  private var open: [(pattern: HostPattern, Transparency?, line: Int)] = []
  private var hosts: Set<String> = []
  private var transparencyOfOtherHosts: Transparency?
  private var pinCount = 0

  /// More than a file without shared pins has room for.
  private static let maximumPins = 50_000

  private typealias Transparency = TransparencyCheck.Exception

  private static let needsCheck =
    "it is checked with `transparency:` of `TrustManager(configuration:)` or --log-list, and not "
    + "without a log list"

  static func read(
    _ bytes: [UInt8], _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    var reader = AndroidReader(context)
    try reader.readRoot(try XMLReader.root(of: bytes))
    return try reader.configuration()
  }

  private init(_ context: PinConfiguration.Context) {
    self.context = context
  }

  private mutating func configuration() throws(ConfigurationError) -> PinConfiguration {
    let pinned: PinTable
    do throws(PinTableError) {
      pinned = try PinTable(entries)
    } catch {
      throw ConfigurationError(.badTable(error))
    }
    for (pattern, transparency, line) in open {
      let isBelow = pinned.hasPins(above: pattern)
      remarks.add(
        pattern.host.description, line,
        isBelow
          ? "this domain-config has no pins and overrides the wider one that has"
          : "this domain-config has no pins: the host is not pinned")
      guard isBelow || transparency != nil else { continue }
      entries.append(PinTable.Entry(excluding: pattern, transparency: transparency))
    }
    return try PinConfiguration(
      .android, entries, remarks, transparencyOfOtherHosts: transparencyOfOtherHosts)
  }

  private mutating func readRoot(_ root: XMLElement) throws(ConfigurationError) {
    guard root.name == "network-security-config" else {
      throw ConfigurationError(
        .badValue(found: "<\(root.name)>", expected: "<network-security-config>"), line: root.line)
    }
    try check(root, attributes: [], children: ["base-config", "domain-config", "debug-overrides"])
    _ = try child("debug-overrides", of: root)
    if let base = try child("base-config", of: root),
      let transparency = try readTransparency(base, path: "base-config")
    {
      transparencyOfOtherHosts = transparency
      remarks.add(
        "base-config", base.line,
        transparency == .require
          ? "certificate transparency is required of all hosts: \(AndroidReader.needsCheck)"
          : "certificate transparency is excused of the hosts here; the manager decides for others")
    }
    for child in root.children {
      switch child.name {
      case "domain-config":
        try readDomains(
          child, path: "domain-config", inherited: nil, transparencyOfOtherHosts)
      case "base-config":
        try check(
          child, attributes: ["cleartextTrafficPermitted"],
          children: ["trust-anchors", "certificateTransparency"])
        try readAnchors(child, path: "base-config", overridesByDefault: false)
      default:
        try check(child, attributes: [], children: ["trust-anchors"])
        try readAnchors(child, path: "debug-overrides", overridesByDefault: true)
      }
    }
  }

  /// The pins that a domain-config states itself.
  private struct Pins {
    /// nil for an empty element, which leaves hosts out of the pins of the outer domain-config.
    let set: PinSet?
    let line: Int
  }

  // The XML reader bounds the nesting.
  private mutating func readDomains(
    _ element: XMLElement, path: String, inherited: Pins?, _ inheritedTransparency: Transparency?
  ) throws(ConfigurationError) {
    try check(
      element, attributes: ["cleartextTrafficPermitted", "hstsEnforced"],
      children: [
        "domain", "pin-set", "trust-anchors", "domain-config", "certificateTransparency",
      ])
    let domains = element.children.filter { $0.name == "domain" }
    guard let first = domains.first else {
      throw ConfigurationError(.missing("<domain>"), key: path, line: element.line)
    }
    let set = try child("pin-set", of: element, path: path)
    let path = "\(path) \(first.trimmedText)"
    var pins = inherited
    if let set { pins = try readSet(set, path: "\(path).pin-set") }
    if let pins, pins.set == nil, inherited == nil {
      throw ConfigurationError(.badPins(.noPins), key: "\(path).pin-set", line: pins.line)
    }
    try readAnchors(element, path: path, overridesByDefault: false)
    let own = try readTransparency(element, path: path)
    if own == .require {
      remarks.add(
        first.trimmedText, element.line,
        "certificate transparency is required: \(AndroidReader.needsCheck)")
    }
    let transparency = own ?? inheritedTransparency
    for domain in domains { try readDomain(domain, path: path, pins, transparency) }
    for child in element.children where child.name == "domain-config" {
      try readDomains(child, path: "\(path).domain-config", inherited: pins, transparency)
    }
  }

  private mutating func readDomain(
    _ element: XMLElement, path: String, _ pins: Pins?, _ transparency: Transparency?
  ) throws(ConfigurationError) {
    try check(element, attributes: ["includeSubdomains"], children: [], hasText: true)
    let text = element.trimmedText
    let isWide = try bool(element, "includeSubdomains", path: path) ?? false
    let reach: HostPattern.Reach = isWide ? .hostAndSubdomains : .host
    let pattern = try FieldText.pattern(text, reach, key: path, line: element.line)
    guard hosts.insert("\(pattern.host)").inserted else {
      throw ConfigurationError(.duplicateKey(text), key: path, line: element.line)
    }
    guard let pins, let set = pins.set else {
      open.append((pattern, transparency, element.line))
      return
    }
    // All domains share the set, so that a short file can have many pins.
    pinCount += set.pins.count
    guard pinCount <= AndroidReader.maximumPins else {
      throw ConfigurationError(
        .malformed("more than \(AndroidReader.maximumPins) pins, counted for each domain"),
        key: path, line: element.line)
    }
    remarks.addLoneKey(set, text, pins.line)
    entries.append(PinTable.Entry(pattern, set, transparency: transparency))
  }

  private mutating func readSet(
    _ element: XMLElement, path: String
  ) throws(ConfigurationError) -> Pins {
    try check(element, attributes: ["expiration"], children: ["pin"])
    var pins: [Pin] = []
    for child in element.children {
      try check(child, attributes: ["digest"], children: [], hasText: true)
      guard let digest = child["digest"] else {
        throw ConfigurationError(.missing("digest"), key: "\(path).pin", line: child.line)
      }
      guard digest.uppercased() == "SHA-256" else {
        throw ConfigurationError(
          .badValue(found: digest, expected: "SHA-256"), key: "\(path).pin",
          line: child.line)
      }
      pins.append(
        try FieldText.pin(base64: child.trimmedText, key: "\(path).pin", line: child.line))
    }
    var expiry: PinSet.Expiry?
    if let date = element["expiration"] {
      let time = try FieldText.date(date, key: path, line: element.line)
      expiry = PinSet.Expiry(at: time, action: context.expiryAction)
      remarks.add(
        "pin-set", element.line,
        "Android stops pinning on \(date) in the phone's time zone; "
          + "in Holdfast \(context.expiryAction.words) from 00:00 UTC")
    }
    guard !pins.isEmpty else { return Pins(set: nil, line: element.line) }
    let set = try FieldText.set(key: path, line: element.line) { () throws(PinSetError) in
      try PinSet(pins, expiry: expiry, backup: .waived)
    }
    return Pins(set: set, line: element.line)
  }

  /// Reads whether certificates must be in public logs; nil if the element says nothing of it.
  private func readTransparency(
    _ element: XMLElement, path: String
  ) throws(ConfigurationError) -> Transparency? {
    let name = "certificateTransparency"
    let path = "\(path).\(name)"
    guard let child = try self.child(name, of: element, path: path) else { return nil }
    try check(child, attributes: ["enabled"], children: [])
    guard let isEnabled = try bool(child, "enabled", path: path) else {
      throw ConfigurationError(.missing("enabled"), key: path, line: child.line)
    }
    return isEnabled ? .require : .excuse
  }

  /// Checks the trust anchors. They are configured elsewhere; only their effect on pins is
  /// reported.
  private mutating func readAnchors(
    _ element: XMLElement, path: String, overridesByDefault: Bool
  ) throws(ConfigurationError) {
    guard let anchors = try child("trust-anchors", of: element, path: path) else { return }
    try check(anchors, attributes: [], children: ["certificates"])
    for certificates in anchors.children {
      try check(certificates, attributes: ["src", "overridePins"], children: [])
      guard let source = certificates["src"] else {
        throw ConfigurationError(.missing("src"), key: path, line: certificates.line)
      }
      if source != "system" {
        remarks.add(path, certificates.line, "the anchors \"\(source)\" are not imported")
      }
      let overrides = try bool(certificates, "overridePins", path: path) ?? overridesByDefault
      if overrides {
        remarks.add(
          path, certificates.line, "Android ignores pins under these anchors; Holdfast does not")
      }
    }
  }

  /// Returns the child of a name; nil if there is none. A second one is an error, as in Android: which
  /// of them counts would be a guess.
  private func child(
    _ name: String, of element: XMLElement, path: String = ""
  ) throws(ConfigurationError) -> XMLElement? {
    let found = element.children.filter { $0.name == name }
    guard found.count <= 1 else {
      throw ConfigurationError(.duplicateKey(name), key: path, line: found[1].line)
    }
    return found.first
  }

  private func bool(
    _ element: XMLElement, _ name: String, path: String
  ) throws(ConfigurationError) -> Bool? {
    guard let value = element[name] else { return nil }
    switch value {
    case "true": return true
    case "false": return false
    default:
      throw ConfigurationError(
        .badValue(found: value, expected: "true or false"), key: "\(path).\(name)",
        line: element.line)
    }
  }

  /// Checks that an element has only these attributes and children, and text only where it is
  /// expected.
  private func check(
    _ element: XMLElement, attributes: [String], children: [String], hasText: Bool = false
  ) throws(ConfigurationError) {
    for attribute in element.attributes {
      // These attributes are for tools that process the file.
      if attribute.name.hasPrefix("tools:") || attribute.name.hasPrefix("xmlns:") { continue }
      guard attributes.contains(attribute.name) else {
        throw ConfigurationError(
          .unknownKey(
            attribute.name, nearest: TextSearch.nearestName(to: attribute.name, among: attributes)),
          key: element.name, line: element.line)
      }
    }
    for child in element.children where !children.contains(child.name) {
      throw ConfigurationError(
        .unknownKey(child.name, nearest: TextSearch.nearestName(to: child.name, among: children)),
        key: element.name, line: child.line)
    }
    guard hasText || element.trimmedText.isEmpty else {
      throw ConfigurationError(
        .malformed("unexpected text in <\(element.name)>: \"\(element.trimmedText.prefix(40))\""),
        key: element.name, line: element.line)
    }
  }
}
