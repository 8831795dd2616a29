internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

/// How many lines ended how.
struct BatchCounts: Sendable, Hashable {
  var trusted = 0
  var rejected = 0
  var exhausted = 0
  var unreadable = 0

  var all: Int { trusted + rejected + exhausted + unreadable }

  static func += (a: inout BatchCounts, b: BatchCounts) {
    a.trusted += b.trusted
    a.rejected += b.rejected
    a.exhausted += b.exhausted
    a.unreadable += b.unreadable
  }
}

/// The answers to some lines, as they will be written.
///
/// Each is one line of JSON, all ASCII: `id` as it came, null without one; `verdict`: `trusted`, `rejected`,
/// `exhausted` or `unreadable`. `trusted` has `path`, the SHA-256 of each certificate, the leaf first,
/// and, if it was checked, `revocation`. `rejected` and `exhausted` have `path`, that of the nearest
/// miss, its `rule` (`pins` where a valid path holds none of them), `citation` and `reason`, then all `rejections` and `hints` as `verify --json` has
/// them. `unreadable` has `line`, from 1, and `problem`. `problems` names what else could not be read.
///
/// They are handed on in parts of a bounded size, within a line if it is a long one.
struct BatchOutput {
  private var bytes: [UInt8] = []
  private var counts = BatchCounts()
  /// How many bytes of input are answered.
  var inputSize = 0
  private var issuers: [(certificate: Certificate, digest: [UInt8])] = []
  private let take: (Part) -> Void

  /// Some of the answers.
  struct Part: Sendable {
    let bytes: [UInt8]
    let counts: BatchCounts
    let inputSize: Int
  }

  /// How many bytes are gathered.
  private static let partSize = 1 << 17
  /// The most characters of what is wrong with a line.
  private static let longestProblem = 1000

  /// - Parameter take: What becomes of each part.
  init(_ take: @escaping (Part) -> Void) {
    self.take = take
  }

  /// Hands on what there is.
  mutating func hand() {
    let part = Part(bytes: bytes, counts: counts, inputSize: inputSize)
    bytes = []
    counts = BatchCounts()
    inputSize = 0
    take(part)
  }

  private mutating func handIfLarge() {
    if bytes.count >= BatchOutput.partSize { hand() }
  }

  mutating func add(
    _ path: ValidatedPath, _ id: Range<Int>?, _ text: Span<UInt8>, _ problems: [String]
  ) {
    counts.trusted += 1
    begin(id, text, "trusted")
    add(path.certificates)
    if !path.revocation.isEmpty {
      write(",\"revocation\":")
      bytes += path.revocation.map(\.document).json.line
    }
    end(problems)
  }

  mutating func add(
    _ error: PathError, _ id: Range<Int>?, _ text: Span<UInt8>, _ problems: [String]
  ) {
    if case .limitReached(let limit) = error.cause {
      counts.exhausted += 1
      begin(id, text, "exhausted")
      add("limit", limit.name)
    } else {
      counts.rejected += 1
      begin(id, text, "rejected")
    }
    let nearest = error.rejections.first
    add(nearest?.path ?? [])
    if case .text(let reason)? = nearest?.violation.detail, nearest?.rule == .veto {
      addPinRule(reason)
    } else if let violation = nearest?.violation {
      add("rule", violation.rule.name)
      add("citation", violation.citation)
      add("reason", "\(violation)")
    }
    write(",\"rejections\":")
    bytes += error.rejectionsJSON.line
    handIfLarge()
    if !error.hints.isEmpty {
      write(",\"hints\":")
      bytes += JSONValue.strings(error.hints.map { "\($0)" }).line
    }
    end(problems)
  }

  /// A chain that the pins of a configuration refuse: `pinning` has all that is to be said.
  mutating func add(
    _ error: TrustError, _ id: Range<Int>?, _ text: Span<UInt8>, _ problems: [String]
  ) {
    counts.rejected += 1
    begin(id, text, "rejected")
    if case .pinMismatch(let mismatch) = error {
      add(mismatch.paths.first?.path.certificates ?? [])
    } else {
      add([])
    }
    addPinRule("\(error)".split(separator: "\n").first.map(String.init) ?? "")
    write(",\"pinning\":")
    bytes += error.document.json.line
    end(problems)
  }

  /// Nothing but pins speaks against a path that is valid.
  private mutating func addPinRule(_ reason: String) {
    add("rule", "pins")
    add("citation", "RFC 7469 §2.6")
    add("reason", reason)
  }

  mutating func addUnreadable(
    _ id: Range<Int>?, _ text: Span<UInt8>, line: Int, _ problem: String
  ) {
    counts.unreadable += 1
    begin(id, text, "unreadable")
    write(",\"line\":\(line)")
    add("problem", String(problem.prefix(BatchOutput.longestProblem)))
    end([])
  }

  mutating func addOverlong(line: Int, _ text: Span<UInt8>) {
    addUnreadable(
      nil, text, line: line,
      "the line is longer than the limit of \(BatchReader.longestLine) bytes")
  }

  private mutating func begin(_ id: Range<Int>?, _ text: Span<UInt8>, _ verdict: String) {
    write("{\"id\":")
    if let id {
      write(id, of: text)
    } else {
      write("null")
    }
    write(",\"verdict\":\"")
    write(verdict)
    write("\"")
  }

  private mutating func end(_ problems: [String]) {
    if !problems.isEmpty {
      write(",\"problems\":")
      bytes += JSONValue.strings(problems).line
    }
    write("}\n")
    handIfLarge()
  }

  /// Writes an `id`, which is UTF-8, in ASCII: as it came but for characters that are none, for which
  /// there are escapes. RFC 8259 §7.
  private mutating func write(_ id: Range<Int>, of text: Span<UInt8>) {
    var place = id.lowerBound
    while place < id.upperBound {
      let first = text[place]
      guard first >= 0x80 else {
        bytes.append(first)
        place += 1
        continue
      }
      // RFC 3629 §3: how many bytes there are tells how many bits of the first belong to the scalar.
      let count = (~first).leadingZeroBitCount
      var scalar = UInt32(first & (0x7F >> UInt8(count)))
      for next in place + 1..<min(place + count, id.upperBound) {
        scalar = scalar << 6 | UInt32(text[next] & 0x3F)
      }
      place += count
      guard let character = Unicode.Scalar(scalar) else { continue }
      for unit in UTF16.encode(character).map({ Array($0) }) ?? [] { writeEscape(unit) }
    }
  }

  private mutating func writeEscape(_ unit: UInt16) {
    write("\\u")
    for shift in [12, 8, 4, 0] as [UInt16] {
      bytes.append(BatchOutput.digit(UInt8(truncatingIfNeeded: unit >> shift) & 0x0F))
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    write(",\"\(name)\":")
    bytes += JSONValue.string(value).line
  }

  private mutating func add(_ path: [Certificate]) {
    write(",\"path\":[")
    for (index, certificate) in path.enumerated() {
      write(index == 0 ? "\"" : ",\"")
      for byte in index == 0 ? certificate.fingerprint() : digest(ofIssuer: certificate) {
        bytes.append(BatchOutput.digit(byte >> 4))
        bytes.append(BatchOutput.digit(byte & 0x0F))
      }
      write("\"")
    }
    write("]")
  }

  /// The digest of a certificate that other paths are likely to have too.
  private mutating func digest(ofIssuer certificate: Certificate) -> [UInt8] {
    for known in issuers where known.certificate == certificate { return known.digest }
    if issuers.count >= 8 { issuers.removeFirst() }
    issuers.append((certificate, certificate.fingerprint()))
    return issuers[issuers.count - 1].digest
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
