internal import HoldfastJSON

/// A document with one long list, written as it comes: an object with some facts, the list and, at
/// the end, the problems.
struct JSONDocument {
  private var isEmpty = true
  private let console: Console

  /// Begins the document and its list.
  init(_ facts: KeyValuePairs<String, JSONValue>, list: String, _ console: Console) {
    self.console = console
    var text = Array("{\n".utf8)
    for (name, value) in facts {
      text += "  \"\(name)\": ".utf8
      text += value.lines(indent: 1)
      text += ",\n".utf8
    }
    text += "  \"\(list)\": [".utf8
    console.write(text)
  }

  /// Writes one element of the list.
  mutating func append(_ value: JSONValue) {
    console.write(isEmpty ? "\n    " : ",\n    ")
    isEmpty = false
    console.write(value.lines(indent: 2))
  }

  /// Ends the list and the document.
  func finish(_ problems: [InputProblem]) {
    console.write(isEmpty ? "],\n  \"problems\": " : "\n  ],\n  \"problems\": ")
    console.write(JSONValue.array(problems.map(\.json)).lines(indent: 1))
    console.write("\n}\n")
  }
}
