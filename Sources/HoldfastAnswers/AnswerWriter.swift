internal import Holdfast
internal import HoldfastDER
internal import HoldfastJSON

/// Answers as JSON, one on each line, as `Documentation/answer.schema.json` describes them.
///
/// The members that every answer has are written without a `JSONValue`, and the text of values that
/// most answers of a run share is kept: otherwise writing takes longer than validating a chain
/// whose signatures are known.
package struct AnswerWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var digests: DigestCache
  private var anchor = Remembered<TrustAnchor>()
  private var policies = Remembered<[OID]>()
  private var time = Remembered<Timestamp>()
  private var purpose = Remembered<Purpose>()
  private var host = Remembered<HostName>()

  /// The version of the schema. It changes when a member changes its meaning or goes away.
  package static let version = 1

  /// - Parameter digests: How many digests of certificates are kept, a power of two.
  package init(digests: Int = 8) {
    self.digests = DigestCache(capacity: digests)
  }

  /// Takes what has been written, and keeps the texts.
  package mutating func take() -> [UInt8] {
    let written = bytes
    bytes = []
    return written
  }

  /// Writes one line.
  ///
  /// - Parameter id: The id of a request, as it came, in ASCII; nil without a request.
  package mutating func write(_ answer: Answer, id: [UInt8]? = nil) {
    write("{")
    add("version", AnswerWriter.version)
    if let id { add("id", json: id) }
    add("verdict", answer.verdict.rawValue)
    add("rule", answer.rule)
    if let code = answer.code { add("code", code) }
    add("citation", answer.citation)
    add("reason", Printable.redacted(in: answer.reason))
    add("hints", answer.hints.map { Printable.redacted(in: $0) })
    begin("path")
    add(answer.path)
    add("anchor", json: answer.anchor.map { anchor.text(of: $0) { $0.name.limited } })
    addFindings(of: answer)
    if let unchecked = answer.sections?.unchecked {
      add("unchecked", unchecked)
    } else {
      add("unchecked", list: answer.unchecked) { .string("\($0)") }
    }
    add(answer.input)
    if let policies = answer.policies {
      add("policies", json: self.policies.text(of: policies) { .strings($0.map { "\($0)" }) })
    }
    for section in answer.allSections { add(section.name, json: section.value.line) }
    write("}\n")
  }

  private mutating func addFindings(of answer: Answer) {
    let sources = answer.input.sources
    guard !answer.attempts.isEmpty || !answer.revocation.isEmpty else {
      return write(",\"rejections\":[],\"revocation\":[]")
    }
    var digests = DigestCache(capacity: 64)
    add("rejections", list: answer.rejections) { $0.json(&digests, sources) }
    add("revocation", list: Array(zip(answer.path, answer.revocation))) { certificate, found in
      .object(
        [JSONValue.Member(name: "certificate", value: certificate.json(&digests))]
          + found.members(sources))
    }
  }

  /// Only `purpose` and `unreadable` are always there.
  private mutating func add(_ input: Answer.Input) {
    begin("input")
    write("{")
    add("purpose", json: input.purpose.map { purpose.text(of: $0) { "\($0)" } })
    add("unreadable", list: input.unreadable) { $0.json }
    if !input.files.isEmpty { add("files", input.files) }
    if let trust = input.trust { add("trust", trust) }
    if !input.remarks.isEmpty { add("remarks", input.remarks) }
    if let address = input.address { add("address", address) }
    if let line = input.line { add("line", line) }
    if let host = input.host { add("host", json: self.host.text(of: host) { "\($0)" }) }
    if let time = input.time { add("time", json: self.time.text(of: time) { "\($0)" }) }
    if let folder = input.sources.upkiFolder { add("upki", folder) }
    if !input.fetched.isEmpty { add("fetched", list: input.fetched) { $0.json } }
    write("}")
  }

  /// Adds the digests of a path without making texts of them.
  private mutating func add(_ path: [Certificate]) {
    write("[")
    for (index, certificate) in path.enumerated() {
      write(index == 0 ? "\"" : "\",\"")
      write(digests.text(of: certificate))
    }
    write(path.isEmpty ? "]" : "\"]")
  }
}

/// The members of an object.
extension AnswerWriter {
  /// Writes the name of the next member.
  private mutating func begin(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { write(",") }
    write("\"")
    write(name)
    write("\":")
  }

  private mutating func add(_ name: String, _ text: String?) {
    begin(name)
    if let text { JSONValue.writeString(text, to: &bytes) } else { write("null") }
  }

  private mutating func add(_ name: String, _ texts: [String]) {
    add(name, list: texts) { .string($0) }
  }

  mutating func add(_ name: String, _ number: Int) {
    begin(name)
    write("\(number)")
  }

  mutating func add(_ name: String, _ value: Bool) {
    begin(name)
    write("\(value)")
  }

  /// Adds a value that is JSON; null for nil.
  mutating func add(_ name: String, json: [UInt8]?) {
    begin(name)
    if let json { bytes += json } else { write("null") }
  }

  private mutating func add<Element>(
    _ name: String, list: [Element], _ value: (Element) -> JSONValue
  ) {
    begin(name)
    write("[")
    for (index, element) in list.enumerated() {
      if index > 0 { write(",") }
      bytes += value(element).line
    }
    write("]")
  }

  /// Writes a part of a line as it is.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

/// The JSON of the last value of a member.
private struct Remembered<Value: Equatable & Sendable>: Sendable {
  private var last: (value: Value, text: [UInt8])?

  /// Returns the JSON of a value; `make` is called unless it is the last one.
  mutating func text(of value: Value, _ make: (Value) -> JSONValue) -> [UInt8] {
    if last?.value == value, let text = last?.text { return text }
    let text = make(value).line
    last = (value, text)
    return text
  }

  mutating func text(of value: Value, _ make: (Value) -> String) -> [UInt8] {
    text(of: value) { JSONValue.string(make($0)) }
  }
}

extension Answer {
  /// The sections that it has besides `policies`. A new one of all programs gets a line here.
  fileprivate var allSections: [JSONValue.Member] {
    var members = JSONMembers()
    if omitted > 0 { members.add("omitted", omitted) }
    if let limit {
      members.add(
        "limit", .object(["name": .string(limit.name), "value": .number(limit.limit)]))
    }
    if let pins { members.add("pins", pins.json) }
    if let transparency { members.add("transparency", transparency.json) }
    return members.all + (sections?.members(of: self) ?? [])
  }
}

extension Answer.Pins {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("result", result.rawValue)
    if case .pinned(let pattern, let set) = selection {
      members.add("pattern", "\(pattern)")
      members.add("expected", .array(set.pins.map { $0.json }))
      members.add("denied", set.denied.map { "\($0)" })
    }
    if let match {
      members.add(
        "match",
        .object([
          "pin": .optional(match.pin.map { "\($0.pin)" }), "path": .number(pathNumber),
          "index": .number(match.index), "role": .string("\(match.scope)"),
        ]))
    }
    members.add(
      "paths",
      .array(
        paths.map { path in
          .object([
            "certificates": .array(path.elements.map { $0.json }),
            "reason": .optional(path.reason.map { "\($0)" }),
          ])
        }))
    return .object(members.all)
  }
}
