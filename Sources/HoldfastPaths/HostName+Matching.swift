package import HoldfastCertificates
package import HoldfastDER

extension HostName {
  /// Whether a dNSName of a certificate stands for this host. RFC 9525 §6.3.
  ///
  /// Letters are compared without regard to case. A presented name that is not well formed, a last
  /// dot included, stands for nothing; an address is never a dNSName.
  package func matches(dns presented: Octets, wildcards: WildcardRule) -> Bool {
    guard address == nil, !octets.isEmpty else { return false }
    let mine = Octets(octets)
    guard presented.first == 0x2A else { return mine.equalsIgnoringCase(presented) }
    guard let pattern = PresentedName(presented), pattern.isWildcard,
      let dot = octets.firstIndex(of: 0x2E),
      mine.from(dot + 1).equalsIgnoringCase(pattern.host)
    else { return false }
    return wildcards.allows(patternFor: pattern.host)
  }

  /// Whether one of the alternative names of a certificate stands for this host. RFC 9525 §6.
  ///
  /// Each name is one comparison; whoever calls pays for them.
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    for name in names {
      switch name {
      case .dns(let text):
        if matches(dns: text.octets, wildcards: wildcards) { return true }
      case .ip(let other):
        if other == address { return true }
      default: continue
      }
    }
    return false
  }
}

extension ReferenceIdentity {
  /// Whether one of the alternative names of a certificate is this identity. RFC 9525 §6.
  ///
  /// Each name is one comparison; whoever calls pays for them.
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    switch self {
    case .host(let host): host.isNamed(in: names, wildcards: wildcards)
    case .mailbox(let mailbox): names.contains { mailbox.matches($0) }
    case .service(let service): names.contains { service.matches($0) }
    }
  }
}

extension Mailbox {
  /// RFC 5280 §7.5: the local part as it stands, the host without regard to case.
  fileprivate func matches(_ name: GeneralName) -> Bool {
    guard case .email(let text) = name, let other = PresentedMailbox(text.octets) else {
      return false
    }
    return other.localPart.octets == localPart
      && other.host.equalsIgnoringCase(Octets(host.octets))
  }
}

extension ServiceURI {
  /// RFC 9525 §6.5: scheme and host, both without regard to case; wildcards stand for nothing.
  fileprivate func matches(_ name: GeneralName) -> Bool {
    guard case .uri(let text) = name, let other = PresentedURI(text.octets) else { return false }
    return other.scheme.equalsIgnoringCase(Octets(Array(scheme.utf8)))
      && other.host.equalsIgnoringCase(Octets(host.octets))
  }
}

/// What may help somebody whose certificate does not name the host asked for.
@nonexhaustive
public enum HostHint: Sendable, Hashable {
  /// There are no alternative names at all, and the Common Name is never consulted.
  case noAlternativeNames
  /// The host is in the Common Name, which is never consulted, and in no alternative name.
  case onlyInCommonName
  /// The address is spelt in a dNSName, where it does not count.
  case addressInDNSName
  /// A wildcard would stand for the host if the rules allowed it.
  case wildcardTooWide
  /// A name is the host but for a dot at its end.
  case trailingDot
}

extension HostName {
  /// What may help when no alternative name of a certificate stands for this host.
  package func hint(for certificate: Certificate) -> HostHint? {
    let names = certificate.extensions.subjectAlternativeNames
    let spelt = Octets(Array(description.utf8))
    for case .dns(let text) in names {
      let presented = text.octets
      if address != nil {
        if presented.equalsIgnoringCase(spelt) { return .addressInDNSName }
        continue
      }
      if matches(dns: presented, wildcards: .belowLabels(1)) { return .wildcardTooWide }
      if presented.last == 0x2E, presented.upTo(presented.endIndex - 1).equalsIgnoringCase(spelt) {
        return .trailingDot
      }
    }
    for attributes in certificate.subject.relativeNames {
      for attribute in attributes where attribute.type == .commonName {
        if attribute.value.equalsIgnoringCase(spelt) { return .onlyInCommonName }
      }
    }
    return names.isEmpty ? .noAlternativeNames : nil
  }
}
