internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER

/// The work on one question: what it has found so far, and what it may still ask for.
struct OnlineQuestion {
  private let request: Question
  private let validator: PathValidator
  let policy: FetchPolicy
  let fetches: Fetches
  /// The time of the last validation.
  private var time: Timestamp
  private let demand: Revocation.Demand
  let deadline: ContinuousClock.Instant

  private var chain: [Certificate]
  /// All revocation data. It only rejects what is revoked, so that a path is found whose status can
  /// be asked for.
  private var revocation: Revocation
  var reports: [FetchReport] = []
  /// The URLs that are not fetched and have a report.
  private var refused: Set<String> = []
  /// What servers were asked for.
  private var asked: Set<FetchCache.Key> = []
  /// The OCSP requests by GET that a POST may follow.
  var gets: Set<FetchCache.Key> = []
  private var materials: [Material] = []
  /// The keys of the materials.
  private var present: Set<FetchCache.Key> = []
  /// The places among the materials of what the cache has.
  private var held: [FetchCache.Key: Int] = [:]
  /// The requests that this question has made and not yet settled.
  var owned: [FetchCache.Key: PendingFetch] = [:]
  var requests = 0
  var issuerRequests = 0
  var bytes = 0

  typealias Outcome = Result<ValidatedPath, PathError>

  /// Something that a certificate refers to.
  struct Wanted {
    let key: FetchCache.Key
    /// The certificate whose status is asked for; nil for issuers.
    let certificate: Certificate?
    /// The OCSP request.
    let body: [UInt8]?
    let report: Int
  }

  /// What came, from the cache or a server.
  struct Material {
    var key: FetchCache.Key
    let value: FetchedValue
    /// Its place among the revocation data; nil for issuers.
    let source: CertificateRevocation.Source?
    let report: Int
    /// What the cache has; nil if it came from a server.
    var entry: FetchCache.Entry?
    /// What this question has asked for, and the cache does not have yet.
    var response: FetchResponse?
    /// Whether a validation has used it.
    var isUseful = false
    /// Why the validations so far have not used it; nil if none has looked at it.
    var problem: FetchError?
  }

