internal import HoldfastCertificates

/// What follows a search without a valid path: the error, and one that records everything, when its
/// reasons are read. That pays from what is left of the budget.
extension PathBuilder {
  /// Searches again, tries every path to its end, and records every rule that each breaks. If a limit
  /// ends this search, what the first has recorded is kept, too.
  ///
  /// - Parameter steps: The most steps of this search.
  mutating func gather(_ question: Question, atMost steps: Int = .max) {
    let earlier = attempts
    restart(recordsAll: true)
    let withheld = budget.withholdSteps(beyond: steps)
    while next(question) != nil {}
    budget.restoreSteps(withheld)
    if exhausted != nil { attempts.add(earlier) }
  }

  /// Returns the error of a search that found no path.
  ///
  /// - Parameter steps: The most steps of the search for reasons, and of those for a preset that would
  ///   accept. The most likely issuers come first, so few are enough, and a rejection stays cheap.
  consuming func failure(_ question: Question, atMost steps: Int) -> PathError {
    var error = error(.none)
    error.reasons = Reasons(self, question, atMost: steps)
    return error
  }

  /// Returns what failed of a search that has found a path.
  func failure() -> PathError {
    error(Reasons(Reasons.Found(attempts: attempts.ranked, omitted: attempts.omitted)))
  }

  private func error(_ reasons: Reasons) -> PathError {
    PathError(
      leaf: certificate(0), purpose: graph.checks.purpose, time: graph.checks.time,
      cause: (exhausted ?? limitReached).map(PathError.Cause.limitReached) ?? .rejected,
      reasons: reasons)
  }

  /// Searches for the reasons for which no path was found.
  mutating func reasons(_ question: Question, atMost steps: Int) -> Reasons.Found {
    let reached = exhausted ?? limitReached
    // A veto is the caller's, who is not asked twice.
    if exhausted == nil, !isVetoed { gather(question, atMost: steps) }
    let omitted = attempts.omitted
    var ranked = attempts.ranked
    graph.explain(&ranked, by: question.unreadable, &budget)
    var hints = graph.hints(for: ranked.first)
    if let reached {
      // A path that was not tried may be valid, so nothing is known to be missing.
      hints = hints.filter { $0.isOfLeafAlone } + [.limit(reached)]
    }
    // The last search of all: what is withheld is not given back.
    _ = budget.withholdSteps(beyond: steps)
    if reached == nil, let preset = acceptingPreset(question, after: ranked.first, hints) {
      hints.append(.acceptedBy(preset.rawValue))
    }
    return Reasons.Found(attempts: ranked, omitted: omitted, hints: hints)
  }

  /// Returns the first preset whose rules accept the chain, if more than the anchors or a signature is
  /// against it. Apple's are the last, because they say little to those whose programs run elsewhere.
  private mutating func acceptingPreset(
    _ question: Question, after best: PathError.Attempt?, _ hints: [PathError.Hint]
  ) -> RulePreset? {
    guard let best, best.anchor != nil, best.signatures != .rejected, !isVetoed,
      !hints.contains(.isAnchorItself(certificate(0)))
    else { return nil }
    let own = configuration.rules
    for preset in [RulePreset.webPKI, .rfc5280, .apple] {
      var rules = preset.rules
      rules.policies = own.policies
      rules.check = own.check
      restart(recordsAll: false, with: rules)
      if next(question) != nil { return preset }
    }
    return nil
  }
}
