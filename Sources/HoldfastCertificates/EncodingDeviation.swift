public import HoldfastDER

/// A deviation from the encoding rules that is accepted because certificates in use have it.
///
/// Parsing only reports it; rules decide whether it matters. `at` is a byte offset.
@nonexhaustive
public enum EncodingDeviation: Sendable, Hashable {
  /// The serial number is zero. RFC 5280 §4.1.2.2 requires it to be positive.
  case serialNumberZero
  /// The serial number is negative. RFC 5280 §4.1.2.2 requires it to be positive.
  case serialNumberNegative
  /// The serial number has more than 20 bytes. RFC 5280 §4.1.2.2.
  case serialNumberTooLong
  /// An RSA algorithm identifier lacks the NULL that RFC 4055 §2.1 requires.
  case rsaParametersAbsent(at: Int)
  /// The algorithm identifiers inside and outside the signed part are not the same bytes.
  /// RFC 5280 §4.1.1.2.
  case signatureAlgorithmsDiffer
  /// A DEFAULT value is encoded, which X.690 §11.5 forbids.
  case defaultEncoded(at: Int)
  /// A time before 2050 is a GeneralizedTime. RFC 5280 §4.1.2.5.
  case generalizedTimeBefore2050(at: Int)
  /// Named bits end in zero bits, which X.690 §11.2.2 forbids.
  case trailingZeroBits(at: Int)
  /// The elements of a SET OF are not in ascending order, which X.690 §11.6 requires.
  case setNotSorted(at: Int)
  /// A string that is only displayed has characters outside its type's alphabet. X.680 §41.
  case badString(at: Int)
  /// Signed certificate timestamps are not in the TLS encoding. RFC 6962 §3.3.
  case badTimestampList(at: Int)
  /// An extension is empty although it must not be. RFC 5280 §4.2.1.
  case emptyExtension(OID)
  /// A path length constraint without cA. RFC 5280 §4.2.1.9.
  case pathLengthWithoutCA
  /// The entries of a CRL are present but empty. RFC 5280 §5.1.2.6.
  case emptyRevokedCertificates(at: Int)
  /// A name of the form otherName has no `[0]` around its value. RFC 5280 §4.2.1.6.
  case otherNameWithoutTag(at: Int)
  /// The extensions of a CRL entry are present but empty; only the first is reported.
  /// RFC 5280 §5.1.
  case emptyEntryExtensions(at: Int)
  /// An invalidity date is a UTCTime; only the first in a list is reported. RFC 5280 §5.3.2.
  case invalidityDateInUTCTime(at: Int)
  /// An extension of an OCSP response is critical although it should never be.
  case criticalExtension(OID)
}

extension EncodingDeviation: CustomStringConvertible {
  /// The deviation with its offset and the section.
  public var description: String { "\(message) [\(citation)]" }

  /// The deviation with its offset.
  package var message: String { row.message }

  /// The section that the bytes deviate from.
  public var citation: String { row.citation }

  private var row: (message: String, citation: String) {
    switch self {
    case .serialNumberZero: ("serial number is zero", "RFC 5280 §4.1.2.2")
    case .serialNumberNegative: ("serial number is negative", "RFC 5280 §4.1.2.2")
    case .serialNumberTooLong: ("serial number has more than 20 bytes", "RFC 5280 §4.1.2.2")
    case .rsaParametersAbsent(let offset):
      ("RSA algorithm identifier lacks its NULL at byte \(offset)", "RFC 4055 §2.1")
    case .signatureAlgorithmsDiffer:
      ("inner and outer signature algorithm differ in their encoding", "RFC 5280 §4.1.1.2")
    case .defaultEncoded(let offset): ("DEFAULT value is encoded at byte \(offset)", "X.690 §11.5")
    case .generalizedTimeBefore2050(let offset):
      ("GeneralizedTime before 2050 at byte \(offset)", "RFC 5280 §4.1.2.5")
    case .trailingZeroBits(let offset):
      ("named bits end in zero bits at byte \(offset)", "X.690 §11.2.2")
    case .setNotSorted(let offset): ("SET OF is not sorted at byte \(offset)", "X.690 §11.6")
    case .badString(let offset):
      ("string has characters outside its alphabet at byte \(offset)", "X.680 §41")
    case .badTimestampList(let offset):
      ("list of signed certificate timestamps is malformed at byte \(offset)", "RFC 6962 §3.3")
    case .emptyExtension(let oid):
      ("\(oid.extensionName) is empty", KnownExtension(oid)?.row.citation ?? "RFC 5280 §4.2")
    case .pathLengthWithoutCA: ("path length without cA", "RFC 5280 §4.2.1.9")
    case .emptyRevokedCertificates(let offset):
      ("revokedCertificates is empty at byte \(offset)", "RFC 5280 §5.1.2.6")
    case .otherNameWithoutTag(let offset):
      ("otherName has no [0] around its value at byte \(offset)", "RFC 5280 §4.2.1.6")
    case .emptyEntryExtensions(let offset):
      ("crlEntryExtensions is empty at byte \(offset)", "RFC 5280 §5.1")
    case .invalidityDateInUTCTime(let offset):
      ("invalidityDate is a UTCTime at byte \(offset)", "RFC 5280 §5.3.2")
    case .criticalExtension(let oid):
      ("\(oid.extensionName) is critical", KnownExtension(oid)?.row.citation ?? "RFC 6960 §4.4")
    }
  }
}

extension EncodingDeviation {
  /// Returns the first deviation for each cited section: a list may have millions of entries.
  static func firstOfEachKind(_ all: [EncodingDeviation]) -> [EncodingDeviation] {
    var kept: [EncodingDeviation] = []
    for next in all where !kept.contains(where: { $0.citation == next.citation }) {
      kept.append(next)
    }
    return kept
  }
}
