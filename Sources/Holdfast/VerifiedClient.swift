extension Verdict {
  /// The client, if this is a server's verdict on one; nil for a verdict on a server.
  public var client: Client? {
    guard host == nil, let path, path.purpose.extendedKeyUsages.contains(.clientAuth) else {
      return nil
    }
    return Client(leaf: path.leaf)
  }

  /// A client whose certificate has a valid path: its anchors vouch for what is in it.
  public struct Client: Sendable, Hashable {
    /// The client's certificate.
    public let leaf: Certificate

    package init(leaf: Certificate) {
      self.leaf = leaf
    }

    /// The name for people: the common name, or else the first of `identities`, or the subject.
    ///
    /// Names are unique only as far as the CAs among the anchors keep them so.
    public var name: String {
      leaf.subject.commonName ?? identities.first ?? leaf.shortName
    }

    /// The names for programs: URIs such as `spiffe://example.org/billing`, e-mail addresses and DNS
    /// names, in the order of the certificate. RFC 5280 §4.2.1.6.
    public var identities: [String] {
      leaf.subjectAlternativeNames.compactMap { name in
        switch name {
        case .uri(let text), .email(let text), .dns(let text): "\(text)"
        default: nil
        }
      }
    }
  }
}

extension Verdict.Client: CustomStringConvertible {
  /// `ada (ada@demo.example)`: the name, and the others.
  public var description: String {
    let others = identities.filter { $0 != name }
    return others.isEmpty ? name : "\(name) (\(others.joined(separator: ", ")))"
  }
}
