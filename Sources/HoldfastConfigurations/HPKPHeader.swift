public import Holdfast

/// The value of `Public-Key-Pins` or `Public-Key-Pins-Report-Only`. RFC 7469 §2.1.
public struct HPKPHeader: Sendable, Hashable {
  /// The pins.
  public let pins: [Pin]
  /// The seconds for which they count; nil if not stated, which is allowed only if report-only.
  public let maxAge: Int64?
  /// Whether they also apply to all names below the host.
  public let includesSubdomains: Bool
  /// Where violations are reported.
  public let reportURI: String?
  /// Whether they are only reported.
  public let isReportOnly: Bool

  /// Reads the value of a header.
  ///
  /// Unknown directives are ignored, as the RFC requires.
  public init(_ value: String, isReportOnly: Bool = false) throws(HPKPError) {
    var pins: [Pin] = []
    var maxAge: Int64?
    var includesSubdomains = false
    var reportURI: String?
    var seen: Set<String> = []
    for directive in try HPKPDirective.all(in: value) {
      let name = directive.name.lowercased()
      switch name {
      case "pin-sha256":
        guard directive.isQuoted, let text = directive.value else { throw .pinNotQuoted }
        do throws(PinError) {
          pins.append(try Pin(base64: text))
        } catch {
          throw .badPin(text, error)
        }
        continue
      case "max-age": maxAge = try HPKPHeader.age(directive.value)
      case "includesubdomains":
        guard directive.value == nil else { throw .includeSubDomainsWithValue }
        includesSubdomains = true
      case "report-uri":
        guard directive.isQuoted, let uri = directive.value, HPKPHeader.isReportURI(uri) else {
          throw .badReportURI(directive.value ?? "")
        }
        reportURI = uri
      default: continue
      }
      guard seen.insert(name).inserted else { throw .duplicate(name) }
    }
    guard isReportOnly || maxAge != nil else { throw .noMaxAge }
    guard !pins.isEmpty || maxAge == 0 && !isReportOnly else { throw .noPins }
    self.pins = pins
    self.maxAge = maxAge
    self.includesSubdomains = includesSubdomains
    self.reportURI = reportURI
    self.isReportOnly = isReportOnly
  }

  /// Reads a number of seconds in digits; one that is too large means for ever. RFC 7469 §2.1.2.
  private static func age(_ text: String?) throws(HPKPError) -> Int64 {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .badMaxAge
    }
    return Int64(text) ?? .max
  }

  /// Whether a URI can receive reports and be quoted in a header: `http` or `https`, a host, no
  /// spaces, quotation marks or backslashes. RFC 7469 §2.1.4.
  static func isReportURI(_ uri: String) -> Bool {
    guard uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
      return false
    }
    for scheme in ["https://", "http://"] where uri.lowercased().hasPrefix(scheme) {
      let host = uri.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      return !host.isEmpty
    }
    return false
  }

  /// What a browser does with the header.
  @nonexhaustive
  public enum Decision: Sendable, Hashable {
    /// It stores the pins.
    case note
    /// It deletes the stored pins.
    case forget
    /// It reports nothing, because a pin was found.
    case pass
    /// It reports that no pin was found.
    case report
    /// The header has no effect.
    case noEffect
    /// It ignores the header, because no pin is on the validated path. RFC 7469 §2.6.
    case noPinOnPath
    /// It ignores the header, because every pin is on the validated path. RFC 7469 §4.3.
    case noBackupPin
  }

  /// Returns what a browser does with the header on a connection with these keys.
  ///
  /// - Parameter keys: The pins of the keys on the validated path.
  public func decision(for keys: Set<Pin>) -> Decision {
    let isThere = pins.contains { keys.contains($0) }
    if isReportOnly {
      guard reportURI != nil else { return .noEffect }
      return isThere ? .pass : .report
    }
    if maxAge == 0 { return .forget }
    guard isThere else { return .noPinOnPath }
    return pins.allSatisfy { keys.contains($0) } ? .noBackupPin : .note
  }
}

/// Why the value of a header is invalid. RFC 7469 §2.1.
@nonexhaustive
public enum HPKPError: Error, Sendable, Hashable {
  /// The grammar is violated from this offset on.
  case malformed(offset: Int)
  /// max-age is missing.
  case noMaxAge
  /// The value of max-age is not a number of seconds.
  case badMaxAge
  /// A directive occurs twice.
  case duplicate(String)
  /// A pin is not in quotation marks.
  case pinNotQuoted
  /// A pin is invalid.
  case badPin(String, PinError)
  /// There are no pins.
  case noPins
  /// includeSubDomains takes no value.
  case includeSubDomainsWithValue
  /// report-uri is not a quoted absolute HTTP URI.
  case badReportURI(String)
}

extension HPKPError: CustomStringConvertible {
  /// What is wrong, and the rule: `max-age is missing [RFC 7469 §2.1.2]`.
  public var description: String { "\(words) [\(citation)]" }

  /// The paragraph of the broken rule.
  public var citation: String {
    switch self {
    case .malformed, .duplicate: "RFC 7469 §2.1"
    case .pinNotQuoted, .badPin, .noPins: "RFC 7469 §2.1.1"
    case .noMaxAge, .badMaxAge: "RFC 7469 §2.1.2"
    case .includeSubDomainsWithValue: "RFC 7469 §2.1.3"
    case .badReportURI: "RFC 7469 §2.1.4"
    }
  }

