public import HoldfastCertificates

/// The purpose of a validation: what the leaf's key is used for, and by whom.
///
/// The purpose includes the identity, so that omitting the name of a server must be explicit.
public struct Purpose: Sendable, Hashable {
  /// The extended key usages of which one is enough: the leaf, and every CA that restricts them, must
  /// allow the same one. Empty for any use.
  public var extendedKeyUsages: [OID]

  /// Key usages of which the leaf must allow at least one, if it restricts them and the rules check
  /// it (`ValidationRules.leaf.checksKeyAndUsage`); empty for none.
  public var keyUsage: KeyUsage

  /// The identity that the leaf must have; nil for any.
  public var identity: ReferenceIdentity?

  /// Creates a custom purpose.
  ///
  /// - Parameters:
  ///   - extendedKeyUsages: The usages of which the leaf, and every CA that restricts them, must
  ///     allow the same one; empty for any use.
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
    anyServer.with(.host(host))
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
    anyPeer.with(try server(host).identity)
  }

  /// Returns the purpose of a server that connects to another as its client.
  public static func peer(_ host: HostName) -> Purpose {
    anyPeer.with(.host(host))
  }

  /// In the handshake a peer is a client, and signs.
  private static let anyPeer = Purpose(
    extendedKeyUsages: [.serverAuth, .clientAuth], keyUsage: client.keyUsage)

  /// Returns the same purpose with this identity.
  package func with(_ identity: ReferenceIdentity?) -> Purpose {
    Purpose(extendedKeyUsages: extendedKeyUsages, keyUsage: keyUsage, identity: identity)
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

  /// Whether a leaf is judged as that of a server: where other usages are enough, too, if it may be one.
  package func isOfServer(_ leaf: Certificate) -> Bool {
    workloads == nil && extendedKeyUsages.contains(.serverAuth)
      && (extendedKeyUsages.count == 1 || leaf.extendedKeyUsageHas(.serverAuth) != false
        || leaf.extendedKeyUsageHas(.anyExtendedKeyUsage) == true)
  }

  /// Whether a path may be one of a server, as may be what is for any use.
  var mayBeOfServers: Bool {
    workloads == nil
      && (extendedKeyUsages.isEmpty
        || extendedKeyUsages.contains { $0 == .serverAuth || $0 == .anyExtendedKeyUsage })
  }

  /// Whether the leaf signs OCSP responses.
  var isOfResponder: Bool { extendedKeyUsages.contains(.ocspSigning) }

  /// Returns the usages about which a root program is asked that decides about these, nil for all.
  /// What may be a server's is a server to it, and what the certificates are for counts, too, where
  /// the program decides about that.
  ///
  /// - Parameter found: The usages of the purpose that the certificates allow.
  func usages(_ found: [OID], decidedBy program: [OID]?) -> [OID] {
    guard extendedKeyUsages.contains(.serverAuth), !found.contains(.serverAuth) else {
      return found
    }
    return [.serverAuth] + found.filter { program?.contains($0) != false }
  }

  // MARK: Workloads with a SPIFFE ID. X509-SVID

  /// Returns the purpose of a workload, the peer of a TLS connection on either side, with one of these
  /// SPIFFE IDs.
  ///
  /// Its certificate is an X509-SVID, and the anchor belongs to the trust domain of the ID:
  /// `TrustAnchor.Constraints.trustDomains`. The rules say nothing else about that.
  public static func spiffe(_ peers: SPIFFEPeers) -> Purpose {
    Purpose(
      extendedKeyUsages: [.serverAuth, .clientAuth], keyUsage: .digitalSignature,
      identity: .spiffe(peers))
  }

  /// Returns the purpose of a workload with this SPIFFE ID.
  public static func spiffe(_ id: String) throws(SPIFFEIDError) -> Purpose {
    .spiffe(try SPIFFEPeers.id(id))
  }

  /// Returns the same purpose for one side of a connection: for the server's or the client's usage.
  package func narrowed(to usage: OID) -> Purpose {
    var purpose = self
    purpose.extendedKeyUsages = [usage]
    return purpose
  }

  /// The SPIFFE IDs of which the leaf has one; nil if another identity is asked for, or none.
  package var workloads: SPIFFEPeers? {
    if case .spiffe(let peers)? = identity { peers } else { nil }
  }
}

extension Purpose: CustomStringConvertible {
  /// `server example.com`.
  public var description: String {
    let use =
      switch extendedKeyUsages {
      case []: "any use"
      case [.serverAuth, .clientAuth]: "peer"
      default: Purpose.text(of: extendedKeyUsages)
      }
    return identity.map { "\(use) \($0)" } ?? use
  }

  /// `server or client`.
  static func text(of usages: [OID]) -> String {
    usages.map { usage in
      switch usage {
      case .serverAuth: "server"
      case .clientAuth: "client"
      case .codeSigning: "code signing"
      case .emailProtection: "e-mail"
      case .timeStamping: "time stamping"
      case .ocspSigning: "OCSP signing"
      default: "\(usage)"
      }
    }.joined(separator: " or ")
  }
}
