package import HoldfastDER

/// What a search for paths asks of certificates again and again, answered where the octets stand:
/// no value is made that counts references.
extension Certificate {
  /// `matchingHash` of the issuer.
  package var issuerHash: UInt64 {
    RelativeNames.matchingHash(storage.issuer.content, in: storage.der)
  }

  /// `matchingHash` of the subject.
  package var subjectHash: UInt64 {
    RelativeNames.matchingHash(storage.subject.content, in: storage.der)
  }

  /// Whether the issuer is the subject of another certificate. RFC 5280 §7.1.
  package func namesIssuer(_ other: Certificate) -> Bool {
    RelativeNames.match(
      storage.issuer.content, storage.der, other.storage.subject.content, other.storage.der)
  }

  /// Whether the issuer is the subject of another certificate, octet by octet.
  package func spellsIssuer(as other: Certificate) -> Bool {
    storage.issuer.content.equals(other.storage.subject.content, in: storage.der, other.storage.der)
  }

  /// Whether the issuer is that of another certificate. RFC 5280 §7.1.
  package func hasIssuer(of other: Certificate) -> Bool {
    RelativeNames.match(
      storage.issuer.content, storage.der, other.storage.issuer.content, other.storage.der)
  }

  /// Whether the issuer has a name. RFC 5280 §7.1.
  package func namesIssuer(_ name: DistinguishedName) -> Bool {
    RelativeNames.match(
      storage.issuer.content, storage.der, name.contentCursor, name.der.input)
  }

  /// How many octets the name of the issuer has.
  package var issuerSize: Int { storage.issuer.content.count }

  /// How many octets the name of the subject has.
  package var subjectSize: Int { storage.subject.content.count }

  /// How many octets of key identifiers `keyMatch(_:)` compares at most.
  package var authorityKeyIdentifierSize: Int {
    guard let identifier = storage.extensions.authorityKeyIdentifier else { return 0 }
    return (identifier.keyIdentifier?.count ?? 0) + (identifier.serialNumber?.count ?? 0)
  }

  /// Whether the SubjectPublicKeyInfo is that of another certificate, octet by octet.
  package func hasPublicKey(of other: Certificate) -> Bool {
    storage.publicKey.whole.equals(
      other.storage.publicKey.whole, in: storage.der, other.storage.der)
  }

  /// Eight octets of the signature, or around one that is shorter, which tell most certificates apart.
  package var mark: UInt64 { storage.mark }

  /// Eight octets of the public key, which tell most keys apart.
  package var publicKeyMark: UInt64 {
    // In every kind of key the last octets are random, but for the exponent of RSA.
    let place = storage.publicKey.whole.end - 16
    let octets = storage.der
    return DERCursor.word(at: max(place, 0), in: octets.span)
  }

  /// The SubjectPublicKeyInfo as it stands.
  package var publicKeyOctets: Octets { storage.publicKey.whole.rest(in: storage.der) }

  /// Whether the subject has no relative name.
  package var hasEmptySubject: Bool { storage.subject.content.isAtEnd }

  /// What kind of key it is, without its octets.
  package var keySort: KeySort {
    let key = storage.publicKey
    switch key.form {
    case .rsa, .rsaPSS:
      guard !key.modulus.isAtEnd else { return .rsa(bits: 0, isSound: false) }
      let octets = storage.der
      return .rsa(
        bits: key.modulus.count * 8 - octets[key.modulus.position].leadingZeroBitCount,
        isSound: KeySort.areSound(
          modulus: octets.span.extracting(key.modulus.position..<key.modulus.end),
          exponent: octets.span.extracting(key.exponent.position..<key.exponent.end)))
    case .ec(let curve): return .ec(curve)
    case .ed25519: return .ed25519
    case .ed448: return .ed448
    case .mldsa44, .mldsa65, .mldsa87: return .mldsa
    case .x25519, .x448, .unknown: return .other
    }
  }

  /// The place of the SubjectPublicKeyInfo.
  package var publicKeyRange: Range<Int> {
    storage.publicKey.whole.position..<storage.publicKey.whole.end
  }

  /// The place of the signature algorithm beside the signature.
  package var signatureAlgorithmRange: Range<Int> {
    storage.outerAlgorithm.whole.position..<storage.outerAlgorithm.whole.end
  }

