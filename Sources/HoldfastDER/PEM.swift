/// One block of a PEM text: what is between `-----BEGIN LABEL-----` and its END. RFC 7468.
package struct PEMBlock: Sendable, Hashable {
  /// The words after BEGIN: `CERTIFICATE`.
  package let label: String

  /// The decoded bytes.
  package let bytes: [UInt8]

  /// The number of the block in its text, from 1.
  package let number: Int

  /// The line of its BEGIN, from 1.
  package let line: Int
}

/// Why a block of a PEM text cannot be read, and where.
public struct PEMError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let problem: Problem

  /// The number of the block in its text, from 1; 0 if no block has begun.
  public let block: Int

  /// The line, from 1.
  public let line: Int

  package init(problem: Problem, block: Int, line: Int) {
    self.problem = problem
    self.block = block
    self.line = line
  }

  /// The ways in which a text fails to be PEM.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// There is no block, or none with the label that was asked for.
    case noBlock
    /// The text ends, or another block begins, before the END of this one.
    case missingEnd
    /// An END without a BEGIN.
    case missingBegin
    /// The label of END is not that of BEGIN.
    case labelMismatch
    /// A BEGIN or END that is not exactly `-----BEGIN LABEL-----`.
    case badBoundary
    /// Header lines before the base64, as encrypted keys have: RFC 7468 has no place for them.
    case headers
    /// A character outside the base64 alphabet.
    case badCharacter(UInt8)
    /// Padding that is missing, superfluous or not at the end.
    case badPadding
    /// Bits after the last byte that are not zero, so that another text would say the same.
    case nonZeroPadBits
    /// No base64 at all.
    case emptyBlock
    /// A text beyond the limit.
    case tooLarge(limit: Int)
    /// More blocks than the limit.
    case tooManyBlocks(limit: Int)
  }

  /// The problem, the block and the line: `character 0x2a is not base64 in block 2, line 31 [RFC 4648 §3.3]`.
  public var description: String {
    let place = block == 0 ? "at line \(line)" : "in block \(block), line \(line)"
    return "\(message) \(place) [\(citation)]"
  }

  /// The problem without its place.
  package var message: String { row.message }

  /// The section that the text breaks.
  package var citation: String { row.citation }

  private var row: (message: String, citation: String) {
    let format = "RFC 7468 §3"
    return switch problem {
    case .noBlock: ("no PEM block of the expected kind", format)
    case .missingEnd: ("the block has no END line", format)
    case .missingBegin: ("END line without a BEGIN line", format)
    case .labelMismatch: ("the END label differs from the BEGIN label", format)
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

/// A PEM text, read block by block in one pass.
///
/// Text around the blocks is passed over, line ends are LF or CR LF, and blank lines and white space
/// at the end of a line do not count. The base64 is strict: the alphabet of RFC 4648 §4, padding where
/// it belongs, no bits left over. A bad block does not lose its neighbours.
package struct PEMText: Sendable {
  /// The good blocks, in the order of the text.
  package let blocks: [PEMBlock]

  /// The blocks whose label was not wanted, without their bytes.
  package let others: [PEMBlock]

  /// What is wrong, in the order of the text.
  package let errors: [PEMError]

  /// The most bytes a text may have.
  package static let maximumSize = 16 << 20

  /// The most blocks a text may have.
  package static let maximumBlocks = 10_000

  /// Where a text begins: after the mark that some editors put before UTF-8, which must not hide the
  /// first BEGIN.
  package static func start(of text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads all blocks, or those with a label that the caller wants; the others are not decoded.
  ///
  /// - Parameter labels: The labels that are wanted; nil for all.
  package init(
    _ text: [UInt8], labels: [String]? = nil, maximumSize: Int = PEMText.maximumSize
  ) {
    var scanner = PEMScanner(text, labels: labels?.map { Array($0.utf8) })
    if text.count > maximumSize {
      scanner.fail(.tooLarge(limit: maximumSize))
    } else {
      scanner.scan()
    }
    blocks = scanner.blocks
    others = scanner.others
    errors = scanner.errors
  }

  /// Whether bytes look like PEM rather than DER: some line begins with a BEGIN.
  ///
  /// DER of any structure that X.509 knows begins with SEQUENCE, 30, which is also the digit zero;
  /// so a text that begins with a zero is told apart by what follows.
  package static func isLikely(_ bytes: [UInt8]) -> Bool {
    var scanner = PEMScanner(bytes, labels: [])
    return scanner.findsBoundary()
  }
}

extension PEMBlock {
  /// The text of a block: lines of 64 characters that end in LF. RFC 7468 §2.
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
