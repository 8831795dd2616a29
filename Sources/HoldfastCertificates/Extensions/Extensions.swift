public import HoldfastDER

/// The extensions of a certificate: the list, and the values of known extensions. RFC 5280 §4.2.
///
/// Parsing the certificate checked all of them, so none of these properties can fail.
public struct Extensions: Sendable, Hashable {
  @usableFromInline let values: Values

  /// Reads the content of the `[3]`, if present; sets `field` to the extension being read.
  /// RFC 5280 §4.1.2.9.
  init(
    _ wrapper: DERReader?, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var table = ExtensionValues()
    var content = DERReader.empty
    if var wrapper {
      content = try wrapper.readNonEmpty(.sequence, in: input)
      try content.readExtensions(
        into: &table, limit: Extension.maximumInOneCertificate, in: input, &field, &deviations
      ) { (table, next, value, deviations) throws(DERError) -> Bool in
        try table.read(next, &value, in: input, &deviations)
      }
      try wrapper.finish()
    }
    values = Values(table, content, in: input)
  }

  /// The storage shared by all copies of the extensions.
  @usableFromInline
  final class Values: Sendable {
    let input: [UInt8]
    let content: DERReader
    @usableFromInline let table: ExtensionValues

    var list: DERList<Extension> { DERList(unchecked: content.rest(in: input)) }

    // Embedded Swift does not free an object whose initializer throws.
    init(_ table: ExtensionValues, _ content: DERReader, in input: [UInt8]) {
      (self.table, self.content, self.input) = (table, content, input)
    }
  }

  /// Whether both have the same extensions in the same order.
  public static func == (a: Extensions, b: Extensions) -> Bool { a.values.list == b.values.list }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(values.list) }

  /// The extension with an identifier; nil if absent.
  public subscript(oid: OID) -> Extension? { first { $0.oid == oid } }

  /// Whether an extension is present and critical.
  package func isCritical(_ known: KnownExtension) -> Bool {
    values.table.critical.contains(known.bit)
  }

  /// Returns the critical extensions that are unknown or not in `some`, in order. Skips the list if
  /// there are none.
  package func critical(besides some: KnownExtensions) -> [Extension] {
    let table = values.table
    guard table.hasUnknownCritical || !table.critical.isSubset(of: some) else { return [] }
    return filter { $0.isCritical && !($0.isDecoded && some.contains($0.known?.bit ?? [])) }
  }
}

extension Extensions: Collection {
  /// The offset of the first extension in the input.
  public var startIndex: Int { values.list.startIndex }
  /// The offset after the last extension in the input.
  public var endIndex: Int { values.list.endIndex }
  /// The number of extensions.
  public var count: Int { values.list.count }
  /// Returns the offset of the next extension.
  public func index(after offset: Int) -> Int { values.list.index(after: offset) }
  /// The extension at an offset.
  public subscript(offset: Int) -> Extension { values.list[offset] }
  /// Returns an iterator that parses one extension at a time.
  public func makeIterator() -> DERList<Extension>.Iterator { values.list.makeIterator() }
}

extension Extensions: CustomStringConvertible {
  /// `basicConstraints (critical), keyUsage (critical), subjectAltName`.
  public var description: String { "\(values.list)" }
}

extension Extensions {
  private func list<Element: DERDecodable>(_ content: DERReader) -> DERList<Element> {
    DERList(unchecked: content.rest(in: values.input))
  }

