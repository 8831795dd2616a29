package import HoldfastDER
public import HoldfastHashes

/// The OCSP identifier of a certificate: digests of its issuer's name and key, and its serial
/// number. RFC 6960 §4.1.1.
public struct OCSPCertificateID: Sendable, Hashable {
  /// The hash function; nil if unknown to this library.
  package let hash: HashAlgorithm?

  /// The identifier of the hash function, known or not.
  private let algorithm: OID

  /// The digest of the issuer's name in DER.
  package let issuerNameHash: Bytes

  /// The digest of the issuer's key: of the BIT STRING without its unused-bits byte.
  package let issuerKeyHash: Bytes

  /// The serial number.
  package let serialNumber: SerialNumber

  /// Creates the identifier of a certificate by SHA-1, which all responders support.
  ///
  /// - Parameter issuerKey: The key of the certificate's issuer. The signature on the certificate
  ///   is not verified.
  public init(of certificate: Certificate, issuerKey: PublicKey) {
    self.init(of: certificate, issuerKey: issuerKey, .sha1, HashAlgorithm.sha1Identifier)
  }

  /// Creates the identifier of a certificate; nil if the hash function is neither SHA-1 nor one of
  /// SHA-2.
  ///
  /// - Parameter issuerKey: The key of the certificate's issuer. The signature on the certificate
  ///   is not verified.
  public init?(of certificate: Certificate, issuerKey: PublicKey, hash: HashAlgorithm) {
    guard let row = HashAlgorithm.identifiers.first(where: { $0.hash == hash }) else { return nil }
    self.init(of: certificate, issuerKey: issuerKey, row.hash, row.oid)
  }

  private init(
    of certificate: Certificate, issuerKey: PublicKey, _ hash: HashAlgorithm, _ algorithm: OID
  ) {
    self.hash = hash
    self.algorithm = algorithm
    serialNumber = certificate.serialNumber
    let (name, key) = (certificate.issuer.der, issuerKey.bytes)
    issuerNameHash = Bytes(hash.hash(name.input, in: name.range).array)
    issuerKeyHash = Bytes(hash.hash(key.input, in: key.range).array)
  }

  /// Whether this identifies a certificate, whichever hash function was used.
  ///
  /// - Parameter issuerKey: The key of the certificate's issuer. The signature on the certificate
  ///   is not verified.
  /// - Returns: False if the hash function is unknown to this library.
  public func matches(_ certificate: Certificate, issuerKey: PublicKey) -> Bool {
    guard let hash, serialNumber == certificate.serialNumber else { return false }
    return self == OCSPCertificateID(of: certificate, issuerKey: issuerKey, hash, algorithm)
  }

  init(_ reader: inout DERReader, in input: [UInt8]) throws(DERError) {
    var id = try reader.read(.sequence, in: input)
    let identifier = try AlgorithmIdentifier(&id, in: input)
    hash = identifier.hash
    algorithm = identifier.oid
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
    DERWriting.element(
      .sequence, AlgorithmIdentifier.encoded(algorithm),
      DERWriting.element(.octetString, issuerNameHash.array),
      DERWriting.element(.octetString, issuerKeyHash.array),
      DERWriting.element(.integer, serialNumber.bytes.array))
  }
}

extension OCSPCertificateID: CustomStringConvertible {
  /// `serial 05 of issuer 449b… (SHA-1)`.
  public var description: String {
    "serial \(serialNumber) of issuer \(issuerNameHash), key \(issuerKeyHash)"
      + " (\(hash.map { "\($0)" } ?? "unknown hash"))"
  }
}
