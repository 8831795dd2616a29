internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastJSON
internal import HoldfastOnline
internal import HoldfastTransparency

/// Answers as JSON, one on each line, as `Documentation/answer.schema.json` describes them.
///
/// The members that every answer has are written without a `JSONValue`, and the text of values that
/// most answers of a run share is kept: otherwise writing takes longer than validating a chain
/// whose signatures are known.
struct AnswerWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var digests: DigestCache
  private var anchor = Remembered<TrustAnchor>()
  private var policies = Remembered<[OID]>()
  private var time = Remembered<Timestamp>()
  private var purpose = Remembered<Purpose>()
  private var host = Remembered<HostName>()

  /// The version of the schema. It changes when a member changes its meaning or goes away.
  static let version = 1

  private static let start = Array("{\"version\":\(version),".utf8)
  private static let startWithID = Array("{\"version\":\(version),\"id\":".utf8)

  /// - Parameter digests: How many digests of certificates are kept, a power of two.
  init(digests: Int = 8) {
    self.digests = DigestCache(capacity: digests)
  }

  /// Takes what has been written, and keeps the texts.
  mutating func take() -> [UInt8] {
    let written = bytes
    bytes = []
    return written
  }

  /// Writes one line.
  ///
  /// - Parameter id: The id of a request, as it came, in ASCII; nil without a request.
  mutating func write(_ answer: Answer, id: [UInt8]? = nil) {
    if let id {
      bytes += AnswerWriter.startWithID
      bytes += id
      write(",\"verdict\":\"")
    } else {
      bytes += AnswerWriter.start
      write("\"verdict\":\"")
    }
    write(answer.verdict.rawValue)
    write("\",\"rule\":")
    add(answer.rule)
    write(",\"citation\":")
    add(answer.citation)
    write(",\"reason\":")
    add(answer.reason)
    write(",\"hints\":")
    add(answer.hints)
    add(answer.path)
    write(",\"anchor\":")
    if let anchor = answer.anchor {
      bytes += self.anchor.text(of: anchor) { CertificateDocuments.name($0.name) }
    } else {
      write("null")
    }
    addFindings(of: answer)
    write(",\"unchecked\":")
    add(list: answer.unchecked) { .string("\($0)") }
    add(answer.input)
    if let policies = answer.policies {
      write(",\"policies\":")
      bytes += self.policies.text(of: policies) { .strings($0.map { "\($0)" }) }
    }
    for section in answer.sections {
      write(",")
      add(section.name)
      write(":")
      bytes += section.value.line
    }
    write("}\n")
  }

  private mutating func addFindings(of answer: Answer) {
    guard !answer.rejections.isEmpty || !answer.revocation.isEmpty else {
      write(",\"rejections\":[],\"revocation\":[]")
      return
    }
    var certificates = CertificateDocuments()
    let sources = answer.input.sources
    write(",\"rejections\":")
    add(list: answer.rejections) { $0.document(&certificates, sources).json }
    write(",\"revocation\":")
    add(list: Array(zip(answer.path, answer.revocation))) { certificate, found in
      var document: Document = ["certificate": certificates.document(of: certificate)]
      document.addMembers(of: found.document(sources))
      return document.json
    }
  }

  /// Only `purpose` and `unreadable` are always there.
  private mutating func add(_ input: Answer.Input) {
    write(",\"input\":{\"purpose\":")
    if let purpose = input.purpose {
      bytes += self.purpose.text(of: purpose) { "\($0)" }
    } else {
      write("null")
    }
    write(",\"unreadable\":")
    add(list: input.unreadable) { $0.json }
    if !input.files.isEmpty {
      write(",\"files\":")
      add(input.files)
    }
    if let trust = input.trust {
      write(",\"trust\":")
      add(trust)
    }
    if !input.remarks.isEmpty {
      write(",\"remarks\":")
      add(input.remarks)
    }
    if let address = input.address {
      write(",\"address\":")
      add(address)
    }
    if let line = input.line {
      write(",\"line\":")
      add(line)
    }
    if let host = input.host {
      write(",\"host\":")
      bytes += self.host.text(of: host) { "\($0)" }
    }
    if let time = input.time {
      write(",\"time\":")
      bytes += self.time.text(of: time) { "\($0)" }
    }
    if let folder = input.sources.upkiFolder {
      write(",\"upki\":")
      add(folder)
    }
    if !input.fetched.isEmpty {
      write(",\"fetched\":")
      add(list: input.fetched) { $0.json }
    }
    write("}")
  }

  mutating func add(_ text: String?) {
    if let text { JSONValue.writeString(text, to: &bytes) } else { write("null") }
  }

  mutating func add(_ texts: [String]) {
    if texts.isEmpty { write("[]") } else { add(list: texts) { .string($0) } }
  }

  private mutating func add(_ number: Int) {
    var digits: [20 of UInt8] = .init(repeating: 0)
    var (rest, start) = (UInt(max(number, 0)), 20)
    repeat {
      start -= 1
      digits[start] = 0x30 + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    for index in start..<20 { bytes.append(digits[index]) }
  }

  private mutating func add<Element>(list: [Element], _ value: (Element) -> JSONValue) {
    write("[")
    for (index, element) in list.enumerated() {
      if index > 0 { write(",") }
      bytes += value(element).line
    }
    write("]")
  }

  /// Adds the digests of a path without making texts of them.
  private mutating func add(_ path: [Certificate]) {
    write(",\"path\":[")
    for (index, certificate) in path.enumerated() {
      write(index == 0 ? "\"" : "\",\"")
      bytes += digests.text(of: certificate)
    }
    write(path.isEmpty ? "]" : "\"]")
  }

  /// Writes a part of a line as it is.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes bytes that are JSON.
  mutating func write(_ json: [UInt8]) { bytes += json }
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
  /// The sections that it has besides `policies`. A new one gets a line here.
  fileprivate var sections: [JSONValue.Member] {
    var document = Document()
    if omitted > 0 { document.add("omitted", omitted) }
    if let limit { document.add("limit", ["name": limit.name, "value": limit.limit] as Document) }
    if let pins { document.add("pins", pins.document) }
    if let transparency { document.add("transparency", transparency.document) }
    if let connection { document.add("connection", connection.document) }
    if let response { document.add("response", response.document) }
    if let forecast { document.add("forecast", forecast.document) }
    return document.members
  }
}

