import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import HoldfastIdentities
import TestSupport
import Testing

/// A line `read` of an `expected.txt`: a file, a password and what must come of it.
struct ExpectedFile: Sendable, CustomTestStringConvertible {
  let folder: String
  let line: VectorLine

  static func all(_ folder: String, of list: String) throws -> [ExpectedFile] {
    try VectorLine.all(of: list).filter { $0.kind == "read" }.map {
      ExpectedFile(folder: folder, line: $0)
    }
  }

  var name: String { line.fields["file"] ?? "" }
  var testDescription: String { "\(name), password \(line.fields["password"] ?? "")" }

  /// Whether its many iterations are for a release build.
  var isSlow: Bool { name.contains("-slow") }

  func bytes() throws -> [UInt8] { try CommittedVectors.bytes("identities/\(folder)/\(name)") }

  func password() throws -> String? {
    let text = try line.text("password")
    return text == "absent" ? nil : String(decoding: try parseHex(text), as: UTF8.self)
  }

  /// Reads the file as the API is meant to be used.
  func identity(_ bytes: [UInt8], _ password: String?) throws(IdentityError) -> Identity {
    name.hasSuffix(".pem")
      ? try Identity(pem: bytes, password: password)
      : try Identity(pkcs12: bytes, password: password)
  }

  /// What is not as it must be, in words; empty if all is right.
  func differences() throws -> [String] {
    let password = try password()
    let found: Identity
    do throws(IdentityError) {
      found = try Identity(
        file: CommittedVectors.path("identities/\(folder)/\(name)"), password: password)
    } catch {
      let expected = line.fields["error"]
      return expected == error.kind
        ? [] : ["\(testDescription): \(error.kind), \(error), not \(expected ?? "read")"]
    }
    return differences(of: found)
  }

  private func differences(of identity: Identity) -> [String] {
    guard line.fields["error"] == nil else { return ["\(testDescription) was read"] }
    var differences: [String] = []
    func compare(_ field: String, _ found: String?) {
      guard let expected = line.fields[field], expected != found else { return }
      differences.append("\(testDescription): \(field) is \(found ?? "absent"), not \(expected)")
    }
    compare("leaf", identity.leaf.sha256)
    compare("chain", identity.chain.map(\.sha256).joined(separator: ","))
    compare("key", Hexadecimal.text(of: HashAlgorithm.sha256.hash(identity.privateKey.pkcs8).array))
    compare("name", identity.name.map { Hexadecimal.text(of: $0.utf8) })
    return differences
  }
}

extension IdentityError {
  /// The kind of an error as `expected.txt` has it.
  var kind: String {
    switch problem {
    case .passwordNeeded: "passwordNeeded"
    case .wrongPassword(let locked):
      switch locked {
      case .file: "wrongPassword:file"
      case .contents: "wrongPassword:contents"
      case .contentsOnly: "wrongPassword:contentsOnly"
      case .privateKey: "wrongPassword:privateKey"
      @unknown default: "wrongPassword"
      }
    case .unsupported(let unsupported):
      unsupported.name?.contains("headers") == true
        ? "unsupported:headers" : "unsupported:\(unsupported.name ?? "")"
    case .damaged(let damage): "damaged:\(damage.field)"
    case .limit(let limit):
      switch limit {
      case .fileSize: "limit:fileSize"
      case .bags: "limit:bags"
      case .nesting: "limit:nesting"
      case .iterations: "limit:iterations"
      case .totalIterations: "limit:totalIterations"
      case .scryptMemory: "limit:scryptMemory"
      @unknown default: "limit"
      }
    case .noIdentity(let reason):
      switch reason {
      case .noKey: "noIdentity:noKey"
      case .noCertificate: "noIdentity:noCertificate"
      case .noMatch: "noIdentity:noMatch"
      case .several: "noIdentity:several"
      @unknown default: "noIdentity"
      }
    case .notAuthenticated: "notAuthenticated"
    case .unreadable: "unreadable"
    @unknown default: "unknown"
    }
  }
}
