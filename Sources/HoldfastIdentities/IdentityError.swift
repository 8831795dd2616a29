public import HoldfastCertificates
public import HoldfastDER

/// Why a file of keys and certificates cannot be used. No case holds a password or bytes of a key.
@nonexhaustive
public enum IdentityError: Error, Sendable, Hashable {
  /// The password does not open the file.
  case wrongPassword(Locked)
  /// The file needs an algorithm that is not here.
  case unsupported(Unsupported)
  /// The file is not what its format asks for.
  case damaged(Damage)
  /// The file asks for more than a limit allows.
  case limit(Limit)
  /// The file has no code that authenticates it, and the caller asked for one.
  case notAuthenticated
  /// The file was read and has no identity, or several where one was asked for.
  case noIdentity(NoIdentity)

  /// What a password did not open.
  @nonexhaustive
  public enum Locked: Sendable, Hashable {
    /// The code over the whole file does not agree. RFC 7292 §5.2.
    case file
    /// There is no code over the file, and its contents do not decrypt. Damage looks the same.
    case contents
    /// The password is that of the code over the file but not that of its contents.
    case contentsOnly
    /// An encrypted private key does not decrypt. Damage looks the same.
    case privateKey
  }

  /// An algorithm that is not here.
  public struct Unsupported: Sendable, Hashable {
    /// What the algorithm is for.
    public let role: Role

    /// The identifier, if the file has one.
    public let oid: OID?

    /// The common name of the algorithm, if there is one.
    public let name: String?
  }

  /// What an algorithm is for.
  @nonexhaustive
  public enum Role: Sendable, Hashable {
    /// Decrypts contents or keys.
    case encryption
    /// Makes a key of a password.
    case keyDerivation
    /// The HMAC inside a derivation or a code.
    case keyedHash
    /// The code over a file.
    case authentication
    /// The type of a ContentInfo.
    case contentType
    /// The type of a bag.
    case bagType
    /// The type of a certificate or a revocation list.
    case certificateType
    /// The algorithm of a private key.
    case keyAlgorithm
  }

  /// Limits, each with what was found where it is known.
  @nonexhaustive
  public enum Limit: Sendable, Hashable {
    /// The bytes of a file.
    case fileSize(found: Int, most: Int)
    /// The bags of a PKCS #12 file, or the certificates and lists of a PKCS #7 file.
    case bags(most: Int)
    /// Bags inside bags.
    case nesting(most: Int)
    /// The iterations of one key derivation. `IdentityOptions.mostIterations`.
    case iterations(found: Int, most: Int)
    /// The iterations of all key derivations of a file together, four times those of one.
    case totalIterations(found: Int, most: Int)
    /// The bytes of memory that scrypt needs.
    case scryptMemory(found: Int, most: Int)
  }

  /// Why a file that was read gives no identity.
  @nonexhaustive
  public enum NoIdentity: Sendable, Hashable {
    /// There is no private key.
    case noKey
    /// There is no certificate.
    case noCertificate
    /// There are keys and certificates, and none of the keys is that of a certificate.
    case noMatch
    /// There are several where one was asked for.
    case several(count: Int)
  }
}

/// What is wrong with a file, and where.
public struct Damage: Sendable, Hashable {
  /// The field that was read.
  public let field: IdentityError.Field

  /// What is wrong.
  public let problem: Problem

  /// The byte, counted from the beginning of the part of the file that `field.origin` names, after
  /// BER has become DER; in a file of DER that changes nothing.
  public let offset: Int

  init(_ field: IdentityError.Field, _ problem: Problem, at offset: Int) {
    self.field = field
    self.problem = problem
    self.offset = offset
  }

  /// What can be wrong with a field.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not DER, or not of the type that the field has.
    case der(DERError.Problem)
    /// It is not PEM.
    case pem(PEMError)
    /// A certificate cannot be read.
    case certificate(ParseError)
    /// A revocation list cannot be read.
    case list(ParseError)
  }
}

extension IdentityError {
  /// The fields of PKCS #12, PKCS #8 and PKCS #7.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE of a PKCS #12 file.
    case pfx
    /// The code over the file.
    case macData
    /// The list of parts that the code covers.
    case authenticatedSafe
    /// One part, or the outermost SEQUENCE of a PKCS #7 file.
    case contentInfo
    /// A part that is encrypted.
    case encryptedData
    /// The list of bags in a part.
    case safeContents
    /// One bag.
    case safeBag
    /// What a bag is called.
    case bagAttributes
    /// The algorithm of an encryption and its parameters.
    case encryptionParameters
    /// An encrypted private key.
    case encryptedPrivateKey
    /// A private key.
    case privateKey
    /// The content of a PKCS #7 file.
    case signedData
    /// A certificate.
    case certificate
    /// A revocation list.
    case certificateList
    /// The PEM around all this.
    case pem
  }
}

extension IdentityError {
  /// The error that an algorithm is not here.
  static func unsupported(_ role: Role, _ oid: OID?, name: String? = nil) -> IdentityError {
    .unsupported(Unsupported(role: role, oid: oid, name: name ?? oid.flatMap { $0.knownName }))
  }
}
