public import HoldfastCertificates
public import HoldfastDER

/// Why a file of keys and certificates cannot be used. Nothing in it is a password or bytes of a key.
public struct IdentityError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The file, if one was read.
  public let file: String?
  /// Whether it was read alone, so that a second file may have what it lacks.
  let isOnlyFile: Bool

  package init(_ problem: Problem, in file: String? = nil) {
    self.init(problem, in: file, isOnlyFile: false)
  }

  init(_ problem: Problem, in file: String?, isOnlyFile: Bool) {
    self.problem = problem
    self.file = file
    self.isOnlyFile = isOnlyFile
  }

  /// The ways in which a file can be unusable.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The password does not open the file.
    case wrongPassword(Locked)
    /// No password was given, and the file does not open without one. Damage looks the same.
    case passwordNeeded
    /// The file needs an algorithm that is not supported.
    case unsupported(Unsupported)
    /// The file does not conform to its format.
    case damaged(Damage)
    /// The file exceeds a limit.
    case limit(Limit)
    /// The file has no MAC, and the caller requires one.
    case notAuthenticated
    /// The file was read, but has no identity, or several where one is expected.
    case noIdentity(NoIdentity)
    /// The file cannot be read; with the system's message.
    case unreadable(String)
  }

  /// What a password did not open.
  @nonexhaustive
  public enum Locked: Sendable, Hashable {
    /// The MAC over the whole file does not match. RFC 7292 §5.2.
    case file
    /// The file has no MAC, and its contents do not decrypt. Damage looks the same.
    case contents
    /// The password matches the MAC of the file but does not decrypt its contents.
    case contentsOnly
    /// An encrypted private key does not decrypt. Damage looks the same.
    case privateKey
  }

  /// An unsupported algorithm.
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
    /// The encryption of contents or keys.
    case encryption
    /// The derivation of a key from a password.
    case keyDerivation
    /// The HMAC inside a derivation or a MAC.
    case keyedHash
    /// The MAC over a file.
    case authentication
    /// The type of a ContentInfo.
    case contentType
    /// The type of a bag.
    case bagType
    /// The type of a certificate or a CRL.
    case certificateType
    /// The algorithm of a private key.
    case keyAlgorithm
  }

  /// The limits, each with the value found if it is known.
  @nonexhaustive
  public enum Limit: Sendable, Hashable {
    /// The size of a file in bytes.
    case fileSize(found: Int, maximum: Int)
    /// The number of bags in a PKCS #12 file, or of certificates and CRLs in a PKCS #7 file.
    case bags(maximum: Int)
    /// The nesting of bags inside bags.
    case nesting(maximum: Int)
    /// The iterations of one key derivation. `IdentityOptions.maximumIterations`.
    case iterations(found: Int, maximum: Int)
    /// The iterations of all key derivations of a file together: at most four times those of one.
    case totalIterations(found: Int, maximum: Int)
    /// The memory that scrypt needs, in bytes.
    case scryptMemory(found: Int, maximum: Int)
  }

  /// Why a file has no usable identity.
  @nonexhaustive
  public enum NoIdentity: Sendable, Hashable {
    /// There is no private key.
    case noKey
    /// There is no certificate.
    case noCertificate
    /// There are keys and certificates, but no key belongs to any certificate.
    case noMatch
    /// There are several identities where one is expected.
    case several(count: Int)
  }
}

/// What is wrong with a file, and where.
public struct Damage: Sendable, Hashable {
  /// The field that was read.
  public let field: IdentityError.Field

  /// What is wrong.
  public let problem: Problem

  /// The byte, counted from the start of the part of the file that `field.origin` names, after
  /// BER was converted to DER. DER input is not changed by the conversion.
  public let offset: Int

  init(_ field: IdentityError.Field, _ problem: Problem, at offset: Int) {
    self.field = field
    self.problem = problem
    self.offset = offset
  }

  /// What can be wrong with a field.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The bytes are not DER, or not of the field's type.
    case der(DERError.Problem)
    /// The text is not PEM.
    case pem(PEMError)
    /// The bytes are PEM, not a PKCS #12 file.
    case isPEM
    /// A certificate cannot be read.
    case certificate(ParseError)
    /// A CRL cannot be read.
    case crl(ParseError)
  }
}

extension IdentityError {
  /// The fields of PKCS #12, PKCS #8 and PKCS #7.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE of a PKCS #12 file.
    case pfx
    /// The MAC over the file.
    case macData
    /// The list of parts that the MAC covers.
    case authenticatedSafe
    /// One part, or the outermost SEQUENCE of a PKCS #7 file.
    case contentInfo
    /// An encrypted part.
    case encryptedData
    /// The list of bags in a part.
    case safeContents
    /// One bag.
    case safeBag
    /// The name and the identifier of a bag.
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
    /// A CRL.
    case crl
    /// The PEM text.
    case pem
  }
}

extension Certificate {
  /// Reads a certificate of a file.
  init(der: [UInt8], at offset: Int) throws(IdentityError) {
    do throws(ParseError) {
      try self.init(der: der)
    } catch {
      throw IdentityError(.damaged(Damage(.certificate, .certificate(error), at: offset)))
    }
  }
}

extension CRL {
  /// Reads a CRL of a file.
  init(der: [UInt8], at offset: Int) throws(IdentityError) {
    do throws(ParseError) {
      try self.init(der: der)
    } catch {
      throw IdentityError(.damaged(Damage(.crl, .crl(error), at: offset)))
    }
  }
}

extension IdentityError {
  /// Makes the error for what none of the passwords opens, the one that was given first.
  static func locked(_ locked: Locked, _ passwords: [Password]) -> IdentityError {
    // Where the file opens without a password, and its contents do not, they have another one.
    let isNeeded = locked != .contentsOnly && passwords.first?.isAbsent == true
    return IdentityError(isNeeded ? .passwordNeeded : .wrongPassword(locked))
  }

  /// Makes the error for an unsupported algorithm.
  static func unsupported(_ role: Role, _ oid: OID?, name: String? = nil) -> IdentityError {
    let name = name ?? oid.flatMap { $0.knownName }
    return IdentityError(.unsupported(Unsupported(role: role, oid: oid, name: name)))
  }
}
