public import HoldfastDER

/// A certificate revocation list, parsed once and completely. RFC 5280 §5.
///
/// Every value is strict DER throughout, with entries indexed by serial number. Parsing verifies
/// nothing: see `Revocation` in `HoldfastPaths`.
public struct CRL: Sendable {
  private let storage: Storage

  /// The default limit on the size of a CRL, in bytes.
  public static let maximumSize = 64 << 20

  /// Parses a CRL from DER; throws if other bytes follow it.
  ///
  /// - Parameter maximumSize: The maximum size in bytes.
  public init(der: some Collection<UInt8>, maximumSize: Int = CRL.maximumSize) throws(ParseError) {
    storage = try .read(DERContent.crl.bytes(of: der, limit: maximumSize))
  }

  /// The CRL in DER.
  public var der: [UInt8] { storage.der }
  /// The signed bytes, TBSCertList.
  package var tbs: Bytes { storage.tbs }
  /// The version: 1 or 2. RFC 5280 §5.1.2.1.
  package var version: Int { storage.version }
  /// The signature algorithm in the signed part. RFC 5280 §5.1.2.2.
  package var innerSignatureAlgorithm: SignatureAlgorithm { storage.innerAlgorithm }
  /// The issuer of the CRL. RFC 5280 §5.1.2.3.
  public var issuer: DistinguishedName { storage.issuer }
  /// The time at which the CRL was issued. RFC 5280 §5.1.2.4.
  public var thisUpdate: Timestamp { storage.thisUpdate }
  /// The time at which the next CRL is due, if given. RFC 5280 §5.1.2.5.
  public var nextUpdate: Timestamp? { storage.nextUpdate }
  /// The number of the CRL, which increases with each CRL of its issuer; nil if absent.
  /// RFC 5280 §5.2.3.
  public var number: CRLNumber? { extensions.number }
  /// The extensions; empty in version 1. RFC 5280 §5.1.2.7.
  package var extensions: CRLExtensions { storage.extensions }
  /// The signature algorithm outside the signed part. RFC 5280 §5.1.1.2.
  package var signatureAlgorithm: SignatureAlgorithm { storage.outerAlgorithm }
  /// The signature. RFC 5280 §5.1.1.3.
  package var signature: Bytes { storage.signature }
  /// Deviations from the encoding rules that were accepted.
  public var deviations: [EncodingDeviation] { storage.deviations }

  /// The results of verifying the signature so far.
  package var verdicts: SignatureVerdicts { storage.verdicts }

  /// Whether this is a delta CRL, which has only the changes since a complete CRL.
  /// RFC 5280 §5.2.4.
  public var isDelta: Bool { extensions.baseNumber != nil }

  /// Whether the CRL is indirect: then its entries are about the certificates of the issuers that
  /// they name. RFC 5280 §5.2.5 makes the extension that says so critical.
  package var isIndirect: Bool {
    extensions.issuingDistributionPoint?.indirectCRL == true
      && extensions[.issuingDistributionPoint]?.isCritical == true
  }

  /// The first critical extension, of the CRL or of an entry, that cannot be processed; then the CRL
  /// shows no certificate as good. RFC 5280 §5.2 and §5.3.
  ///
  /// certificateIssuer, which is critical, has a meaning only in an indirect CRL: RFC 5280 §5.3.3.
  package var unknownCriticalExtension: OID? {
    Extension.firstUnknownCritical(in: extensions.all) ?? storage.index.unknownCriticalExtension
      ?? (isIndirect || storage.index.issuerOffsets.isEmpty ? nil : .certificateIssuer)
  }

  /// The number of entries.
  public var count: Int { storage.index.slots.count }

  /// All entries, in order, parsed during iteration.
  public var entries: some Sequence<RevokedCertificate> { Entries(storage: storage) }

  /// Returns the entries with a serial number, in order. In an indirect CRL issuers may differ.
  public func entries(for serialNumber: SerialNumber) -> [RevokedCertificate] {
    // Written out: an array made of a sequence counts more references than a look-up needs.
    var next = readEntries(for: serialNumber)
    var entries: [RevokedCertificate] = []
    entries.reserveCapacity(next.underestimatedCount)
    while let entry = next.next() { entries.append(entry) }
    return entries
  }

