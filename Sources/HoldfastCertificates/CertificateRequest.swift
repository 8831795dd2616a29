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
  ) throws(CertificateError) {
    guard der.count <= largest else {
      throw CertificateError(.request, .tooLarge(limit: largest), at: 0)
    }
    let input = der
    var findings: [Finding] = []
    var field = CertificateError.Field.request
    do throws(DERError) {
      var reader = DERCursor(input)
      var request = try reader.read(.sequence, in: input)
      try reader.finish()

      field = .requestInfo
      let start = request.position
      var fields = try request.read(.sequence, in: input)
      information = request.octets(from: start, in: input)
      field = .version
      // RFC 2986 §4.1: the version is 0.
      _ = try fields.readUInt64(upTo: 0, in: input)
      field = .subject
      subject = try DistinguishedName(&fields, in: input, checksStrings: true, &findings)
      field = .subjectPublicKeyInfo
      publicKey = try PublicKey(&fields, in: input, &findings)
      field = .attributes
      attributes = try CertificateRequest.readAttributes(&fields, in: input, &findings)
      field = .requestInfo
      try fields.finish()

      field = .signatureAlgorithm
      signatureAlgorithm = try SignatureAlgorithm(&request, in: input, &findings)
      field = .signatureValue
      signature = try request.readBitStringOfOctets(in: input)
      field = .request
      try request.finish()
    } catch {
      throw CertificateError(field, error)
    }
    self.der = input
    self.findings = findings
  }

  /// Checks the structure of the attributes, which are present even if there are none.
  private static func readAttributes(
    _ fields: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Octets {
    let start = fields.position
    let all = try fields.read(.constructedContext(0), in: input)
    var attributes = all
    while !attributes.isAtEnd {
      var attribute = try attributes.read(.sequence, in: input)
      _ = try attribute.readOID(in: input)
      let valuesStart = attribute.position
      let values = try attribute.read(.set, in: input)
      guard !values.isAtEnd else { throw DERError(.empty, at: valuesStart) }
      try values.checkNested(in: input)
      try attribute.finish()
    }
    if try !all.isSorted(in: input) { findings.append(.setNotSorted(at: start)) }
    return all.rest(in: input)
  }
}