  /// What the signature algorithm beside the signature says, without its octets.
  package var signatureScheme: SignatureAlgorithm.Scheme { storage.outerAlgorithm.scheme }

  /// Whether the signature algorithm inside what is signed is the same, octet by octet.
  package var repeatsSignatureAlgorithm: Bool {
    storage.outerAlgorithm.whole.equals(storage.innerAlgorithm.whole, in: storage.der)
  }

  /// Compares the authority key identifier with the issuer's own. They only guide the search:
  /// RFC 5280 §6.1 does not compare them.
  package func keyMatch(_ issuer: Certificate) -> KeyMatch {
    guard let identifier = storage.extensions.authorityKeyIdentifier else { return .unknown }
    if let key = identifier.keyIdentifier,
      let other = issuer.storage.extensions.subjectKeyIdentifier
    {
      return key.equals(other, in: storage.der, issuer.storage.der) ? .agrees : .differs
    }
    if let serialNumber = identifier.serialNumber {
      return serialNumber.equals(
        issuer.storage.fields.serialNumber, in: storage.der, issuer.storage.der)
        ? .agrees : .unknown
    }
    return .unknown
  }

  /// Whether the key identifiers of this issuer and of a certificate agree.
  package func keyMatch(ofChild child: Certificate) -> KeyMatch { child.keyMatch(self) }

  /// Whether a purpose is among the extended key usages; nil if the certificate limits none.
  package func extendedKeyUsageHas(_ purpose: OID) -> Bool? {
    let list = storage.extensions.extendedKeyUsage
    guard list.count > 0 else { return nil }
    var cursor = list.content
    do throws(DERError) {
      while !cursor.isAtEnd {
        let next = try cursor.readOID(in: storage.der)
        if next == purpose { return true }
      }
    } catch {
      // Not reached: the list was read before.
    }
    return false
  }

  /// The policies without their qualifiers. RFC 5280 §4.2.1.4.
  package var policyNames: PolicyNames { PolicyNames(storage) }
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

  /// CA/B BR §6.1.6: the modulus is odd; the exponent is odd and at least 3. At most 33 bits of it, as
  /// wherever signatures are verified here.
  static func areSound(modulus: Span<UInt8>, exponent: Span<UInt8>) -> Bool {
    guard !modulus.isEmpty, 1...5 ~= exponent.count else { return false }
    var value: UInt64 = 0
    for index in exponent.indices { value = value << 8 | UInt64(exponent[index]) }
    return modulus[modulus.count - 1] & 1 == 1 && value & 1 == 1 && value >= 3
      && value >> 33 == 0
  }
}

extension PublicKey {
  /// What kind of key it is, without its octets.
  package var keySort: KeySort {
    switch kind {
    case .rsa(let modulus, let exponent), .rsaPSS(let modulus, let exponent, _):
      .rsa(
        bits: bits ?? 0,
        isSound: KeySort.areSound(
          modulus: modulus.input.span.extracting(modulus.range),
          exponent: exponent.input.span.extracting(exponent.range)))
    case .ec(let curve, _): .ec(curve)
    case .ed25519: .ed25519
    case .ed448: .ed448
    case .mldsa44, .mldsa65, .mldsa87: .mldsa
    case .x25519, .x448, .unknown: .other
    }
  }
}

/// The policies of a certificate, read where they stand: a sequence that needs no memory.
package struct PolicyNames: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var cursor: DERCursor

  /// How many there are in all.
  package let count: Int
  /// Whether anyPolicy is among them.
  package let hasAnyPolicy: Bool
  /// How many octets they take, qualifiers included.
  package var size: Int { cursor.count }

  init(_ storage: CertificateStorage) {
    input = storage.der
    cursor = storage.extensions.certificatePolicies.content
    count = storage.extensions.certificatePolicies.count
    hasAnyPolicy = storage.extensions.hasAnyPolicy
  }

  package mutating func next() -> OID? {
    nextRaw()
  }

  /// Whether a policy is among those that were not taken yet.
  package func contains(_ policy: OID) -> Bool {
    var rest = self
    while let next = rest.nextRaw() {
      if next == policy { return true }
    }
    return false
  }

  private mutating func nextRaw() -> OID? {
    guard !cursor.isAtEnd else { return nil }
    do throws(DERError) {
      var information = try cursor.read(.sequence, in: input)
      return try information.readOID(in: input)
    } catch {
      // Not reached: the list was read before.
      return nil
    }
  }
}
