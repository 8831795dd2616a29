/// An oddity of a certificate that was read all the same, because certificates in use carry it.
///
/// Rules decide whether it matters: what reads a certificate only tells.
@nonexhaustive
public enum Finding: Sendable, Hashable {
  /// The serial number is zero. RFC 5280 §4.1.2.2 wants it positive.
  case serialNumberZero
  /// The serial number is negative. RFC 5280 §4.1.2.2 wants it positive.
  case serialNumberNegative
  /// The serial number has more than 20 octets. RFC 5280 §4.1.2.2.
  case serialNumberTooLong
  /// An RSA algorithm identifier without the NULL that RFC 4055 §2.1 asks for; the octet.
  case rsaParametersAbsent(at: Int)
  /// The algorithm identifiers inside and beside what is signed differ in their octets, though not
  /// in the algorithm. RFC 5280 §4.1.1.2.
  case signatureAlgorithmsDiffer
  /// A DEFAULT value that is written out, which X.690 §11.5 forbids; the octet.
  case defaultEncoded(at: Int)
  /// A time before 2050 as GeneralizedTime, or one from 2050 on that is not. RFC 5280 §4.1.2.5.
  case generalizedTimeBefore2050(at: Int)
  /// Named bits that end in zero bits, which X.690 §11.2.2 forbids; the octet.
  case trailingZeroBits(at: Int)
  /// The elements of a SET OF are not in ascending order, as X.690 §11.6 asks; the octet.
  case setNotSorted(at: Int)
  /// A string that is only to be shown has characters that its type does not have. X.680 §41; the
  /// octet.
  case badString(at: Int)
  /// Signed certificate timestamps that are not in the encoding of TLS. RFC 6962 §3.3; the octet.
  case badTimestampList(at: Int)
  /// An extension that must not be empty is. RFC 5280 §4.2.1.
  case emptyExtension(OID)
  /// A path length where there is no certificate authority. RFC 5280 §4.2.1.9.
  case pathLengthWithoutCA
  /// The extensions of a revocation list's entry are there and empty, the first such; the byte.
  /// RFC 5280 §5.1.
  case emptyEntryExtensions(at: Int)
  /// An invalidity date as UTCTime, the first in a revocation list; the byte. RFC 5280 §5.3.2.
  case invalidityDateInUTCTime(at: Int)
  /// An extension of an OCSP answer is critical that was never meant to be.
  case criticalExtension(OID)
}

extension Finding: CustomStringConvertible {
  /// The oddity in words, with its place and its rule.
  public var description: String {
    switch self {
    case .serialNumberZero: "serial number is zero [RFC 5280 §4.1.2.2]"
    case .serialNumberNegative: "serial number is negative [RFC 5280 §4.1.2.2]"
    case .serialNumberTooLong: "serial number has more than 20 octets [RFC 5280 §4.1.2.2]"
    case .rsaParametersAbsent(let place):
      "RSA algorithm identifier lacks its NULL at byte \(place) [RFC 4055 §2.1]"
    case .signatureAlgorithmsDiffer:
      "inner and outer signature algorithm differ in their encoding [RFC 5280 §4.1.1.2]"
    case .defaultEncoded(let place): "DEFAULT value is encoded at byte \(place) [X.690 §11.5]"
    case .generalizedTimeBefore2050(let place):
      "GeneralizedTime before 2050 at byte \(place) [RFC 5280 §4.1.2.5]"
    case .trailingZeroBits(let place):
      "named bits end in zero bits at byte \(place) [X.690 §11.2.2]"
    case .setNotSorted(let place): "SET OF is not sorted at byte \(place) [X.690 §11.6]"
    case .badString(let place):
      "string has characters outside its alphabet at byte \(place) [X.680 §41]"
    case .badTimestampList(let place):
      "list of signed certificate timestamps is malformed at byte \(place) [RFC 6962 §3.3]"
    case .emptyExtension(let oid):
      "\(oid.name ?? "\(oid)") is empty [\(oid.citation ?? "RFC 5280 §4.2")]"
    case .pathLengthWithoutCA: "path length without cA [RFC 5280 §4.2.1.9]"
    case .emptyEntryExtensions(let place):
      "crlEntryExtensions is empty at byte \(place) [RFC 5280 §5.1]"
    case .invalidityDateInUTCTime(let place):
      "invalidityDate is a UTCTime at byte \(place) [RFC 5280 §5.3.2]"
    case .criticalExtension(let oid):
      "\(oid.revocationName ?? "\(oid)") is critical [\(oid.revocationCitation ?? "RFC 6960 §4.4")]"
    }
  }
}