  /// Returns the entries with a serial number, in order, each parsed when it is reached.
  package func readEntries(for serialNumber: SerialNumber) -> SameNumber {
    SameNumber(
      storage: storage, slots: storage.index.slots(of: serialNumber.bytes, in: storage.der))
  }

  /// Whether an entry, of any issuer, has a serial number. Parses no entry.
  package func hasEntry(for serialNumber: SerialNumber) -> Bool {
    !storage.index.slots(of: serialNumber.bytes, in: storage.der).isEmpty
  }

  /// The entries with one serial number, parsed one at a time.
  package struct SameNumber: Sequence, IteratorProtocol {
    fileprivate let storage: Storage
    fileprivate var slots: Range<Int>

    package var underestimatedCount: Int { slots.count }

    package mutating func next() -> RevokedCertificate? {
      while let slot = slots.popFirst() {
        if let entry = storage.entry(at: storage.index.offset(of: slot)) { return entry }
      }
      return nil
    }
  }

  /// The entries of a CRL, parsed one at a time.
  private struct Entries: Sequence, IteratorProtocol, Sendable {
    private let storage: Storage
    private var cursor: DERReader
    private var issuer: DERReader?

    init(storage: Storage) {
      self.storage = storage
      cursor = storage.entries
    }

    /// Returns the next entry.
    mutating func next() -> RevokedCertificate? {
      guard !cursor.isAtEnd, var entry = storage.readEntry(&cursor) else { return nil }
      // RFC 5280 §5.3.3: an entry without an issuer inherits that of the preceding entry.
      if entry.issuer == nil { entry.issuer = issuer }
      issuer = entry.issuer
      return entry
    }
  }
}

extension CRL: Hashable {
  /// Whether the DER of both CRLs is the same.
  public static func == (a: CRL, b: CRL) -> Bool {
    a.storage === b.storage || Bytes(a.der) == Bytes(b.der)
  }

  /// Hashes the DER: an unverified signature may be that of many CRLs.
  public func hash(into hasher: inout Hasher) { hasher.combine(Bytes(der)) }
}

