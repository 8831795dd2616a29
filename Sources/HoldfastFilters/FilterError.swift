public import HoldfastDER

/// Why a file of a revocation filter, or of the folder that holds it, cannot be used.
public struct FilterError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The file or the folder: the path of one that was read alone, or the name in its folder.
  public let file: String
  /// The byte offset in the file; nil if the problem has no place.
  public let offset: Int?

  package init(_ problem: Problem, in file: String, at offset: Int? = nil) {
    self.problem = problem
    self.file = file
    self.offset = offset
  }

  /// The ways in which a file can be unusable.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It cannot be opened or mapped: the system's message, or the limit of its size.
    case unreadableFile(String)
    /// Its size or its SHA-256 is not the one that its manifest states.
    case otherHash
    /// The first two bytes are this number, which is not a supported version.
    case unsupportedVersion(UInt16)
    /// A length reaches beyond the end.
    case truncated
    /// Bytes follow the last field.
    case trailingData
    /// A number is above a limit.
    case numberTooLarge(limit: UInt64)
    /// A flag is neither 0 nor 1.
    case badFlag
    /// The identifier of an issuer does not have 32 bytes.
    case badKeyLength
    /// A serial number without bytes.
    case emptySerialNumber
    /// A second log or issuer with the same identifier.
    case duplicate
    /// An issuer has a higher rank than the filter has columns.
    case missingColumns
    /// No folder with upki's cache is at any of its places.
    case noCache
    /// The manifest is not one of upki's: why.
    case badManifest(String)
    /// A list of files has a name that leaves its folder.
    case badFileName
    /// Not an index of upki, or one that contradicts itself.
    case badIndex
    /// The index lists other files than the manifest.
    case otherFiles
    /// By its name, a delta before it is not listed.
    case unlistedDelta
    /// The configuration does not state the folder in a way that can be read.
    case badConfiguration
  }
}

extension FilterError: HoldfastError {
  /// The file, the problem and the byte: `20261120-0-default.filter: ends too early at byte 17`.
  public var description: String {
    "\(file): \(problem)" + (offset.map { " at byte \($0)" } ?? "")
  }

  /// The stable identifier of what is wrong.
  public var code: String {
    errorCode.rawValue
  }

  private var errorCode: ErrorCode {
    switch problem {
    case .unreadableFile: .unreadableFile
    case .noCache: .noFilters
    case .otherHash, .unsupportedVersion, .truncated, .trailingData, .numberTooLarge, .badFlag,
      .badKeyLength, .emptySerialNumber, .duplicate, .missingColumns, .badManifest, .badFileName,
      .badIndex, .otherFiles, .unlistedDelta, .badConfiguration:
      .invalidFilter
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .unreadableFile: "The file \(file) with revocations cannot be read."
    case .unsupportedVersion:
      "The file \(file) with revocations has a version that is not supported."
    case .noCache: "There are no files with revocations."
    case .otherHash, .truncated, .trailingData, .numberTooLarge, .badFlag, .badKeyLength,
      .emptySerialNumber, .duplicate, .missingColumns:
      "The file \(file) with revocations is damaged."
    case .unlistedDelta: "A file with revocations is missing."
    case .badManifest, .badFileName, .badIndex, .otherFiles, .badConfiguration:
      "The list of the files with revocations is damaged."
    }
  }
}

extension FilterError.Problem: CustomStringConvertible {
  /// The predicate of a sentence about the file: `ends too early`.
  public var description: String {
    switch self {
    case .unreadableFile(let message): "cannot be read: \(message)"
    case .otherHash: "is not the file that the manifest lists"
    case .unsupportedVersion(let number):
      "has version \(number) instead of 3 or 4"
    case .truncated: "ends too early"
    case .trailingData: "has more bytes after the last field"
    case .numberTooLarge(let limit): "has a number above \(limit)"
    case .badFlag: "has a flag that is neither 0 nor 1"
    case .badKeyLength: "has an issuer's identifier that is not a SHA-256"
    case .emptySerialNumber: "has a serial number without bytes"
    case .duplicate: "has a second entry for a log or an issuer"
    case .missingColumns: "has fewer columns than an issuer needs"
    case .noCache: "is not there, nor is the cache at another of its places"
    case .badManifest(let message): "is not a manifest of filters: \(message)"
    case .badFileName: "has a name that is not one of a file in the folder"
    case .badIndex: "is not an index of filters"
    case .otherFiles: "lists other files than the manifest"
    case .unlistedDelta: "follows a delta that is not listed"
    case .badConfiguration: "does not state a folder"
    }
  }
}
