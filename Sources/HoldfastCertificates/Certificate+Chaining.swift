package import HoldfastDER
package import HoldfastHashes

/// What a search for paths asks of certificates again and again, answered without making a value
/// that counts references.
extension Certificate {
  /// `matchingHash` of the issuer.
  package var issuerHash: UInt64 { storage.issuer.matchingHash }

  /// `matchingHash` of the subject.
  package var subjectHash: UInt64 { storage.subject.matchingHash }

  /// Whether the issuer is the subject of another certificate. RFC 5280 §7.1.
  package func issuerMatches(subjectOf other: Certificate) -> Bool {
    storage.issuer.matches(other.storage.subject)
  }

  /// Whether the issuer is that of another certificate. RFC 5280 §7.1.
  package func issuerMatches(issuerOf other: Certificate) -> Bool {
    storage.issuer.matches(other.storage.issuer)
  }

  /// Whether the issuer has a name. RFC 5280 §7.1.
  package func issuerMatches(_ name: DistinguishedName) -> Bool { storage.issuer.matches(name) }

  /// How many bytes the name of the issuer has.
  package var issuerSize: Int { storage.issuer.reader.count }

  /// How many bytes the name of the subject has.
  package var subjectSize: Int { storage.subject.reader.count }

  /// Whether the subject has no relative name.
  package var hasEmptySubject: Bool { storage.subject.isEmpty }

  /// Eight bytes of the signature, or around one that is shorter, which tell most certificates apart.
  package var signatureTail: UInt64 { storage.signatureTail }

  /// The bytes of the SubjectPublicKeyInfo.
  package var publicKeyBytes: Bytes { storage.publicKey.der }

  /// The place of the SubjectPublicKeyInfo.
  package var publicKeyRange: Range<Int> { storage.outline.publicKey.range }

  /// Whether the SubjectPublicKeyInfo is that of another certificate, byte by byte.
  package func hasPublicKey(of other: Certificate) -> Bool {
    storage.outline.publicKey.equals(
      other.storage.outline.publicKey, in: storage.der, other.storage.der)
  }

  /// The digest of the SubjectPublicKeyInfo, taken in place.
  package func publicKeyDigest(_ algorithm: HashAlgorithm) -> Digest {
    algorithm.hash(storage.der, in: publicKeyRange)
  }

  /// The kind of the key, without its bytes.
  package var keySort: KeySort { storage.publicKey.keySort }

  /// The place of the signature algorithm beside the signature.
  package var signatureAlgorithmRange: Range<Int> { storage.outerAlgorithm.der.range }

  /// What the signature algorithm beside the signature says.
  package var signatureScheme: SignatureAlgorithm.Scheme { storage.outerAlgorithm.scheme }

  /// Whether the signature algorithm inside what is signed is the same, byte by byte.
  package var repeatsSignatureAlgorithm: Bool {
    storage.outline.signatureAlgorithm.equals(storage.outline.signature, in: storage.der)
  }

  /// How many bytes of key identifiers `keyMatch(_:)` compares at most.
  package var authorityKeyIdentifierSize: Int {
    guard let identifier = extensions.authorityKeyIdentifier else { return 0 }
    return (identifier.keyIdentifier?.count ?? 0) + (identifier.serialNumber?.bytes.count ?? 0)
  }

  /// Compares the authority key identifier with the issuer's own. They only guide the search:
  /// RFC 5280 §6.1 does not compare them.
  package func keyMatch(_ issuer: Certificate) -> KeyMatch {
    if let key = extensions.authorityKeyIdentifier?.keyIdentifier,
      let other = issuer.extensions.subjectKeyIdentifier
    {
      return key == other ? .agrees : .differs
    }
    guard let number = extensions.authorityKeyIdentifier?.serialNumber else { return .unknown }
    return number == issuer.serialNumber ? .agrees : .unknown
  }

  /// Whether a purpose is among the extended key usages; nil if the certificate limits none.
  package func extendedKeyUsageHas(_ purpose: OID) -> Bool? {
    extensions.extendedKeyUsage.map { $0.contains(purpose) }
  }
}

/// Whether the key identifiers of a certificate and its issuer agree.
package enum KeyMatch: Int32, Sendable {
  case differs = 0
  case unknown = 1
  case agrees = 2
}

/// The kind of a public key, as far as rules ask for it.
package enum KeySort: Sendable {
  /// Sound is one whose numbers can be those of a key, as far as they show it.
  case rsa(bits: Int, isSound: Bool)
  case ec(NamedCurve)
  case ed25519
  case ed448
  case mldsa
  /// For key agreement only, or not known.
  case other
}

extension PublicKey {
  /// The kind of the key, without its bytes.
  package var keySort: KeySort {
    switch kind {
    case .rsa(let modulus, let exponent), .rsaPSS(let modulus, let exponent, _):
      .rsa(
        bits: PublicKey.bits(ofModulus: modulus),
        isSound: PublicKey.isSound(modulus: modulus, exponent: exponent))
    case .ec(let curve, _): .ec(curve)
    case .ed25519: .ed25519
    case .ed448: .ed448
    case .mldsa44, .mldsa65, .mldsa87: .mldsa
    case .x25519, .x448, .unknown: .other
    }
  }

  /// Whether two RSA numbers can be those of a key, as far as they show it.
  ///
  /// CA/B BR §6.1.6: the modulus is odd; the exponent is odd and at least 3. At most 33 bits of it, as
  /// wherever signatures are verified here.
  private static func isSound(modulus: Bytes, exponent: Bytes) -> Bool {
    guard let last = modulus.last, 1...5 ~= exponent.count else { return false }
    let value = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return last & 1 == 1 && value & 1 == 1 && value >= 3 && value >> 33 == 0
  }
}

extension Certificate {
  /// The policies without their qualifiers. RFC 5280 §4.2.1.4.
  package var policyNames: PolicyNames { PolicyNames(extensions) }
}

/// The policies of a certificate without their qualifiers, read where they are.
package struct PolicyNames: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var reader: DERReader

  /// How many there are in all.
  package let count: Int
  /// Whether anyPolicy is among them.
  package var hasAnyPolicy: Bool { contains(.anyPolicy) }
  /// How many bytes they take, qualifiers included.
  package var size: Int { reader.count }

  init(_ extensions: Extensions) {
    let policies = extensions.certificatePolicies
    input = policies.bytes.input
    reader = DERReader(policies.bytes)
    count = policies.count
  }

  /// The next policy; all were checked with the certificate, so none fails.
  package mutating func next() -> OID? {
    guard !reader.isAtEnd, var information = try? reader.read(.sequence, in: input) else {
      return nil
    }
    return try? information.readOID(in: input)
  }
}
