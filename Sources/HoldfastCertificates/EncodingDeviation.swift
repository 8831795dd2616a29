public import HoldfastDER

/// A deviation from the encoding rules that is read all the same, because certificates in use have it.
///
/// Rules decide whether it matters: parsing only reports it.
@nonexhaustive
public enum EncodingDeviation: Sendable, Hashable {
  /// The serial number is zero. RFC 5280 §4.1.2.2 wants it positive.
  case serialNumberZero
  /// The serial number is negative. RFC 5280 §4.1.2.2 wants it positive.
  case serialNumberNegative
  /// The serial number has more than 20 bytes. RFC 5280 §4.1.2.2.
  case serialNumberTooLong
  /// An RSA algorithm identifier without the NULL that RFC 4055 §2.1 asks for; the byte.
  case rsaParametersAbsent(at: Int)
  /// The algorithm identifiers inside and beside what is signed differ in their bytes, though not
  /// in the algorithm. RFC 5280 §4.1.1.2.
  case signatureAlgorithmsDiffer
  /// A DEFAULT value that is written out, which X.690 §11.5 forbids; the byte.
  case defaultEncoded(at: Int)
  /// A time before 2050 as GeneralizedTime. RFC 5280 §4.1.2.5; the byte.
  case generalizedTimeBefore2050(at: Int)
  /// Named bits that end in zero bits, which X.690 §11.2.2 forbids; the byte.
  case trailingZeroBits(at: Int)
  /// The elements of a SET OF are not in ascending order, as X.690 §11.6 asks; the byte.
  case setNotSorted(at: Int)
  /// A string that is only to be shown has characters that its type does not have. X.680 §41; the
  /// byte.
  case badString(at: Int)
  /// Signed certificate timestamps that are not in the encoding of TLS. RFC 6962 §3.3; the byte.
  case badTimestampList(at: Int)
  /// An extension that must not be empty is. RFC 5280 §4.2.1.
  case emptyExtension(OID)
  /// A path length in a certificate of no CA. RFC 5280 §4.2.1.9.
  case pathLengthWithoutCA
  /// The extensions of a revocation list's entry are present and empty, the first such; the byte.
  /// RFC 5280 §5.1.
  case emptyEntryExtensions(at: Int)
  /// An invalidity date as UTCTime, the first in a revocation list; the byte. RFC 5280 §5.3.2.
  case invalidityDateInUTCTime(at: Int)
  /// An extension of an OCSP answer is critical that was never meant to be.
  case criticalExtension(OID)
}

extension EncodingDeviation: CustomStringConvertible {
  /// The deviation with its place and its section.
  public var description: String { "\(row.message) [\(row.citation)]" }

  /// The section that the bytes deviate from.
  public var citation: String { row.citation }

  private var row: (message: String, citation: String) {
    switch self {
    case .serialNumberZero: ("serial number is zero", "RFC 5280 §4.1.2.2")
    case .serialNumberNegative: ("serial number is negative", "RFC 5280 §4.1.2.2")
    case .serialNumberTooLong: ("serial number has more than 20 bytes", "RFC 5280 §4.1.2.2")
    case .rsaParametersAbsent(let place):
      ("RSA algorithm identifier lacks its NULL at byte \(place)", "RFC 4055 §2.1")
    case .signatureAlgorithmsDiffer:
      ("inner and outer signature algorithm differ in their encoding", "RFC 5280 §4.1.1.2")
    case .defaultEncoded(let place): ("DEFAULT value is encoded at byte \(place)", "X.690 §11.5")
    case .generalizedTimeBefore2050(let place):
      ("GeneralizedTime before 2050 at byte \(place)", "RFC 5280 §4.1.2.5")
    case .trailingZeroBits(let place):
      ("named bits end in zero bits at byte \(place)", "X.690 §11.2.2")
    case .setNotSorted(let place): ("SET OF is not sorted at byte \(place)", "X.690 §11.6")
    case .badString(let place):
      ("string has characters outside its alphabet at byte \(place)", "X.680 §41")
    case .badTimestampList(let place):
      ("list of signed certificate timestamps is malformed at byte \(place)", "RFC 6962 §3.3")
    case .emptyExtension(let oid):
      ("\(oid.extensionName) is empty", KnownExtension(oid)?.row.citation ?? "RFC 5280 §4.2")
    case .pathLengthWithoutCA: ("path length without cA", "RFC 5280 §4.2.1.9")
    case .emptyEntryExtensions(let place):
      ("crlEntryExtensions is empty at byte \(place)", "RFC 5280 §5.1")
    case .invalidityDateInUTCTime(let place):
      ("invalidityDate is a UTCTime at byte \(place)", "RFC 5280 §5.3.2")
    case .criticalExtension(let oid):
      ("\(oid.extensionName) is critical", KnownExtension(oid)?.row.citation ?? "RFC 6960 §4.4")
    }
  }
}

extension EncodingDeviation {
  /// Of those from the same section the first, for a list may have millions of entries.
  static func firstOfEachKind(_ all: [EncodingDeviation]) -> [EncodingDeviation] {
    var kept: [EncodingDeviation] = []
    for next in all where !kept.contains(where: { $0.citation == next.citation }) {
      kept.append(next)
    }
    return kept
  }
}
