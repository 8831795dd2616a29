/// A key, an algorithm, data and a signature (`bssl-signed-data`).
public struct SignedDataCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The SubjectPublicKeyInfo in DER.
  public let publicKey: Base64Bytes
  /// The AlgorithmIdentifier in DER.
  public let algorithm: Base64Bytes
  /// What is signed.
  public let data: Base64Bytes
  /// The signature as a whole BIT STRING.
  public let signatureBitString: Base64Bytes
  /// Whether the signature verifies.
  public let expected: ExpectedVerdict

  enum CodingKeys: String, CodingKey {
    case id, publicKey = "spki", algorithm, data, expected
    case signatureBitString = "signature_bit_string"
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [SignedDataCase] {
    try SuiteDocument.load("bssl-signed-data")
  }
}

/// A chain that is to be validated as it stands (`bssl-verify-chain`).
public struct VerifyChainCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The certificates, the leaf first, the one that `lastCertificateTrust` is about last.
  public let chain: [Base64Bytes]
  /// What the last certificate is believed for, in BoringSSL's words: `TRUSTED_ANCHOR` …
  public let lastCertificateTrust: String
  /// The time of validation.
  public let time: String
  /// The purpose, in BoringSSL's words: `SERVER_AUTH`, `ANY_EKU` …
  public let keyPurpose: String
  /// `ALLOW_SHA_1` or `STRONG`.
  public let digestPolicy: String
  /// The policies of the path, with dots.
  public let expectedPolicies: [String]
  /// What is required.
  public let expected: ExpectedVerdict
  /// BoringSSL's errors.
  public let errors: [String]
  /// BoringSSL's warnings.
  public let warnings: [String]

  enum CodingKeys: String, CodingKey {
    case id, chain, time, expected, errors, warnings
    case lastCertificateTrust = "last_cert_trust"
    case keyPurpose = "key_purpose"
    case digestPolicy = "digest_policy"
    case expectedPolicies = "expected_user_constrained_policy_set"
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [VerifyChainCase] {
    try SuiteDocument.load("bssl-verify-chain")
  }
}

/// What a revocation source says of a certificate.
public enum ExpectedRevocation: String, Sendable, Decodable {
  /// The certificate is not revoked.
  case good
  /// The certificate is revoked.
  case revoked
  /// The source does not answer.
  case unknown
}

/// One revocation list against one certificate (`bssl-crl`).
public struct CRLCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The list.
  public let crl: Base64Bytes
  /// The certificate's issuer.
  public let issuer: Base64Bytes
  /// A further certificate up the chain.
  public let secondIssuer: Base64Bytes?
  /// The certificate in question.
  public let certificate: Base64Bytes
  /// The time of validation.
  public let time: String
  /// How old a list may be.
  public let maximumAgeSeconds: Int
  /// What the list says.
  public let expected: ExpectedRevocation

  enum CodingKeys: String, CodingKey {
    case id, crl, issuer, certificate, time, expected
    case secondIssuer = "issuer2"
    case maximumAgeSeconds = "max_age_seconds"
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [CRLCase] {
    try SuiteDocument.load("bssl-crl")
  }
}

/// One OCSP response for one certificate (`bssl-ocsp`).
public struct OCSPCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The response.
  public let response: Base64Bytes
  /// The certificate's issuer.
  public let issuer: Base64Bytes
  /// The certificate in question.
  public let certificate: Base64Bytes
  /// The request that asks for it: a SHA-1 CertID, no extensions.
  public let request: Base64Bytes
  /// The time of validation.
  public let time: String
  /// How old a response may be.
  public let maximumAgeSeconds: Int
  /// What the response says.
  public let expected: ExpectedRevocation
  /// Why, in BoringSSL's words: `PROVIDED`, `INVALID_DATE` …
  public let responseStatus: String

  enum CodingKeys: String, CodingKey {
    case id, response, issuer, certificate, request, time, expected
    case maximumAgeSeconds = "max_age_seconds"
    case responseStatus = "response_status"
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> [OCSPCase] {
    try SuiteDocument.load("bssl-ocsp")
  }
}
