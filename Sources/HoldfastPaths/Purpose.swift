public import HoldfastCertificates

/// The purpose of a validation: what the leaf's key is used for, and by whom.
///
/// The purpose includes the name, so that omitting the name of a server must be explicit.
public struct Purpose: Sendable, Hashable {
  /// The extended key usages that the leaf, and every CA that restricts them, must allow.
  public var extendedKeyUsages: [OID]

  /// Key usages of which the leaf must allow at least one, if it restricts them and the rules check
  /// it (`ValidationRules.leaf.checksKeyAndUsage`); empty for none.
  public var keyUsage: KeyUsage

  /// The identity that the leaf must have; nil for any.
  public var identity: ReferenceIdentity?

  /// Creates a custom purpose.
  ///
  /// - Parameters:
  ///   - extendedKeyUsages: The usages that the leaf, and every CA that restricts them, must allow,
  ///     all of them; empty for any use.
  ///   - keyUsage: Key usages of which the leaf must allow at least one, if it restricts them;
  ///     empty for none. They are checked only if the rules say so:
  ///     `ValidationRules.Leaf.checksKeyAndUsage`.
  ///   - identity: The identity that the leaf must have; nil for any.
  public init(
    extendedKeyUsages: [OID], keyUsage: KeyUsage = [], identity: ReferenceIdentity? = nil
  ) {
    self.extendedKeyUsages = extendedKeyUsages
    self.keyUsage = keyUsage
    self.identity = identity
  }

  /// Returns the purpose of a TLS server, given by DNS name or IP address.
  ///
  /// It throws the same error as `validate`, so that one `catch` handles both.
  public static func server(_ host: String) throws(PathError) -> Purpose {
    do throws(HostNameError) {
      return .server(try HostName(host))
    } catch {
      throw PathError(.invalidName(error), for: anyServer)
    }
  }

  /// Returns the purpose of a TLS server.
  public static func server(_ host: HostName) -> Purpose {
    var purpose = anyServer
    purpose.identity = .host(host)
    return purpose
  }

  /// A TLS server of any name, for callers that check the name themselves.
  public static let anyServer = Purpose(
    extendedKeyUsages: [.serverAuth],
    keyUsage: [.digitalSignature, .keyEncipherment, .keyAgreement])

  /// A TLS client.
  public static let client = Purpose(
    extendedKeyUsages: [.clientAuth], keyUsage: [.digitalSignature, .keyAgreement])

  /// A code signer.
  public static let codeSigning = Purpose(
    extendedKeyUsages: [.codeSigning], keyUsage: [.digitalSignature])

  /// Returns the purpose of a holder of an e-mail address, who signs or receives encrypted e-mail.
  public static func email(_ address: String) throws(PathError) -> Purpose {
    do throws(HostNameError) {
      return .email(try Mailbox(address))
    } catch {
      throw PathError(.invalidName(error), for: email(nil))
    }
  }

  /// Returns the purpose of the holder of a mailbox; nil for any.
  package static func email(_ mailbox: Mailbox?) -> Purpose {
    Purpose(
      extendedKeyUsages: [.emailProtection],
      keyUsage: [.digitalSignature, .nonRepudiation, .keyEncipherment, .keyAgreement],
      identity: mailbox.map { .mailbox($0) })
  }

  /// A time stamping authority. RFC 3161 §2.3.
  public static let timeStamping = Purpose(
    extendedKeyUsages: [.timeStamping], keyUsage: [.digitalSignature, .nonRepudiation])

  /// A signer of OCSP responses. RFC 6960 §4.2.2.2.
  public static let ocspSigning = Purpose(
    extendedKeyUsages: [.ocspSigning], keyUsage: [.digitalSignature, .nonRepudiation])

  /// Any use, by anyone.
  public static let any = Purpose(extendedKeyUsages: [])
}

extension Purpose: CustomStringConvertible {
  /// `server example.com`.
  public var description: String {
    let use =
      switch self.extendedKeyUsages.first {
      case nil: "any use"
      case .serverAuth?: "server"
      case .clientAuth?: "client"
      case .codeSigning?: "code signing"
      case .emailProtection?: "e-mail"
      case .timeStamping?: "time stamping"
      case .ocspSigning?: "OCSP signing"
      case let other?: "\(other)"
      }
    return identity.map { "\(use) \($0)" } ?? use
  }
}
