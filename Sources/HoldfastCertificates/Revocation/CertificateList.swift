public import HoldfastDER

/// A revocation list, read once and to the last octet. RFC 5280 §5.
///
/// One that exists is strict DER throughout and its entries can be looked up by serial number. It
/// says what stands there and vouches for nothing: see `Revocation` in `HoldfastPaths`.
public struct CertificateList: Sendable {
  private let storage: Storage

  /// The most octets that a list may have unless the caller says otherwise.
  public static let largestByDefault = 64 << 20

  /// The label under which RFC 7468 §6 writes lists.
  package static let label = "X509 CRL"

  /// Reads a list from DER, which must be nothing but the list.
  ///
  /// - Parameter largest: The most octets that are taken.
  public init(
    der: [UInt8], largest: Int = CertificateList.largestByDefault
  ) throws(RevocationDataError) {
    guard der.count <= largest else {
      throw RevocationDataError(.certificateList, .tooLarge(limit: largest), at: 0)
    }
    storage = try Storage(der)
  }

  /// Reads the one list in a PEM text. RFC 7468 §6.
  public init(pem text: String) throws(RevocationDataError) {
    let text = PEMText(Array(text.utf8), labels: [CertificateList.label])
    if let error = text.errors.first {
      throw RevocationDataError(.certificateList, .pem(error), at: 0)
    }
    guard let block = text.blocks.first, text.blocks.count == 1 else {
      throw RevocationDataError(.certificateList, .notSingle(count: text.blocks.count), at: 0)
    }
    storage = try Storage(block.octets)
  }

  /// The list as it stands.
  public var der: [UInt8] { storage.der }
  /// What is signed, as it stands.
  public var tbs: Octets { storage.tbs }
  /// The version: 1 or 2. RFC 5280 §5.1.2.1.
  public var version: Int { storage.version }
  /// The signature algorithm inside what is signed. RFC 5280 §5.1.2.2.
  public var innerSignatureAlgorithm: SignatureAlgorithm { storage.innerAlgorithm }
  /// The issuer of the list. RFC 5280 §5.1.2.3.
  public var issuer: DistinguishedName { storage.issuer }
  /// When the list was issued. RFC 5280 §5.1.2.4.
  public var thisUpdate: Timestamp { storage.thisUpdate }
  /// When the next list is due, if the list says. RFC 5280 §5.1.2.5.
  public var nextUpdate: Timestamp? { storage.nextUpdate }
  /// The extensions; empty in version 1. RFC 5280 §5.1.2.7.
  public var extensions: CertificateListExtensions { storage.extensions }
  /// The signature algorithm beside the signature. RFC 5280 §5.1.1.2.
  public var signatureAlgorithm: SignatureAlgorithm { storage.outerAlgorithm }
  /// The signature. RFC 5280 §5.1.1.3.
  public var signature: Octets { storage.signature }
  /// What is odd about the list, though it was read.
  public var findings: [Finding] { storage.findings }

  /// Whether the list only tells the changes since a complete one. RFC 5280 §5.2.4.
  public var isDelta: Bool { extensions.baseNumber != nil }

  /// The first critical extension, of the list or of an entry, that this library does not know.
  /// Such a list says nothing of any certificate: RFC 5280 §5.2 and §5.3.
  public var unknownCriticalExtension: OID? {
    extensions.list.first { $0.isCritical && !$0.isDecoded }?.oid
      ?? storage.index.unknownCriticalExtension
  }

  /// The number of entries.
  public var count: Int { storage.index.slots.count }

  /// All entries, in their order. They are read on the way.
  public var entries: Entries { Entries(storage: storage) }

  /// The entries with a serial number, in their order; in an indirect list they may be of different
  /// issuers.
  public func entries(for serialNumber: SerialNumber) -> [RevokedCertificate] {
    var places = storage.index.slots(of: serialNumber.octets, in: storage.der).map {
      storage.index.place($0)
    }
    places.sort()
    return places.compactMap { storage.entry(at: $0) }
  }

  /// Whether there is an entry with a serial number, of whichever issuer. None is read for it.
  package func hasEntry(for serialNumber: SerialNumber) -> Bool {
    storage.index.contains(serialNumber.octets, in: storage.der)
  }

  /// The entries of a list, read one after the other.
  public struct Entries: Sequence, IteratorProtocol, Sendable {
    private let storage: Storage
    private var cursor: DERCursor
    private var issuer = GeneralNames.none

    fileprivate init(storage: Storage) {
      self.storage = storage
      cursor = storage.entries ?? DERCursor(unchecked: 0, 0)
    }

