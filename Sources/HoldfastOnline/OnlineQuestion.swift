internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER

/// The work on one question: what it has found so far, and what it may still ask for.
struct OnlineQuestion {
  private let request: ValidationRequest
  private let validator: PathValidator
  private let policy: FetchPolicy
  private let fetches: Fetches
  private let time: Timestamp
  private let demand: Revocation.Demand
  private let deadline: ContinuousClock.Instant

  private var chain: [Certificate]
  /// All revocation data. It only rejects what is revoked, so that a path is found whose status can
  /// be asked for.
  private var revocation: Revocation
  private var reports: [FetchReport] = []
  private var asked: Set<FetchCache.Key> = []
  private var open: [OpenFetch] = []
  private var requests = 0
  private var issuerRequests = 0
  private var bytes = 0

  typealias Outcome = Result<ValidatedPath, PathError>

  /// Something that a certificate refers to.
  private struct Wanted {
    let key: FetchCache.Key
    /// The OCSP request.
    let body: [UInt8]?
    let report: Int
  }

  /// A response that the next validation may find useful.
  private struct OpenFetch {
    let key: FetchCache.Key
    let value: FetchedValue
    let response: FetchResponse
    let source: CertificateRevocation.Source
    let report: Int
    /// Why the validations so far have not used it; nil if none has looked at it.
    var problem: FetchError?
  }

  init(
    _ request: ValidationRequest, _ validator: PathValidator, known: Revocation?,
    _ policy: FetchPolicy, _ fetches: Fetches
  ) {
    self.request = request
    self.validator = validator
    self.policy = policy
    self.fetches = fetches
    time = request.time ?? .now
    deadline = fetches.clock.now() + policy.budget.time
    chain = request.chain
    revocation =
      request.revocation?.added(to: known) ?? known
      ?? Revocation(policy.asksForStatus ? .ifAvailable : .ignored)
    demand = revocation.demand
    if demand != .ignored { revocation.demand = .ifAvailable }
  }

  /// Validates, fetches what is missing, and validates again, until nothing is missing or nothing
  /// more may be asked for.
  mutating func answer() async -> OnlineAnswer {
    addCached()
    while true {
      var outcome = validate(revocation)
      settle(outcome)
      var wanted = wanted(after: outcome)
      if wanted.isEmpty {
        var all = revocation
        all.demand = demand
        if revocation.demand != demand { outcome = validate(all) }
        settle(outcome)
        wanted = wantedStatus(after: outcome)
        guard !wanted.isEmpty else {
          settleRest()
          return OnlineAnswer(
            result: outcome, chain: chain, revocation: demand == .ignored ? nil : all,
            fetches: reports)
        }
      }
      await fetch(wanted)
    }
  }

  private func validate(_ revocation: Revocation) -> Outcome {
    Result { () throws(PathError) in
      var request = ValidationRequest(
        chain, for: request.purpose, at: time, revocation: revocation, pins: request.pins)
      request.unreadable = self.request.unreadable
      return try validator.validate(request)
    }
  }
}

/// What is missing.
extension OnlineQuestion {
  /// Returns what to ask for next; empty if nothing is missing, or no certificate offers it.
  private mutating func wanted(after outcome: Outcome) -> [Wanted] {
    switch outcome {
    case .success(let path): wantedStatus(of: path)
    case .failure(let error): wantedIssuers(of: error)
    }
  }

  private mutating func wantedIssuers(of error: PathError) -> [Wanted] {
    guard policy.kinds.contains(.issuers) else { return [] }
    return error.issuerLocations.compactMap { want(.issuers, $0) }
  }

  /// Returns where the unknown status of the certificates of a valid path may be found.
  private mutating func wantedStatus(of path: ValidatedPath) -> [Wanted] {
    guard policy.asksForStatus else { return [] }
    var wanted: [Wanted] = []
    let isLeafOnly = demand == .required(of: .leaf)
    for (index, found) in path.revocation.enumerated() where index == 0 || !isLeafOnly {
      guard case .unknown = found.status else { continue }
      let key = index + 1 < path.count ? path[index + 1].publicKey : path.anchor.publicKey
      wanted += wantedStatus(of: path[index], issuerKey: key)
    }
    return wanted
  }