  init(
    _ request: Question, _ validator: PathValidator, known: Revocation?,
    _ policy: FetchPolicy, _ fetches: Fetches
  ) {
    self.request = request
    self.validator = validator
    self.policy = policy
    self.fetches = fetches
    time = request.time ?? fetches.clock.time()
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
      let (known, failures) = (materials.count, revocation.unanswered.count)
      var outcome = validate(revocation)
      settle(outcome)
      var wanted = wanted(after: outcome)
      if wanted.isEmpty, materials.count == known {
        var all = revocation
        all.demand = demand
        // Of a URL that is not fetched it was known only after the validation.
        if revocation.demand != demand || revocation.unanswered.count > failures {
          outcome = validate(all)
        }
        settle(outcome)
        wanted = wantedStatus(after: outcome)
        guard !wanted.isEmpty || materials.count > known else {
          settleRest()
          return OnlineAnswer(
            result: outcome, chain: chain, revocation: demand == .ignored ? nil : all, time: time,
            fetches: reports)
        }
      }
      await fetch(wanted)
    }
  }

  /// Validates at the time of the request or else now: a response that was made for this question is
  /// newer than its beginning.
  private mutating func validate(_ revocation: Revocation) -> Outcome {
    if request.time == nil { time = fetches.clock.time() }
    return Result { [time] () throws(PathError) in
      var question = request
      question.chain = chain
      question.time = time
      question.revocation = revocation
      return try validator.validate(question)
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
    // A CA may have another issuer at the URL by now than that which the cache has, also where that
    // helped until its status came. What a server has sent is not asked for again.
    let due = materials.indices.filter { error.isDue(to: materials[$0].value) }
    for index in due { materials[index].isUseful = false }
    let others = due.map { reports[materials[$0].report].url }
    return (error.issuerLocations + others).compactMap { want(.issuers, $0) }
  }

  /// Returns where the unknown status of the certificates of a valid path may be found.
  private mutating func wantedStatus(of path: ValidatedPath) -> [Wanted] {
    guard policy.asksForStatus else { return [] }
    var wanted: [Wanted] = []
    let isLeafOnly = demand == .required(of: .leaf)
    for (index, found) in path.revocation.enumerated() where index == 0 || !isLeafOnly {
      guard case .unknown = found.status else { continue }
      wanted += wantedStatus(of: path[index], issuerKey: path.issuerKey(index))
    }
    return wanted
  }

  /// Returns where the status may be found for lack of which other paths are rejected: those that
  /// have reached an anchor, after the first one was asked about in vain.
  private mutating func wantedStatus(after outcome: Outcome) -> [Wanted] {
    guard policy.asksForStatus, case .failure(let error) = outcome else { return [] }
    for rejection in error.revocationRejections where rejection.rule == .revocationUnknown {
      guard let key = rejection.issuerKey else { continue }
      let wanted = wantedStatus(of: rejection.path[rejection.index], issuerKey: key)
      if !wanted.isEmpty { return wanted }
    }
    return []
  }

  /// Returns where a status may be found: from OCSP responders, then from CRLs, then again from the
  /// responders whose answers to a GET have not helped, by POST. So these cost a CRL no request. What
  /// the cache has is added before that, and nothing is wanted then.
  private mutating func wantedStatus(
    of certificate: Certificate, issuerKey: PublicKey
  ) -> [Wanted] {
    let known = materials.count
    addCached(certificate, below: issuerKey)
    guard materials.count == known else { return [] }
    for (kind, isRepeated) in [(FetchKind.ocsp, false), (.crl, false), (.ocsp, true)]
    where policy.kinds.contains(kind) {
      let body =
        kind == .ocsp
        ? OCSPRequest(OCSPCertificateID(of: certificate, issuerKey: issuerKey)).der : nil
      let wanted = certificate.locations(of: kind).compactMap {
        want(kind, $0, of: certificate, below: issuerKey, body, isRepeated: isRepeated)
      }
      if !wanted.isEmpty { return wanted }
    }
    return []
  }

  /// Returns what is at a URL, and begins its report, unless a server was asked for it or the cache
  /// has it and that helps.
  ///
  /// - Parameter isRepeated: Whether a responder is asked by POST, if its answer to a GET has not
  ///   helped.
  private mutating func want(
    _ kind: FetchKind, _ url: String, of certificate: Certificate? = nil,
    below issuerKey: PublicKey? = nil, _ body: [UInt8]? = nil, isRepeated: Bool = false
  ) -> Wanted? {
    var key: FetchCache.Key
    do throws(FetchError) {
      key = try self.key(kind, url, certificate, below: issuerKey)
    } catch {
      if refused.insert("\(kind.rawValue) \(url)").inserted {
        reports.append(FetchReport(kind: kind, url: url, outcome: .failed(error)))
        note(failureOf: reports.count - 1, about: certificate)
      }
      return nil
    }
    if let index = held[key], materials[index].isUseful { return nil }
    if isRepeated {
      guard gets.remove(key) != nil else { return nil }
      key.isPost = true
    } else if !asked.insert(key.request).inserted {
      return nil
    }
    reports.append(FetchReport(kind: kind, url: url, outcome: .failed(.cancelled)))
    return Wanted(
      key: key, certificate: certificate, body: body, report: reports.count - 1)
  }

  /// The key of what is at a URL, if its port and its host are allowed.
  private func key(
    _ kind: FetchKind, _ url: String, _ certificate: Certificate?, below issuerKey: PublicKey?
  ) throws(FetchError) -> FetchCache.Key {
    try FetchCache.Key(
      kind, url, ports: policy.ports, ranges: fetches.allowedRanges, certificate, below: issuerKey)
  }

  /// Notes that a request has failed, for the status that it was about.
  private mutating func note(failureOf report: Int, about certificate: Certificate?) {
    guard let certificate else { return }
    revocation.unanswered.append(.init(certificate, reports[report].text(policy.settings)))
  }

  /// Notes why something did not come.
  mutating func fail(_ wanted: Wanted, _ error: FetchError) {
    reports[wanted.report].outcome = .failed(error)
    note(failureOf: wanted.report, about: wanted.certificate)
  }
}

/// What came.
extension OnlineQuestion {
  /// Adds what the cache has for the certificates that were sent, before anything is validated: the
  /// issuer of each is then most probably among them.
  private mutating func addCached() {
    if policy.kinds.contains(.issuers), let last = chain.last, last.issuer != last.subject {
      for url in last.locations(of: .issuers) { addCached(.issuers, url, last, below: nil) }
    }
    for certificate in chain.prefix(4) where demand != .ignored {
      guard let issuer = chain.first(where: { $0.subject.der == certificate.issuer.der })
      else { continue }
      addCached(certificate, below: issuer.publicKey)
    }
  }

  /// Adds what the cache has about the status of a certificate.
  private mutating func addCached(_ certificate: Certificate, below issuerKey: PublicKey) {
    for kind in [FetchKind.ocsp, .crl] where policy.kinds.contains(kind) {
      for url in certificate.locations(of: kind) {
        addCached(kind, url, certificate, below: issuerKey)
      }
    }
  }

