public import HoldfastDER

/// One extension as it stands. RFC 5280 §4.1.2.9.
public struct Extension: Sendable, Hashable {
  /// The name of the extension.
  public let oid: OID

  /// Whether whoever does not know it must refuse the certificate.
  public let isCritical: Bool

  /// The content of the OCTET STRING.
  public let value: Octets

  /// Whether this library has read the value.
  public internal(set) var isDecoded: Bool

  /// The most extensions that a certificate may have.
  public static let mostInOneCertificate = 64

  init(_ raw: Raw, in input: [UInt8]) {
    oid = raw.oid
    isCritical = raw.isCritical
    value = raw.value.rest(in: input)
    isDecoded = KnownExtension(raw.oid) != nil
  }

  /// An extension as it is read, without a reference to the input.
  struct Raw {
    let oid: OID
    let isCritical: Bool
    let value: DERCursor
    /// Where FALSE is written out, which is the default. X.690 §11.5.
    ///
    /// *Departs:* it is read, for certificates in use have it, and every other reader takes it.
    let defaultPlace: Int?

    @inline(__always)
    init(_ list: inout DERCursor, in input: borrowing [UInt8]) throws(DERError) {
      var reader = try list.read(.sequence, in: input)
      oid = try reader.readOID(in: input)
      let place = reader.position
      if reader.nextTag(in: input) == .boolean {
        isCritical = try reader.readBoolean(in: input)
        defaultPlace = isCritical ? nil : place
      } else {
        isCritical = false
        defaultPlace = nil
      }
      value = try reader.read(.octetString, in: input)
      try reader.finish()
    }
  }
}

/// The extensions of a certificate: the list, and what each known one says. RFC 5280 §4.2.
///
/// All were read and checked with the certificate, and none of these properties can fail. What is
/// small was kept; lists are made from the octets, so a caller that needs one twice holds on to it.
public struct Extensions: Sendable {
  @usableFromInline let storage: CertificateStorage

  @usableFromInline
  init(_ storage: CertificateStorage) {
    self.storage = storage
  }

  /// All of them, in their order.
  public var list: [Extension] {
    storage.extensions.list.map { (cursor: inout DERCursor) throws(DERError) in
      Extension(try Extension.Raw(&cursor, in: storage.der), in: storage.der)
    }
  }

  /// The extension with a name, if there is one.
  public subscript(oid: OID) -> Extension? {
    var cursor = storage.extensions.list.content
    do throws(DERError) {
      while !cursor.isAtEnd {
        let next = try Extension.Raw(&cursor, in: storage.der)
        if next.oid == oid {
          return Extension(next, in: storage.der)
        }
      }
    } catch {
      // Not reached: the list was read before.
    }
    return nil
  }
}

extension Extensions: Hashable {
  /// Whether both are the same extensions in the same order.
  public static func == (a: Extensions, b: Extensions) -> Bool { a.octets == b.octets }

  /// Feeds the octets to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(octets) }

  private var octets: Octets { storage.extensions.list.content.rest(in: storage.der) }
}

extension Extensions {
  /// RFC 5280 §4.2.1.9.
  public var basicConstraints: BasicConstraints? { storage.extensions.basicConstraints }

  /// RFC 5280 §4.2.1.3.
  public var keyUsage: KeyUsage? { storage.extensions.keyUsage }

  /// The purposes of the key; nil for any. RFC 5280 §4.2.1.12.
  public var extendedKeyUsage: [OID]? {
    guard storage.extensions.extendedKeyUsage.count > 0 else { return nil }
    return storage.extensions.extendedKeyUsage.map { (cursor: inout DERCursor) throws(DERError) in
      try cursor.readOID(in: storage.der)
    }
  }

  /// The names of the subject; empty without the extension. RFC 5280 §4.2.1.6.
  public var subjectAlternativeNames: GeneralNames {
    GeneralNames(storage.extensions.subjectAlternativeNames, in: storage.der)
  }