extension CRL {
  /// The storage shared by all copies of a CRL.
  fileprivate final class Storage: Sendable {
    let der: [UInt8]
    let tbs: Bytes
    let version: Int
    let innerAlgorithm: SignatureAlgorithm
    let issuer: DistinguishedName
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    let entries: DERReader
    let index: RevokedCertificateIndex
    let extensions: CRLExtensions
    let outerAlgorithm: SignatureAlgorithm
    let signature: Bytes
    let deviations: [EncodingDeviation]
    let verdicts = SignatureVerdicts()

    /// Embedded Swift does not free an object whose initializer throws.
    static func read(_ der: [UInt8]) throws(ParseError) -> Storage {
      var deviations: [EncodingDeviation] = []
      var field = ParseError.Field.structure
      do throws(DERError) {
        var parts = try DERReader.readSigned(der, &field)
        let tbs = parts.tbs.rest(in: der)
        let signature = parts.signature.rest(in: der)
        field = .signatureAlgorithm
        let outerAlgorithm = try SignatureAlgorithm(&parts.algorithm, in: der, &deviations)
        field = .tbs
        var fields = try parts.tbs.read(.sequence, in: der)
        field = .version
        let version = try Storage.readVersion(&fields, in: der)
        field = .signature
        let innerAlgorithm = try SignatureAlgorithm(&fields, in: der, &deviations)
        if innerAlgorithm.der != outerAlgorithm.der {
          deviations.append(.signatureAlgorithmsDiffer)
        }
        field = .issuer
        let issuer = try DistinguishedName(&fields, in: der, &deviations)
        field = .thisUpdate
        let thisUpdate = try fields.readTime(in: der)
        field = .nextUpdate
        let nextUpdate = try fields.readTimeIfPresent(in: der)
        field = .revokedCertificates
        // Departs: RFC 5280 §5.1.2.6 wants the field absent if nothing is revoked. Public CAs have
        // issued CRLs in which it is empty, which says the same; OpenSSL accepts them.
        let first = fields.position
        let hasEntries = fields.nextTag(in: der) == .sequence
        let entries = hasEntries ? try fields.read(.sequence, in: der) : .empty
        if hasEntries, entries.isAtEnd { deviations.append(.emptyRevokedCertificates(at: first)) }
        let index = try RevokedCertificateIndex(entries, in: der, version: version, &deviations)
        field = .extensions
        let offset = fields.position
        var extensions = CRLExtensions()
        if var wrapper = try fields.readIfPresent(.constructedContext(0), in: der) {
          guard version == 2 else { throw DERError(.notInThisVersion, at: offset) }
          extensions = try CRLExtensions(&wrapper, in: der, &field, &deviations)
        }
        field = .tbs
        try fields.finish()
        return Storage(
          der, tbs: tbs, version, innerAlgorithm, issuer, thisUpdate, nextUpdate, entries, index,
          extensions, outerAlgorithm, signature: signature, deviations)
      } catch {
        throw ParseError(.crl, field, error, reading: der)
      }
    }

    private init(
      _ der: [UInt8], tbs: Bytes, _ version: Int, _ innerAlgorithm: SignatureAlgorithm,
      _ issuer: DistinguishedName, _ thisUpdate: Timestamp, _ nextUpdate: Timestamp?,
      _ entries: DERReader, _ index: RevokedCertificateIndex, _ extensions: CRLExtensions,
      _ outerAlgorithm: SignatureAlgorithm, signature: Bytes, _ deviations: [EncodingDeviation]
    ) {
      (self.der, self.tbs, self.version) = (der, tbs, version)
      (self.innerAlgorithm, self.outerAlgorithm) = (innerAlgorithm, outerAlgorithm)
      (self.issuer, self.thisUpdate, self.nextUpdate) = (issuer, thisUpdate, nextUpdate)
      (self.entries, self.index, self.extensions) = (entries, index, extensions)
      (self.signature, self.deviations) = (signature, deviations)
    }

    /// Reads the version. RFC 5280 §5.1.2.1: absent means 1; an encoded version must be 2.
    private static func readVersion(
      _ fields: inout DERReader, in input: [UInt8]
    ) throws(DERError) -> Int {
      guard fields.nextTag(in: input) == .integer else { return 1 }
      let start = fields.position
      guard try fields.readUInt64(in: input) == 1 else { throw DERError(.badValue, at: start) }
      return 2
    }

    /// Reads the next entry.
    func readEntry(_ reader: inout DERReader) -> RevokedCertificate? {
      var ignored: [EncodingDeviation] = []
      do throws(DERError) {
        return try RevokedCertificate(&reader, in: der, version: version, &ignored)
      } catch {
        // Unreachable: the initializer has read all entries.
        return nil
      }
    }

    /// Returns the entry at an offset, with the issuer that it or a preceding entry names.
    func entry(at offset: Int) -> RevokedCertificate? {
      var reader = DERReader(unchecked: offset, entries.end)
      guard var entry = readEntry(&reader) else { return nil }
      if let named = index.issuerOffset(for: offset), named != offset {
        reader = DERReader(unchecked: named, entries.end)
        entry.issuer = readEntry(&reader)?.issuer
      }
      return entry
    }
  }
}

extension CRL: CustomStringConvertible {
  /// `CN=Example CA, 12 revoked, 2026-01-01T00:00:00Z to 2026-01-08T00:00:00Z`.
  public var description: String {
    let until = nextUpdate.map { " to \($0)" } ?? ""
    return "\(issuer)\(isDelta ? " (delta)" : ""), \(count) revoked, \(thisUpdate)\(until)"
  }
}

extension DERReader {
  /// Reads `Time OPTIONAL`.
  mutating func readTimeIfPresent(in input: [UInt8]) throws(DERError) -> Timestamp? {
    let tag = nextTag(in: input)
    return tag == .utcTime || tag == .generalizedTime ? try readTime(in: input) : nil
  }
}

