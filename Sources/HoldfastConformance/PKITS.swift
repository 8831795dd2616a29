/// NIST's Public Key Interoperability Test Suite: RFC 5280 validation with hard-fail revocation.
public struct PKITS: Sendable, Decodable {
  /// The certificates in DER, by name.
  public let certificates: [String: Base64Bytes]
  /// The revocation lists in DER, by name.
  public let crls: [String: Base64Bytes]
  /// The cases.
  public let tests: [Case]

  /// One case.
  public struct Case: Sendable, Decodable {
    /// The case's number with its part, such as `4.8.1.1`.
    public let id: String
    /// NIST's title.
    public let name: String
    /// NIST's heading.
    public let section: String
    /// The name of the anchor's certificate.
    public let trustAnchor: String
    /// The names of the other certificates; signers of lists may be among them.
    public let intermediates: [String]
    /// The name of the certificate to validate.
    public let endEntity: String
    /// The names of the revocation lists.
    public let crls: [String]
    /// The policies that the user accepts; 2.5.29.32.0 is any.
    public let initialPolicySet: [String]
    /// RFC 5280 §6.1.1 (f).
    public let initialExplicitPolicy: Bool
    /// RFC 5280 §6.1.1 (e).
    public let initialPolicyMappingInhibit: Bool
    /// RFC 5280 §6.1.1 (g).
    public let initialInhibitAnyPolicy: Bool
    /// The time of validation.
    public let validationTime: String
    /// What is required.
    public let expected: ExpectedVerdict
    /// The policies of the path; counts only where the path is valid.
    public let expectedPolicies: [String]
    /// What a library must know for the case: `dsa`, `delta-crl`, `indirect-crl` …
    public let uses: [String]
    /// Where BoringSSL falls short of the expectation.
    public let boringSSLNote: String?

    enum CodingKeys: String, CodingKey {
      case id, name, section, intermediates, crls, expected, uses
      case trustAnchor = "trust_anchor"
      case endEntity = "end_entity"
      case initialPolicySet = "initial_policy_set"
      case initialExplicitPolicy = "initial_explicit_policy"
      case initialPolicyMappingInhibit = "initial_policy_mapping_inhibit"
      case initialInhibitAnyPolicy = "initial_inhibit_any_policy"
      case validationTime = "validation_time"
      case expectedPolicies = "user_constrained_policy_set"
      case boringSSLNote = "boringssl_note"
    }
  }

  /// Reads the suite, or a further part of it.
  public static func load(_ suite: String = "pkits") throws(VectorError) -> PKITS {
    try load(VectorSuites.suite(named: suite))
  }

  /// Reads one file; every name that a case uses must be there.
  public static func load(_ file: VectorFile) throws(VectorError) -> PKITS {
    let suite = try file.decode(PKITS.self)
    for test in suite.tests {
      let certificates = [test.trustAnchor, test.endEntity] + test.intermediates
      let missing =
        certificates.filter { suite.certificates[$0] == nil }
        + test.crls.filter { suite.crls[$0] == nil }
      guard missing.isEmpty else {
        throw .malformed(path: file.path, reason: "\(test.id) needs \(missing)")
      }
    }
    return suite
  }
}
