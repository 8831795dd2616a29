/// The identity that a certificate must have. RFC 9525 §4.
@nonexhaustive
public enum ReferenceIdentity: Sendable, Hashable {
  /// A server, by DNS name or address.
  case host(HostName)
  /// A mailbox.
  case mailbox(Mailbox)
}

extension ReferenceIdentity: CustomStringConvertible {
  /// `www.example.com`, `user@example.com`.
  public var description: String {
    switch self {
    case .host(let host): "\(host)"
    case .mailbox(let mailbox): "\(mailbox)"
    }
  }
}

extension ReferenceIdentity {
  /// The alternative name that a certificate needs: `DNS:www.example.com`.
  package var alternativeName: String {
    switch self {
    case .host(let host): (host.address == nil ? "DNS:" : "IP:") + "\(host)"
    case .mailbox(let mailbox): "email:\(mailbox)"
    }
  }

  /// Whether one of the alternative names of a certificate matches this identity. RFC 9525 §6.
  ///
  /// Each name is one comparison, which the caller must charge.
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    switch self {
    case .host(let host): host.isNamed(in: names, wildcards: wildcards)
    case .mailbox(let mailbox): names.contains { mailbox.matches($0) }
    }
  }
}
