/// A block of a PEM text, from `-----BEGIN LABEL-----` to its END. RFC 7468.
package struct PEMBlock: Sendable, Hashable {
  /// The label after BEGIN: `CERTIFICATE`.
  package let label: String

  /// The decoded bytes.
  package internal(set) var bytes: [UInt8]

  /// The number of the block in the text, from 1.
  package let number: Int

  /// The line of its BEGIN, from 1.
  package let line: Int
}

/// Why a block of a PEM text is malformed, and where.
public struct PEMError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem.
  public let problem: Problem

  /// The number of the block in the text, from 1; 0 before the first block.
  public let block: Int

  /// The line, from 1.
  public let line: Int

  package init(problem: Problem, block: Int, line: Int) {
    self.problem = problem
    self.block = block
    self.line = line
  }

  /// The ways in which a text can violate PEM.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// There is no block, or none with the expected label.
    case noBlock
    /// The text ends, or another block begins, before the END of this block.
    case missingEnd
    /// An END without a BEGIN.
    case missingBegin
    /// The label of END differs from that of BEGIN.
    case labelMismatch
    /// The reader does not know the label, so the block may contain what it looks for.
    case unknownLabel
    /// A control character where only text is passed over, so DER may be there.
    case binary(UInt8)
    /// A BEGIN or END line is not exactly `-----BEGIN LABEL-----`.
    case badBoundary
    /// Header lines before the base64, as in encrypted keys, which RFC 7468 does not allow.
    case headers
    /// A character outside the base64 alphabet.
    case badCharacter(UInt8)
    /// Padding is missing, superfluous or not at the end.
    case badPadding
    /// Unused bits after the last byte are not zero, so the text is not canonical.
    case nonZeroPadBits
    /// The block has no base64.
    case emptyBlock
    /// The text is larger than the limit.
    case tooLarge(limit: Int)
    /// The text has more blocks than the limit.
    case tooManyBlocks(limit: Int)
  }

  /// The problem, the block and the line: `character 0x2a is not base64 in block 2, line 31 [RFC
  /// 4648 §3.3]`.
  public var description: String { "\(located) [\(citation)]" }

  /// The problem with its location, for who adds the citation.
  package var located: String {
    message + (block == 0 ? " at line \(line)" : " in block \(block), line \(line)")
  }

  /// The problem without its location.
  package var message: String { row.message }

  /// The section that the text violates.
  package var citation: String { row.citation }

  private var row: (message: String, citation: String) {
    let format = "RFC 7468 §3"
    return switch problem {
    case .noBlock: ("no PEM block of the expected kind", format)
    case .missingEnd: ("the block has no END line", format)
    case .missingBegin: ("END line without a BEGIN line", format)
    case .labelMismatch: ("the END label differs from the BEGIN label", format)
    case .unknownLabel: ("the label of the block is not known", format)
    case .binary(let byte):
      ("byte 0x\(String(byte, radix: 16)) where only text is passed over", "RFC 7468 §2")
    case .badBoundary: ("BEGIN or END line is not in the exact form", format)
    case .headers: ("header lines before the base64", format)
    case .badCharacter(let byte):
      ("character 0x\(String(byte, radix: 16)) is not base64", "RFC 4648 §3.3")
    case .badPadding: ("base64 padding is missing or misplaced", "RFC 4648 §3.2")
    case .nonZeroPadBits: ("unused bits of the base64 are not zero", "RFC 4648 §3.5")
    case .emptyBlock: ("the block is empty", format)
    case .tooLarge(let limit):
      ("the text is larger than the limit of \(limit) bytes", "limit of the reader")
    case .tooManyBlocks(let limit): ("more than \(limit) blocks", "limit of the reader")
    }
  }
}

extension PEMBlock {
  /// Returns the text of a block, in lines of 64 characters that end in LF. RFC 7468 §2.
  package static func text(label: String, bytes: some Collection<UInt8>) -> String {
    var text = "-----BEGIN \(label)-----\n"
    let base64 = Base64.text(of: bytes)
    var rest = base64.utf8[...]
    while !rest.isEmpty {
      text += String(Substring(rest.prefix(64))) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }
}

extension PEMError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidPEM.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .noBlock: "The text has nothing of the expected kind."
    case .tooLarge, .tooManyBlocks: "The text is too large."
    case .missingEnd, .missingBegin, .labelMismatch, .unknownLabel, .binary, .badBoundary, .headers,
      .badCharacter, .badPadding, .nonZeroPadBits, .emptyBlock:
      "The text is damaged."
    }
  }
}
