public import HoldfastCertificates
internal import HoldfastHashes
public import HoldfastPaths

/// Verifies the timestamps of certificates on valid paths, and compares them with a policy.
///
/// Create an evaluator once and use it from any number of threads.
public struct TransparencyEvaluator: Sendable {
  /// The log list, or why there is none.
  public let list: Result<LogList, LogListError>
  /// The policy.
  public let policy: TransparencyPolicy
  /// The age in seconds above which the list is not used.
  public let maximumListAge: Int64

  /// The maximum number of timestamps that are verified, from all deliveries together.
  package static let maximumTimestamps = 64

  /// Creates an evaluator.
  ///
  /// - Parameter maximumListAge: The age in seconds above which the list is not used; by default
  ///   ten weeks.
  public init(
    list: LogList, policy: TransparencyPolicy,
    maximumListAge: Int64 = LogList.defaultMaximumAge
  ) {
    self.init(list: .success(list), policy: policy, maximumListAge: maximumListAge)
  }

  /// Creates an evaluator with a list that may be unreadable. Then nothing is evaluated.
  ///
  /// - Parameter maximumListAge: The age in seconds above which the list is not used; by default
  ///   ten weeks.
  public init(
    list: Result<LogList, LogListError>, policy: TransparencyPolicy,
    maximumListAge: Int64 = LogList.defaultMaximumAge
  ) {
    self.list = list
    self.policy = policy
    self.maximumListAge = maximumListAge
  }

  /// The last second in which the list is not too old; nil if it is unreadable or has no time.
  package var endOfList: Timestamp? {
    guard case .success(let list) = list else { return nil }
    return list.time?.timestamp.advanced(bySeconds: maximumListAge)
  }

  /// Returns what the timestamps of the leaf of a valid path prove.
  ///
  /// - Parameters:
  ///   - tls: The data of the server's TLS extension 18, if it sent one.
  ///   - ocsp: The stapled OCSP response. Its own signature does not matter: the logs sign the
  ///     certificate.
  ///   - time: The time of the evaluation; by default that of the path.
  public func evaluate(
    _ path: ValidatedPath, tls: [UInt8]? = nil, ocsp: OCSPResponse? = nil,
    at time: Timestamp? = nil
  ) -> TransparencyReport {
    let time = time ?? path.time
    return evaluate(
      path.leaf, issuerKey: path.issuerKey, tls: tls, ocsp: ocsp,
      at: LogTime(time)...LogTime(endOf: time))
  }

  /// Returns what the timestamps of a certificate prove, without a path.
  ///
  /// - Parameter issuerKey: The key of the issuer; nil if it is not known.
  /// - Parameter isValid: Whether the certificate is the leaf of a valid path: only then verified
  ///   timestamps are cached.
  package func evaluate(
    _ leaf: Certificate, issuerKey: PublicKey?, tls: [UInt8]? = nil, ocsp: OCSPResponse? = nil,
    at now: ClosedRange<LogTime>, isValid: Bool = true
  ) -> TransparencyReport {
    var presented = PresentedTimestamps(maximum: TransparencyEvaluator.maximumTimestamps)
    presented.add(leaf, issuerKey: issuerKey, tls: tls, ocsp: ocsp)
    let results = presented.items.map { check($0, at: now, isValid: isValid) }
    return report(
      results, lifetime: leaf.notAfter.seconds(since: leaf.notBefore), omitted: presented.omitted,
      at: now)
  }

  /// Compares what was found of each timestamp with the policy.
  ///
  /// - Parameter lifetime: The seconds from the first to the last moment of validity.
  package func report(
    _ found: [TimestampResult], lifetime: Int64, omitted: Int = 0,
    at now: ClosedRange<LogTime>
  ) -> TransparencyReport {
    var results = found
    let evidence = results.enumerated().compactMap { index, result in
      TransparencyPolicy.Evidence(result, index: index, at: now.lowerBound)
    }
    let listTime: LogTime?
    let reason: NotEvaluatedReason?
    switch list {
    case .failure(let error): (listTime, reason) = (nil, .unreadableList(error))
    case .success(let list):
      listTime = list.time
      reason = list.reasonAgainstUse(at: now, maximumAge: maximumListAge)
    }
    let (verdict, counted): (TransparencyVerdict, Set<Int>) =
      reason.map { (.notEvaluated($0), []) } ?? policy.evaluate(evidence, lifetime: lifetime)
    for index in counted { results[index].isCounted = true }
    for evidence in evidence where evidence.acceptance != .untrusted {
      results[evidence.index].wasApproved = true
      results[evidence.index].isProof = evidence.acceptance == .approved
    }
    return TransparencyReport(
      policy: policy, verdict: verdict, results: results, omitted: omitted, listTime: listTime)
  }

  /// Returns the status of one timestamp over an entry. Nothing is cached.
  package func status(
    of bytes: [UInt8], over entry: LogEntry, at now: LogTime
  ) -> TimestampResult.Status {
    let item = PresentedTimestamps.Item(
      delivery: .tls,
      content: Result { () throws(TimestampError) in try SignedCertificateTimestamp(bytes) },
      logged: PresentedTimestamps.Logged(entry))
    return check(item, at: now...now, isValid: false).status
  }