    /// The next entry.
    public mutating func next() -> RevokedCertificate? {
      guard !cursor.isAtEnd else { return nil }
      do throws(DERError) {
        var entry = try RevokedCertificate(&cursor, in: storage.der, version: storage.version)
        // RFC 5280 §5.3.3: an entry that names no issuer has that of the entry before it.
        if entry.certificateIssuer.isEmpty {
          entry.certificateIssuer = issuer
        } else {
          issuer = entry.certificateIssuer
        }
        return entry
      } catch {
        // Not reached: the initialiser has read all this.
        return nil
      }
    }
  }
}

extension CertificateList: Hashable {
  /// Whether both are the same octets.
  public static func == (a: CertificateList, b: CertificateList) -> Bool {
    a.storage === b.storage || Octets(a.der) == Octets(b.der)
  }

  /// Feeds the signature to a hasher, which tells lists apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(signature)
  }
}

extension CertificateList {
  /// What all copies of a list share.
  fileprivate final class Storage: Sendable {
    let der: [UInt8]
    let tbs: Octets
    let version: Int
    let innerAlgorithm: SignatureAlgorithm
    let issuer: DistinguishedName
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    let entries: DERCursor?
    let index: RevokedCertificateIndex
    let extensions: CertificateListExtensions
    let outerAlgorithm: SignatureAlgorithm
    let signature: Octets
    let findings: [Finding]

    init(_ der: [UInt8]) throws(RevocationDataError) {
      var findings: [Finding] = []
      var field = RevocationDataError.Field.certificateList
      self.der = der
      do throws(DERError) {
        var reader = DERCursor(der)
        var list = try reader.read(.sequence, in: der)
        try reader.finish()
        field = .tbsCertList
        var cursor = try list.skip(.sequence, in: der)
        tbs = cursor.rest(in: der)
        field = .signatureAlgorithm
        outerAlgorithm = try SignatureAlgorithm(&list, in: der, &findings)
        field = .signatureValue
        signature = try list.readBitStringOfOctets(in: der)
        field = .certificateList
        try list.finish()

        field = .tbsCertList
        var fields = try cursor.read(.sequence, in: der)
        field = .listVersion
        version = try Storage.readVersion(&fields, in: der)
        field = .signature
        innerAlgorithm = try SignatureAlgorithm(&fields, in: der, &findings)
        if innerAlgorithm.der != outerAlgorithm.der { findings.append(.signatureAlgorithmsDiffer) }
        field = .issuer
        issuer = try DistinguishedName(&fields, in: der, checksStrings: true, &findings)
        field = .thisUpdate
        thisUpdate = try fields.readTime(in: der)
        field = .nextUpdate
        let next = fields.nextTag(in: der)
        nextUpdate =
          next == .utcTime || next == .generalizedTime ? try fields.readTime(in: der) : nil
        field = .revokedCertificates
        let start = fields.position
        entries = try fields.readIfPresent(.sequence, in: der)
        if let entries {
          // RFC 5280 §5.1.2.6: without revoked certificates the field is absent.
          guard !entries.isAtEnd else { throw DERError(.empty, at: start) }
          index = try RevokedCertificateIndex(entries, in: der, version: version, &findings)
        } else {
          index = RevokedCertificateIndex()
        }
        field = .crlExtensions
        var extensions = CertificateListExtensions()
        let place = fields.position
        if var wrapper = try fields.readIfPresent(.constructedContext(0), in: der) {
          guard version == 2 else { throw DERError(.notInThisVersion, at: place) }
          try extensions.read(&wrapper, in: der, &field, &findings)
        }
        self.extensions = extensions
        field = .tbsCertList
        try fields.finish()
      } catch {
        throw RevocationDataError(field, error)
      }
      self.findings = findings
    }

    /// RFC 5280 §5.1.2.1: absent means 1, and what is written out must be 2.
    private static func readVersion(
      _ fields: inout DERCursor, in input: [UInt8]
    ) throws(DERError) -> Int {
      guard fields.nextTag(in: input) == .integer else { return 1 }
      let start = fields.position
      guard try fields.readUInt64(in: input) == 1 else { throw DERError(.badValue, at: start) }
      return 2
    }

    /// The entry at a place, with the issuer that it or one before it names.
    func entry(at place: Int) -> RevokedCertificate? {
      guard let entries else { return nil }
      do throws(DERError) {
        var cursor = DERCursor(unchecked: place, entries.end)
        var entry = try RevokedCertificate(&cursor, in: der, version: version)
        if let named = index.issuerPlace(for: place), named != place {
          cursor = DERCursor(unchecked: named, entries.end)
          entry.certificateIssuer =
            try RevokedCertificate(&cursor, in: der, version: version).certificateIssuer
        }
        return entry
      } catch {
        // Not reached: the initialiser has read all this.
        return nil
      }
    }
  }
}
