internal import HoldfastCertificates

/// A rule that a path can break. The cases are all the rules that this library enforces.
///
/// A `Violation` adds what was found in a certificate. The name of a case is the rule's name in
/// JSON and in vector files.
@nonexhaustive
public enum Rule: String, Sendable, Hashable, CaseIterable {
  // The search.

  /// No certificate and no anchor has the issuer's name.
  case issuerNotFound
  /// A certificate was sent that seems to be the issuer's, and it cannot be read. It is reported only
  /// where no valid path was found, instead of `issuerNotFound` or `signature`.
  case issuerUnreadable
  /// The path ends with a certificate that is not an anchor, and whose issuer is itself or one below
  /// it. If that is the leaf, this is reported before any other rule that it breaks.
  case untrustedRoot
  /// Another certificate that was sent is the one asked about: the first is a CA's, for other names or
  /// not current. It is reported only where no valid path was found.
  case leafNotFirst

  // RFC 5280 §6.1.3 (a).

  /// The signature does not verify under the issuer's key.
  case signature
  /// The signature algorithm is not known.
  case unsupportedAlgorithm
  /// The issuer's key is not supported, or its kind does not match the signature.
  case unsupportedKey
  /// The field signatureAlgorithm differs from the signed field signature.
  case algorithmsDiffer
  /// The digest inside the signature is not allowed.
  case weakDigest
  /// The key is invalid for its kind: an even RSA modulus or exponent, an exponent of 1, a wrong
  /// length, a point that is not on the curve or of small order.
  case invalidKey
  /// The RSA key has fewer bits than allowed.
  case weakKey
  /// The number of bits of the RSA key is not a multiple of 8.
  case keySizeNotWholeBytes
  /// The RSA key has more bits than allowed.
  case oversizedKey
  /// The exponent of the RSA key has more bits than signatures are verified with.
  case oversizedExponent
  /// The key's curve is not allowed.
  case curveNotAllowed
  /// The kind of the key or of the signature is not allowed.
  case algorithmNotAllowed
  /// The time of validation is before notBefore.
  case notYetValid
  /// The time of validation is after notAfter.
  case expired
  /// The certificate is valid for longer than allowed.
  case validityTooLong
  /// The certificate is revoked.
  case revoked
  /// The revocation status is unknown, and the rules require it.
  case revocationUnknown
  /// No certificate has the issuer's name, though one has the issuer's key identifier or key.
  case nameChaining
  /// The proof does not show that the certificate is in the issuer's Merkle tree as the tree's
  /// cosigners have signed it.
  @_spi(MerkleTrees)
  case merkleTreeProof
  /// The proof was not evaluated, because what is known of the issuer's Merkle tree has ended.
  @_spi(MerkleTrees)
  case merkleTreeOutdated

  // RFC 5280 §6.1.3 (b), (c): name constraints.

  /// A name lies outside every permitted subtree of its form.
  case nameNotPermitted
  /// A name lies inside an excluded subtree.
  case nameExcluded
  /// A constraint has a form or a range that cannot be applied to the name.
  case constraintUnsupported
  /// A constraint is malformed for its form.
  case constraintMalformed
  /// A constrained name is malformed for its form.
  case nameMalformed

  // RFC 5280 §6.1.3 (d)–(f), as updated by RFC 9618.

  /// A policy is required, and no acceptable one is left.
  case policyRequired
  /// A policy is mapped from or to anyPolicy.
  case mappingOfAnyPolicy

  // RFC 5280 §6.1.4 (k)–(o).

  /// An issuer's certificate is not of version 3.
  case issuerVersion
  /// An issuer's certificate has no basic constraints.
  case basicConstraintsMissing
  /// An issuer's certificate says that it is not a CA.
  case notCA
  /// More intermediate certificates follow than the path length allows.
  case pathLength
  /// The key usage lacks what the key is used for.
  case keyUsage
  /// A critical extension is unknown.
  case unknownCriticalExtension

  // The purpose.

  /// The extended key usage lacks the purpose.
  case extendedKeyUsage
  /// There is no extended key usage, and the rules require one.
  case extendedKeyUsageMissing
  /// The extended key usage has only anyExtendedKeyUsage, which the rules do not accept.
  case extendedKeyUsageAny
  /// The host is not among the names.
  case hostName
  /// There are no subject alternative names.
  case noHostNames
  /// The e-mail address is not among the names.
  case emailAddress
  /// The SPIFFE ID is another one.
  case spiffeID
  /// There is no URI among the names, or more than one.
  case spiffeIDCount
  /// The URI is not a SPIFFE ID.
  case spiffeIDSyntax
  /// The SPIFFE ID of a workload has no path.
  case spiffePathMissing
  /// The SPIFFE ID of a CA has a path.
  case spiffePathForbidden
  /// The anchor belongs to another trust domain than the SPIFFE ID, to none, or to one although no
  /// SPIFFE ID is asked for.
  case trustDomain
  /// The certificate to validate is a CA certificate.
  case leafIsCA
  /// The certificate to validate is itself an anchor, which the rules do not accept.
  case leafIsAnchor

  // Requirements of RFC 5280 §4 and the Baseline Requirements on CAs.