  /// Verifies one timestamp.
  private func check(
    _ item: PresentedTimestamps.Item, at now: ClosedRange<LogTime>, isValid: Bool
  ) -> TimestampResult {
    let timestamp: SignedCertificateTimestamp
    switch item.content {
    case .success(let content): timestamp = content
    case .failure(let error):
      if case .unsupportedVersion(let number) = error.problem {
        return TimestampResult(item.delivery, nil, nil, .unsupportedVersion(number))
      }
      return TimestampResult(item.delivery, nil, nil, .malformed(error))
    }
    guard case .success(let list) = list, let (log, key) = list.find(timestamp.logID) else {
      return TimestampResult(item.delivery, timestamp, nil, .unknownLog)
    }
    let problem =
      item.logged.map { list.problem(with: timestamp, of: $0, in: log, key, isValid: isValid) }
      ?? .unknownIssuer
    return TimestampResult(
      item.delivery, timestamp, log,
      problem.map { .badSignature($0) }
        ?? TransparencyEvaluator.status(of: timestamp, by: log, at: now))
  }

  /// Returns the status of a timestamp whose signature verifies.
  package static func status(
    of timestamp: SignedCertificateTimestamp, by log: CertificateLog, at now: ClosedRange<LogTime>
  ) -> TimestampResult.Status {
    if now.upperBound < timestamp.time {
      return .inTheFuture(byMilliseconds: timestamp.time.milliseconds(since: now.upperBound))
    }
    if case .retired(let since) = log.acceptance(at: now.lowerBound), timestamp.time >= since {
      return .logRetired(since: since)
    }
    return .verified
  }
}

extension TransparencyPolicy.Evidence {
  /// Nil unless the timestamp verified.
  fileprivate init?(_ result: TimestampResult, index: Int, at time: LogTime) {
    guard result.status == .verified, let log = result.log, let timestamp = result.timestamp
    else { return nil }
    self.init(
      index: index, delivery: result.delivery, logID: log.id, isTiled: log.interface == .tiled,
      operatorName: log.operatorName(at: timestamp.time), time: timestamp.time,
      acceptance: log.acceptance(at: time))
  }
}

extension LogList {
  /// Verifies a signature, unless it is known to verify.
  ///
  /// The cache is keyed by a digest of what the log signed, of its identifier, which is a digest of
  /// its key, and of the signature.
  fileprivate func problem(
    with timestamp: SignedCertificateTimestamp, of logged: PresentedTimestamps.Logged,
    in log: CertificateLog, _ key: LogKey, isValid: Bool
  ) -> SignatureProblem? {
    var hash = SHA256()
    let signed = logged.digest
    hash.update(signed.bytes.span)
    hash.update(timestamp.bytes.input.span.extracting(timestamp.bytes.range))
    let digest = hash.finish()
    if storage.verified.value(for: digest) != nil { return nil }
    if let problem = log.verify(timestamp, of: logged.entry, by: key) { return problem }
    if isValid { storage.verified.insert((), for: digest) }
    return nil
  }
}

/// The timestamps that came with a certificate, not yet verified.
struct PresentedTimestamps {
  private(set) var items: [Item] = []
  private(set) var omitted = 0
  private let maximum: Int

  /// A timestamp, how it came, and the entry that its log should have signed.
  struct Item {
    let delivery: TimestampDelivery
    let content: SignedCertificateTimestamp.Item
    /// Nil if the issuer's key is not known.
    let logged: Logged?
  }

  /// An entry and its digest, which all timestamps of a delivery share.
  struct Logged {
    let entry: LogEntry
    let digest: Digest

    init(_ entry: LogEntry) {
      self.entry = entry
      digest = entry.digest
    }
  }

  init(maximum: Int) { self.maximum = maximum }

  /// Adds the embedded timestamps of a certificate, and those that came beside it.
  mutating func add(
    _ leaf: Certificate, issuerKey: PublicKey?, tls: [UInt8]?, ocsp: OCSPResponse?
  ) {
    if let embedded = leaf.extensions[.signedCertificateTimestamps] {
      let entry = issuerKey.flatMap { LogEntry(precertificateOf: leaf, issuerKey: $0.der) }
      let list = SignedCertificateTimestamp.items(ofExtension: embedded.value, maximum: left)
      add(list, .embedded, entry.map(Logged.init))
    }
    let single = issuerKey.flatMap { key in
      ocsp?.basic?.responses.first { $0.certificateID.matches(leaf, issuerKey: key) }
    }
    let stapled = single?.extensions.first { $0.oid == .ocspCertificateTimestamps }
    guard tls != nil || stapled != nil else { return }
    let logged = Logged(LogEntry(certificate: leaf.der))
    if let tls {
      add(SignedCertificateTimestamp.items(ofList: Bytes(tls), maximum: left), .tls, logged)
    }
    if let stapled {
      let list = SignedCertificateTimestamp.items(ofExtension: stapled.value, maximum: left)
      add(list, .ocsp, logged)
    }
  }

  private var left: Int { maximum - items.count }

  private mutating func add(
    _ list: (items: [SignedCertificateTimestamp.Item], omitted: Int),
    _ delivery: TimestampDelivery, _ logged: Logged?
  ) {
    items += list.items.map { Item(delivery: delivery, content: $0, logged: logged) }
    omitted += list.omitted
  }
}

extension ValidatedPath {
  /// The key of the leaf's issuer; nil if the leaf is itself the anchor and was issued by another key.
  package var issuerKey: PublicKey? {
    if count > 1 { return self[1].publicKey }
    guard anchor.certificate == leaf else { return anchor.publicKey }
    return leaf.isSelfIssued ? leaf.publicKey : nil
  }
}
