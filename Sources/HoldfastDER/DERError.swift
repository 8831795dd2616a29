/// Why octets are not the DER that was expected, and where.
public struct DERError: Error, Sendable, Hashable {
  /// What is wrong.
  public let problem: Problem

  /// The octet at which it is wrong, counted from the beginning of the input.
  public let offset: Int

  /// An error at an octet.
  public init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// The ways in which octets fail to be strict DER.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// An element was expected where the enclosing one ends.
    case missing(DERTag?)
    /// A length reaches beyond the enclosing element or the input.
    case truncated
    /// A tag number of 31 or more.
    case highTag
    /// A length that only its end marks, as in BER.
    case indefiniteLength
    /// A length that a shorter form could hold.
    case overlongLength
    /// A length beyond what the reader takes (2 GiB).
    case excessiveLength
    /// Another tag than the structure asks for.
    case unexpectedTag(found: DERTag, expected: DERTag)
    /// A tag that is none of the structure's alternatives.
    case unexpectedChoice(found: DERTag)
    /// Octets after the last element of a structure, or after the outermost one.
    case trailingData
    /// A structure that must hold at least one element is empty.
    case empty
    /// More elements than a limit allows.
    case tooMany(limit: Int)
    /// Structures nested deeper than the limit.
    case tooDeep(limit: Int)
    /// More octets than a limit allows.
    case tooLarge(limit: Int)
    /// A BOOLEAN that is neither 00 nor FF.
    case badBoolean
    /// An INTEGER without content, or with a leading octet that says nothing.
    case badInteger
    /// An INTEGER outside the range that its place allows.
    case integerOutOfRange
    /// A NULL with content.
    case badNull
    /// A BIT STRING with a wrong count of unused bits, or with unused bits set.
    case badBitString
    /// A BIT STRING of named bits with trailing zero bits, or without any bit.
    case badNamedBits
    /// An OBJECT IDENTIFIER that is empty, cut off, padded or longer than the limit.
    case badObjectIdentifier
    /// A character string with octets that its type does not have.
    case badString(DERTag)
    /// A time that is not in the one form that RFC 5280 allows.
    case badTime
    /// A SET OF whose elements are not in ascending order.
    case unsortedSet
    /// A DEFAULT value that is written out.
    case encodedDefault
    /// A value that its place does not allow.
    case badValue
  }
}

extension DERError: CustomStringConvertible {
  /// The problem, the octet and the rule: `found INTEGER, expected SEQUENCE at byte 4 [X.690 §8.1.2]`.
  public var description: String {
    "\(problem) at byte \(offset) [\(problem.citation)]"
  }
}

extension DERError.Problem: CustomStringConvertible {
  /// The problem in words.
  public var description: String {
    switch self {
    case .missing(let tag?): "\(tag) is missing"
    case .missing(nil): "an element is missing"
    case .truncated: "the length reaches beyond the end"
    case .highTag: "tag number of 31 or more"
    case .indefiniteLength: "indefinite length"
    case .overlongLength: "length not in its shortest form"
    case .excessiveLength: "length of 2 GiB or more"
    case .unexpectedTag(let found, let expected): "found \(found), expected \(expected)"
    case .unexpectedChoice(let found): "found \(found), which is none of the alternatives"
    case .trailingData: "data after the end of the structure"
    case .empty: "at least one element is required"
    case .tooMany(let limit): "more than \(limit) elements"
    case .tooDeep(let limit): "nested deeper than \(limit)"
    case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
    case .badBoolean: "BOOLEAN is neither 00 nor FF"
    case .badInteger: "INTEGER is empty or not in its shortest form"
    case .integerOutOfRange: "INTEGER is out of range"
    case .badNull: "NULL has content"
    case .badBitString: "unused bits of the BIT STRING are wrong or not zero"
    case .badNamedBits: "named bits have trailing zeros or are all absent"
    case .badObjectIdentifier: "OBJECT IDENTIFIER is empty, cut off, padded or too long"
    case .badString(let tag): "\(tag) has characters outside its alphabet"
    case .badTime: "time is not in the required form"
    case .unsortedSet: "SET OF is not in ascending order"
    case .encodedDefault: "a DEFAULT value is encoded"
    case .badValue: "value is not allowed here"
    }
  }

  /// The paragraph that the octets break.
  public var citation: String {
    switch self {
    case .missing, .unexpectedTag, .unexpectedChoice, .highTag: "X.690 §8.1.2"
    case .truncated, .excessiveLength: "X.690 §8.1.3"
    case .indefiniteLength, .overlongLength: "X.690 §10.1"
    case .trailingData: "X.690 §8.1.1"
    case .empty, .badValue: "RFC 5280 §4.1"
    case .tooMany, .tooDeep, .tooLarge: "limit of the reader"
    case .badBoolean: "X.690 §11.1"
    case .badInteger: "X.690 §8.3.2"
    case .integerOutOfRange: "X.690 §8.3"
    case .badNull: "X.690 §8.8.2"
    case .badBitString: "X.690 §11.2.1"
    case .badNamedBits: "X.690 §11.2.2"
    case .badObjectIdentifier: "X.690 §8.19.2"
    case .badString: "X.680 §41"
    case .badTime: "RFC 5280 §4.1.2.5"
    case .unsortedSet: "X.690 §11.6"
    case .encodedDefault: "X.690 §11.5"
    }
  }
}