  /// RFC 5280 §4.2.1.9.
  @inlinable public var basicConstraints: BasicConstraints? { values.table.basicConstraints }
  /// RFC 5280 §4.2.1.3.
  @inlinable public var keyUsage: KeyUsage? { values.table.keyUsage }
  /// The purposes of the key; nil for any. RFC 5280 §4.2.1.12.
  public var extendedKeyUsage: DERList<OID>? { values.table.extendedKeyUsage.map(list) }
  /// The names of the subject; empty without the extension. RFC 5280 §4.2.1.6.
  public var subjectAlternativeNames: GeneralNames { list(values.table.subjectAlternativeNames) }
  /// Alternative names of the issuer; empty without the extension. RFC 5280 §4.2.1.7.
  package var issuerAlternativeNames: GeneralNames { list(values.table.issuerAlternativeNames) }
  /// RFC 5280 §4.2.1.10.
  @inlinable public var nameConstraints: NameConstraints? { values.table.nameConstraints }
  /// The policies; empty without the extension. RFC 5280 §4.2.1.4.
  public var certificatePolicies: DERList<PolicyInformation> {
    list(values.table.certificatePolicies)
  }
  /// RFC 5280 §4.2.1.5.
  package var policyMappings: DERList<PolicyMapping> { list(values.table.policyMappings) }
  /// Whether there are policy mappings, without counting a reference for their list.
  package var hasPolicyMappings: Bool { !values.table.policyMappings.isAtEnd }
  /// RFC 5280 §4.2.1.11.
  @inlinable package var policyConstraints: PolicyConstraints? { values.table.policyConstraints }
  /// The number of further certificates after which anyPolicy is no longer accepted.
  /// RFC 5280 §4.2.1.14.
  @inlinable package var inhibitAnyPolicy: Int? { values.table.inhibitAnyPolicy }
  /// RFC 5280 §4.2.1.1.
  public var authorityKeyIdentifier: AuthorityKeyIdentifier? {
    values.table.authorityKeyIdentifier.map { AuthorityKeyIdentifier($0, in: values.input) }
  }
  /// RFC 5280 §4.2.1.2.
  public var subjectKeyIdentifier: Bytes? {
    values.table.subjectKeyIdentifier?.rest(in: values.input)
  }
  /// RFC 5280 §4.2.1.13.
  public var crlDistributionPoints: DERList<DistributionPoint> {
    list(values.table.crlDistributionPoints)
  }
  /// RFC 5280 §4.2.1.15.
  package var freshestCRL: DERList<DistributionPoint> { list(values.table.freshestCRL) }
  /// RFC 5280 §4.2.2.1.
  public var authorityInformationAccess: DERList<AccessDescription> {
    list(values.table.authorityInformationAccess)
  }
  /// RFC 5280 §4.2.2.2.
  package var subjectInformationAccess: DERList<AccessDescription> {
    list(values.table.subjectInformationAccess)
  }
  /// The attributes, including their SEQUENCE header. RFC 5280 §4.2.1.8.
  package var subjectDirectoryAttributes: Bytes? {
    values.table.subjectDirectoryAttributes?.rest(in: values.input)
  }
  /// The TLS extensions that the server promises; 5 means a stapled OCSP response. RFC 7633 §4.2.3.
  public var tlsFeatures: [UInt16] {
    if values.table.tlsFeatures.isAtEnd { return [] }
    let features: DERList<TLSFeature> = list(values.table.tlsFeatures)
    return features.map { $0.number }
  }
  /// Whether an OCSP responder's certificate is exempt from revocation checks. RFC 6960 §4.2.2.2.1.
  @inlinable package var hasOCSPNoCheck: Bool { values.table.hasOCSPNoCheck }
  /// Whether the CA publishes no revocation information for the certificate. RFC 9608 §2.
  @inlinable package var hasNoRevocationAvailable: Bool { values.table.hasNoRevocationAvailable }
}

/// The values of the extensions of a certificate, collected while reading.
@usableFromInline
struct ExtensionValues: Sendable {
  @usableFromInline private(set) var basicConstraints: BasicConstraints?
  @usableFromInline private(set) var keyUsage: KeyUsage?
  private(set) var extendedKeyUsage: DERReader?
  private(set) var subjectAlternativeNames = DERReader.empty
  private(set) var issuerAlternativeNames = DERReader.empty
  @usableFromInline private(set) var nameConstraints: NameConstraints?
  private(set) var certificatePolicies = DERReader.empty
  private(set) var policyMappings = DERReader.empty
  @usableFromInline private(set) var policyConstraints: PolicyConstraints?
  @usableFromInline private(set) var inhibitAnyPolicy: Int?
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier.Offsets?
  private(set) var subjectKeyIdentifier: DERReader?
  private(set) var crlDistributionPoints = DERReader.empty
  private(set) var freshestCRL = DERReader.empty
  private(set) var authorityInformationAccess = DERReader.empty
  private(set) var subjectInformationAccess = DERReader.empty
  private(set) var subjectDirectoryAttributes: DERReader?
  private(set) var tlsFeatures = DERReader.empty
  @usableFromInline private(set) var hasOCSPNoCheck = false
  @usableFromInline private(set) var hasNoRevocationAvailable = false
  /// The critical extensions that were parsed, and whether there are others.
  private(set) var critical: KnownExtensions = []
  private(set) var hasUnknownCritical = false

