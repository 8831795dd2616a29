import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastJSON
import HoldfastPaths
import HoldfastTransparency
import TestSupport

/// The committed vectors of `Vectors/transparency`.
enum TransparencyVectors {
  static let folder = "transparency"

  static func list() throws -> LogList {
    try LogList(json: CommittedVectors.bytes("\(folder)/logs.json"))
  }

  /// A log of the list by its description.
  static func log(_ name: some StringProtocol, in list: LogList) throws -> CertificateLog {
    guard let log = list.logs.first(where: { $0.name == name }) else {
      throw MalformedTestData(reason: "no log \(name)")
    }
    return log
  }

  /// A second of the clock.
  static func second(_ text: some StringProtocol) throws -> ClosedRange<LogTime> {
    guard let time = Timestamp(String(text)) else { throw MalformedTestData(reason: "\(text)") }
    return LogTime(time)...LogTime(millisecondsSince1970: time.secondsSince1970 * 1000 + 999)
  }

  static func policy(_ name: some StringProtocol) throws -> TransparencyPolicy {
    switch name {
    case "chrome": return .chrome
    case "apple": return .apple
    case "mozilla": return .mozilla
    default:
      guard name.hasPrefix("count("), let count = Int(name.dropFirst(6).dropLast()) else {
        throw MalformedTestData(reason: "no policy \(name)")
      }
      return .count(count)
    }
  }

  /// A timestamp of a log without a signature.
  static func unsigned(_ log: CertificateLog, at time: LogTime) throws -> SignedCertificateTimestamp
  {
    let milliseconds = UInt64(time.millisecondsSince1970)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(56 - 8 * $0)) }
    return try SignedCertificateTimestamp([0] + log.id.bytes + bytes + [0, 0, 4, 3, 0, 0])
  }
}

/// A line of `signed.ndjson`.
struct SignedCase {
  let name: String
  let leaf: Certificate
  let root: Certificate
  let anchor: TrustAnchor
  let now: Timestamp
  let tls: [UInt8]?
  let ocsp: OCSPResponse?
  let expected: [String]
  let leafIndex: UInt64?
  let omitted: Int
  let hasPath: Bool

  static func all() throws -> [SignedCase] {
    let text = try CommittedVectors.text("\(TransparencyVectors.folder)/signed.ndjson")
    return try text.split(separator: "\n").map {
      try SignedCase(JSONValue(parsing: Array($0.utf8)))
    }
  }

  static func named(_ name: String) throws -> SignedCase {
    guard let found = try all().first(where: { $0.name == name }) else {
      throw MalformedTestData(reason: "no case \(name)")
    }
    return found
  }

  private init(_ value: JSONValue) throws {
    guard case .object(let members) = value else { throw MalformedTestData(reason: "no object") }
    let fields = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    func text(_ name: String) -> String? {
      if case .string(let text)? = fields[name] { text } else { nil }
    }
    func bytes(_ name: String) -> [UInt8]? {
      text(name).flatMap { Base64.bytes(of: Array($0.utf8)) }
    }
    func number(_ name: String) -> Int? {
      if case .number(let text)? = fields[name] { Int(text) } else { nil }
    }
    guard let name = text("name"), let now = text("now").flatMap({ Timestamp($0) }),
      let anchor = text("anchor"), case .array(let expected)? = fields["expected"],
      let omitted = number("omitted")
    else { throw MalformedTestData(reason: "\(members.map(\.name))") }
    self.name = name
    self.now = now
    leaf = try Certificate(der: bytes("leaf") ?? [])
    root = try Certificate(der: bytes("root") ?? [])
    self.anchor =
      anchor == "key"
      ? TrustAnchor(name: root.subject, publicKey: root.publicKey) : TrustAnchor(root)
    tls = bytes("tls")
    ocsp = try bytes("ocsp").map { try OCSPResponse(der: $0) }
    self.expected = expected.compactMap { if case .string(let word) = $0 { word } else { nil } }
    leafIndex = number("leafIndex").map { UInt64($0) }
    self.omitted = omitted
    hasPath = fields["path"] == .bool(true)
  }

  /// The path of the leaf.
  func path(_ rules: ValidationRules = .rfc5280) throws(PathError) -> ValidatedPath {
    try PathValidator(anchors: AnchorSet([anchor]), rules: rules, cache: nil)
      .validate([leaf], for: .anyServer, at: now)
  }
}
