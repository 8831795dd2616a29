public import HoldfastDER
public import HoldfastHashes

/// The OCSP identifier of a certificate: digests of its issuer's name and key, and its serial
/// number. RFC 6960 §4.1.1.
public struct OCSPCertificateID: Sendable, Hashable {
  /// The hash function; nil if unknown to this library.
  public let hash: HashAlgorithm?

  /// The digest of the issuer's name in DER.
  public let issuerNameHash: Bytes

  /// The digest of the issuer's key: of the BIT STRING without its unused-bits byte.
  public let issuerKeyHash: Bytes

  /// The serial number.
  public let serialNumber: SerialNumber

  /// Creates the identifier of a certificate.
  ///
  /// - Parameters:
  ///   - issuerKey: The key of the certificate's issuer. The signature on the certificate is not
  ///     verified.
  ///   - hash: SHA-1, which all responders support, or one of SHA-2. Any other is replaced by
  ///     SHA-1.
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

  /// Whether this identifies a certificate, whichever hash function was used.
  ///
  /// - Parameter issuerKey: The key of the certificate's issuer. The signature on the certificate
  ///   is not verified.
  /// - Returns: False if the hash function is unknown to this library.
  public func matches(_ certificate: Certificate, issuerKey: PublicKey) -> Bool {
    guard let hash, serialNumber == certificate.serialNumber else { return false }
    return self == OCSPCertificateID(of: certificate, issuerKey: issuerKey, hash: hash)
  }

  init(_ reader: inout DERReader, in input: [UInt8]) throws(DERError) {
    var id = try reader.read(.sequence, in: input)
    hash = try AlgorithmIdentifier(&id, in: input).hash
    issuerNameHash = try id.readContent(.octetString, in: input)
    issuerKeyHash = try id.readContent(.octetString, in: input)
    // Departs: the number only identifies, so a non-minimal encoding is accepted unchanged, as in
    // BoringSSL: responders repeat the number of the request and the certificate.
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
  /// The OID of the function; that of SHA-1 if the function has none here.
  fileprivate var oid: OID {
    let identifiers = HashAlgorithm.identifiers
    return (identifiers.first { $0.hash == self } ?? identifiers[0]).oid
  }

  /// The function to use in an identifier when this one is requested.
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
