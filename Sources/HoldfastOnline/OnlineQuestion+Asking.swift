internal import Holdfast
internal import HoldfastCertificates

/// Asking.
extension OnlineQuestion {
  /// A request, and the place of what the cache has of it.
  private struct Plan {
    let wanted: Wanted
    let request: FetchRequest
    let cached: Int?

    /// Whether an OCSP request is in the URL.
    var isGet: Bool { wanted.body != nil && request.body == nil }
  }

  /// Fetches what the budget allows, as much as possible at once, and adds what came.
  mutating func fetch(_ wanted: [Wanted]) async {
    var rest = wanted[...]
    while !rest.isEmpty {
      let plans = plan(&rest)
      let answers = await withTaskGroup(of: (Int, Fetches.Answer).self) { group in
        for (index, plan) in plans.enumerated() {
          let (fetches, deadline) = (fetches, deadline)
          let known = plan.cached.flatMap { material($0).entry }
          group.addTask {
            let answer = await fetches.fetch(
              plan.wanted.key, plan.request, beyond: known, until: deadline)
            return (index, answer)
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for (index, plan) in plans.enumerated() {
        switch answers[index] {
        case .cached(let entry)?:
          reports[plan.wanted.report].outcome = .cached
          add(entry, for: plan.wanted.key.entry, report: plan.wanted.report, isFresh: true)
        case .response(let outcome, let own)?:
          if let own { owned[plan.wanted.key] = own }
          take(outcome, isOwn: own != nil, of: plan)
        case nil: break
        }
      }
    }
  }

  /// Takes those whose longest responses fit together into what is left of the bytes; the others wait
  /// until it is known how long these are.
  private mutating func plan(_ rest: inout ArraySlice<Wanted>) -> [Plan] {
    var plans: [Plan] = []
    var room = policy.budget.bytes - bytes
    while let wanted = rest.first {
      let kind = wanted.key.kind
      if !plans.isEmpty, room < kind.maximumBytes { break }
      rest.removeFirst()
      let key = wanted.key.entry
      var cached = place(of: key)
      if cached == nil, let entry = fetches.cached(key) {
        // What is due stays: an older answer may be sent in its place.
        let isFresh = isFresh(entry)
        cached = add(entry, for: key, report: wanted.report, isFresh: isFresh)
        if isFresh {
          reports[wanted.report].outcome = .cached
          continue
        }
      }
      if let limit = exhausted(kind, room: room) {
        fail(wanted, .budgetExhausted(limit))
      } else {
        requests += 1
        if kind == .issuers { issuerRequests += 1 }
        let maximum = min(kind.maximumBytes, room)
        room -= maximum
        plans.append(
          Plan(wanted: wanted, request: request(for: wanted, maximum, cached), cached: cached))
      }
    }
    return plans
  }

  private func exhausted(_ kind: FetchKind, room: Int) -> FetchBudget.Limit? {
    let budget = policy.budget
    if requests >= budget.requests { return .requests(budget.requests) }
    if kind == .issuers, issuerRequests >= budget.issuerRequests {
      return .issuerRequests(budget.issuerRequests)
    }
    if room <= 0 { return .bytes(budget.bytes) }
    return deadline <= fetches.clock.now() ? .time(budget.time) : nil
  }

  private func request(for wanted: Wanted, _ maximumBytes: Int, _ cached: Int?) -> FetchRequest {
    var (url, body) = (wanted.key.url, wanted.body)
    if let request = body, !wanted.key.isPost,
      let short = url.forOCSP(request, ports: policy.ports, ranges: fetches.allowedRanges)
    {
      (url, body) = (short, nil)
    }
    // RFC 9110 §13.1.2: a tag that matches makes a GET cheap, and a POST fail.
    let tag = body == nil ? cached.flatMap { material($0).entry?.entityTag } : nil
    return FetchRequest(
      wanted.key.kind, url, body: body, entityTag: tag, maximumBytes: maximumBytes,
      deadline: fetches.clock.now() + policy.requestTimeout,
      maximumRedirects: policy.maximumRedirects, ports: policy.ports)
  }

  /// Takes what came.
  private mutating func take(_ outcome: PendingFetch.Outcome, isOwn: Bool, of plan: Plan) {
    let wanted = plan.wanted
    do throws(FetchError) {
      var response = try outcome.get()
      if plan.isGet { gets.insert(wanted.key) }
      bytes += response.body.count
      if let place = plan.cached, let entry = material(place).entry,
        response.isUnchanged || response.body == entry.body
      {
        reports[wanted.report].outcome = .unchanged
        reports[wanted.report].source = material(place).source
        response.body = entry.body
        confirm(place, isOwn ? response : nil, for: wanted.key)
        return
      }
      let value = try FetchedValue(response.body, wanted.key.kind)
      reports[wanted.report].outcome = .fetched(bytes: response.body.count)
      if case .issuers(let certificates) = value, !certificates.contains(where: isIssuer) {
        throw .notUseful("no certificate in it is the issuer of one of the path")
      }
      add(value, isOwn ? response : nil, for: wanted.key, report: wanted.report)
    } catch {
      fail(wanted, error)
      if error.mayHaveCostBytes { bytes += plan.request.maximumBytes }
      settle(wanted.key)
      if plan.isGet, error.asksForPost { gets.insert(wanted.key) }
    }
  }
}
