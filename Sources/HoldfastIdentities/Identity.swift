public import HoldfastCertificates
internal import HoldfastDER

/// A certificate with its private key and its chain, for a server that requests a client
/// certificate.
///
/// It can be created only if the key belongs to the leaf.
public struct Identity: Sendable {
  /// The certificate that the key belongs to.
  public var leaf: Certificate { chain[0] }

  /// The leaf and the certificates above it that the file has; the issuer name of each is the
  /// subject of the next. No signature was verified: `PathValidator` does that.
  public let chain: [Certificate]

  /// The private key.
  public let privateKey: PrivateKey

  /// The name that the file gives it.
  public let name: String?

  /// How the key was matched with the leaf.
  public let match: Match

  /// How a key was matched with a certificate.
  @nonexhaustive
  public enum Match: Sendable, Hashable {
    /// The public part of the key is the public key of the certificate.
    case publicKey
    /// The key has no public part, but the file gives both the same local key identifier.
    case localKeyID
    /// The key has neither a public part nor an identifier, but only one certificate has a key of
    /// its kind. The TLS library reports if they do not fit.
    case onlyCandidate

    /// The name for programs. Embedded Swift prints no case by its name.
    package var name: String {
      switch self {
      case .publicKey: "publicKey"
      case .localKeyID: "localKeyID"
      case .onlyCandidate: "onlyCandidate"
      }
    }
  }

  /// The longest chain that is built.
  package static let maximumChainLength = 32

  init(
    leaf: Certificate, issuers: [Certificate], privateKey: PrivateKey, name: String?, _ match: Match
  ) {
    chain = [leaf] + issuers
    self.privateKey = privateKey
    self.name = name
    self.match = match
  }
}

extension Identity {
  /// Reads the one identity of a file: PKCS #12, or PEM with a private key and its certificates. If
  /// the key has a file of its own, `init(certificateFile:keyFile:password:options:)` reads both.
  ///
  /// - Parameter password: The password of the file or of the key in it; nil if it has none.
  public init(
    file path: String, password: String? = nil, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    self = try SecretBytes.withFiles(path) { files throws(IdentityError) in
      PEMText.isLikely(files[0])
        ? try Identity(pem: files[0], password: password, options: options)
        : try Identity(pkcs12: files[0], password: password, options: options)
    }
  }

  /// Reads the one identity of two files, PEM or DER: certificates in any order, and a private key.
  ///
  /// - Parameter password: The password of an encrypted key; not needed otherwise.
  public init(
    certificateFile: String, keyFile: String, password: String? = nil,
    options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    try self.init(
      certificateFile: certificateFile, keyFile: keyFile, password: password, options: options,
      from: .system)
  }

  /// Reads the one identity of two files in the given way.
  package init(
    certificateFile: String, keyFile: String, password: String?,
    options: IdentityOptions = IdentityOptions(), from reading: FileReading
  ) throws(IdentityError) {
    self = try SecretBytes.withFiles(
      certificateFile, keyFile, from: reading
    ) { files throws(IdentityError) in
      try Identity(pem: files[1], certificates: files[0], password: password, options: options)
    }
  }

  /// A file that has both needs no `keyFile`.
  @available(*, unavailable, message: "write Identity(certificateFile: \"…\", keyFile: \"…\")")
  public init(file path: String, keyFile: String, password: String? = nil) throws(IdentityError) {
    try self.init(certificateFile: path, keyFile: keyFile, password: password)
  }

  /// Reads the one identity of a PKCS #12 file. `PKCS12` gives access to everything in a file.
  ///
  /// - Parameter password: The password of the file. nil and `""` differ in the format, but writers
  ///   confuse them; so for either, both are tried.
  public init(
    pkcs12: [UInt8], password: String?, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    let contents = try PKCS12(pkcs12).open(password: password, options: options)
    self = try Self.single(contents.identities, contents)
  }

  /// Reads the one identity of a PEM text: a private key as PKCS #8, encrypted PKCS #8, PKCS #1 or
  /// SEC 1, and certificates in any order.
  ///
  /// - Parameters:
  ///   - certificates: A second text, if the certificates are in a separate file.
  ///   - password: The password of an encrypted key; not needed otherwise.
  public init(
    pem: [UInt8], certificates: [UInt8] = [], password: String? = nil,
    options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    let contents = try PEMContents.read(
      [pem] + (certificates.isEmpty ? [] : [certificates]), password, options)
    self = try Self.single(contents.identities, contents)
  }

  /// Reads the one identity of a PEM text. A `String` cannot be overwritten when it is no longer
  /// needed, as a file that is read here is.
  ///
  /// - Parameter password: The password of an encrypted key; not needed otherwise.
  public init(
    pem text: String, password: String? = nil, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    self = try SecretBytes.using(Array(text.utf8)) { bytes throws(IdentityError) in
      try Identity(pem: bytes, password: password, options: options)
    }
  }

  private static func single(
    _ identities: [Identity], _ contents: PKCS12.Contents
  ) throws(IdentityError) -> Identity {
    if let identity = identities.first, identities.count == 1 { return identity }
    if !identities.isEmpty { throw IdentityError(.noIdentity(.several(count: identities.count))) }
    // An entry that could not be read explains more than a missing one.
    if let error = contents.errors.first { throw error }
    if contents.keys.isEmpty { throw IdentityError(.noIdentity(.noKey)) }
    throw IdentityError(.noIdentity(contents.certificates.isEmpty ? .noCertificate : .noMatch))
  }
}

extension Identity: CustomStringConvertible {
  /// `client (RSA 2048 bits)`: the name, or the subject, and the kind of the key.
  public var description: String { "\(name ?? "\(leaf.subject)") (\(privateKey.kind))" }
}
