import Foundation
import TestSupport
import Testing

/// A line of a file in `Vectors/identities`: a kind and fields, `hmac hash=sha1 key=0b0b …`.
struct VectorLine: Sendable {
  let kind: String
  let fields: [String: String]

  /// The lines of a file, without comments.
  static func all(of name: String) throws -> [VectorLine] {
    try CommittedVectors.lines("identities/\(name)").map { parts in
      var fields: [String: String] = [:]
      for part in parts.dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        fields[String(pair[0])] = String(pair[1])
      }
      return VectorLine(kind: parts[0], fields: fields)
    }
  }

  func text(_ name: String) throws -> String {
    try #require(fields[name], "\(kind) has no \(name)")
  }

  func bytes(_ name: String) throws -> [UInt8] { try parseHex(text(name)) }

  func number(_ name: String) throws -> Int {
    try #require(Int(text(name)), "\(kind) has no number \(name)")
  }
}

/// Files outside of the repository.
enum TestFiles {
  /// The package cryptography_vectors, where it is: `Vectors/identities/make_pyca.py` says how.
  static let pyca: URL? = {
    let named = ProcessInfo.processInfo.environment["HOLDFAST_VECTORS"].map { URL(filePath: $0) }
    let folders = [named, URL(filePath: CommittedVectors.path("External"))].compactMap(\.self)
    return folders.map { $0.appending(path: "cryptography_vectors") }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "pkcs12").path)
    }
  }()

  static let pycaAbsence: Comment = "ABSENT: cryptography_vectors (looked in Vectors/External)"
}
