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

/// The answer to a line.
enum BatchAnswer {
  case trusted(ValidatedPath, TransparencyReport?)
  case rejected(PathError)
  /// By the pins of a configuration, or by what is known of timestamps.
  case distrusted(TrustError)
  case unreadable(line: Int, String)

  static func overlong(line: Int) -> BatchAnswer {
    .unreadable(
      line: line, "the line is longer than the limit of \(BatchReader.maximumLineLength) bytes")
  }

  var verdict: BatchVerdict {
    switch self {
    case .trusted: .trusted
    case .rejected(let error): if case .limitReached = error.cause { .exhausted } else { .rejected }
    case .distrusted: .rejected
    case .unreadable: .unreadable
    }
  }
}

/// The answers to some lines, as they will be written.
///
/// Each is one line of JSON, all ASCII: `id` as it came, null without one; `verdict`: `trusted`,
/// `rejected`, `exhausted` or `unreadable`. `trusted` has `path`, the SHA-256 of each certificate,
/// the leaf first; `revocation` if it was checked; `unchecked` if there is something. `rejected`
/// and `exhausted` have `path`, that of the nearest miss, its `rule` (`pins` where a valid path
/// holds none of them), `citation` and `reason`, then all `rejections` and, if there are any,
/// `hints` as `verify --json` has them; a rejection by a configuration of pins has `pinning`
/// instead. `transparency` says what was found of timestamps, if they were looked at. `unreadable`
/// has `line`, from 1, and `problem`. `problems` names what else could not be read.
struct BatchOutput: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var counts = BatchCounts()
  /// How many bytes of input are answered.
  let inputSize: Int

  /// The maximum number of characters of what is wrong with a line.
  private static let maximumProblemLength = 1000

  init(inputSize: Int) {
    self.inputSize = inputSize
    bytes.reserveCapacity(inputSize / 4)
  }

  /// - Parameter id: As the line has it, in ASCII.
  mutating func add(
    _ answer: BatchAnswer, id: String, _ problems: [String], _ digests: inout DigestCache
  ) {
    counts[answer.verdict] += 1
    write("{\"id\":")
    write(id)
    write(",\"verdict\":\"")
    write(answer.verdict.rawValue)
    write("\"")
    switch answer {
    case .trusted(let path, let transparency):
      add(path.certificates, &digests)
      if !path.revocation.isEmpty {
        add("revocation", path.revocationDocuments(RevocationSources()).json)
      }
      let unchecked = path.unchecked(beside: transparency)
      if !unchecked.isEmpty { add("unchecked", .strings(unchecked.map { "\($0)" })) }
      if let transparency { add("transparency", transparency.document.json) }
    case .rejected(let error):
      if case .limitReached(let limit) = error.cause { add("limit", .string(limit.name)) }
      let nearest = error.rejections.first
      add(nearest?.path ?? [], &digests)
      if case .text(let reason)? = nearest?.violation.detail, nearest?.rule == .veto {
        addPinRule(reason)
      } else if let violation = nearest?.violation {
        add("rule", .string(violation.rule.name))
        add("citation", .string(violation.citation))
        add("reason", .string("\(violation)"))
      }
      add("rejections", error.rejections.documents(RevocationSources()).json)
      if !error.hints.isEmpty { add("hints", .strings(error.hints.map { "\($0)" })) }
    case .distrusted(.insufficientTransparency(_, let report)):
      add([], &digests)
      add("rule", .string("transparency"))
      add("citation", .string("RFC 6962 §3.3"))
      add("reason", .string(report.summary))
      add("transparency", report.document.json)
    case .distrusted(let error):
      if case .pinMismatch(let mismatch) = error {
        add(mismatch.paths.first?.path.certificates ?? [], &digests)
      } else {
        add([], &digests)
      }
      addPinRule("\(error)".split(separator: "\n").first.map(String.init) ?? "")
      // All that is to be said of the pins.
      add("pinning", error.document(RevocationSources()).json)
    case .unreadable(let line, let problem):
      add("line", .number(line))
      add("problem", .string(String(problem.prefix(BatchOutput.maximumProblemLength))))
    }
    if !problems.isEmpty { add("problems", .strings(problems)) }
    write("}\n")
  }

  private mutating func add(_ name: String, _ value: JSONValue) {
    write(",\"\(name)\":")
    bytes += value.line
  }

  /// The rule of a rejection by pins or by their configuration.
  private mutating func addPinRule(_ reason: String) {
    add("rule", .string("pins"))
    add("citation", .string("RFC 7469 §2.6"))
    add("reason", .string(reason))
  }

  /// Adds the digests of a path without making texts of them: every answer has them.
  private mutating func add(_ path: [Certificate], _ digests: inout DigestCache) {
    write(",\"path\":[")
    for (index, certificate) in path.enumerated() {
      write(index == 0 ? "\"" : ",\"")
      for byte in index == 0 ? certificate.fingerprint() : digests.digest(of: certificate) {
        bytes.append(BatchOutput.digit(byte >> 4))
        bytes.append(BatchOutput.digit(byte & 0x0F))
      }
      write("\"")
    }
    write("]")
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
