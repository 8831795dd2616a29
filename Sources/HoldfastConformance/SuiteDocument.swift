internal import HoldfastDER
package import HoldfastJSON

/// The JSON document of a suite: some facts, and one long list of which one element at a time is read.
package struct SuiteDocument {
  /// The facts beside the list.
  package let facts: SuiteCase
  private let file: VectorFile
  private let list: String
  private let elements: [Range<Int>]

  /// Finds the elements of a list; if the document states their `count`, it must be right.
  package init(_ file: VectorFile, list: String) throws(VectorError) {
    self.file = file
    self.list = list
    var found: [Range<Int>]?
    var facts: [JSONValue.Member] = []
    do throws(JSONReader.Problem) {
      let text = file.bytes.span
      var reader = JSONReader(0..<text.count)
      try reader.expect("{", text)
      if !reader.take("}", text) {
        repeat {
          let name = try reader.readWord(text)
          try reader.expect(":", text)
          if name == list {
            found = try reader.skipElements(text)
          } else {
            facts.append(JSONValue.Member(name: name, value: try reader.readValue(text)))
          }
        } while reader.take(",", text)
        try reader.expect("}", text)
      }
    } catch {
      throw file.malformed(error)
    }
    self.facts = try SuiteCase(.object(facts), file: file.path, place: "")
    guard let found else { throw .malformed(path: file.path, reason: "there is no list \(list)") }
    elements = found
    let count = try self.facts.optional("count", .int) ?? found.count
    guard count == found.count else {
      throw .malformed(path: file.path, reason: "\(found.count) cases, it says \(count)")
    }
  }

  /// Reads one element after the other.
  package func forEachCase(
    _ body: (SuiteCase) throws(VectorError) -> Void
  ) throws(VectorError) {
    for (index, range) in elements.enumerated() {
      var value = JSONValue.null
      do throws(JSONReader.Problem) {
        var reader = JSONReader(range)
        value = try reader.readValue(file.bytes.span)
      } catch {
        throw file.malformed(error)
      }
      try body(SuiteCase(value, file: file.path, place: "\(list)[\(index)]"))
    }
  }
}

extension VectorFile {
  /// What is wrong with the JSON.
  fileprivate func malformed(_ problem: JSONReader.Problem) -> VectorError {
    .malformed(path: path, reason: "is not JSON: \(problem.message) at byte \(problem.offset)")
  }
}

/// An object in the JSON of a suite. What it has not, or has in another form, is an error that names
/// the place.
package struct SuiteCase: Sendable {
  private let members: [String: JSONValue]
  private let file: String
  private let place: String

  /// Takes an object apart.
  package init(_ value: JSONValue, file: String, place: String) throws(VectorError) {
    guard case .object(let members) = value else {
      throw .malformed(path: file, reason: "\(place): expected an object")
    }
    self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    self.file = file
    self.place = place
  }

  /// How a value is written.
  package struct Form<Value>: Sendable {
    fileprivate let name: String
    fileprivate let read: @Sendable (JSONValue) -> Value?
  }

  /// A value that must be there.
  package func value<Value>(_ name: String, _ form: Form<Value>) throws(VectorError) -> Value {
    guard let value = try optional(name, form) else { throw error(name, "is missing") }
    return value
  }

  /// A value that may be missing or null.
  package func optional<Value>(_ name: String, _ form: Form<Value>) throws(VectorError) -> Value? {
    guard let value = members[name], value != .null else { return nil }
    guard let value = form.read(value) else { throw error(name, "expected \(form.name)") }
    return value
  }

  /// The objects of a list.
  package func objects(_ name: String) throws(VectorError) -> [SuiteCase] {
    guard case .array(let values)? = members[name] else { throw error(name, "expected a list") }
    var cases: [SuiteCase] = []
    for (index, value) in values.enumerated() {
      cases.append(try SuiteCase(value, file: file, place: path(to: "\(name)[\(index)]")))
    }
    return cases
  }

  /// An object that may be missing, null or something else.
  package func object(_ name: String) throws(VectorError) -> SuiteCase? {
    guard let value = members[name], case .object = value else { return nil }
    return try SuiteCase(value, file: file, place: path(to: name))
  }

  /// The names of the members.
  package var names: Dictionary<String, JSONValue>.Keys { members.keys }

  private func path(to name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// What is wrong with a member.
  package func error(_ name: String, _ problem: String) -> VectorError {
    .malformed(path: file, reason: "\(path(to: name)): \(problem)")
  }
}

extension SuiteCase.Form<String> {
  package static var string: Self {
    Self(name: "a string") { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension SuiteCase.Form<Int> {
  package static var int: Self {
    Self(name: "a whole number") { if case .number(let text) = $0 { Int(text) } else { nil } }
  }
}

extension SuiteCase.Form<Bool> {
  package static var bool: Self {
    Self(name: "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }
}

extension SuiteCase.Form<[UInt8]> {
  package static var base64: Self {
    Self(name: "base64") { value in
      guard case .string(let text) = value else { return nil }
      return Base64.bytes(of: Array(text.utf8).span)
    }
  }

  /// Hexadecimal digits; if their number is odd, those of a number.
  package static var hex: Self {
    Self(name: "hexadecimal digits") { value in
      guard case .string(let text) = value else { return nil }
      return HexBytes(text)?.bytes
    }
  }
}

extension SuiteCase.Form<[String]> {
  package static var strings: Self {
    Self(name: "a list of strings") { value in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap(SuiteCase.Form<String>.string.read)
      return texts.count == values.count ? texts : nil
    }
  }
}

extension SuiteCase.Form<[[UInt8]]> {
  package static var base64List: Self {
    Self(name: "a list of base64") { value in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap(SuiteCase.Form<[UInt8]>.base64.read)
      return texts.count == values.count ? texts : nil
    }
  }
}

extension SuiteCase.Form<[String]> {
  /// A list of `["2.5.29.17", false]`: the OID of each extension and whether it is critical.
  package static var extensions: Self {
    Self(name: "a list of extensions") { value in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap { value -> String? in
        guard case .array(let pair) = value, pair.count == 2, case .string(let oid) = pair[0],
          case .bool(let isCritical) = pair[1]
        else { return nil }
        return "\(oid) \(isCritical)"
      }
      return texts.count == values.count ? texts : nil
    }
  }
}

/// Bytes written as hexadecimal digits.
package struct HexBytes: Sendable, Hashable {
  package let bytes: [UInt8]

  /// Reads digits; nil when there is anything else. An odd number of digits is read as a number, with a
  /// zero before it.
  package init?(_ text: some StringProtocol) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2 + 1)
    var high: UInt8? = text.utf8.count % 2 == 0 ? nil : 0
    for character in text.utf8 {
      let digit: UInt8
      switch character {
      case 0x30...0x39: digit = character - 0x30
      case 0x41...0x46: digit = character - 0x41 + 10
      case 0x61...0x66: digit = character - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self.bytes = bytes
  }
}
