import Foundation
import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

/// The CRLs and OCSP responses of `Vectors/revocation`, which OpenSSL has made.
enum RevocationMaterial {
  static func blocks(_ file: String) throws -> [(name: String, der: [UInt8])] {
    try CommittedVectors.blocks("revocation/\(file)")
  }

  static func block(_ name: String, in file: String) throws -> [UInt8] {
    try #require(try blocks(file).first { $0.name == name }).der
  }

  /// What OpenSSL prints of each list and answer, by its name, line by line without indentation.
  static func fields() throws -> [String: [String]] {
    var fields: [String: [String]] = [:]
    var name = ""
    for line in try CommittedVectors.text("revocation/fields.txt").split(separator: "\n") {
      if line.hasPrefix("=== ") {
        name = String(line.dropFirst(4))
      } else {
        fields[name, default: []].append(line.trimmingCharacters(in: .whitespaces))
      }
    }
    return fields
  }
}

extension Timestamp {
  /// As OpenSSL prints it: `Apr  1 12:00:00 2026 GMT`.
  var openSSLMessage: String {
    let parts = description.split { "-T:Z".contains($0) }.map(String.init)
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    let day = Int(parts[2]) ?? 0
    return
      "\(months[(Int(parts[1]) ?? 1) - 1]) \(day < 10 ? " " : "")\(day)"
      + " \(parts[3]):\(parts[4]):\(parts[5]) \(parts[0]) GMT"
  }
}
