/// The SPIFFE IDs that a peer may have: some of them, those of whole trust domains, or both.
///
/// ```swift
/// let peers = try SPIFFEPeers.id("spiffe://example.org/billing/api")
/// ```
public struct SPIFFEPeers: Sendable, Hashable {
  /// IDs that the peer may have.
  public var ids: Set<SPIFFEID>

  /// Trust domains of which the peer may have any ID.
  public var trustDomains: Set<SPIFFETrustDomain>

  /// Creates a set. Without any ID and any trust domain, it has no peer at all.
  public init(
    ids: some Sequence<SPIFFEID> = [], trustDomains: some Sequence<SPIFFETrustDomain> = []
  ) {
    self.ids = Set(ids)
    self.trustDomains = Set(trustDomains)
  }

  /// Returns the set of one ID.
  public static func id(_ id: SPIFFEID) -> SPIFFEPeers { SPIFFEPeers(ids: [id]) }

  /// Returns the set of one ID.
  public static func id(_ text: String) throws(SPIFFEIDError) -> SPIFFEPeers {
    .id(try SPIFFEID(text))
  }

  /// Returns the set of all IDs of a trust domain.
  public static func trustDomain(_ domain: SPIFFETrustDomain) -> SPIFFEPeers {
    SPIFFEPeers(trustDomains: [domain])
  }

  /// Returns the set of all IDs of a trust domain.
  public static func trustDomain(_ name: String) throws(SPIFFEIDError) -> SPIFFEPeers {
    .trustDomain(try SPIFFETrustDomain(name))
  }

  /// Whether a peer may have this ID.
  public func contains(_ id: SPIFFEID) -> Bool {
    ids.contains(id) || trustDomains.contains(id.trustDomain)
  }

  /// Whether the only URI among the names of a certificate is one of these IDs. X509-SVID §2.
  @usableFromInline
  func areNamed(in names: some Collection<GeneralName>) -> Bool {
    SPIFFEID.only(in: names).map(contains) ?? false
  }
}

extension SPIFFEID {
  /// Returns the ID that is the only URI among the names of a certificate; nil if there is no such
  /// one. X509-SVID §2.
  package static func only(in names: some Collection<GeneralName>) -> SPIFFEID? {
    let uris = names.compactMap { if case .uri(let text) = $0 { text } else { nil } }
    guard uris.count == 1 else { return nil }
    do throws(SPIFFEIDError) {
      return try SPIFFEID(bytes: uris[0].bytes.array)
    } catch {
      return nil
    }
  }
}

extension SPIFFEPeers: CustomStringConvertible {
  /// `spiffe://example.org/billing/api`, `spiffe://example.org/*`, or several of these.
  public var description: String {
    let all = trustDomains.sorted().map { "spiffe://\($0)/*" } + ids.sorted().map { "\($0)" }
    guard all.count > 4 else { return all.isEmpty ? "no SPIFFE ID" : all.joined(separator: " or ") }
    return all.prefix(3).joined(separator: " or ") + " or one of \(all.count - 3) more"
  }
}