  /// The certificate is not of version 3.
  case version
  /// The extension must not be critical.
  case extensionCritical
  /// The extension must be critical.
  case extensionNotCritical
  /// The extension is required.
  case extensionMissing
  /// The extension must not be in a certificate of this kind.
  case extensionMisplaced
  /// The extension has a value that is not allowed.
  case extensionValue
  /// The issuer has no name.
  case emptyIssuer
  /// The subject is empty, and no alternative name may take its place.
  case emptySubject
  /// keyCertSign without the basic constraints of a CA.
  case certSignWithoutAuthority
  /// A wildcard matches the host, but covers more names than the rules allow.
  case wildcardTooWide
  /// An encoding deviation that the rules do not accept.
  case encoding

  // What CAs must not write, by RFC 5280 §4 and the Baseline Requirements §7.1.

  /// There is a unique identifier of the issuer or the subject.
  case uniqueIdentifier
  /// A name is not a host name, a mailbox or an absolute URI, though its form says so.
  case nameSyntax
  /// A label of a host has hyphens in the third and fourth place, and is no A-label.
  case reservedLabel
  /// A name constraint is not in the syntax of its form, or has a minimum or a maximum.
  case constraintSyntax
  /// The subject has an e-mail address that is not among the alternative names.
  case emailAddressAlone
  /// An alternative name is neither a host name nor an address.
  case alternativeNameForm
  /// A CRL distribution point has or lacks a field against the profile.
  case distributionPoint
  /// A location is not an HTTP address.
  case locationNotHTTP
  /// The information access has a method that is not allowed.
  case accessMethod
  /// The text of a policy notice is in a string type that is not allowed.
  case noticeEncoding
  /// The text of a policy notice is longer than allowed.
  case noticeTooLong
  /// The certificate policies contain one that is not allowed.
  case policyForbidden
  /// The number of reserved certificate policies is not one.
  case reservedPolicies
  /// A policy has a qualifier that is not allowed.
  case policyQualifier
  /// The key usage has a bit that is not allowed for the key or the certificate.
  case keyUsageForbidden
  /// The extended key usage has a purpose that is not allowed.
  case extendedKeyUsageForbidden
  /// A relative name of the subject has several attributes.
  case multipleAttributes
  /// An attribute of the subject is in a wrong string type, too long or empty.
  case attributeValue
  /// An attribute of the subject is out of order.
  case attributeOrder
  /// An attribute of the subject occurs more than once.
  case repeatedAttribute
  /// The subject lacks an attribute that its policy requires.
  case attributeMissing
  /// The subject has an attribute that its policy does not allow.
  case attributeForbidden
  /// The parameters of the signature algorithm are not allowed.
  case signatureParameters
  /// The digest of a signature is not the one for the curve of the issuer's key.
  case digestOfCurve
  /// The authority key identifier is not the issuer's subject key identifier.
  case keyIdentifierDiffers
  /// The issuer matches the name of the issuer's certificate, but is encoded otherwise.
  case issuerEncoding

  // Root programs: `ProgramConstraint`.

  /// The program does not trust the anchor.
  case programDistrust
  /// The program does not trust the anchor for the purpose.
  case programPurpose
  /// The leaf was issued, by its notBefore, when the program did not trust the anchor.
  case programIssuance
  /// A log saw the leaf when the program did not trust the anchor.
  case programLogTime
  /// A DNS name of the leaf is not among those that the program permits.
  case programName
  /// The path has no policy that the program asks for.
  case programPolicy
  /// The anchor has expired, and the program enforces that.
  case programExpiry

  // The caller.

  /// A rule of the caller rejects the path.
  case veto

  /// The stable name of the rule, used in JSON and vector files.
  public var name: String { rawValue }

  /// The name in lower case, as the code of an error: `host_name`, `not_ca`, `spiffe_id_count`.
  package var code: String {
    let name = Array(name.utf8)
    func isUpperCase(_ index: Int) -> Bool {
      name.indices.contains(index) && 0x41...0x5A ~= name[index]
    }
    var code: [UInt8] = []
    for (index, byte) in name.enumerated() {
      // A word begins with a capital beside a small letter; an abbreviation has none within it.
      let isLast = index + 1 == name.count
      let begins = !isUpperCase(index - 1) || (!isLast && !isUpperCase(index + 1))
      if index > 0, isUpperCase(index), begins { code.append(0x5F) }
      code.append(byte | 0x20)
    }
    return String(decoding: code, as: UTF8.self)
  }

  /// The section that states the rule. A violation may cite a more precise one.
  public var citation: String { row.citation }

  /// What is wrong, with `{}` for each value of the violation.
  package var message: String { row.message }
}

extension Rule: CustomStringConvertible {
  /// The message, with … in place of values.
  public var description: String {
    messageParts.joined(separator: "…")
  }

  /// The parts of the message around its values, each of which is a `{}`.
  var messageParts: [Substring] {
    // Splitting by a string would link the library of regular expressions, 1.3 MB.
    message.split(separator: "{", omittingEmptySubsequences: false).map { part in
      part.first == "}" ? part.dropFirst() : part
    }
  }
}
