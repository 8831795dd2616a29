public import HoldfastDER

/// A request for a certificate, PKCS #10: a subject, a key and wishes. RFC 2986 §4.
///
/// Its signature is not verified: only a certificate authority has a use for that. What matters here
/// is the key, which can be pinned before there is a certificate for it.
public struct CertificateRequest: Sendable, Hashable {
  /// The request as it stands.
  public let der: [UInt8]

  /// What is signed, as it stands.
  public let information: Octets

  /// The subject.
  public let subject: DistinguishedName

  /// The subject's public key.
  public let publicKey: PublicKey

  /// The attributes as they stand, without the header around them.
  public let attributes: Octets

  /// The signature algorithm.
  public let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  public let signature: Octets

  /// What is odd about the request, though it was read.
  public let findings: [Finding]

  /// Reads a request from DER, which must be nothing but the request.
  ///
  /// - Parameter largest: The most octets that are taken.
  public init(
    der: [UInt8], largest: Int = Certificate.largestByDefault
  ) throws(DERError) {
    guard der.count <= largest else { throw DERError(.tooLarge(limit: largest), at: 0) }
    var findings: [Finding] = []
    var reader = DERReader(der)
    var request = try reader.read(.sequence)
    try reader.finish()

    let start = request.offset
    var fields = try request.read(.sequence)
    information = request.octets(from: start)
    // RFC 2986 §4.1: the version is 0.
    _ = try fields.readUInt64(upTo: 0)
    subject = try DistinguishedName(&fields, &findings)
    publicKey = try PublicKey(&fields, &findings)
    attributes = try CertificateRequest.readAttributes(&fields, &findings)
    try fields.finish()

    signatureAlgorithm = try SignatureAlgorithm(&request, &findings)
    signature = try request.readBitStringOfOctets()
    try request.finish()
    self.der = der
    self.findings = findings
  }

  /// Checks the structure of the attributes, which are present even if there are none.
  private static func readAttributes(
    _ fields: inout DERReader, _ findings: inout [Finding]
  ) throws(DERError) -> Octets {
    let start = fields.offset
    let all = try fields.read(.constructedContext(0))
    var attributes = all
    while !attributes.isAtEnd {
      var attribute = try attributes.read(.sequence)
      _ = try attribute.readOID()
      let valuesStart = attribute.offset
      let values = try attribute.read(.set)
      guard !values.isAtEnd else { throw DERError(.empty, at: valuesStart) }
      try values.checkNested()
      try attribute.finish()
    }
    if try !all.isSorted() { findings.append(.setNotSorted(at: start)) }
    return all.rest
  }
}