/// The extensions of a CRL, and the values of known extensions. RFC 5280 §5.2.
package struct CRLExtensions: Sendable, Hashable {
  /// All extensions, in order.
  package private(set) var all: [Extension] = []

  /// Identifies the key that signed the CRL. RFC 5280 §5.2.1.
  package private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// Alternative names of the issuer; empty without the extension. RFC 5280 §5.2.2.
  package private(set) var issuerAlternativeNames = GeneralNames.empty
  /// The number of the CRL. RFC 5280 §5.2.3.
  package private(set) var number: CRLNumber?
  /// The number of the complete CRL that this delta CRL is based on; nil for a complete CRL.
  /// RFC 5280 §5.2.4.
  package private(set) var baseNumber: CRLNumber?
  /// The scope of the CRL; nil for all certificates of its issuer. RFC 5280 §5.2.5.
  package private(set) var issuingDistributionPoint: IssuingDistributionPoint?
  /// The locations of delta CRLs. RFC 5280 §5.2.6.
  package private(set) var freshestCRL = DERList<DistributionPoint>.empty
  /// The locations of certificates of the issuer. RFC 5280 §5.2.7.
  package private(set) var authorityInformationAccess = DERList<AccessDescription>.empty

  init() {}

  /// The extension with an identifier; nil if absent.
  package subscript(oid: OID) -> Extension? { all.first { $0.oid == oid } }

  /// Reads `Extensions`; the reader is in the `[0]`. RFC 5280 §5.1.2.7.
  init(
    _ wrapper: inout DERReader, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let content = try wrapper.readNonEmpty(.sequence, in: input)
    var values = CRLExtensions()
    values.all = try content.readExtensionArray(
      limit: Extension.maximumInOneCertificate, in: input, &field, &deviations
    ) { (next, value, deviations) throws(DERError) -> Bool in
      try values.read(next, &value, in: input, &deviations)
    }
    self = values
    try wrapper.finish()
  }

  /// Reads the value of a known extension; returns false if it is not one for CRLs.
  private mutating func read(
    _ next: Extension.Header, _ reader: inout DERReader, in input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Bool {
    switch next.known {
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = try AuthorityKeyIdentifier(&reader, in: input, &deviations)
    case .issuerAltName:
      issuerAlternativeNames = try DERList(&reader, in: input, &deviations)
    case .cRLNumber: number = try CRLNumber(&reader, in: input)
    case .deltaCRLIndicator: baseNumber = try CRLNumber(&reader, in: input)
    case .issuingDistributionPoint:
      issuingDistributionPoint = try IssuingDistributionPoint(&reader, in: input, &deviations)
    case .freshestCRL: freshestCRL = try DERList(&reader, in: input, &deviations)
    case .authorityInfoAccess:
      authorityInformationAccess = try DERList(&reader, in: input, &deviations)
    default: return false
    }
    return true
  }
}

/// The number of a CRL, which increases with each CRL of its issuer and scope.
/// RFC 5280 §5.2.3.
public struct CRLNumber: Sendable, Hashable, Comparable {
  /// The big-endian bytes, without leading zeros.
  public let bytes: Bytes

  /// Reads a non-negative INTEGER of at most 20 bytes, the limit of RFC 5280 §5.2.3.
  init(_ reader: inout DERReader, in input: [UInt8]) throws(DERError) {
    let integer = try reader.readUnsigned(in: input)
    guard integer.count <= 20 else { throw DERError(.integerOutOfRange, at: integer.position) }
    bytes = integer.rest(in: input)
  }

  /// Whether one number is less than another.
  public static func < (a: CRLNumber, b: CRLNumber) -> Bool {
    DERReader(a.bytes).isLess(than: DERReader(b.bytes), in: a.bytes.input, b.bytes.input)
  }
}

extension DERReader {
  /// Whether these are fewer bytes than others or, of as many, come before them: then a number
  /// without leading zeros is less.
  func isLess(than other: DERReader, in input: [UInt8], _ otherInput: [UInt8]) -> Bool {
    guard count == other.count else { return count < other.count }
    let (mine, others) = (input.span, otherInput.span)
    var (offset, otherOffset) = (position, other.position)
    while offset < end {
      let (byte, counterpart) = (mine[offset], others[otherOffset])
      if byte != counterpart { return byte < counterpart }
      offset &+= 1
      otherOffset &+= 1
    }
    return false
  }
}

extension CRLNumber: CustomStringConvertible {
  /// The number in lower-case hexadecimal.
  public var description: String { "\(bytes)" }
}
