import Foundation
import Testing

/// A line of a file in `Vectors/identities`: a kind and fields, `hmac hash=sha1 key=0b0b …`.
struct VectorLine: Sendable {
  let kind: String
  let fields: [String: String]

  /// The lines of a file, without comments.
  static func all(of name: String) throws -> [VectorLine] {
    let text = try #require(String(bytes: TestFiles.bytes(of: name), encoding: .utf8))
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: " ")
      var fields: [String: String] = [:]
      for part in parts.dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        fields[String(pair[0])] = String(pair[1])
      }
      return VectorLine(kind: String(parts[0]), fields: fields)
    }
  }

  func text(_ name: String) throws -> String {
    try #require(fields[name], "\(kind) has no \(name)")
  }

  func bytes(_ name: String) throws -> [UInt8] { try hex(text(name)) }

  func number(_ name: String) throws -> Int {
    try #require(Int(text(name)), "\(kind) has no number \(name)")
  }
}

/// Files below `Vectors/identities`.
enum TestFiles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The package cryptography_vectors, where it is: `Vectors/identities/make_pyca.py` says how.
  static let pyca: URL? = {
    let named = ProcessInfo.processInfo.environment["HOLDFAST_VECTORS"].map { URL(filePath: $0) }
    let folders = [named, root.appending(path: "Vectors/External")].compactMap(\.self)
    return folders.map { $0.appending(path: "cryptography_vectors") }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "pkcs12").path)
    }
  }()

  static let pycaAbsence: Comment = "ABSENT: cryptography_vectors (looked in Vectors/External)"

  static func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appending(path: "Vectors/identities/\(name)")))
  }
}

/// The bytes of hexadecimal digits, between which spaces may stand.
func hex(_ digits: String) throws -> [UInt8] {
  let digits = digits.filter { $0 != " " }
  let values = digits.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  try #require(values.count == digits.utf8.count && values.count % 2 == 0, "not hexadecimal")
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
