import Foundation
import HoldfastCompatibility
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// The certificates of `Vectors/pinning`, and what OpenSSL says of them.
enum PinningMaterial {
  static let host = "www.pins.example"
  /// 2026-01-01T00:00:00Z, the time of all questions.
  static let time = Timestamp(secondsSince1970: 1_767_225_600)

  /// DER by name: the line before each block is `# name`.
  static let bytes: [String: [UInt8]] = {
    do {
      let blocks = try CommittedVectors.blocks("pinning/certificates.pem")
      return Dictionary(uniqueKeysWithValues: blocks.map { (String($0.name.dropFirst(2)), $0.der) })
    } catch {
      Issue.record(error)
      return [:]
    }
  }()

  static func certificate(_ name: String) throws -> Certificate {
    try Certificate(der: try #require(bytes[name], "no certificate \(name)"))
  }

  /// Certificates by names with commas between; `-` for none.
  static func certificates(_ names: String) throws -> [Certificate] {
    try names.split(separator: ",").filter { $0 != "-" }.map { try certificate(String($0)) }
  }

  /// A question: the names of what was sent, and of the system's anchors.
  static func trust(
    _ sent: String, anchors: String, rules: ValidationRules = .apple, at time: Timestamp = time
  ) throws -> ServerTrust {
    ServerTrust(
      chain: try certificates(sent),
      validator: PathValidator(anchors: AnchorSet(try certificates(anchors)), rules: rules),
      at: time)
  }

  static func text(_ file: String) -> String {
    do {
      return try CommittedVectors.text("pinning/\(file)")
    } catch {
      Issue.record(error)
      return ""
    }
  }

  /// The lists of the two authorities, of which one names `leaf-revoked`.
  static func crls() throws -> [CRL] {
    let blocks = PEMText(Array(text("lists.pem").utf8)).blocks
    return try blocks.map { try CRL(der: $0.bytes) }
  }

  /// One line of `scenarios.txt`: what was sent, trusted and pinned, and the answers of OpenSSL.
  struct Scenario {
    let fields: [String: String]
    subscript(name: String) -> String { fields[name] ?? "?" }
    var host: String { self["host"] }
    var hasPins: Bool { self["pinned"] != "-" }
    var name: String { "\(self["sent"]) / \(self["system"]) / \(self["pinned"]) / \(host)" }

    func trust() throws -> ServerTrust {
      try PinningMaterial.trust(self["sent"], anchors: self["system"])
    }
    func pinned() throws -> [Certificate] { try PinningMaterial.certificates(self["pinned"]) }
  }

  static let scenarios: [Scenario] = rows(text("scenarios.txt")).map { Scenario(fields: $0) }

  /// The rows of a table with tabs, by the names in its first line; `#` begins a comment.
  static func rows(_ table: String) -> [[String: String]] {
    let lines = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map {
      Dictionary(zip(names, $0)) { first, _ in first }
    }
  }

  /// The rows of one of the tables, by a key made of all columns but the answers.
  static func table(
    _ file: String, without answers: Set<String>
  ) throws -> (columns: [String], rows: [String: [String: String]]) {
    let text = try CommittedVectors.text("pinning/\(file)")
    let columns = text.prefix { $0 != "\n" }.split(separator: "\t").map(String.init)
      .filter { !answers.contains($0) }
    let rows = rows(text)
    let keyed = Dictionary(rows.map { row in (key(columns, row), row) }) { first, _ in first }
    #expect(keyed.count == rows.count, "no two rows of \(file) ask the same")
    return (columns, keyed)
  }

  static func key(_ columns: [String], _ values: [String: String]) -> String {
    columns.map { values[$0] ?? "?" }.joined(separator: " ")
  }
}

extension Bool {
  /// `1` or `0`, as the tables have it.
  var digit: String { self ? "1" : "0" }
}