  private var words: String {
    switch self {
    case .malformed(let offset): "not a list of directives, byte \(offset)"
    case .noMaxAge: "max-age is missing"
    case .badMaxAge: "max-age is not a number of seconds"
    case .duplicate(let name): "duplicate \(name)"
    case .pinNotQuoted: "the value of pin-sha256 is not quoted"
    case .badPin(let text, let error): "the pin \"\(text)\": \(error)"
    case .noPins: "no pins"
    case .includeSubDomainsWithValue: "includeSubDomains takes no value"
    case .badReportURI(let uri):
      "report-uri \"\(uri)\" is not a quoted absolute HTTP URI"
    }
  }
}

/// `name`, `name=token` or `name="text"`. RFC 7469 §2.1.
private struct HPKPDirective {
  let name: String
  let value: String?
  let isQuoted: Bool

  static func all(in header: String) throws(HPKPError) -> [HPKPDirective] {
    let bytes = Array(header.utf8)
    guard bytes.count <= 1 << 16 else { throw .malformed(offset: 1 << 16) }
    var directives: [HPKPDirective] = []
    var place = 0
    func skipBlanks() {
      while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    }
    func word(until ends: [UInt8]) -> String {
      let start = place
      while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
      var end = place
      while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    while place < bytes.count {
      skipBlanks()
      let start = place
      let name = word(until: [0x3B, 0x3D])
      var value: String?
      var isQuoted = false
      if place < bytes.count, bytes[place] == 0x3D {
        guard !name.isEmpty else { throw .malformed(offset: start) }
        place += 1
        skipBlanks()
        if place < bytes.count, bytes[place] == 0x22 {
          place += 1
          isQuoted = true
          value = word(until: [0x22])
          guard place < bytes.count else { throw .malformed(offset: start) }
          place += 1
          skipBlanks()
          guard place == bytes.count || bytes[place] == 0x3B else {
            throw .malformed(offset: place)
          }
        } else {
          value = word(until: [0x3B])
        }
      }
      if !name.isEmpty {
        directives.append(HPKPDirective(name: name, value: value, isQuoted: isQuoted))
      }
      place += 1
    }
    return directives
  }
}

extension HPKPHeader {
  /// Reads the pins of a host from the header, with or without the header's name.
  static func read(
    _ text: String, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    guard let host = context.host else {
      throw ConfigurationError(.missing("the host, which the header does not name"))
    }
    var value = text[...]
    while let last = value.last, last.isNewline { value = value.dropLast() }
    guard !value.contains(where: \.isNewline) else {
      throw ConfigurationError(.malformed("one header is one line"), line: 2)
    }
    var isReportOnly = false
    if let colon = value.firstIndex(of: ":"),
      !value[..<colon].contains(where: { "=;\"".contains($0) })
    {
      switch value[..<colon].lowercased() {
      case "public-key-pins": break
      case "public-key-pins-report-only": isReportOnly = true
      case let other:
        throw ConfigurationError(
          .unknownKey(other, nearest: "Public-Key-Pins"), line: 1)
      }
      value = value[value.index(after: colon)...]
    }
    let header: HPKPHeader
    do throws(HPKPError) {
      header = try HPKPHeader(String(value), isReportOnly: isReportOnly)
    } catch {
      throw ConfigurationError(.malformed("\(error)"), key: host, line: 1)
    }
    guard header.maxAge != 0 || isReportOnly else {
      throw ConfigurationError(.nothingPinned, key: host)
    }
    return try header.configuration(host, context)
  }

  private func configuration(
    _ host: String, _ context: PinConfiguration.Context
  ) throws(ConfigurationError) -> PinConfiguration {
    let reach: HostPattern.Reach = includesSubdomains ? .hostAndSubdomains : .host
    let pattern = try Reading.pattern(host, reach, key: host, line: 1)
    guard pattern.host.address == nil else {
      throw ConfigurationError(
        .unsupported("an IP address, which RFC 7469 §2.3.3 excludes"), key: host)
    }
    var expiry: PinSet.Expiry?
    var remarks: [PinConfiguration.Remark] = []
    if let maxAge, !isReportOnly {
      // Limits the time to a hundred years.
      let time = context.received.advanced(bySeconds: min(maxAge, 100 * 365 * 86_400))
      expiry = PinSet.Expiry(at: time, then: context.expiryAction)
      remarks.append(
        PinConfiguration.Remark(
          line: 1, subject: host,
          words: "a browser forgets the pins \(maxAge) seconds after the last visit (failOpen); "
            + "here they expire at \(time), then \(context.expiryAction)"))
    }
    let set = try Reading.set(key: host, line: 1) { () throws(PinSetError) in
      try PinSet(
        pins, mode: isReportOnly ? .reportOnly : .enforced, expiry: expiry,
        backup: isReportOnly ? .waived : .required, reportURIs: reportURI.map { [$0] } ?? [])
    }
    return try PinConfiguration(
      .hpkp, [PinTable.Entry(pattern, set)], remarks,
      [Origin(text: "\(pattern.host)", reach: reach)])
  }
}
