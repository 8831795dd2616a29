/// An input of BoringSSL's parser tests (`bssl-der-parsing`).
public struct DERParsingCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// What the input is: `certificate_full`, `tbs_certificate`, `ParseUTCTime`, …
  ///
  /// The inputs of the operations on primitive types are content octets, without tag and length.
  public let operation: String
  /// The input.
  public let input: Base64Bytes
  /// What BoringSSL says.
  public let expected: ExpectedVerdict
  /// For certificates: whether a bad serial number is passed over.
  public let allowsInvalidSerial: Bool
  /// For policies: whether an unknown qualifier is an error.
  public let rejectsUnknownQualifiers: Bool

  enum CodingKeys: String, CodingKey {
    case id, operation = "op", input, expected
    case allowsInvalidSerial = "allow_invalid_serial"
    case rejectsUnknownQualifiers = "reject_unknown_qualifiers"
  }

  /// Decodes a case.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(String.self, forKey: .id)
    operation = try fields.decode(String.self, forKey: .operation)
    input = try fields.decode(Base64Bytes.self, forKey: .input)
    expected = try fields.decode(ExpectedVerdict.self, forKey: .expected)
    allowsInvalidSerial =
      try fields.decodeIfPresent(Bool.self, forKey: .allowsInvalidSerial) ?? false
    rejectsUnknownQualifiers =
      try fields.decodeIfPresent(Bool.self, forKey: .rejectsUnknownQualifiers) ?? false
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [DERParsingCase] {
    try SuiteDocument.load("bssl-der-parsing")
  }
}

/// A question about distinguished names (`bssl-name-match`). RFC 5280 §7.1.
///
/// Names are the content of an RDNSequence, without its tag and length.
public struct NameMatchCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// Which question is asked, and so which of the names are there.
  public let operation: Operation
  /// For `normalize`: the name.
  public let input: Base64Bytes?
  /// For `match`: the first name.
  public let a: Base64Bytes?
  /// For `match`: the second name.
  public let b: Base64Bytes?
  /// For `in_subtree`: the name.
  public let name: Base64Bytes?
  /// For `in_subtree`: the name at the top of the subtree.
  public let parent: Base64Bytes?
  /// `accept` or `reject` for `normalize`, `match` or `no-match` for the other two.
  public let expected: String

  /// Which question is asked.
  public enum Operation: String, Sendable, Decodable {
    /// Is the name well formed?
    case normalize
    /// Are two names equal?
    case match
    /// Does a name lie below another?
    case inSubtree = "in_subtree"
  }

  enum CodingKeys: String, CodingKey {
    case id, operation = "op", input, a, b, name, parent, expected
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [NameMatchCase] {
    try SuiteDocument.load("bssl-name-match")
  }
}

/// An AlgorithmIdentifier of a signature (`bssl-signature-algorithm`).
public struct SignatureAlgorithmCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The AlgorithmIdentifier in DER.
  public let input: Base64Bytes
  /// Whether it is one that BoringSSL knows.
  public let expected: ExpectedVerdict
  /// BoringSSL's name of it, such as `RsaPssSha256`.
  public let algorithm: String?

  /// Reads the suite.
  public static func load() throws(VectorError) -> [SignatureAlgorithmCase] {
    try SuiteDocument.load("bssl-signature-algorithm")
  }
}

/// A certificate, real or made, with the fields that another reader found in it
/// (`certificate-corpus`).
public struct CorpusCertificate: Sendable, Decodable {
  /// The case's name: the file it came from.
  public let id: String
  /// The certificate.
  public let der: Base64Bytes
  /// What other readers make of it.
  public let expected: Expected
  /// The readers that accept it.
  public let acceptedBy: [String]
  /// What it holds, where pyca/cryptography could read it.
  public let fields: Fields?

  /// What other readers make of a certificate.
  public enum Expected: String, Sendable, Decodable {
    /// All readers accept it.
    case accept
    /// All strict readers refuse it.
    case reject
    /// They differ; nothing is required.
    case varies
  }

  /// The decoded fields of a certificate.
  public struct Fields: Sendable, Decodable {
    /// `v1`, `v2` or `v3`.
    public let version: String
    /// The serial number in hexadecimal digits without leading zeros, with a minus if negative.
    public let serial: String
    /// The issuer's name in DER.
    public let issuer: Base64Bytes
    /// The subject's name in DER.
    public let subject: Base64Bytes
    /// The first second of the validity, `2021-09-01T00:00:00Z`.
    public let notBefore: String
    /// The last second of the validity.
    public let notAfter: String
    /// The OID of the signature algorithm.
    public let signatureAlgorithm: String
    /// The SHA-256 of the part that is signed.
    public let tbsSHA256: HexBytes
    /// The SHA-256 of the certificate.
    public let sha256: HexBytes
    /// The SHA-256 of the SubjectPublicKeyInfo, in base64 as pins are written.
    public let spkiPin: String
    /// The extensions in their order; nil where pyca could not read them.
    public let extensions: [ExtensionField]?
    /// The DNS names of the subject alternative name; nil without that extension.
    public let dnsNames: [String]?
    /// The addresses of the subject alternative name; nil without that extension.
    public let ipAddresses: [String]?

    enum CodingKeys: String, CodingKey {
      case version, serial, sha256, extensions
      case issuer = "issuer_der"
      case subject = "subject_der"
      case notBefore = "not_before"
      case notAfter = "not_after"
      case signatureAlgorithm = "signature_algorithm"
      case tbsSHA256 = "tbs_sha256"
      case spkiPin = "spki_sha256_pin"
      case dnsNames = "san_dns"
      case ipAddresses = "san_ip"
    }
  }

  /// The OID of an extension and whether it is critical.
  public struct ExtensionField: Sendable, Decodable, Equatable {
    /// The OID with dots.
    public let oid: String
    /// Whether the extension is critical.
    public let isCritical: Bool

    /// Decodes `["2.5.29.17", false]`.
    public init(from decoder: any Decoder) throws {
      var pair = try decoder.unkeyedContainer()
      oid = try pair.decode(String.self)
      isCritical = try pair.decode(Bool.self)
    }
  }

  enum CodingKeys: String, CodingKey {
    case id, der, expected, fields
    case acceptedBy = "accepted_by"
  }

  /// Reads the suite, or a part of it that has a name of its own.
  public static func load(
    _ suite: String = "certificate-corpus"
  ) throws(VectorError) -> [CorpusCertificate] {
    try SuiteDocument.load(suite)
  }
}
