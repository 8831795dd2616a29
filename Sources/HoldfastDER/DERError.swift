/// Why bytes are not the expected DER, and where.
public struct DERError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem

  /// The byte offset from the beginning of the input.
  public let offset: Int

  /// Creates an error at an offset.
  @usableFromInline
  package init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// The ways in which bytes can violate strict DER.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// An element is missing where the enclosing one ends.
    case missing(DERTag?)
    /// A length reaches beyond the enclosing element or the input.
    case truncated
    /// A tag number of 31 or more.
    case highTag
    /// An indefinite length, which only BER allows.
    case indefiniteLength
    /// A length that is not in its shortest form.
    case overlongLength
    /// A length of 2 GiB or more, the limit of the reader.
    case excessiveLength
    /// A tag other than the expected one.
    case unexpectedTag(found: DERTag, expected: DERTag)
    /// A tag that is not one of the structure's alternatives.
    case unexpectedChoice(found: DERTag)
    /// Bytes after the last element of a structure, or after the whole structure.
    case trailingData
    /// A structure without elements that must have at least one.
    case empty
    /// More elements than the limit.
    case tooMany(limit: Int)
    /// Structures nested deeper than the limit.
    case tooDeep(limit: Int)
    /// More bytes than the limit.
    case tooLarge(limit: Int)
    /// A BOOLEAN that is neither 00 nor FF.
    case badBoolean
    /// An INTEGER without content, or with a redundant leading byte.
    case badInteger
    /// An INTEGER outside the range allowed here.
    case integerOutOfRange
    /// A NULL with content.
    case badNull
    /// A BIT STRING with a wrong count of unused bits, or with unused bits set.
    case badBitString
    /// A BIT STRING of named bits with trailing zero bits, or with no bit set.
    case badNamedBits
    /// An OBJECT IDENTIFIER that is empty, cut off, padded or longer than the limit.
    case badObjectIdentifier
    /// A character string with bytes outside its type's alphabet.
    case badString(DERTag)
    /// A time that is not in the form required by RFC 5280.
    case badTime
    /// A SET OF whose elements are not in ascending order.
    case unsortedSet
    /// An encoded DEFAULT value.
    case encodedDefault
    /// A second occurrence of an element that may occur only once.
    case duplicate
    /// A field that this version of the structure does not allow.
    case notInThisVersion
    /// A value that is not allowed here.
    case badValue
  }
}

extension DERError: CustomStringConvertible {
  /// The problem, the byte and the section:
  /// `found INTEGER, expected SEQUENCE at byte 4 [X.690 §8.1.2]`.
  public var description: String {
    "\(problem) at byte \(offset) [\(problem.citation)]"
  }
}

extension DERError.Problem: CustomStringConvertible {
  /// The problem, without its offset.
  public var description: String { row.message }

  /// The section that the bytes violate.
  package var citation: String { row.citation }

  private var row: (message: String, citation: String) {
    switch self {
    case .missing(let tag):
      (tag.map { "\($0) is missing" } ?? "an element is missing", "X.690 §8.1.2")
    case .truncated: ("the length reaches beyond the end", "X.690 §8.1.3")
    case .highTag: ("tag number of 31 or more", "X.690 §8.1.2")
    case .indefiniteLength: ("indefinite length", "X.690 §10.1")
    case .overlongLength: ("length not in its shortest form", "X.690 §10.1")
    case .excessiveLength: ("length of 2 GiB or more", "X.690 §8.1.3")
    case .unexpectedTag(let found, let expected):
      ("found \(found), expected \(expected)", "X.690 §8.1.2")
    case .unexpectedChoice(let found):
      ("found \(found), which is not one of the alternatives", "X.690 §8.1.2")
    case .trailingData: ("data after the end of the structure", "X.690 §8.1.1")
    case .empty: ("at least one element is required", "RFC 5280 §4.1")
    case .tooMany(let limit): ("more than \(limit) elements", "limit of the reader")
    case .tooDeep(let limit): ("nested deeper than \(limit)", "limit of the reader")
    case .tooLarge(let limit): ("larger than the limit of \(limit) bytes", "limit of the reader")
    case .badBoolean: ("BOOLEAN is neither 00 nor FF", "X.690 §11.1")
    case .badInteger: ("INTEGER is empty or not in its shortest form", "X.690 §8.3.2")
    case .integerOutOfRange: ("INTEGER is out of range", "X.690 §8.3")
    case .badNull: ("NULL has content", "X.690 §8.8.2")
    case .badBitString: ("unused bits of the BIT STRING are wrong or not zero", "X.690 §11.2.1")
    case .badNamedBits: ("named bits have trailing zeros or are all absent", "X.690 §11.2.2")
    case .badObjectIdentifier:
      ("OBJECT IDENTIFIER is empty, cut off, padded or too long", "X.690 §8.19.2")
    case .badString(let tag): ("\(tag) has characters outside its alphabet", "X.680 §41")
    case .badTime: ("time is not in the required form", "RFC 5280 §4.1.2.5")
    case .unsortedSet: ("SET OF is not in ascending order", "X.690 §11.6")
    case .encodedDefault: ("a DEFAULT value is encoded", "X.690 §11.5")
    case .duplicate: ("occurs twice", "RFC 5280 §4.2")
    case .notInThisVersion: ("field not allowed in this version", "RFC 5280 §4.1.2.1")
    case .badValue: ("value is not allowed here", "RFC 5280 §4.1")
    }
  }
}

extension DERError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidDER.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The data is damaged or of another kind." }
}