  private mutating func addCached(
    _ kind: FetchKind, _ url: String, _ certificate: Certificate, below issuerKey: PublicKey?
  ) {
    do throws(FetchError) {
      let key = try self.key(kind, url, certificate, below: issuerKey)
      guard !present.contains(key), let entry = fetches.cached(key), isFresh(entry) else { return }
      reports.append(FetchReport(kind: kind, url: url, outcome: .cached))
      add(entry, for: key, report: reports.count - 1, isFresh: true)
    } catch {
      // If it is missed, its report says what is wrong with the URL.
    }
  }

  /// Adds what the cache has, and returns its place. If it is fresh, a server is asked only if it does
  /// not help.
  @discardableResult
  mutating func add(
    _ entry: FetchCache.Entry, for key: FetchCache.Key, report: Int, isFresh: Bool
  ) -> Int {
    if isFresh { asked.remove(key.request) }
    let place = add(entry.value, for: key, report: report)
    materials[place].entry = entry
    held[key] = place
    return place
  }

  /// Adds what came from a server, which is not asked again.
  ///
  /// - Parameter response: What the cache does not have yet; nil if another question keeps it.
  mutating func add(
    _ value: FetchedValue, _ response: FetchResponse?, for key: FetchCache.Key, report: Int
  ) {
    let place = add(value, for: key, report: report)
    materials[place].response = response
  }

  private mutating func add(
    _ value: FetchedValue, for key: FetchCache.Key, report: Int
  ) -> Int {
    var source: CertificateRevocation.Source?
    switch value {
    case .issuers(let certificates): chain += certificates.filter { !chain.contains($0) }
    case .ocsp(let response):
      revocation.fetchedResponses.insert(revocation.ocspResponses.count)
      revocation.ocspResponses.append(response)
      source = .ocspResponse(revocation.ocspResponses.count - 1)
    case .crl(let crl):
      revocation.crls.append(crl)
      source = .crl(revocation.crls.count - 1)
    }
    reports[report].source = source
    present.insert(key.entry)
    materials.append(Material(key: key, value: value, source: source, report: report))
    return materials.count - 1
  }

  /// The place of what the cache has for a key, if this question has looked at it.
  func place(of key: FetchCache.Key) -> Int? { held[key] }

  func material(_ place: Int) -> Material { materials[place] }

  /// Notes that the server confirms what the cache has.
  mutating func confirm(_ place: Int, _ response: FetchResponse?, for key: FetchCache.Key) {
    materials[place].response = response
    materials[place].key = key
  }

  func isFresh(_ entry: FetchCache.Entry) -> Bool { entry.isFresh(at: fetches.clock.time()) }

  /// Whether a certificate has the name of an issuer that is missing.
  func isIssuer(_ certificate: Certificate) -> Bool {
    chain.contains { $0.issuer.matches(certificate.subject) }
  }

  /// Keeps what the validation has used. What it has not may be useful on another path.
  private mutating func settle(_ outcome: Outcome) {
    guard materials.contains(where: { !$0.isUseful }) else { return }
    let facts = outcome.revocationFacts
    for index in materials.indices where !materials[index].isUseful {
      var material = materials[index]
      var key = material.key
      if let source = material.source {
        let own = facts.filter { $0.fact.source == source }
        if let helpful = own.first(where: \.fact.outcome.isUseful) {
          material.isUseful = true
          key.issuer = helpful.issuerKey.fingerprint()
        } else if let first = own.first {
          material.problem = .notUseful("\(first.fact.outcome)")
        }
      } else {
        material.isUseful = outcome.hasUsed(material.value, besides: request.chain)
      }
      if material.isUseful, let response = material.response {
        settle(material.key, useful: (material.value, response), as: key)
        material.response = nil
      }
      materials[index] = material
    }
  }

  /// Ends the requests whose responses no validation has used.
  private mutating func settleRest() {
    for material in materials where material.response != nil {
      if let problem = material.problem { reports[material.report].outcome = .failed(problem) }
    }
    for key in Array(owned.keys) { settle(key) }
  }

  /// Ends a request of this question, if it has made it.
  mutating func settle(
    _ key: FetchCache.Key, useful: (value: FetchedValue, response: FetchResponse)? = nil,
    as used: FetchCache.Key? = nil
  ) {
    guard let own = owned.removeValue(forKey: key) else { return }
    fetches.settle(key, own, useful: useful, as: used)
  }
}
