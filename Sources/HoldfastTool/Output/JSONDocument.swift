internal import HoldfastAnswers
internal import HoldfastJSON

extension Invocation {
  /// Writes a report: for programs in JSON with indented lines, or for people.
  func write(_ report: Document) {
    guard self[CommonOptions.json] else { return console.report(report.text(TextStyle(self))) }
    console.write(report.json.lines() + [0x0A])
  }
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
    write("problems", .array(problems.map { $0.json }))
    call.console.write("\n}\n")
  }

  private func write(_ name: String, _ value: JSONValue) {
    call.console.write(",\n  \"\(name)\": ")
    call.console.write(value.lines(indent: 1))
  }
}
