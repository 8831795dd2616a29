internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

/// How a line ended.
enum BatchVerdict: String { case trusted, rejected, exhausted, unreadable }

/// How many lines ended how.
struct BatchCounts: Sendable {
  private var counts: [BatchVerdict: Int] = [:]

  var all: Int { counts.values.reduce(0, +) }

  subscript(_ verdict: BatchVerdict) -> Int {
    get { counts[verdict, default: 0] }
    set { counts[verdict] = newValue }
  }

  static func += (a: inout BatchCounts, b: BatchCounts) {
    a.counts.merge(b.counts, uniquingKeysWith: +)
  }
}

/// The answers to some lines, as they will be written.
///
/// Each is one line of JSON, all ASCII: `id` as it came, null without one; `verdict`: `trusted`,
/// `rejected`, `exhausted` or `unreadable`. `trusted` has `path`, the SHA-256 of each certificate, the
/// leaf first; `revocation` if it was checked; `unchecked` if there is something. `rejected` and
/// `exhausted` have `path`, that of the nearest miss, its `rule` (`pins` where a valid path holds none
/// of them), `citation` and `reason`, then all `rejections` and, if there are any, `hints` as
/// `verify --json` has them; a rejection by a configuration of pins has `pinning` instead.
/// `unreadable` has `line`, from 1, and `problem`. `problems` names what else could not be read.
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

  mutating func add(_ path: ValidatedPath, _ id: String, _ problems: [String]) {
    begin(id, .trusted)
    add(path.certificates)
    if !path.revocation.isEmpty {
      write(",\"revocation\":")
      bytes += path.revocationDocuments(RevocationSources()).json.line
    }
    if !path.unchecked.isEmpty {
      write(",\"unchecked\":")
      bytes += JSONValue.strings(path.unchecked.map { "\($0)" }).line
    }
    end(problems)
  }

  mutating func add(_ error: PathError, _ id: String, _ problems: [String]) {
    if case .limitReached(let limit) = error.cause {
      begin(id, .exhausted)
      add("limit", limit.name)
    } else {
      begin(id, .rejected)
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
    bytes += error.rejections.documents(RevocationSources()).json.line
    handIfLarge()
    if !error.hints.isEmpty {
      write(",\"hints\":")
      bytes += JSONValue.strings(error.hints.map { "\($0)" }).line
    }
    end(problems)
  }

  /// A chain that the pins of a configuration refuse: `pinning` has all that is to be said.
  mutating func add(_ error: TrustError, _ id: String, _ problems: [String]) {
    if case .invalidPath(let error) = error { return add(error, id, problems) }
    begin(id, .rejected)
    if case .pinMismatch(let mismatch) = error {
      add(mismatch.paths.first?.path.certificates ?? [])
    } else {
      add([])
    }
    addPinRule("\(error)".split(separator: "\n").first.map(String.init) ?? "")
    write(",\"pinning\":")
    bytes += error.document(RevocationSources()).json.line
    end(problems)
  }

  /// The rule of a rejection by pins or by their configuration.
  private mutating func addPinRule(_ reason: String) {
    add("rule", "pins")
    add("citation", "RFC 7469 §2.6")
    add("reason", reason)
  }

  mutating func addUnreadable(_ id: String, line: Int, _ problem: String) {
    begin(id, .unreadable)
    write(",\"line\":\(line)")
    add("problem", String(problem.prefix(BatchOutput.longestProblem)))
    end([])
  }

  mutating func addOverlong(line: Int) {
    addUnreadable(
      "null", line: line, "the line is longer than the limit of \(BatchReader.longestLine) bytes")
  }

  private mutating func begin(_ id: String, _ verdict: BatchVerdict) {
    counts[verdict] += 1
    write("{\"id\":")
    write(id)
    write(",\"verdict\":\"")
    write(verdict.rawValue)
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
