internal import HoldfastCertificates

/// Delta lists. RFC 5280 §5.2.4.
extension RevocationJudge {
  /// A delta list that goes with a complete one, and what it says of the certificate.
  struct Delta {
    let index: Int
    let number: CRLNumber
    let entry: RevokedCertificate?
    let isDoubtful: Bool
    /// Whether only what it says against the certificate counts.
    let isOnlyAgainst: Bool

    /// Whether it takes the certificate off the complete list.
    var isRemoval: Bool { if let entry { entry.isRemoval } else { false } }
  }

  /// What delta lists change.
  enum Change {
    case revoked(delta: Int, RevokedCertificate)
    case removed(delta: Int)
    case nothing
  }

  /// What the delta lists that go with a complete list change together. RFC 5280 §6.3.3 (i), (k).
  ///
  /// A revocation counts in each of them; a hold, and its end, in the newest alone. Of two with the
  /// same number the one that revokes counts.
  func changes(_ deltas: [Delta]) -> Change {
    for delta in deltas {
      if let entry = delta.entry, entry.isFinal { return .revoked(delta: delta.index, entry) }
    }
    let newest = deltas.filter { $0.number == deltas.first?.number }
    for delta in newest {
      if let entry = delta.entry, entry.isOnHold { return .revoked(delta: delta.index, entry) }
    }
    let counting = newest.filter { !$0.isOnlyAgainst }
    guard let first = counting.first, counting.allSatisfy(\.isRemoval) else { return .nothing }
    return .removed(delta: first.index)
  }

  /// The delta lists that go with a complete one, the newest first. RFC 5280 §6.3.3 (c), (h).
  ///
  /// Of the older ones only those are verified that name the certificate.
  mutating func findDeltas(
    for index: Int, _ signer: PublicKey, _ inquiry: inout Inquiry
  ) throws(CheckFailure) -> [Delta] {
    let subject = inquiry.subject
    var deltas: [Delta] = []
    for (candidate, number) in try deltaCandidates(for: index, &inquiry) {
      let source = CertificateRevocation.Source.list(candidate)
      let list = revocation.lists[candidate].list
      if let newest = deltas.first, number < newest.number,
        !list.hasEntry(for: subject.certificate.serialNumber)
      {
        inquiry.note(source, .nothingNew)
        continue
      }
      let worth: Worth
      switch self.worth(of: list) {
      case .nothing(let finding): worth = .nothing(finding)
      case .onlyAgainst(let finding):
        worth = try self.worth(of: candidate, under: signer).limited(to: finding)
      case .full: worth = try self.worth(of: candidate, under: signer)
      }
      var isOnlyAgainst = false
      switch worth {
      case .nothing(let finding):
        inquiry.note(source, finding)
        continue
      case .onlyAgainst(let finding):
        inquiry.note(source, finding)
        isOnlyAgainst = true
      case .full: break
      }
      let (entry, isDoubtful) = entry(for: subject, in: candidate)
      deltas.append(
        Delta(
          index: candidate, number: number, entry: entry, isDoubtful: isDoubtful,
          isOnlyAgainst: isOnlyAgainst))
    }
    return deltas
  }

  /// The delta lists that build on a complete one, the newest first. RFC 5280 §5.2.4.
  private mutating func deltaCandidates(
    for index: Int, _ inquiry: inout Inquiry
  ) throws(CheckFailure) -> [(index: Int, number: CRLNumber)] {
    let base = revocation.lists[index].list
    guard let number = base.extensions.number else { return [] }
    var found: [(index: Int, number: CRLNumber)] = []
    for candidate in revocation.lists.indices {
      let delta = revocation.lists[candidate].list
      guard let lowest = delta.extensions.baseNumber else { continue }
      try spend(for: delta.issuer.der)
      guard delta.issuer.matches(base.issuer) else { continue }
      guard let own = delta.extensions.number, lowest <= number, number < own,
        delta.extensions.issuingDistributionPoint == base.extensions.issuingDistributionPoint,
        delta.extensions.authorityKeyIdentifier?.keyIdentifier
          == base.extensions.authorityKeyIdentifier?.keyIdentifier
      else {
        inquiry.note(.list(candidate), .deltaWithoutBase)
        continue
      }
      found.append((candidate, own))
    }
    return found.sorted {
      $0.number == $1.number ? $0.index < $1.index : $1.number < $0.number
    }
  }
}
