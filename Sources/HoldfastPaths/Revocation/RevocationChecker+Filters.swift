internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastFilters

/// Revocation filters: IACR ePrint 2025/610.
extension RevocationChecker {
  /// Asks the filters.
  ///
  /// A filter is not signed; it counts because the caller supplies it. Its revocations count even
  /// if it is old: no newer filter takes one back.
  func readFilters(
    _ evidence: inout RevocationEvidence, _ budget: inout Budget
  ) throws(CheckFailure) {
    guard !revocation.filters.isEmpty else { return }
    let subject = evidence.subject
    try budget.spend(for: subject.issuerKey.der)
    let question = FilterQuestion(subject.certificate, issuerKey: subject.issuerKey)
    for (index, filter) in revocation.filters.enumerated() {
      try budget.spendNameComparisons(filter.cards.count * question.lookups)
      readFilter(filter, index, question, &evidence)
    }
  }

  private func readFilter(
    _ filter: RevocationFilter, _ index: Int, _ question: FilterQuestion,
    _ evidence: inout RevocationEvidence
  ) {
    func source(_ name: String) -> CertificateRevocation.Source { .filter(index, file: name) }
    for problem in filter.problems {
      evidence.note(source(problem.file), .damagedFilter(problem))
    }
    let latest = LogTime(endOf: time.advanced(bySeconds: revocation.tolerance))
    guard let finding = filter.find(question, noLaterThan: latest) else {
      if let card = filter.cards.first {
        evidence.note(source(card.name), .notYetValid(card.coverageEnd.timestamp))
      }
      return
    }
    let source = source(finding.card.name)
    let end = finding.card.coverageEnd.timestamp
    let earliest = time.advanced(bySeconds: -revocation.tolerance)
      .advanced(bySeconds: -revocation.maximumFilterAge)
    if end < earliest, finding.answer != .revoked {
      evidence.note(source, .tooOld(end))
      return
    }
    switch finding.answer {
    case .revoked: evidence.addRevocation(by: source, end)
    case .good: evidence.addGood(by: source, end)
    case .notCovered(let reason): evidence.note(source, .notCovered(reason))
    case .notEnrolled: evidence.note(source, .notEnrolled)
    }
  }
}
