public import HoldfastDER

/// A request for a certificate, PKCS #10: a subject, a key and wishes. RFC 2986 §4.
///
/// Its signature is not verified: only a certificate authority has a use for that. What matters here
/// is the key, which can be pinned before there is a certificate for it.
public struct CertificateRequest: Sendable, Hashable {
  /// The request in DER.
  public let der: [UInt8]

  /// What is signed, in DER.
  public let information: Bytes

  /// The subject.
  public let subject: DistinguishedName

  /// The subject's public key.
  public let publicKey: PublicKey

  /// The attributes, without the header around them.
  public let attributes: Bytes

  /// The signature algorithm.
  public let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  public let signature: Bytes

  /// Deviations from the encoding rules that were accepted.
  public let deviations: [EncodingDeviation]

  /// Reads a request from DER, which must be nothing but the request.
  ///
  /// - Parameter maximumSize: The most bytes that are taken.
  public init(
    der: [UInt8], maximumSize: Int = Certificate.maximumSize
  ) throws(ParseError) {
    guard der.count <= maximumSize else {
      throw ParseError(.certificateRequest, .tooLarge(limit: maximumSize))
    }
    let input = der
    var deviations: [EncodingDeviation] = []
    var field = ParseError.Field.structure
    do throws(DERError) {
      var reader = DERReader(input)
      var request = try reader.read(.sequence, in: input)
      try reader.finish()

      field = .tbs
      information = try request.readWhole(.sequence, in: input)
      var outer = DERReader(information)
      var fields = try outer.read(.sequence, in: input)
      field = .version
      // RFC 2986 §4.1: the version is 0.
      _ = try fields.readUInt64(upTo: 0, in: input)
      field = .subject
      subject = try DistinguishedName(&fields, in: input, &deviations)
      field = .subjectPublicKeyInfo
      publicKey = try PublicKey(&fields, in: input, &deviations)
      field = .attributes
      attributes = try CertificateRequest.readAttributes(&fields, in: input, &deviations)
      field = .tbs
      try fields.finish()

      field = .signatureAlgorithm
      signatureAlgorithm = try SignatureAlgorithm(&request, in: input, &deviations)
      field = .signatureValue
      signature = try request.readBitStringOfBytes(in: input)
      field = .structure
      try request.finish()
    } catch {
      throw ParseError(.certificateRequest, field, error, reading: der)
    }
    self.der = input
    self.deviations = deviations
  }

  /// Checks the structure of the attributes, which are present even if there are none.
  private static func readAttributes(
    _ fields: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Bytes {
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
    if try !all.isSorted(in: input) { deviations.append(.setNotSorted(at: start)) }
    return all.rest(in: input)
  }
}

extension CertificateRequest: CustomStringConvertible {
  /// `CN=example.com,O=Example (request), EC P-256`.
  public var description: String {
    "\(subject.isEmpty ? "(no subject)" : "\(subject)") (request), \(publicKey)"
  }
}
