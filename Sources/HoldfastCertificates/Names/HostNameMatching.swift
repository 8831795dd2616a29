package import HoldfastDER

extension HostName {
  /// Whether a dNSName of a certificate matches this host. RFC 9525 §6.3.
  ///
  /// Case is ignored. A malformed name, such as one with a trailing dot, matches nothing, and an
  /// address matches no dNSName.
  package func matches(dns presented: Bytes, wildcards: WildcardRule) -> Bool {
    guard address == nil else { return false }
    let mine = Bytes(bytes)
    guard presented.first == 0x2A else { return mine.equalsIgnoringCase(presented) }
    guard let pattern = PresentedName(presented), let dot = bytes.firstIndex(of: 0x2E),
      mine.from(dot + 1).equalsIgnoringCase(pattern.host)
    else { return false }
    return wildcards.allows(patternFor: pattern.host)
  }

  /// Whether one of the alternative names of a certificate matches this host. RFC 9525 §6.
  ///
  /// Each name is one comparison, which the caller must charge.
  @inlinable
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    names.contains { matches($0, wildcards: wildcards) }
  }

  @usableFromInline
  func matches(_ name: GeneralName, wildcards: WildcardRule) -> Bool {
    switch name {
    case .dns(let text): matches(dns: text.bytes, wildcards: wildcards)
    case .ip(let other): other == address
    default: false
    }
  }
}

/// Which wildcards in certificates match a host. RFC 9525 §6.3.
///
/// Under every rule, `*` must be the whole leftmost label of a dNSName and matches exactly one
/// label.
@nonexhaustive
public enum WildcardRule: Sendable, Hashable {
  /// No wildcard.
  case never

  /// Wildcards before at least this number of labels: with two, `*.example.com` counts and `*.com`
  /// does not.
  case belowLabels(Int)

  /// Wildcards before at least two labels that are not a public suffix by this list: `*.co.uk` does
  /// not count if it has `co.uk`.
  case belowPublicSuffixes(PublicSuffixes)

  /// Whether a pattern with these labels after `*.` may match a host.
  func allows(patternFor host: Bytes) -> Bool {
    switch self {
    case .never: return false
    case .belowLabels(let least): return (PresentedName.labelCount(host) ?? 0) >= max(least, 1)
    case .belowPublicSuffixes(let suffixes):
      return (PresentedName.labelCount(host) ?? 0) >= 2 && !suffixes.contains(host)
    }
  }
}

/// A hint why a certificate does not match the host.
@nonexhaustive
public enum HostHint: Sendable, Hashable {
  /// The host is in the Common Name, which is never consulted, and in no alternative name.
  case onlyInCommonName
  /// The address is in a dNSName, where it does not count.
  case addressInDNSName
  /// A wildcard would match the host if the rules allowed it.
  case wildcardTooWide
  /// A name would match without the dot at its end.
  case trailingDot
  /// A name would match without a space in it.
  case space
}

extension HostName {
  /// Returns a hint why no alternative name of a certificate matches this host, if one applies.
  package func hint(for certificate: Certificate) -> HostHint? {
    let names = certificate.extensions.subjectAlternativeNames
    let own = Bytes(Array(description.utf8))
    for case .dns(let text) in names {
      let presented = text.bytes
      if address != nil {
        if presented.equalsIgnoringCase(own) { return .addressInDNSName }
        continue
      }
      if matches(dns: presented, wildcards: .belowLabels(1)) { return .wildcardTooWide }
      if presented.last == 0x2E, presented.upTo(presented.endIndex - 1).equalsIgnoringCase(own) {
        return .trailingDot
      }
      if presented.contains(0x20),
        Bytes(presented.filter { $0 != 0x20 }).equalsIgnoringCase(own)
      {
        return .space
      }
    }
    let isInSubject = certificate.subject.attributes.contains {
      $0.type == .commonName && $0.value.equalsIgnoringCase(own)
    }
    return isInSubject ? .onlyInCommonName : nil
  }
}

/// The identity that a certificate must have. RFC 9525 §4.
@nonexhaustive
public enum ReferenceIdentity: Sendable, Hashable {
  /// A server, by DNS name or address.
  case host(HostName)
  /// A mailbox.
  case mailbox(Mailbox)
  /// A workload with one of these SPIFFE IDs. X509-SVID §5.2.
  case spiffe(SPIFFEPeers)
}

extension ReferenceIdentity: CustomStringConvertible {
  /// `www.example.com`, `user@example.com`, `spiffe://example.org/billing/api`.
  public var description: String {
    switch self {
    case .host(let host): "\(host)"
    case .mailbox(let mailbox): "\(mailbox)"
    case .spiffe(let peers): "\(peers)"
    }
  }
}

extension ReferenceIdentity {
  /// Whether a server is asked about.
  package var isHost: Bool { if case .host = self { true } else { false } }

  /// The alternative name that a certificate needs: `DNS:www.example.com`.
  package var alternativeName: String {
    switch self {
    case .host(let host): (host.address == nil ? "DNS:" : "IP:") + "\(host)"
    case .mailbox(let mailbox): "email:\(mailbox)"
    case .spiffe(let peers): "URI:\(peers)"
    }
  }

  /// Whether one of the alternative names of a certificate matches this identity. RFC 9525 §6.
  ///
  /// Each name is one comparison, which the caller must charge.
  @inlinable
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    switch self {
    case .host(let host): host.isNamed(in: names, wildcards: wildcards)
    case .mailbox(let mailbox): names.contains { mailbox.matches($0) }
    case .spiffe(let peers): peers.areNamed(in: names)
    }
  }
}