  /// Returns where the status may be found for lack of which other paths are rejected: those that
  /// have reached an anchor, after the first one was asked about in vain.
  private mutating func wantedStatus(after outcome: Outcome) -> [Wanted] {
    guard policy.asksForStatus, case .failure(let error) = outcome else { return [] }
    for rejection in error.rejections where rejection.rule == .revocationUnknown {
      guard let anchor = rejection.anchor, rejection.index < rejection.path.count else { continue }
      let above = rejection.index + 1
      let key = above < rejection.path.count ? rejection.path[above].publicKey : anchor.publicKey
      let wanted = wantedStatus(of: rejection.path[rejection.index], issuerKey: key)
      if !wanted.isEmpty { return wanted }
    }
    return []
  }

  /// Returns where a status may be found: from OCSP responders, then from CRLs.
  private mutating func wantedStatus(
    of certificate: Certificate, issuerKey: PublicKey
  ) -> [Wanted] {
    if policy.kinds.contains(.ocsp) {
      let body = OCSPRequest(OCSPCertificateID(of: certificate, issuerKey: issuerKey)).der
      let wanted = certificate.locations(of: .ocsp).compactMap {
        want(.ocsp, $0, about: certificate, body)
      }
      if !wanted.isEmpty { return wanted }
    }
    guard policy.kinds.contains(.crl) else { return [] }
    return certificate.locations(of: .crl).compactMap { want(.crl, $0) }
  }

  /// Returns what is at a URL unless it was asked for, and begins its report.
  private mutating func want(
    _ kind: FetchKind, _ url: String, about certificate: Certificate? = nil, _ body: [UInt8]? = nil
  ) -> Wanted? {
    let key: FetchCache.Key
    do throws(FetchError) {
      key = FetchCache.Key(
        kind: kind, url: try FetchURL(url, ports: policy.ports),
        subject: certificate?.statusSubject ?? [])
    } catch {
      if !reports.contains(where: { $0.url == url && $0.kind == kind }) {
        reports.append(FetchReport(kind: kind, url: url, outcome: .failed(error)))
      }
      return nil
    }
    guard asked.insert(key).inserted else { return nil }
    reports.append(FetchReport(kind: kind, url: url, outcome: .failed(.cancelled)))
    return Wanted(key: key, body: body, report: reports.count - 1)
  }

  /// Adds what the cache has for the certificates that were sent, before anything is validated.
  private mutating func addCached() {
    for certificate in chain.prefix(4) where demand != .ignored {
      if policy.kinds.contains(.ocsp) {
        for url in certificate.locations(of: .ocsp) { addCached(.ocsp, url, about: certificate) }
      }
      if policy.kinds.contains(.crl) {
        for url in certificate.locations(of: .crl) { addCached(.crl, url) }
      }
    }
    if policy.kinds.contains(.issuers), let last = chain.last, last.issuer != last.subject {
      for url in last.locations(of: .issuers) { addCached(.issuers, url) }
    }
  }

  private mutating func addCached(
    _ kind: FetchKind, _ url: String, about certificate: Certificate? = nil
  ) {
    do throws(FetchError) {
      let key = FetchCache.Key(
        kind: kind, url: try FetchURL(url, ports: policy.ports),
        subject: certificate?.statusSubject ?? [])
      guard let entry = fetches.cache.entry(key, at: time), time <= entry.refreshTime,
        asked.insert(key).inserted
      else { return }
      reports.append(FetchReport(kind: kind, url: url, outcome: .cached, source: add(entry.value)))
    } catch {
      // If it is missed, its report says what is wrong with the URL.
    }
  }

  private mutating func addCached(_ entry: FetchCache.Entry, _ report: Int) {
    reports[report].outcome = .cached
    reports[report].source = add(entry.value)
  }

  /// Adds a response to what is known; returns its place among the revocation data.
  private mutating func add(_ value: FetchedValue) -> CertificateRevocation.Source? {
    switch value {
    case .issuers(let certificates):
      chain += certificates.filter { !chain.contains($0) }
      return nil
    case .ocsp(let response):
      revocation.ocspResponses.append(response)
      return .ocspResponse(revocation.ocspResponses.count - 1)
    case .crl(let crl):
      revocation.crls.append(crl)
      return .crl(revocation.crls.count - 1)
    }
  }
}

/// Asking.
extension OnlineQuestion {
  /// A request, and what the cache has of it.
  private struct Plan {
    let wanted: Wanted
    let request: FetchRequest
    let cached: FetchCache.Entry?
  }

