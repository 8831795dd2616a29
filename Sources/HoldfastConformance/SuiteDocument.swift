internal import HoldfastDER
package import HoldfastJSON

/// The JSON document of a suite: some facts, and one long list of which one element at a time is
/// read.
package struct SuiteDocument {
  /// The facts beside the list.
  package let facts: SuiteCase
  private let file: VectorFile
  private let list: String
  private let elements: [Range<Int>]

  /// Finds the elements of a list; if the document states their `count`, it must be right.
  package init(_ file: VectorFile, list: String = "tests") throws(VectorError) {
    var found: [Range<Int>]?
    var members: [JSONValue.Member] = []
    try file.readJSON(0..<file.bytes.count) { reader, text throws(JSONReader.Problem) in
      try reader.readMembers(text) { name, reader throws(JSONReader.Problem) in
        if name == list {
          found = try reader.skipElements(text)
        } else {
          members.append(JSONValue.Member(name: name, value: try reader.readValue(text)))
        }
      }
    }
    guard let found else { throw .malformed(path: file.path, reason: "there is no list \(list)") }
    self.file = file
    self.list = list
    elements = found
    facts = try SuiteCase(.object(members), file: file.path, location: "")
    try file.check(count: found.count, stated: facts.optional("count", .int))
  }

  /// Reads one element after the other.
  package func forEachCase(
    _ body: (SuiteCase) throws(VectorError) -> Void
  ) throws(VectorError) {
    for (index, range) in elements.enumerated() {
      let value = try file.readJSON(range) { reader, text throws(JSONReader.Problem) in
        try reader.readValue(text)
      }
      try body(SuiteCase(value, file: file.path, location: "\(list)[\(index)]"))
    }
  }
}

extension VectorFile {
  /// Reads a part of the content as JSON.
  fileprivate func readJSON<Value>(
    _ range: Range<Int>,
    _ read: (inout JSONReader, Span<UInt8>) throws(JSONReader.Problem) -> Value
  ) throws(VectorError) -> Value {
    do throws(JSONReader.Problem) {
      var reader = JSONReader(range)
      return try read(&reader, bytes.span)
    } catch {
      throw .malformed(path: path, reason: "is not JSON: \(error.message) at byte \(error.offset)")
    }
  }

  /// Compares how many cases there are with what the document says.
  func check(count: Int, stated: Int?) throws(VectorError) {
    guard let stated, stated != count else { return }
    throw .malformed(path: path, reason: "\(count) cases, it says \(stated)")
  }
}

/// An object in the JSON of a suite. What it has not, or has in another form, is an error that
/// names the place.
package struct SuiteCase: Sendable {
  private let members: [String: JSONValue]
  private let file: String
  private let location: String

  /// Takes an object apart.
  package init(_ value: JSONValue, file: String, location: String) throws(VectorError) {
    guard case .object(let members) = value else {
      throw .malformed(path: file, reason: "\(location): expected an object")
    }
    var values: [String: JSONValue] = [:]
    for member in members where values[member.name] == nil { values[member.name] = member.value }
    self.members = values
    self.file = file
    self.location = location
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
      cases.append(try SuiteCase(value, file: file, location: path(to: "\(name)[\(index)]")))
    }
    return cases
  }

  /// An object that may be missing, null or something else.
  package func object(_ name: String) throws(VectorError) -> SuiteCase? {
    guard let value = members[name], case .object = value else { return nil }
    return try SuiteCase(value, file: file, location: path(to: name))
  }

  /// What is wrong with a member.
  package func error(_ name: String, _ problem: String) -> VectorError {
    .malformed(path: file, reason: "\(path(to: name)): \(problem)")
  }

  private func path(to name: String) -> String { location.isEmpty ? name : "\(location).\(name)" }
}

extension SuiteCase {
  /// How a value is written.
  package struct Form<Value>: Sendable {
    let name: String
    let read: @Sendable (JSONValue) -> Value?
  }
}

extension SuiteCase.Form {
  /// A number that may have more than 32 bits.
  package static var int64: SuiteCase.Form<Int64> {
    .init(name: "a whole number") { if case .number(let text) = $0 { Int64(text) } else { nil } }
  }

  package static var int: SuiteCase.Form<Int> {
    .init(name: "a whole number") { if case .number(let text) = $0 { Int(text) } else { nil } }
  }

  package static var bool: SuiteCase.Form<Bool> {
    .init(name: "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  package static var string: SuiteCase.Form<String> { text("a string") { $0 } }

  /// A string, or null.
  static var optionalString: SuiteCase.Form<String?> {
    .init(name: "a string or null") { value in
      if case .string(let text) = value { return .some(text) }
      return value == .null ? .some(nil) : nil
    }
  }

  package static var base64: SuiteCase.Form<[UInt8]> {
    text("base64") { Base64.bytes(of: Array($0.utf8).span) }
  }

  /// Hexadecimal digits; if their number is odd, those of a number.
  package static var hex: SuiteCase.Form<[UInt8]> {
    text("hexadecimal digits") { Hexadecimal.bytes(of: $0) }
  }

  /// The bytes in the one block of a PEM text; none if there is no such block.
  static var pem: SuiteCase.Form<[UInt8]> {
    text("PEM") { PEMText(Array($0.utf8)).blocks.first?.bytes ?? [] }
  }

  /// A moment of ISO 8601; parts of a second are cut off, as certificates count whole ones.
  static var time: SuiteCase.Form<Timestamp> {
    text("a time") { text in
      let parts = text.split(separator: ".", maxSplits: 1)
      guard let whole = parts.first, let rest = parts.dropFirst().first else {
        return Timestamp(text)
      }
      return Timestamp(String(whole + rest.drop { $0.isNumber }))
    }
  }

  /// A string that stands for something.
  static func text<Element>(
    _ name: String, _ read: @escaping @Sendable (String) -> Element?
  ) -> SuiteCase.Form<Element> {
    .init(name: name) { if case .string(let text) = $0 { read(text) } else { nil } }
  }

  /// A list of values in one form.
  package static func list<Element>(
    of form: SuiteCase.Form<Element>
  ) -> SuiteCase.Form<[Element]> {
    .init(name: "a list, each element \(form.name)") { value in
      guard case .array(let values) = value else { return nil }
      let elements = values.compactMap(form.read)
      return elements.count == values.count ? elements : nil
    }
  }

  /// An object whose values are all in one form.
  static func members<Element>(
    of form: SuiteCase.Form<Element>
  ) -> SuiteCase.Form<[String: Element]> {
    .init(name: "an object, each member \(form.name)") { value in
      guard case .object(let members) = value else { return nil }
      let values = members.compactMap { member in form.read(member.value).map { (member.name, $0) }
      }
      return values.count == members.count ? Dictionary(uniqueKeysWithValues: values) : nil
    }
  }
}
