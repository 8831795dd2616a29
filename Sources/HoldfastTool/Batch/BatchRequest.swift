internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON

/// One line of input: a question, its parts still in the text of the line.
///
/// ```
/// {"id": …, "chain": ["base64 DER", …], "host": "…" | null, "purpose": "server", "time": "RFC 3339",
///  "anchors": ["base64 DER", …], "crls": ["base64 DER", …], "ocsp": "base64 DER" | […],
///  "filters": ["base64 of a base", "of a delta", …], "revocation": "given", "pins": ["sha256/…"], "rules": "webPKI"}
/// ```
///
/// Only `chain` must be there, with the certificate in question first, and for the purpose
/// `server`, which is the default, `host`: null for a server of any name. `id` is any scalar and
/// comes back unchanged. A member that is not known, or is there twice, makes the line unreadable:
/// a misspelt `pins` must not mean "without pins". For the same reason a line without a host is
/// unreadable where the command line has the pins of hosts, unless it brings pins of its own.
struct BatchRequest {
  /// The text of the id, in ASCII.
  var id = BatchRequest.noID
  var chain: [JSONReader.Text] = []
  var host = Host.missing
  var purpose: String?
  var time: Timestamp?
  var anchors: [JSONReader.Text]?
  var crls: [JSONReader.Text] = []
  var ocspResponses: [JSONReader.Text] = []
  var filters: [JSONReader.Text] = []
  var demand: Revocation.Demand?
  var pins: PinSet?
  var rules: String?

  /// The host, if the line has one.
  enum Host {
    case missing
    /// null: a server of any name.
    case anyone
    case named(JSONReader.Text)
  }

  /// The id of a line without one.
  static let noID = Array("null".utf8)

  /// The maximum number of elements of a list in a request.
  static let maximumElements = 256

  /// The names of the members.
  enum Member: Int, CaseIterable {
    case id, chain, host, purpose, time, anchors, crls, ocsp, filters, revocation, pins, rules

    private static let names = allCases.map { Array("\($0)".utf8) }

    /// The member with a name; nil if there is none.
    fileprivate init?(_ name: JSONReader.Text, in text: Span<UInt8>) {
      let names = Member.names.span
      for index in names.indices where name.equals(names[index], in: text) {
        self.init(rawValue: index)
        return
      }
      return nil
    }

    fileprivate var bit: Int { 1 << rawValue }
  }

  /// Reads a line. `id` is set as soon as it was read, for an answer to a line that is wrong later.
  static func read(
    _ line: Range<Int>, in text: Span<UInt8>, _ request: inout BatchRequest
  ) throws(JSONReader.Problem) {
    var reader = JSONReader(line)
    var seen = 0
    try reader.expect("{", text)
    if !reader.take("}", text) {
      repeat {
        _ = reader.peek(text)
        let offset = reader
        let name = try reader.readString(text)
        guard let member = Member(name, in: text) else {
          let names = Member.allCases.map { "\($0)" }
          throw offset.problem(
            UsageError.unknown("member", name.word(in: text), among: names).text)
        }
        if seen & member.bit != 0 { throw offset.problem("\(member) occurs twice") }
        seen |= member.bit
        try reader.expect(":", text)
        _ = reader.peek(text)
        try request.read(member, &reader, text)
      } while reader.take(",", text)
      try reader.expect("}", text)
    }
    guard reader.peek(text) == nil else { throw reader.problem("more after the object") }
    guard !request.chain.isEmpty else {
      throw reader.problem(seen & Member.chain.bit == 0 ? "chain is missing" : "chain is empty")
    }
  }

  private mutating func read(
    _ member: Member, _ reader: inout JSONReader, _ text: Span<UInt8>
  ) throws(JSONReader.Problem) {
    let maximum = BatchRequest.maximumElements
    let value = reader
    switch member {
    case .id: id = BatchRequest.ascii(text.extracting(try reader.readScalar(text)))
    case .chain: chain = try reader.readStrings(text, maximum: maximum, areBase64: true)
    case .host:
      host =
        reader.take(literal: "null", text)
        ? .anyone : .named(try reader.readShortString(text))
    case .purpose: purpose = try reader.readWord(text)
    case .time:
      let words = try reader.readWord(text)
      guard let time = Timestamp(words) else {
        throw value.problem("time \(printable(words)): expected one like 2026-03-01T12:00:00Z")
      }
      self.time = time
    case .anchors: anchors = try reader.readStrings(text, maximum: maximum, areBase64: true)
    case .crls: crls = try reader.readStrings(text, maximum: maximum, areBase64: true)
    case .ocsp:
      ocspResponses =
        reader.peek(text) == UInt8(ascii: "[")
        ? try reader.readStrings(text, maximum: maximum) : [try reader.readString(text)]
    case .filters: filters = try reader.readStrings(text, maximum: maximum, areBase64: true)
    case .revocation:
      let word = try reader.readWord(text)
      do throws(UsageError) {
        demand = try RevocationQuestion.Demand.read(word, "revocation").demand
      } catch {
        throw value.problem(error.text)
      }
    case .pins: pins = try readPins(&reader, text)
    case .rules: rules = try reader.readWord(text)
    }
  }

  /// An id as it came, but for characters that are not ASCII, for which there are escapes. RFC 8259
  /// §7.
  private static func ascii(_ id: Span<UInt8>) -> [UInt8] {
    let bytes = copied(id)
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
      guard unit >= 0x80 else { return [UInt8(unit)] }
      let digits = String(unit, radix: 16)
      return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
    }
  }

  private func readPins(
    _ reader: inout JSONReader, _ text: Span<UInt8>
  ) throws(JSONReader.Problem) -> PinSet {
    let offset = reader
    var pins: [Pin] = []
    for item in try reader.readStrings(text, maximum: BatchRequest.maximumElements) {
      do throws(PinError) {
        pins.append(try Pin(item.word(in: text)))
      } catch {
        throw offset.problem("pins[\(pins.count)]: \(error)")
      }
    }
    do throws(PinSetError) {
      // An empty list could mean "no pin is right" or "without pins", so it is rejected.
      return try PinSet(pins, backup: .waived)
    } catch {
      throw offset.problem(error == .noPins ? "pins is empty" : "pins: \(error)")
    }
  }
}

extension Answer {
  /// The answer to a line of `batch` that cannot be read.
  static func unreadable(line: Int, _ problem: String) -> Answer {
    // What is wrong may repeat a part of the line.
    Answer(verdict: .unreadable, reason: String(problem.prefix(1000)), input: Input(line: line))
  }

  static func overlong(line: Int) -> Answer {
    .unreadable(
      line: line, "the line is longer than the limit of \(BatchLines.maximumLineLength) bytes")
  }
}
