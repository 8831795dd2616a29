internal import HoldfastJSON

/// A report: built once, and written for people or for programs.
///
/// People get a title and lines that begin with what they are about; programs get the members of a
/// JSON object. A field may be for one of the two alone. A document within another stands among its
/// lines or, if it has a title, below them. Every line is escaped here, so that no caller can
/// forget it. A dictionary literal has what only programs get.
struct Document: Sendable, ExpressibleByDictionaryLiteral {
  /// The first line for people; none if it is empty.
  private let title: Line
  private var fields: [Field] = []

  /// A value with its names.
  private struct Field: Sendable {
    /// The name for people; nil if the line goes without.
    var label: String?
    /// The name for programs; nil if the field is only for people.
    let key: String?
    let value: any DocumentValue
    /// Whether people see it.
    var isShown = true

    /// The documents that it holds.
    var documents: [Document] {
      value as? [Document] ?? (value as? Document).map { [$0] } ?? []
    }
  }

  init(title: Line = "") {
    self.title = title
  }

  init(dictionaryLiteral members: (String, any DocumentValue)...) {
    title = ""
    fields = members.map { Field(key: $0, value: $1, isShown: false) }
  }

  /// Adds a value with its name for people and, if they are to get it, its name for programs.
  mutating func add(_ label: String, _ key: String?, _ value: some DocumentValue) {
    fields.append(Field(label: label, key: key, value: value))
  }

  /// Adds a value for programs. Of documents people see the lines all the same.
  mutating func add(_ key: String, _ value: some DocumentValue) {
    fields.append(Field(key: key, value: value, isShown: false))
  }

  /// Adds lines that people read without a label.
  mutating func addLines(_ key: String?, _ value: some DocumentValue) {
    fields.append(Field(key: key, value: value))
  }

  /// Adds what another document has for programs.
  mutating func addMembers(of other: Document) {
    for member in other.members { add(member.name, member.value) }
  }

  /// Adds a part for people, with a title of its own.
  mutating func addSection(_ title: Line, _ lines: [Line] = []) {
    var section = Document(title: title)
    section.addLines(nil, lines)
    fields.append(Field(key: nil, value: section))
  }

  /// Adds a list, if there is something in it.
  mutating func addAll<Values: Sequence>(
    _ label: String, _ key: String?, _ values: Values
  ) where Values.Element: DocumentValue {
    let values = Array(values)
    if !values.isEmpty { add(label, key, values) }
  }
}

extension Document {
  /// The width of the labels.
  private static let width = 18

  /// The report for people.
  func text(_ style: TextStyle = .plain) -> String {
    var text = title.isEmpty ? "" : title.text(style) + "\n"
    for row in rows {
      let label = row.label.map { Command.padded($0, to: Document.width) } ?? ""
      text += "  " + label + row.line.text(style) + "\n"
    }
    for section in fields.flatMap(\.documents) where !section.title.isEmpty {
      text += "\n" + section.text(style)
    }
    return text
  }

  /// The lines with their labels; of several lines of one field the first has the label, and a line
  /// without one has nil.
  var rows: [(label: String?, line: Line)] {
    fields.flatMap { field -> [(label: String?, line: Line)] in
      let within = field.documents.filter(\.title.isEmpty).flatMap(\.rows)
      guard within.isEmpty, field.isShown else { return within }
      return field.value.lines.enumerated().map { index, line in
        (index == 0 ? field.label : field.label.map { _ in "" }, line)
      }
    }
  }

  /// The report for programs.
  var members: [JSONValue.Member] {
    fields.compactMap { field in
      field.key.map { JSONValue.Member(name: $0, value: field.value.json) }
    }
  }
}

extension Invocation {
  /// Writes a report: for programs in JSON with indented lines, or for people.
  func write(_ report: Document) {
    guard self[CommonOptions.json] else { return console.report(report.text(TextStyle(self))) }
    console.write(report.json.lines() + [0x0A])
  }
}

/// A value of a document: what people read, in lines, and what programs get.
protocol DocumentValue: Sendable {
  var lines: [Line] { get }
  var json: JSONValue { get }
}

extension DocumentValue where Self: CustomStringConvertible {
  var lines: [Line] { [Line("\(self)")] }
  var json: JSONValue { .string("\(self)") }
}

/// A value that people and programs see differently.
struct Shown<Value: DocumentValue>: DocumentValue {
  let lines: [Line]
  private let value: Value

  init(_ value: Value, _ lines: [Line]) {
    self.value = value
    self.lines = lines
  }

  init(_ value: Value, _ line: String) {
    self.init(value, [Line(line)])
  }

  var json: JSONValue { value.json }
}

extension Document: DocumentValue {
  var lines: [Line] { [] }
  var json: JSONValue { .object(members) }
}

extension JSONValue: DocumentValue {
  var lines: [Line] { [] }
  var json: JSONValue { self }
}

extension Line: DocumentValue {
  var lines: [Line] { [self] }
  var json: JSONValue { .string(text(.plain)) }
}

extension String: DocumentValue {}

extension Int: DocumentValue {
  var json: JSONValue { .number(self) }
}

extension Bool: DocumentValue {
  var lines: [Line] { [self ? "yes" : "no"] }
  var json: JSONValue { .bool(self) }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
  var lines: [Line] { self?.lines ?? [] }
  var json: JSONValue { self?.json ?? .null }
}

extension Array: DocumentValue where Element: DocumentValue {
  var lines: [Line] { flatMap(\.lines) }
  var json: JSONValue { .array(map { $0.json }) }
}

/// A document with one long list, written as it comes: an object with some facts, the list and, at
/// the end, the problems. It has the same members if nothing could be read.
struct JSONDocument {
  private let call: Invocation
  /// What stands before the first element.
  private let head: String
  private var isEmpty = true

  /// - Parameter list: The name of the list.
  init(_ call: Invocation, _ facts: KeyValuePairs<String, JSONValue> = [:], list: String) {
    self.call = call
    head =
      "{\n  \"version\": 1,\n"
      + facts.map {
        "  \"\($0)\": \(String(decoding: $1.lines(indent: 1), as: UTF8.self)),\n"
      }.joined() + "  \"\(list)\": ["
  }

  /// Writes one element of the list.
  mutating func append(_ value: JSONValue) {
    call.console.write(isEmpty ? head + "\n    " : ",\n    ")
    isEmpty = false
    call.console.write(value.lines(indent: 2))
  }

  /// Ends the list and the document, with further members before the problems.
  func finish(_ problems: [InputProblem], _ members: KeyValuePairs<String, JSONValue> = [:]) {
    call.console.write(isEmpty ? head + "]" : "\n  ]")
    for (name, value) in members { write(name, value) }
    write("problems", .array(problems.map(\.json)))
    call.console.write("\n}\n")
  }

  private func write(_ name: String, _ value: JSONValue) {
    call.console.write(",\n  \"\(name)\": ")
    call.console.write(value.lines(indent: 1))
  }
}