extension Answer.Pins {
  fileprivate var document: Document {
    var document: Document = ["result": result.rawValue]
    if case .pinned(let pattern, let set) = selection {
      document.add("pattern", "\(pattern)")
      document.add("expected", set.pins.map(\.document))
      document.add("denied", set.denied.map { "\($0)" })
    }
    if let match {
      document.add(
        "match",
        [
          "pin": match.pin.map { "\($0.pin)" }, "path": pathNumber, "index": match.index,
          "role": "\(match.scope)",
        ] as Document)
    }
    document.add(
      "paths",
      paths.map { path in
        [
          "certificates": path.elements.map(\.document),
          "reason": path.reason.map { "\($0)" },
        ] as Document
      })
    return document
  }
}

extension Answer.Response {
  fileprivate var document: Document {
    ["url": url, "status": status, "version": version, "size": size]
  }
}

extension PathElement {
  fileprivate var document: Document {
    var pins = ["\(pin)"]
    if let certificate { pins.append("\(Pin(certificate))") }
    return ["role": "\(scope)", "name": PathText.name(self), "pins": pins]
  }
}

extension ScopedPin {
  fileprivate var document: Document {
    var document: Document = ["pin": "\(pin)", "scope": "\(scope)"]
    if let label { document.add("label", label) }
    return document
  }
}

extension PinForecast {
  fileprivate var document: Document {
    [
      "periods": periods.map { period in
        [
          "from": "\(period.start)", "state": "\(period.state)", "message": period.message,
        ] as Document
      },
      "rejectedChains": rejectedChains.map { chain in
        [
          "chain": chain.index + 1, "from": "\(chain.start)", "message": chain.message,
        ] as Document
      },
      "lockout": lockout.map { "\($0)" }, "lockoutEnd": lockoutEnd.map { "\($0)" },
      "replacements": replacements.map { replacement in
        [
          "role": "\(replacement.scope)", "name": replacement.name,
          "survived": replacement.isSurvived,
        ] as Document
      },
    ]
  }
}

extension FetchReport {
  fileprivate var json: JSONValue {
    let (outcome, bytes, reason): (String, Int?, String?) =
      switch self.outcome {
      case .fetched(let count): ("fetched", count, nil)
      case .cached: ("cached", nil, nil)
      case .unchanged: ("unchanged", nil, nil)
      case .failed(let error): ("failed", nil, "\(error)")
      @unknown default: ("failed", nil, "\(self.outcome)")
      }
    var document: Document = ["kind": kind.rawValue, "url": url, "outcome": outcome]
    if let bytes { document.add("bytes", bytes) }
    if let reason { document.add("reason", reason) }
    return document.json
  }
}
