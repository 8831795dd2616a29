public import HoldfastDER

/// Why bytes are not a log list that can be used.
public struct LogListError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The file, if one was read.
  public let file: String?

  init(_ problem: Problem, in file: String? = nil) {
    self.problem = problem
    self.file = file
  }

  /// The ways in which a list can be unusable as a whole.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// More bytes than the limit.
    case tooLarge(limit: Int)
    /// The bytes are not JSON: why, and the byte offset.
    case notJSON(message: String, offset: Int)
    /// The document is not an object, or it has no list of operators.
    case noOperators
    /// More logs than the limit.
    case tooManyLogs(limit: Int)
    /// The file cannot be read; with the system's message.
    case unreadable(String)
    /// The detached signature does not verify under the caller's key.
    case badSignature
  }
}

extension LogListError: HoldfastError {
  /// What is wrong with the list: `log_list.json: log list: not JSON: expected , at byte 17`.
  public var description: String {
    let what =
      switch problem {
      case .tooLarge(let limit): "more than \(limit) bytes"
      case .notJSON(let message, let offset): "not JSON: \(message) at byte \(offset)"
      case .noOperators: "no list of operators"
      case .tooManyLogs(let limit): "more than \(limit) logs"
      case .unreadable(let message): message
      case .badSignature: "the signature does not verify"
      }
    return (file.map { "\($0): " } ?? "") + "log list: \(what)"
  }

  /// The stable identifier of what is wrong.
  public var code: String {
    errorCode.rawValue
  }

  private var errorCode: ErrorCode {
    switch problem {
    case .tooLarge, .tooManyLogs: .tooLarge
    case .notJSON, .noOperators: .invalidLogList
    case .unreadable: .unreadableFile
    case .badSignature: .logListSignature
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .tooLarge: "The log list\(name) is too large."
    case .notJSON: "The log list\(name) is not valid JSON."
    case .noOperators: "The document\(name) is not a log list."
    case .tooManyLogs: "The log list\(name) has too many logs."
    case .unreadable: "The log list\(name) cannot be read."
    case .badSignature: "The log list\(name) was not signed with the given key."
    }
  }
}

/// A part of a log list that was left out or not understood. The rest of the list is used.
public struct LogListProblem: Sendable, Hashable {
  /// The part, as a path: `operators[2].tiled_logs[0].state`.
  public let path: String

  /// The problem.
  public let kind: Kind

  init(_ kind: Kind, at path: String) {
    self.kind = kind
    self.path = path
  }

  /// The ways in which a part of a list can be wrong.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The part is missing. A log without a key or an identifier is left out.
    case missing
    /// The part has another type than expected.
    case unexpectedType
    /// The text is not base64 of what it stands for. The log is left out.
    case badBase64
    /// The key is not a SubjectPublicKeyInfo. The log is left out.
    case badKey
    /// The log's key is not one with which a log may sign, so none of its timestamps verifies.
    case unsupportedKey
    /// The identifier is not the SHA-256 of the key. The log is left out.
    case wrongID
    /// Another log of the list has the same key. This one is left out.
    case duplicate
    /// The text is not a time.
    case badTime
    /// Not exactly one known state. The log never counts.
    case badState
  }
}

extension LogListProblem: CustomStringConvertible {
  /// `operators[2].logs[0].log_id: not the SHA-256 of the key`.
  public var description: String { "\(path): \(kind)" }
}

extension LogListProblem.Kind: CustomStringConvertible {
  /// `not the SHA-256 of the key`.
  public var description: String {
    switch self {
    case .missing: "missing"
    case .unexpectedType: "of another type than expected"
    case .badBase64: "not base64 of the right length"
    case .badKey: "not a public key"
    case .unsupportedKey: "neither a key on P-256 nor an RSA key of at least 2,048 bits"
    case .wrongID: "not the SHA-256 of the key"
    case .duplicate: "a second log with the same key"
    case .badTime: "not a time"
    case .badState: "not exactly one known state"
    }
  }
}
