package import HoldfastCertificates
package import HoldfastPaths

/// How a set of anchors differs from a trust store, for servers.
package struct StoreComparison: Sendable {
  /// The anchors that the store does not trust for servers, and why.
  package let unwanted: [Difference]
  /// The anchors that the store trusts for servers under a condition that the set does not have.
  package let unconstrained: [Difference]
  /// The anchors that the store trusts for servers and the set lacks.
  package let missing: [TrustStore.Entry]
  /// The anchors that both have for servers, with the same conditions.
  package let agreed: Int

  /// An anchor about which the set and the store differ.
  package struct Difference: Sendable, Hashable {
    /// The certificate.
    package let certificate: Certificate
    /// The entry of the store; nil if the store does not have the certificate.
    package let entry: TrustStore.Entry?
  }

  /// Compares anchors with a store.
  ///
  /// - Parameter anchors: Those without a certificate are not compared.
  package init(_ anchors: AnchorSet, against store: TrustStore) {
    var entries: [Certificate: TrustStore.Entry] = [:]
    for entry in store.entries { entries[entry.certificate] = entry }
    var unwanted: [Difference] = []
    var unconstrained: [Difference] = []
    var agreed = 0
    var found: Set<Certificate> = []
    for anchor in anchors.anchors {
      guard let certificate = anchor.certificate else { continue }
      found.insert(certificate)
      let entry = entries[certificate]
      guard let entry, entry.isTrusted(for: .serverAuth) else {
        unwanted.append(Difference(certificate: certificate, entry: entry))
        continue
      }
      if entry.constraints.hasCondition(for: .serverAuth),
        !anchor.constraints.hasCondition(for: .serverAuth)
      {
        unconstrained.append(Difference(certificate: certificate, entry: entry))
      } else {
        agreed += 1
      }
    }
    self.unwanted = unwanted
    self.unconstrained = unconstrained
    self.agreed = agreed
    missing = store.entries.filter {
      $0.isTrusted(for: .serverAuth) && !found.contains($0.certificate)
    }
  }
}

extension TrustAnchor.Constraints {
  /// Whether a program demands more of paths for a purpose than the purpose itself.
  fileprivate func hasCondition(for purpose: OID) -> Bool {
    programs.contains { program in
      !program.alternatives.contains { conditions in
        var rest = conditions
        rest.purposes = nil
        return conditions.purposes?.contains(purpose) ?? true
          && rest == ProgramConstraint.Conditions()
      }
    }
  }
}
