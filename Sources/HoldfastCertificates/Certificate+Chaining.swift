package import HoldfastDER
package import HoldfastHashes

/// Certificate properties that the path search uses often; most avoid reference counting.
extension Certificate {
  /// The `matchingHash` of the issuer.
  package var issuerHash: UInt64 { storage.issuerNames.matchingHash }

  /// The `matchingHash` of the subject.
  package var subjectHash: UInt64 { storage.subjectNames.matchingHash }

  /// Whether the issuer matches the subject of another certificate. RFC 5280 §7.1.
  package func issuerMatches(subjectOf other: Certificate) -> Bool {
    storage.issuerNames.matches(other.storage.subjectNames)
  }

  /// Whether the issuer is the subject of another certificate, byte for byte.
  package func issuerEquals(subjectOf other: Certificate) -> Bool {
    storage.issuer.equals(other.storage.subject, in: storage.der, other.storage.der)
  }

  /// Whether the issuer matches the issuer of another certificate. RFC 5280 §7.1.
  package func issuerMatches(issuerOf other: Certificate) -> Bool {
    storage.issuerNames.matches(other.storage.issuerNames)
  }

  /// Whether the issuer matches a name. RFC 5280 §7.1.
  package func issuerMatches(_ name: DistinguishedName) -> Bool {
    storage.issuerNames.matches(RelativeNames(name))
  }

  /// The size of the issuer name in bytes.
  package var issuerSize: Int { storage.issuer.count }

  /// The size of the subject name in bytes.
  package var subjectSize: Int { storage.subject.count }

  /// Whether the subject is an empty sequence.
  package var hasEmptySubject: Bool { storage.subject.isAtEnd }

  /// The last eight bytes of the signature, which distinguish most certificates. A shorter
  /// signature is preceded by other bytes of the certificate.
  @inlinable package var signatureTail: UInt64 { storage.signatureTail }

  /// The SubjectPublicKeyInfo in DER.
  package var publicKeyBytes: Bytes { storage.publicKey.der }

  /// The range of the SubjectPublicKeyInfo.
  package var publicKeyRange: Range<Int> { storage.outline.publicKey.range }

  /// Whether both certificates have the same SubjectPublicKeyInfo, byte for byte.
  package func hasPublicKey(of other: Certificate) -> Bool {
    storage.outline.publicKey.equals(
      other.storage.outline.publicKey, in: storage.der, other.storage.der)
  }

  /// Returns the digest of the SubjectPublicKeyInfo, without copying it.
  package func publicKeyDigest(_ algorithm: HashAlgorithm) -> Digest {
    algorithm.hash(storage.der, in: publicKeyRange)
  }

  /// The range of the signature algorithm outside the signed part.
  package var signatureAlgorithmRange: Range<Int> { storage.outline.signatureAlgorithm.range }

  /// The scheme of the signature algorithm outside the signed part; nil if it is unknown.
  package var signatureScheme: SignatureScheme? {
    if let differing = storage.differingAlgorithm { return differing.scheme }
    return storage.innerAlgorithm.scheme
  }

  /// Whether the signed part repeats the outer signature algorithm, byte for byte.
  package var repeatsSignatureAlgorithm: Bool {
    storage.outline.signatureAlgorithm.equals(storage.outline.signature, in: storage.der)
  }

  /// The maximum number of identifier and serial number bytes that `keyMatch(_:)` compares.
  package var authorityKeyIdentifierSize: Int {
    guard let identifier = storage.extensions.values.table.authorityKeyIdentifier else { return 0 }
    return (identifier.keyIdentifier?.count ?? 0) + (identifier.serialNumber?.count ?? 0)
  }

  /// Compares the authority key identifier with the identifiers of the issuer. The result only
  /// guides the search: RFC 5280 §6.1 does not compare them.
  package func keyMatch(_ issuer: Certificate) -> KeyMatch {
    let (mine, other) = (storage, issuer.storage)
    guard let identifier = mine.extensions.values.table.authorityKeyIdentifier else {
      return .unknown
    }
    if let key = identifier.keyIdentifier,
      let otherKey = other.extensions.values.table.subjectKeyIdentifier
    {
      return key.equals(otherKey, in: mine.der, other.der) ? .agrees : .differs
    }
    guard let number = identifier.serialNumber else { return .unknown }
    return number.equals(other.outline.serialNumber, in: mine.der, other.der) ? .agrees : .unknown
  }

  /// Whether the extended key usages contain a purpose; nil without the extension.
  package func extendedKeyUsageHas(_ purpose: OID) -> Bool? {
    guard var list = storage.extensions.values.table.extendedKeyUsage else { return nil }
    // Read here, because a `DERList` counts references.
    do throws(DERError) {
      while !list.isAtEnd {
        if try list.readOID(in: storage.der) == purpose { return true }
      }
      return false
    } catch {
      return false  // Parsing the certificate checked all of them.
    }
  }
}

/// Whether the key identifiers of a certificate and its issuer agree.
package enum KeyMatch: Int32, Sendable {
  case differs = 0
  case unknown = 1
  case agrees = 2
}