  /// Fetches what the budget allows, as much as possible at once, and adds what came.
  private mutating func fetch(_ wanted: [Wanted]) async {
    var rest = wanted[...]
    while !rest.isEmpty {
      let plans = plan(&rest)
      let answers = await withTaskGroup(of: (Int, Fetches.Answer).self) { group in
        for (index, plan) in plans.enumerated() {
          let (fetches, time, deadline) = (fetches, time, deadline)
          group.addTask {
            let answer = await fetches.fetch(
              plan.wanted.key, plan.request, at: time, until: deadline)
            return (index, answer)
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for (index, plan) in plans.enumerated() {
        switch answers[index] {
        case .cached(let entry)?: addCached(entry, plan.wanted.report)
        case .response(let outcome, let isOwn)?: take(outcome, isOwn: isOwn, of: plan)
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
      let cached = fetches.cache.entry(wanted.key, at: time)
      if let cached, time <= cached.refreshTime {
        addCached(cached, wanted.report)
      } else if let limit = exhausted(kind, room: room) {
        reports[wanted.report].outcome = .failed(.budgetExhausted(limit))
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

  private func request(
    for wanted: Wanted, _ maximumBytes: Int, _ cached: FetchCache.Entry?
  ) -> FetchRequest {
    var (url, body) = (wanted.key.url, wanted.body)
    if let request = body, let short = url.forOCSP(request, ports: policy.ports) {
      (url, body) = (short, nil)
    }
    return FetchRequest(
      wanted.key.kind, url, body: body, entityTag: cached?.entityTag, maximumBytes: maximumBytes,
      deadline: fetches.clock.now() + policy.requestTimeout,
      maximumRedirects: policy.maximumRedirects)
  }

  private mutating func take(_ outcome: PendingFetch.Outcome, isOwn: Bool, of plan: Plan) {
    let (wanted, cached) = (plan.wanted, plan.cached)
    do throws(FetchError) {
      let response = try outcome.get()
      bytes += response.body.count
      var body = response
      let value: FetchedValue
      if response.isUnchanged, let cached {
        (value, body.body) = (cached.value, cached.body)
        reports[wanted.report].outcome = .unchanged
      } else {
        value = try FetchedValue(response.body, wanted.key.kind)
        reports[wanted.report].outcome = .fetched(bytes: response.body.count)
      }
      reports[wanted.report].source = add(value)
      if let source = reports[wanted.report].source {
        guard isOwn else { return }
        open.append(
          OpenFetch(
            key: wanted.key, value: value, response: body, source: source, report: wanted.report))
      } else if case .issuers(let certificates) = value {
        guard certificates.contains(where: isIssuer) else {
          throw .notUseful("no certificate in it is the issuer of one of the path")
        }
        if isOwn { fetches.settle(wanted.key, .useful(value, body), at: time) }
      }
    } catch {
      reports[wanted.report].outcome = .failed(error)
      if error.mayHaveCostBytes { bytes += plan.request.maximumBytes }
      if isOwn { fetches.settle(wanted.key, .failed(error), at: time) }
      // What the cache has is better than nothing, as long as its signer vouches for it.
      if let cached { reports[wanted.report].source = add(cached.value) }
    }
  }

  /// Whether a certificate has the name of an issuer that is missing.
  private func isIssuer(_ certificate: Certificate) -> Bool {
    chain.contains { $0.issuer.matches(certificate.subject) }
  }

  /// Keeps each response that came and was useful, by what the validation made of it. One that was not
  /// may be useful on another path.
  private mutating func settle(_ outcome: Outcome) {
    guard !open.isEmpty else { return }
    let facts = outcome.revocationFacts
    open = open.compactMap { fetch in
      let outcomes = facts.filter { $0.source == fetch.source }.map(\.outcome)
      guard !outcomes.contains(where: \.isUseful) else {
        fetches.settle(fetch.key, .useful(fetch.value, fetch.response), at: time)
        return nil
      }
      var fetch = fetch
      if let reason = outcomes.first { fetch.problem = .notUseful("\(reason)") }
      return fetch
    }
  }

  /// Ends the requests whose responses no validation has used.
  private mutating func settleRest() {
    for fetch in open {
      if let problem = fetch.problem { reports[fetch.report].outcome = .failed(problem) }
      fetches.settle(fetch.key, fetch.problem.map(Fetches.Use.failed) ?? .unused, at: time)
    }
    open = []
  }
}
