public import HoldfastCertificates

/// The purpose of a validation: what the leaf's key is used for, and by whom.
///
/// The purpose includes the name, so that omitting the name of a server must be explicit.
public struct Purpose: Sendable, Hashable {
  /// The extended key usages that the leaf, and every CA that restricts them, must allow: all of
  /// them, or for a `peer` one.
  public var extendedKeyUsages: [OID]

  /// Key usages of which the leaf must allow at least one, if it restricts them and the rules check
  /// it (`ValidationRules.leaf.checksKeyAndUsage`); empty for none.
  public var keyUsage: KeyUsage

  /// The identity that the leaf must have; nil for any.
  public var identity: ReferenceIdentity?

  /// Whether it is that of a `peer`, or one usage of it.
  private var isPeer = false

  /// Whether one of the extended key usages is enough, the same for all certificates of a path.
  package var acceptsOneUsage: Bool { isPeer && extendedKeyUsages.count > 1 }

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
    Purpose(
      extendedKeyUsages: anyServer.extendedKeyUsages, keyUsage: anyServer.keyUsage,
      identity: .host(host))
  }

  /// A TLS server of any name, for callers that check the name themselves.
  public static let anyServer = Purpose(
    extendedKeyUsages: [.serverAuth],
    keyUsage: [.digitalSignature, .keyEncipherment, .keyAgreement])

  /// A TLS client.
  public static let client = Purpose(
    extendedKeyUsages: [.clientAuth], keyUsage: [.digitalSignature, .keyAgreement])

  /// Returns the purpose of a server that connects to another as its client, as mail and chat servers
  /// do: its certificate has its name, and is one for servers or for clients.
  ///
  /// Public CAs issue certificates for servers alone, so a server that demands `client` of others
  /// locks most of them out. The purpose of the `ValidatedPath` has the usage that was found: one
  /// that the leaf and every CA allow.
  public static func peer(_ host: String) throws(PathError) -> Purpose {
    try server(host).asPeer
  }

  /// Returns the purpose of a server that connects to another as its client.
  public static func peer(_ host: HostName) -> Purpose {
    server(host).asPeer
  }

  private var asPeer: Purpose {
    // In the handshake it is a client, and signs.
    var peer = Purpose(
      extendedKeyUsages: [.serverAuth, .clientAuth], keyUsage: Purpose.client.keyUsage,
      identity: identity)
    peer.isPeer = true
    return peer
  }

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

  /// A time stamping authority. Whatever the rules, its certificate has an extended key usage that is
  /// critical, and for time stamping alone. RFC 3161 §2.3.
  public static let timeStamping = Purpose(
    extendedKeyUsages: [.timeStamping], keyUsage: [.digitalSignature, .nonRepudiation])

  /// A signer of OCSP responses to whom a CA delegates this. Whatever the rules, the certificate's
  /// extended key usage names it, and its key and key usage are checked, as where a response is
  /// judged. RFC 6960 §4.2.2.2.
  public static let ocspSigning = Purpose(
    extendedKeyUsages: [.ocspSigning], keyUsage: [.digitalSignature, .nonRepudiation])

  /// Any use, by anyone.
  public static let any = Purpose(extendedKeyUsages: [])
}

extension Purpose {
  /// The purposes of which a path must satisfy one: one for each usage that the leaf allows.
  func alternatives(for leaf: Certificate) -> [Purpose] {
    let allowed = extendedKeyUsages.filter {
      leaf.extendedKeyUsageHas($0) != false
        || leaf.extendedKeyUsageHas(.anyExtendedKeyUsage) == true
    }
    return allowed.map {
      var purpose = self
      purpose.extendedKeyUsages = [$0]
      return purpose
    }
  }

  /// Whether a leaf is judged as that of a server: that of a peer is, if it may be one.
  package func isOfServer(_ leaf: Certificate) -> Bool {
    extendedKeyUsages.contains(.serverAuth)
      || isPeer && leaf.extendedKeyUsageHas(.serverAuth) != false
  }

  /// Whether a path may be one of a server: a peer is one, and so may be what is for any use.
  var mayBeOfServers: Bool {
    isPeer || extendedKeyUsages.isEmpty
      || extendedKeyUsages.contains { $0 == .serverAuth || $0 == .anyExtendedKeyUsage }
  }

  /// Whether the leaf signs OCSP responses.
  var isOfResponder: Bool { extendedKeyUsages.contains(.ocspSigning) }

  /// The usages about which a root program is asked that decides about these; nil for all. A peer is
  /// a server to it, and what the certificates are for counts, too, where the program decides about
  /// that.
  func usages(decidedBy program: [OID]?) -> [OID] {
    guard isPeer else { return extendedKeyUsages }
    let others = extendedKeyUsages.filter {
      $0 != .serverAuth && program?.contains($0) != false
    }
    return [.serverAuth] + others
  }
}

extension Purpose: CustomStringConvertible {
  /// `server example.com`.
  public var description: String {
    let use =
      switch self.extendedKeyUsages.first {
      case _ where acceptsOneUsage: "peer"
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
