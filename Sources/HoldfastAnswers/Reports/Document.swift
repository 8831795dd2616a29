internal import Holdfast
package import HoldfastJSON

/// A report: built once, and written for people or for programs.
///
/// People get a title and lines that begin with what they are about; programs get the members of a
/// JSON object. A field may be for one of the two alone. A document within another stands among its
/// lines or, if it has a title, below them. Every line is escaped here, so that no caller can
/// forget it.
package struct Document: Sendable {
  /// The first line for people; none if it is empty.
  private let title: Line
  private var fields: [Field] = []

  /// A value with its names.
  private struct Field: Sendable {
    /// The name for people; nil if the line goes without.
    let label: String?
    /// The name for programs; nil if the field is only for people.
    let key: String?
    let lines: [Line]
    let json: JSONValue
    /// The documents that it holds.
    let documents: [Document]
    /// Whether people see it.
    let isShown: Bool

    init(label: String?, key: String?, _ value: some DocumentValue, isShown: Bool = true) {
      self.label = label
      self.key = key
      lines = value.lines
      json = key == nil ? .null : value.json
      documents = value.documents
      self.isShown = isShown
    }
  }

  package init(title: Line = "") {
    self.title = title
  }

  /// Adds a value with its name for people and, if they are to get it, its name for programs.
  package mutating func add(_ label: String, _ key: String?, _ value: some DocumentValue) {
    fields.append(Field(label: label, key: key, value))
  }

  /// Adds a value for programs. Of documents people see the lines all the same.
  package mutating func add(_ key: String, _ value: some DocumentValue) {
    fields.append(Field(label: nil, key: key, value, isShown: false))
  }

  /// Adds lines that people read without a label.
  package mutating func addLines(_ key: String?, _ value: some DocumentValue) {
    fields.append(Field(label: nil, key: key, value))
  }

  /// Adds what another document has for programs.
  package mutating func addMembers(of other: Document) {
    for member in other.members { add(member.name, member.value) }
  }

  /// Adds a part for people, with a title of its own.
  package mutating func addSection(_ title: Line, _ lines: [Line] = []) {
    var section = Document(title: title)
    section.addLines(nil, lines)
    fields.append(Field(label: nil, key: nil, section))
  }

  /// Adds a list, if there is something in it.
  package mutating func addAll<Values: Sequence>(
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
  package func text(_ style: TextStyle = .plain) -> String {
    var text = title.isEmpty ? "" : title.text(style) + "\n"
    for row in rows {
      let label = row.label.map { padded($0, to: Document.width) } ?? ""
      text += "  " + label + row.line.text(style) + "\n"
    }
    for section in fields.flatMap({ $0.documents }) where !section.title.isEmpty {
      text += "\n" + section.text(style)
    }
    return text
  }

  /// The lines with their labels; of several lines of one field the first has the label, and a line
  /// without one has nil.
  package var rows: [(label: String?, line: Line)] {
    fields.flatMap { field -> [(label: String?, line: Line)] in
      let within = field.documents.filter { $0.title.isEmpty }.flatMap { $0.rows }
      guard within.isEmpty, field.isShown else { return within }
      return field.lines.enumerated().map { index, line in
        (index == 0 ? field.label : field.label.map { _ in "" }, line)
      }
    }
  }

  /// The report for programs.
  package var members: [JSONValue.Member] {
    fields.compactMap { field in
      field.key.map { JSONValue.Member(name: $0, value: field.json) }
    }
  }
}

/// A value of a document: what people read, in lines, and what programs get.
package protocol DocumentValue: Sendable {
  var lines: [Line] { get }
  var json: JSONValue { get }
  /// The documents that it is.
  var documents: [Document] { get }
}

extension DocumentValue {
  package var documents: [Document] { [] }
}

extension DocumentValue where Self: CustomStringConvertible {
  package var lines: [Line] { [Line("\(self)")] }
  package var json: JSONValue { .string("\(self)") }
}

/// A value that people and programs see differently.
package struct Shown<Value: DocumentValue>: DocumentValue {
  package let lines: [Line]
  private let value: Value

  package init(_ value: Value, _ lines: [Line]) {
    self.value = value
    self.lines = lines
  }

  package init(_ value: Value, _ line: String) {
    self.init(value, [Line(line)])
  }

  package var json: JSONValue { value.json }
}

extension Document: DocumentValue {
  package var lines: [Line] { [] }
  package var json: JSONValue { .object(members) }
  package var documents: [Document] { [self] }
}

extension JSONValue: DocumentValue {
  package var lines: [Line] { [] }
  package var json: JSONValue { self }
}

extension Line: DocumentValue {
  package var lines: [Line] { [self] }
  package var json: JSONValue { .string(text(.plain)) }
}

extension String: DocumentValue {}

extension Int: DocumentValue {
  package var json: JSONValue { .number(self) }
}

extension Bool: DocumentValue {
  package var lines: [Line] { [self ? "yes" : "no"] }
  package var json: JSONValue { .bool(self) }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
  package var lines: [Line] { self?.lines ?? [] }
  package var json: JSONValue { self?.json ?? .null }
  package var documents: [Document] { self?.documents ?? [] }
}

extension Array: DocumentValue where Element: DocumentValue {
  package var lines: [Line] { flatMap { $0.lines } }
  package var json: JSONValue { .array(map { $0.json }) }
  package var documents: [Document] { flatMap { $0.documents } }
}
