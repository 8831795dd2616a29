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

  @inline(__always)
  init(_ list: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var reader = try list.read(.sequence, in: input)
    oid = try reader.readOID(in: input)
    isCritical = try reader.readBooleanDefaultFalse(in: input)
    value = try reader.readContent(.octetString, in: input)
    isDecoded = false
    try reader.finish()
  }
}

/// The extensions of a certificate: the list, and what each known one says. RFC 5280 §4.2.
public struct Extensions: Sendable, Hashable {
  /// All of them, in their order.
  public internal(set) var list: [Extension] = []

  /// RFC 5280 §4.2.1.9.
  public internal(set) var basicConstraints: BasicConstraints?
  /// RFC 5280 §4.2.1.3.
  public internal(set) var keyUsage: KeyUsage?
  /// The purposes of the key; nil for any. RFC 5280 §4.2.1.12.
  public internal(set) var extendedKeyUsage: [OID]?
  /// The names of the subject; empty without the extension. RFC 5280 §4.2.1.6.
  public internal(set) var subjectAlternativeNames: [GeneralName] = []
  /// Other names of the issuer; empty without the extension. RFC 5280 §4.2.1.7.
  public internal(set) var issuerAlternativeNames: [GeneralName] = []
  /// RFC 5280 §4.2.1.10.
  public internal(set) var nameConstraints: NameConstraints?
  /// The policies; empty without the extension. RFC 5280 §4.2.1.4.
  public internal(set) var certificatePolicies: [PolicyInformation] = []
  /// RFC 5280 §4.2.1.5.
  public internal(set) var policyMappings: [PolicyMapping] = []
  /// RFC 5280 §4.2.1.11.
  public internal(set) var policyConstraints: PolicyConstraints?
  /// After how many more certificates anyPolicy counts for nothing. RFC 5280 §4.2.1.14.
  public internal(set) var inhibitAnyPolicy: Int?
  /// RFC 5280 §4.2.1.1.
  public internal(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// RFC 5280 §4.2.1.2.
  public internal(set) var subjectKeyIdentifier: Octets?
  /// RFC 5280 §4.2.1.13.
  public internal(set) var crlDistributionPoints: [DistributionPoint] = []
  /// RFC 5280 §4.2.1.15.
  public internal(set) var freshestCRL: [DistributionPoint] = []
  /// RFC 5280 §4.2.2.1.
  public internal(set) var authorityInformationAccess: [AccessDescription] = []
  /// RFC 5280 §4.2.2.2.
  public internal(set) var subjectInformationAccess: [AccessDescription] = []
  /// The attributes as they stand. RFC 5280 §4.2.1.8.
  public internal(set) var subjectDirectoryAttributes: Octets?
  /// The TLS extensions that the server promises; 5 is the stapled OCSP answer. RFC 7633 §4.2.3.
  public internal(set) var tlsFeatures: [UInt16] = []
  /// The signed certificate timestamps, as they stand. RFC 6962 §3.3.
  public internal(set) var signedCertificateTimestamps: [Octets] = []
  /// Whether the certificate of an OCSP responder asks not to be checked. RFC 6960 §4.2.2.2.1.
  public internal(set) var hasOCSPNoCheck = false

  init() {}

  /// The extension with a name, if there is one.
  public subscript(oid: OID) -> Extension? {
    list.first { $0.oid == oid }
  }

  /// Reads `Extensions`; the cursor stands in the `[3]`. `field` says what was read last.
  /// RFC 5280 §4.1.2.9.
  mutating func read(
    _ wrapper: inout DERCursor, in input: [UInt8], _ field: inout CertificateError.Field,
    _ findings: inout [Finding]
  ) throws(DERError) {
    let start = wrapper.position
    var sequence = try wrapper.read(.sequence, in: input)
    guard !sequence.isAtEnd else { throw DERError(.empty, at: start) }
    list.reserveCapacity(min(sequence.count / 24 + 1, 12))
    while !sequence.isAtEnd {
      field = .extensions
      let place = sequence.position
      var next = try Extension(&sequence, in: input)
      field = .extension(next.oid)
      if has(next.oid) { throw DERError(.duplicate, at: place) }
      guard list.count < Extension.mostInOneCertificate else {
        throw DERError(.tooMany(limit: Extension.mostInOneCertificate), at: place)
      }
      next.isDecoded = try decode(next, in: input, &findings)
      list.append(next)
    }
    field = .extensions
    try wrapper.finish()
  }

  private func has(_ oid: OID) -> Bool {
    for index in list.indices where list[index].oid == oid { return true }
    return false
  }

  /// Reads the value of a known extension; false for an unknown one.
  private mutating func decode(
    _ next: Extension, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Bool {
    var reader = DERCursor(next.value)
    switch next.oid {
    case .subjectKeyIdentifier:
      subjectKeyIdentifier = try reader.readContent(.octetString, in: input)
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = try AuthorityKeyIdentifier(&reader, in: input)
    case .keyUsage: keyUsage = try KeyUsage(&reader, in: input, &findings)
    case .basicConstraints:
      basicConstraints = try BasicConstraints(&reader, in: input, &findings)
    case .extKeyUsage: extendedKeyUsage = try Extensions.readPurposes(&reader, in: input)
    case .subjectAltName:
      var names = try reader.read(.sequence, in: input)
      subjectAlternativeNames = try GeneralName.read(&names, in: input)
    case .certificatePolicies:
      certificatePolicies = try PolicyInformation.read(&reader, in: input)
    case .cRLDistributionPoints:
      crlDistributionPoints = try DistributionPoint.read(&reader, in: input, &findings)
    case .authorityInfoAccess:
      var list = try reader.read(.sequence, in: input)
      authorityInformationAccess = try AccessDescription.read(&list, in: input)
    case .signedCertificateTimestamps:
      signedCertificateTimestamps = try Extensions.readTimestamps(&reader, in: input)
    default:
      guard try decodeRare(next.oid, &reader, in: input, &findings) else { return false }
    }
    try reader.finish()
    return true
  }

  private mutating func decodeRare(
    _ oid: OID, _ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Bool {
    switch oid {
    case .nameConstraints: nameConstraints = try NameConstraints(&reader, in: input, &findings)
    case .issuerAltName:
      var names = try reader.read(.sequence, in: input)
      // Departs: an empty one says nothing, and every other reader takes it.
      if names.isAtEnd {
        findings.append(.emptyExtension(oid))
      } else {
        issuerAlternativeNames = try GeneralName.read(&names, in: input)
      }
    case .policyMappings: policyMappings = try PolicyMapping.read(&reader, in: input)
    case .policyConstraints: policyConstraints = try PolicyConstraints(&reader, in: input)
    case .inhibitAnyPolicy:
      inhibitAnyPolicy = try PolicyConstraints.readSkipCerts(required: &reader, in: input, .integer)
    case .freshestCRL: freshestCRL = try DistributionPoint.read(&reader, in: input, &findings)
    case .subjectInfoAccess:
      var list = try reader.read(.sequence, in: input)
      // Departs: as for issuerAltName.
      if list.isAtEnd {
        findings.append(.emptyExtension(oid))
      } else {
        subjectInformationAccess = try AccessDescription.read(&list, in: input)
      }
    case .subjectDirectoryAttributes:
      try reader.checkNested(in: input)
      subjectDirectoryAttributes = try reader.readWhole(.sequence, in: input)
    case .tlsFeature: tlsFeatures = try Extensions.readFeatures(&reader, in: input)
    case .ocspNoCheck:
      try reader.readNull(in: input)
      hasOCSPNoCheck = true
    default: return false
    }
    return true
  }

  private static func readPurposes(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> [OID]
  {
    let start = reader.position
    var list = try reader.read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var purposes: [OID] = []
    purposes.reserveCapacity(min((list.count) / 10 + 1, 8))
    while !list.isAtEnd { purposes.append(try list.readOID(in: input)) }
    return purposes
  }

  private static func readFeatures(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> [UInt16]
  {
    var list = try reader.read(.sequence, in: input)
    var features: [UInt16] = []
    while !list.isAtEnd {
      features.append(UInt16(truncatingIfNeeded: try list.readUInt64(upTo: 65_535, in: input)))
    }
    return features
  }

  /// RFC 6962 §3.3: an OCTET STRING with a list in the encoding of TLS, each with its length before it.
  private static func readTimestamps(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> [Octets]
  {
    let content = try reader.readContent(.octetString, in: input)
    var place = content.startIndex
    func readLength() throws(DERError) -> Int {
      guard content.endIndex - place >= 2 else { throw DERError(.truncated, at: place) }
      let length = Int(content[place]) << 8 | Int(content[place + 1])
      place += 2
      guard length <= content.endIndex - place else { throw DERError(.truncated, at: place - 2) }
      return length
    }
    let total = try readLength()
    guard total == content.endIndex - place else { throw DERError(.trailingData, at: place) }
    var timestamps: [Octets] = []
    timestamps.reserveCapacity(min(total / 64 + 1, 8))
    while place < content.endIndex {
      let length = try readLength()
      timestamps.append(Octets(unchecked: content.input, place, place + length))
      place += length
    }
    return timestamps
  }
}

extension OID {
  /// The name that a standard gives an extension.
  var name: String? {
    switch self {
    case .subjectDirectoryAttributes: "subjectDirectoryAttributes"
    case .subjectKeyIdentifier: "subjectKeyIdentifier"
    case .keyUsage: "keyUsage"
    case .subjectAltName: "subjectAltName"
    case .issuerAltName: "issuerAltName"
    case .basicConstraints: "basicConstraints"
    case .nameConstraints: "nameConstraints"
    case .cRLDistributionPoints: "cRLDistributionPoints"
    case .certificatePolicies: "certificatePolicies"
    case .policyMappings: "policyMappings"
    case .authorityKeyIdentifier: "authorityKeyIdentifier"
    case .policyConstraints: "policyConstraints"
    case .extKeyUsage: "extKeyUsage"
    case .freshestCRL: "freshestCRL"
    case .inhibitAnyPolicy: "inhibitAnyPolicy"
    case .authorityInfoAccess: "authorityInfoAccess"
    case .subjectInfoAccess: "subjectInfoAccess"
    case .tlsFeature: "tlsFeature"
    case .ocspNoCheck: "ocspNoCheck"
    case .signedCertificateTimestamps: "signedCertificateTimestampList"
    case .precertificatePoison: "precertificatePoison"
    default: nil
    }
  }

  /// The paragraph that defines an extension.
  var citation: String? {
    switch self {
    case .subjectDirectoryAttributes: "RFC 5280 §4.2.1.8"
    case .subjectKeyIdentifier: "RFC 5280 §4.2.1.2"
    case .keyUsage: "RFC 5280 §4.2.1.3"
    case .subjectAltName: "RFC 5280 §4.2.1.6"
    case .issuerAltName: "RFC 5280 §4.2.1.7"
    case .basicConstraints: "RFC 5280 §4.2.1.9"
    case .nameConstraints: "RFC 5280 §4.2.1.10"
    case .cRLDistributionPoints: "RFC 5280 §4.2.1.13"
    case .certificatePolicies: "RFC 5280 §4.2.1.4"
    case .policyMappings: "RFC 5280 §4.2.1.5"
    case .authorityKeyIdentifier: "RFC 5280 §4.2.1.1"
    case .policyConstraints: "RFC 5280 §4.2.1.11"
    case .extKeyUsage: "RFC 5280 §4.2.1.12"
    case .freshestCRL: "RFC 5280 §4.2.1.15"
    case .inhibitAnyPolicy: "RFC 5280 §4.2.1.14"
    case .authorityInfoAccess: "RFC 5280 §4.2.2.1"
    case .subjectInfoAccess: "RFC 5280 §4.2.2.2"
    case .tlsFeature: "RFC 7633 §4.1"
    case .ocspNoCheck: "RFC 6960 §4.2.2.2.1"
    case .signedCertificateTimestamps: "RFC 6962 §3.3"
    case .precertificatePoison: "RFC 6962 §3.1"
    default: nil
    }
  }
}
