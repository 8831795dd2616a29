public import HoldfastCertificates

/// A certificate with its private key and the certificates above it: what answers a server that asks
/// for a client certificate.
///
/// One exists only if the key is that of the leaf.
public struct Identity: Sendable {
  /// The certificate of the key.
  public var leaf: Certificate { chain[0] }

  /// The leaf and the certificates above it that the file has, each issued under the next one's name.
  /// No signature was verified: `PathValidator` does that.
  public let chain: [Certificate]

  /// The private key.
  public let privateKey: PrivateKey

  /// What the file calls it.
  public let name: String?

  /// How the key was found to be that of the leaf.
  public let match: Match

  /// How a key and a certificate were found to belong together.
  @nonexhaustive
  public enum Match: Sendable, Hashable {
    /// The public part of the key is the public key of the certificate.
    case publicKey
    /// The key comes without its public part, and the file marks both with the same identifier.
    case localKeyID
    /// The key comes without its public part and nothing marks it, but there is one certificate with
    /// a key of its kind. The TLS library that takes both will tell if they do not fit.
    case onlyCandidate
  }

  /// The longest chain that is put together.
  public static let longestChain = 32

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
  /// Reads the one identity of a PKCS #12 file. `PKCS12` shows all that is in a file.
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
  ///   - certificates: A second text, if the certificates stand in one of their own.
  ///   - password: That of an encrypted key; not needed otherwise.
  public init(
    pem: [UInt8], certificates: [UInt8] = [], password: String? = nil,
    options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    let contents = try PEMContents.read(
      [pem] + (certificates.isEmpty ? [] : [certificates]), password, options)
    self = try Self.single(contents.identities, contents)
  }

  private static func single(
    _ identities: [Identity], _ contents: PKCS12.Contents
  ) throws(IdentityError) -> Identity {
    if let identity = identities.first, identities.count == 1 { return identity }
    if !identities.isEmpty { throw .noIdentity(.several(count: identities.count)) }
    // What could not be read is a better answer than that it is not there.
    if let error = contents.errors.first { throw error }
    if contents.keys.isEmpty { throw .noIdentity(.noKey) }
    throw .noIdentity(contents.certificates.isEmpty ? .noCertificate : .noMatch)
  }
}

extension Identity: CustomStringConvertible {
  /// `client (RSA 2048 bits)`: the name, or the subject, and the kind of the key.
  public var description: String { "\(name ?? "\(leaf.subject)") (\(privateKey.kind))" }
}