  /// Reads the value of an extension; returns false if it is not one for certificates.
  mutating func read(
    _ next: Extension.Header, _ reader: inout DERReader, in input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Bool {
    guard let known = next.known, known.isReadInCertificates else {
      if next.isCritical { hasUnknownCritical = true }
      return false
    }
    if next.isCritical { critical.insert(known.bit) }
    switch known {
    case .subjectKeyIdentifier:
      subjectKeyIdentifier = try reader.read(.octetString, in: input)
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = try AuthorityKeyIdentifier.Offsets(&reader, in: input, &deviations)
    case .keyUsage: keyUsage = try KeyUsage(&reader, in: input, &deviations)
    case .basicConstraints:
      basicConstraints = try BasicConstraints(&reader, in: input, &deviations)
    case .extKeyUsage:
      extendedKeyUsage = try DERList<OID>.check(&reader, in: input, &deviations)
    case .subjectAltName:
      subjectAlternativeNames = try next.readSubjectNames(&reader, in: input, &deviations)
    case .issuerAltName:
      issuerAlternativeNames = try GeneralNames.check(&reader, in: input, &deviations)
    case .certificatePolicies:
      certificatePolicies = try PolicyInformation.readAll(&reader, in: input, &deviations)
    case .policyMappings:
      policyMappings = try DERList<PolicyMapping>.check(
        &reader, limit: PolicyInformation.maximumInOneCertificate, in: input, &deviations)
    case .policyConstraints:
      policyConstraints = try PolicyConstraints(&reader, in: input, &deviations)
    case .inhibitAnyPolicy:
      inhibitAnyPolicy = try PolicyConstraints.readSkipCerts(&reader, in: input, .integer)
    case .nameConstraints:
      nameConstraints = try NameConstraints(&reader, in: input, &deviations)
    case .cRLDistributionPoints:
      crlDistributionPoints = try DERList<DistributionPoint>.check(
        &reader, in: input, &deviations)
    case .freshestCRL:
      freshestCRL = try DERList<DistributionPoint>.check(&reader, in: input, &deviations)
    case .authorityInfoAccess:
      authorityInformationAccess = try DERList<AccessDescription>.check(
        &reader, in: input, &deviations)
    case .subjectInfoAccess:
      subjectInformationAccess = try DERList<AccessDescription>.check(
        &reader, in: input, &deviations)
    case .subjectDirectoryAttributes:
      try reader.checkNested(in: input)
      var content = reader
      _ = try content.readNonEmpty(.sequence, in: input)
      subjectDirectoryAttributes = try reader.skip(.sequence, in: input)
    case .tlsFeature:
      tlsFeatures = try reader.read(.sequence, in: input)
      try DERList<TLSFeature>.check(contentOf: tlsFeatures, in: input, &deviations)
    case .signedCertificateTimestamps:
      try reader.checkTimestamps(next.isCritical, in: input, &deviations)
    case .ocspNoCheck:
      try reader.readNull(in: input)
      hasOCSPNoCheck = true
    case .noRevAvail:
      try reader.readNull(in: input)
      hasNoRevocationAvailable = true
    case .precertificatePoison, .cRLNumber, .deltaCRLIndicator, .issuingDistributionPoint,
      .reasonCode, .invalidityDate, .certificateIssuer, .ocspNonce, .ocspCRLReferences,
      .ocspArchiveCutoff, .ocspExtendedRevoke, .ocspCertificateTimestamps:
      return false
    }
    return true
  }
}

extension Extension.Header {
  /// Reads the alternative names of the subject: at least one, as in every SEQUENCE OF of an
  /// extension. RFC 5280 §4.2.1.6.
  ///
  /// *Departs:* an empty list that is not critical is only noted: the certificate of an OCSP
  /// responder of CAcert has one, which every other implementation reads.
  fileprivate func readSubjectNames(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERReader {
    let start = reader.position
    let content = try reader.read(.sequence, in: input)
    if content.isAtEnd {
      if isCritical { throw DERError(.empty, at: start) }
      deviations.append(.emptyExtension(oid))
    }
    try GeneralNames.check(contentOf: content, in: input, &deviations)
    return content
  }
}

/// The number of a TLS extension. RFC 7633 §4.1.
struct TLSFeature: DERDecodable {
  let number: UInt16

  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    number = UInt16(truncatingIfNeeded: try reader.readUInt64(upTo: 65_535, in: input))
  }
}

extension DERReader {
  /// Checks an OCTET STRING that contains a list of signed certificate timestamps in TLS encoding.
  /// RFC 6962 §3.3.
  ///
  /// *Departs:* if the extension is not critical, a malformed list is only noted: it says nothing,
  /// and every other implementation accepts it.
  fileprivate mutating func checkTimestamps(
    _ isCritical: Bool, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var content = try read(.octetString, in: input)
    do throws(DERError) {
      var items = try content.readVector(in: input)
      try content.finish()
      while !items.isAtEnd { _ = try items.readVector(in: input) }
    } catch {
      if isCritical { throw error }
      deviations.append(.badTimestampList(at: error.offset))
    }
  }
}
