public import HoldfastDER
public import HoldfastHashes

/// How OCSP names a certificate: digests of its issuer's name and key, and its serial number.
/// RFC 6960 §4.1.1.
public struct OCSPCertificateID: Sendable, Hashable {
  /// The hash function; nil for one that this library does not know.
  public let hash: HashAlgorithm?

  /// The digest of the issuer's name in DER.
  public let issuerNameHash: Bytes

  /// The digest of the issuer's key: of the BIT STRING without its count of unused bits.
  public let issuerKeyHash: Bytes

  /// The serial number.
  public let serialNumber: SerialNumber

  /// The name of a certificate.
  ///
  /// - Parameter hash: SHA-1, which is what all responders know, or one of SHA-2; for any other
  ///   SHA-1 is taken.
  public init(
    of certificate: Certificate, issuerKey: PublicKey, hash: HashAlgorithm = .sha1
  ) {
    let hash = hash.forCertificateID
    self.hash = hash
    serialNumber = certificate.serialNumber
    issuerNameHash = Bytes(OCSPCertificateID.digest(certificate.issuer.der, hash))
    issuerKeyHash = Bytes(OCSPCertificateID.digest(issuerKey.bytes, hash))
  }

  private static func digest(_ bytes: Bytes, _ hash: HashAlgorithm) -> [UInt8] {
    hash.hash(bytes.input, in: bytes.range).array
  }

  /// Whether this is the name of a certificate, whichever hash function it was made with.
  public func matches(_ certificate: Certificate, issuerKey: PublicKey) -> Bool {
    guard let hash, serialNumber == certificate.serialNumber else { return false }
    return self == OCSPCertificateID(of: certificate, issuerKey: issuerKey, hash: hash)
  }

  init(_ reader: inout DERReader, in input: [UInt8]) throws(DERError) {
    var id = try reader.read(.sequence, in: input)
    hash = try AlgorithmIdentifier(&id, in: input).hash
    issuerNameHash = try id.readContent(.octetString, in: input)
    issuerKeyHash = try id.readContent(.octetString, in: input)
    // Departs: the number only identifies, so one that is not in its shortest form is read
    // unchanged, as BoringSSL does: responders repeat what a request and a certificate have.
    let number = try id.read(.integer, in: input)
    guard !number.isAtEnd else { throw DERError(.badInteger, at: number.position) }
    serialNumber = SerialNumber(number.rest(in: input))
    try id.finish()
  }

  /// The SEQUENCE in DER.
  var der: [UInt8] {
    let algorithm = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, (hash ?? .sha1).oid.content),
      DERWriting.element(.null))
    return DERWriting.element(
      .sequence, algorithm, DERWriting.element(.octetString, issuerNameHash.array),
      DERWriting.element(.octetString, issuerKeyHash.array),
      DERWriting.element(.integer, serialNumber.bytes.array))
  }
}

extension HashAlgorithm {
  /// The name of the function in an AlgorithmIdentifier; SHA-1's for those that have none here.
  fileprivate var oid: OID { HashAlgorithm.identifiers.first { $0.hash == self }?.oid ?? .sha1 }

  /// The function with which a name is made when this one is asked for.
  fileprivate var forCertificateID: HashAlgorithm {
    HashAlgorithm.identifiers.contains { $0.hash == self } ? self : .sha1
  }
}

extension OCSPCertificateID: CustomStringConvertible {
  /// `serial 05 of issuer 449b… (SHA-1)`.
  public var description: String {
    "serial \(serialNumber) of issuer \(issuerNameHash), key \(issuerKeyHash)"
      + " (\(hash.map { "\($0)" } ?? "unknown hash"))"
  }
}
