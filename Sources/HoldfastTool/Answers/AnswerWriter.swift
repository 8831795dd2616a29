internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastConfigurations
internal import HoldfastJSON
internal import HoldfastOnline
internal import HoldfastTransparency

/// Answers as JSON, one on each line, as `Documentation/answer.schema.json` describes them.
///
/// The members that every answer has are written without a `JSONValue`: a fifth of the time of
/// `batch` would be spent on it.
struct AnswerWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var digests = DigestCache()
  /// The anchor of the last answer, and its name: most answers of a run have the same, and making
  /// the text takes a fifth of the time of `batch`.
  private var lastAnchor: (anchor: TrustAnchor, name: String)?

  /// The version of the schema. It changes when a member changes its meaning or goes away.
  static let version = 1

  init(capacity: Int = 1 << 10) { bytes.reserveCapacity(capacity) }

  /// Takes what has been written, and keeps the digests.
  mutating func take() -> [UInt8] {
    let written = bytes
    bytes = []
    return written
  }

  /// Writes one line.
  ///
  /// - Parameter id: The id of a request, as it came, in ASCII; nil without a request.
  mutating func write(_ answer: Answer, id: String? = nil) {
    write("{\"version\":\(AnswerWriter.version),")
    if let id { write("\"id\":\(id),") }
    write("\"verdict\":\"\(answer.verdict.rawValue)\"")
    add("rule", answer.rule)
    add("citation", answer.citation)
    add("reason", answer.reason)
    add("hints", list: answer.hints) { .string($0) }
    add(answer.path)
    add("anchor", nameOfAnchor(answer))
    var certificates = CertificateDocuments()
    let sources = answer.input.sources
    add("rejections", list: answer.rejections) { $0.document(&certificates, sources).json }
    add("revocation", list: Array(zip(answer.path, answer.revocation))) { certificate, found in
      var document: Document = ["certificate": certificates.document(of: certificate)]
      document.addMembers(of: found.document(sources))
      return document.json
    }
    add("unchecked", list: answer.unchecked) { .string("\($0)") }
    add(answer.input)
    for section in answer.sections { add(section.name, section.value) }
    write("}\n")
  }

  private mutating func nameOfAnchor(_ answer: Answer) -> String? {
    guard let anchor = answer.anchor else { return nil }
    if let lastAnchor, lastAnchor.anchor == anchor { return lastAnchor.name }
    let name = CertificateDocuments.name(anchor.name)
    lastAnchor = (anchor, name)
    return name
  }

  private mutating func add(_ name: String, _ value: JSONValue) {
    write(",\"\(name)\":")
    bytes += value.line
  }

  private mutating func add(_ name: String, _ text: String?) {
    write(",\"\(name)\":")
    if let text { bytes += JSONValue.string(text).line } else { write("null") }
  }

  /// Only `purpose` and `unreadable` are always there.
  private mutating func add(_ input: Answer.Input) {
    // The members below begin with a comma.
    write(",\"input\":{\"purpose\":")
    bytes += JSONValue.optional(input.purpose.map { "\($0)" }).line
    add("unreadable", list: input.unreadable) { $0.json }
    if !input.files.isEmpty { add("files", list: input.files) { .string($0) } }
    if let trust = input.trust { add("trust", trust) }
    if !input.remarks.isEmpty { add("remarks", list: input.remarks) { .string($0) } }
    if let address = input.address { add("address", address) }
    if let line = input.line { write(",\"line\":\(line)") }
    if let host = input.host { add("host", "\(host)") }
    if let time = input.time { add("time", "\(time)") }
    if let folder = input.sources.upkiFolder { add("upki", folder) }
    if !input.fetched.isEmpty { add("fetched", list: input.fetched) { $0.json } }
    write("}")
  }

  private mutating func add<Element>(
    _ name: String, list: [Element], _ value: (Element) -> JSONValue
  ) {
    write(",\"\(name)\":[")
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
      write(index == 0 ? "\"" : ",\"")
      for byte in index == 0 ? certificate.fingerprint() : digests.digest(of: certificate) {
        bytes.append(AnswerWriter.digit(byte >> 4))
        bytes.append(AnswerWriter.digit(byte & 0x0F))
      }
      write("\"")
    }
    write("]")
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension Answer {
  /// The sections that it has. A new one gets a line here.
  fileprivate var sections: [JSONValue.Member] {
    var document = Document()
    if omitted > 0 { document.add("omitted", omitted) }
    if let limit { document.add("limit", ["name": limit.name, "value": limit.limit] as Document) }
    if let policies { document.add("policies", policies.map { "\($0)" }) }
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
