import Foundation
import HoldfastDER

/// The files below `Vectors/`, which every clone of the repository has.
package enum CommittedVectors {
  /// The folder with `Package.swift`.
  package static let root: String = {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/")
  }()

  package static func path(_ name: String) -> String { "\(root)/Vectors/\(name)" }

  /// Returns the names of the files in a folder, sorted; none if it cannot be read.
  package static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  package static func bytes(_ name: String) throws -> [UInt8] {
    try Platform.readFile(path(name), limit: 64 << 20)
  }

  package static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// Returns the words of each line that is neither empty nor a comment.
  package static func lines(_ name: String) throws -> [[String]] {
    try text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: " ").map(String.init)
    }
  }

  /// Returns the PEM blocks of a file, each named by the line before it.
  package static func blocks(_ name: String) throws -> [(name: String, der: [UInt8])] {
    let text = try text(name)
    let lines = text.split(separator: "\n")
    let names = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN") }.map { lines[$0 - 1] }
    let blocks = PEMText(Array(text.utf8)).blocks
    guard names.count == blocks.count, !names.isEmpty else {
      throw MalformedTestData(reason: "\(name): \(blocks.count) of \(names.count) blocks are PEM")
    }
    return zip(names, blocks).map { (String($0), $1.bytes) }
  }
}

/// Files that tests compare with what the code says, and that were read by eye.
package enum GoldenFile {
  /// Whether `Scripts/golden` runs the tests, to write these files anew.
  package static let isRenewed = Platform.environment("HOLDFAST_RENEW") != nil

  /// Returns the text of a file, which is `found` if the files are written anew.
  package static func text(_ path: String, renewedAs found: String) throws -> String {
    if isRenewed { try found.write(toFile: path, atomically: true, encoding: .utf8) }
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// The error for malformed test data.
package struct MalformedTestData: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