  /// Other names of the issuer; empty without the extension. RFC 5280 §4.2.1.7.
  public var issuerAlternativeNames: GeneralNames {
    GeneralNames(storage.extensions.issuerAlternativeNames, in: storage.der)
  }

  /// RFC 5280 §4.2.1.10.
  public var nameConstraints: NameConstraints? { storage.extensions.nameConstraints }

  /// The policies; empty without the extension. RFC 5280 §4.2.1.4.
  public var certificatePolicies: [PolicyInformation] {
    storage.extensions.certificatePolicies.map { (cursor: inout DERCursor) throws(DERError) in
      try PolicyInformation(&cursor, in: storage.der)
    }
  }

  /// RFC 5280 §4.2.1.5.
  public var policyMappings: [PolicyMapping] { storage.extensions.policyMappings }

  /// RFC 5280 §4.2.1.11.
  public var policyConstraints: PolicyConstraints? { storage.extensions.policyConstraints }

  /// After how many more certificates anyPolicy counts for nothing. RFC 5280 §4.2.1.14.
  public var inhibitAnyPolicy: Int? { storage.extensions.inhibitAnyPolicy }

  /// RFC 5280 §4.2.1.1.
  public var authorityKeyIdentifier: AuthorityKeyIdentifier? {
    storage.extensions.authorityKeyIdentifier.map { AuthorityKeyIdentifier($0, in: storage.der) }
  }

  /// RFC 5280 §4.2.1.2.
  public var subjectKeyIdentifier: Octets? {
    storage.extensions.subjectKeyIdentifier?.rest(in: storage.der)
  }

  /// RFC 5280 §4.2.1.13.
  public var crlDistributionPoints: [DistributionPoint] {
    points(storage.extensions.crlDistributionPoints)
  }

  /// RFC 5280 §4.2.1.15.
  public var freshestCRL: [DistributionPoint] { points(storage.extensions.freshestCRL) }

  /// RFC 5280 §4.2.2.1.
  public var authorityInformationAccess: [AccessDescription] {
    accesses(storage.extensions.authorityInformationAccess)
  }

  /// RFC 5280 §4.2.2.2.
  public var subjectInformationAccess: [AccessDescription] {
    accesses(storage.extensions.subjectInformationAccess)
  }

  /// The attributes as they stand. RFC 5280 §4.2.1.8.
  public var subjectDirectoryAttributes: Octets? {
    storage.extensions.subjectDirectoryAttributes?.rest(in: storage.der)
  }

  /// The TLS extensions that the server promises; 5 is the stapled OCSP answer. RFC 7633 §4.2.3.
  public var tlsFeatures: [UInt16] {
    storage.extensions.tlsFeatures.map { (cursor: inout DERCursor) throws(DERError) in
      UInt16(truncatingIfNeeded: try cursor.readUInt64(in: storage.der))
    }
  }

  /// The signed certificate timestamps, as they stand. RFC 6962 §3.3.
  public var signedCertificateTimestamps: [Octets] {
    storage.extensions.timestamps.map { (cursor: inout DERCursor) throws(DERError) in
      try ExtensionTable.readTimestamp(&cursor, in: storage.der).rest(in: storage.der)
    }
  }

  /// Whether the certificate of an OCSP responder asks not to be checked. RFC 6960 §4.2.2.2.1.
  public var hasOCSPNoCheck: Bool { storage.extensions.hasOCSPNoCheck }

  /// Whether the CA publishes no revocation information about the certificate. RFC 9608 §2.
  public var hasNoRevocationAvailable: Bool { storage.extensions.hasNoRevocationAvailable }

  private func points(_ list: RawList) -> [DistributionPoint] {
    var findings: [Finding] = []
    return list.map { (cursor: inout DERCursor) throws(DERError) in
      DistributionPoint(
        try DistributionPoint.Raw(&cursor, in: storage.der, &findings), in: storage.der)
    }
  }

  private func accesses(_ list: RawList) -> [AccessDescription] {
    list.map { (cursor: inout DERCursor) throws(DERError) in
      try AccessDescription(&cursor, in: storage.der)
    }
  }
}
