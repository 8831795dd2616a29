public import HoldfastCertificates

/// What a path is asked for: what the leaf's key is to be used for, and by whom.
///
/// The purpose carries the name, so that nobody asks for a server and forgets which.
public struct Purpose: Sendable, Hashable {
  /// The extended key usages that the leaf, and every authority that limits its own, must allow.
  public var extendedKeyUsages: [OID]

  /// Uses of the key of which the leaf must allow one at least, if it limits them; empty for none.
  public var keyUsage: KeyUsage

  /// Who the leaf must be for; nil for anyone.
  public var identity: ReferenceIdentity?

  /// Why the name that was given is none. `validate` throws it before any work.
  public private(set) var nameError: HostNameError?

  /// A purpose of the caller's own.
  public init(
    extendedKeyUsages: [OID], keyUsage: KeyUsage = [], identity: ReferenceIdentity? = nil
  ) {
    self.extendedKeyUsages = extendedKeyUsages
    self.keyUsage = keyUsage
    self.identity = identity
  }

  /// A TLS server: a DNS name or an IP address.
  ///
  /// A text that is neither is found out by `validate`, which then throws before any work.
  public static func server(_ host: String) -> Purpose {
    do throws(HostNameError) {
      return .server(try HostName(host))
    } catch {
      var purpose = serverWhoeverItIs
      purpose.nameError = error
      return purpose
    }
  }

  /// A TLS server.
  public static func server(_ host: HostName) -> Purpose {
    Purpose(
      extendedKeyUsages: serverWhoeverItIs.extendedKeyUsages,
      keyUsage: serverWhoeverItIs.keyUsage, identity: .host(host))
  }

  /// A TLS server of any name: anybody's certificate will do. For a caller who compares the name
  /// elsewhere, or trusts whoever the anchors trust.
  public static let serverWhoeverItIs = Purpose(
    extendedKeyUsages: [.serverAuth],
    keyUsage: [.digitalSignature, .keyEncipherment, .keyAgreement])

  /// A TLS client.
  public static let client = Purpose(
    extendedKeyUsages: [.clientAuth], keyUsage: [.digitalSignature, .keyAgreement])

  /// Whoever signs code.
  public static let codeSigning = Purpose(
    extendedKeyUsages: [.codeSigning], keyUsage: [.digitalSignature])

  /// Whoever protects the e-mail of an address.
  public static func email(_ address: String) -> Purpose {
    var purpose = Purpose(
      extendedKeyUsages: [.emailProtection],
      keyUsage: [.digitalSignature, .nonRepudiation, .keyEncipherment, .keyAgreement])
    do throws(HostNameError) {
      purpose.identity = .mailbox(try Mailbox(address))
    } catch {
      purpose.nameError = error
    }
    return purpose
  }

  /// Whoever signs the time of something. RFC 3161 §2.3.
  public static let timeStamping = Purpose(
    extendedKeyUsages: [.timeStamping], keyUsage: [.digitalSignature, .nonRepudiation])

  /// Whoever signs OCSP answers. RFC 6960 §4.2.2.2.
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
    switch identity {
    case .host(let host)?: return "\(use) \(host)"
    case .mailbox(let mailbox)?: return "\(use) \(mailbox)"
    case .service(let service)?: return "\(use) \(service)"
    case nil: return use
    }
  }
}
