internal import HoldfastPaths

extension SecurityPolicy {
  /// What a policy has said of a server, and why.
  public struct Evaluation: Sendable {
    /// Whether the server is trusted.
    public let isTrusted: Bool
    /// The rule that has decided.
    public let rule: Rule
    /// The domain that was asked for.
    public let domain: String?
    /// The valid path, if the decision rests on one.
    public internal(set) var path: ValidatedPath?
    /// The certificates that were compared with the pins, the leaf first.
    public internal(set) var certificates: [Certificate]
    /// The certificate of the server's that is pinned, or has a pinned key.
    public internal(set) var match: Certificate?
    /// Why there is no valid path to the system's anchors, if that was asked.
    public internal(set) var systemError: PathError?
    /// Why there is no valid path to the pins, if that was asked.
    public internal(set) var pinError: PathError?
    /// The certificates that were pinned.
    public internal(set) var pinned: [Certificate]
  }

  /// Decides whether a server is trusted: AFNetworking's `evaluateServerTrust:forDomain:`.
  ///
  /// - Parameter domain: The host; nil to ask for none.
  public func evaluate(_ trust: ServerTrust, forDomain domain: String?) -> Evaluation {
    var answers = LiveAnswers(self, trust, domain)
    let (isTrusted, rule) = decide(
      hasDomain: domain != nil, hasPins: !pins.isEmpty, asking: &answers)
    return Evaluation(
      isTrusted: isTrusted, rule: rule, domain: domain, path: answers.path,
      certificates: answers.certificates, match: answers.match,
      systemError: answers.systemError, pinError: answers.pinError, pinned: pins.certificates)
  }
}

extension SecurityPolicy: TrustEvaluating {
  /// Returns why the server is trusted, or throws `TrustError.securityPolicy`.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    let evaluation = evaluate(trust, forDomain: host)
    guard evaluation.isTrusted else { throw .securityPolicy(evaluation) }
    return verdict(evaluation, at: trust.time)
  }

  /// The verdict of an evaluation without a domain, or with one; throws if it was refused.
  public func verdict(
    on trust: ServerTrust, forDomain domain: String?
  ) throws(TrustError) -> Verdict {
    let evaluation = evaluate(trust, forDomain: domain)
    guard evaluation.isTrusted else { throw .securityPolicy(evaluation) }
    return verdict(evaluation, at: trust.time)
  }

  private func verdict(_ evaluation: Evaluation, at time: Timestamp) -> Verdict {
    let ground: Verdict.Ground =
      switch (evaluation.rule, evaluation.match) {
      case (.certificateMatch, let match?): .pinnedCertificate(match)
      case (.keyMatch, let match?): .pinnedKey(match)
      case (.allowsEverything, _): .disabled
      default: .validPath
      }
    return Verdict(
      ground, host: evaluation.domain, fingerprint: fingerprint, path: evaluation.path,
      certificates: evaluation.certificates, hazards: hazards, time: time,
      lifetime: evaluation.path?.lifetime)
  }

  /// By the four fields, the certificates in any order.
  public var fingerprint: PolicyFingerprint? {
    PolicyFingerprint(
      kind: "security policy \(pinningMode.rawValue)",
      flags: [allowsInvalidCertificates, validatesDomainName],
      members: pinnedCertificates.map(\.der))
  }
}

/// The answers of a server's certificates.
private struct LiveAnswers: SecurityPolicy.Answers {
  let policy: SecurityPolicy
  let trust: ServerTrust
  /// What is asked of paths; nil if the domain is not a host name, and then nothing is valid.
  let purpose: Purpose?

  var path: ValidatedPath?
  var certificates: [Certificate]
  var match: Certificate?
  var systemError: PathError?
  var pinError: PathError?

  init(_ policy: SecurityPolicy, _ trust: ServerTrust, _ domain: String?) {
    self.policy = policy
    self.trust = trust
    certificates = [trust.leaf]
    guard policy.validatesDomainName else {
      purpose = .any
      return
    }
    do throws(HostNameError) {
      purpose = try domain.map { name throws(HostNameError) in try .server(name) } ?? .anyServer
    } catch {
      purpose = nil
    }
  }

  mutating func systemTrusts() -> Bool {
    guard let purpose else { return false }
    do throws(PathError) {
      let path = try trust.validate(for: purpose)
      take(path)
      return true
    } catch {
      systemError = error
      return false
    }
  }

  mutating func pinsVouch() -> Bool {
    guard let purpose else { return false }
    do throws(PathError) {
      take(try trust.validate(for: purpose, anchors: policy.pins.anchors))
      return true
    } catch {
      path = nil
      pinError = error
      return false
    }
  }

  mutating func certificateIsPinned() -> Bool {
    match = certificates.first { policy.pins.contains($0) }
    return match != nil
  }

  mutating func keyIsPinned() -> Bool {
    // Whoever allows invalid certificates looks at what is signed, and at nothing else.
    if purpose == nil { return false }
    let purpose = policy.allowsInvalidCertificates ? nil : purpose
    do throws(PathError) {
      switch try trust.match(for: purpose, { policy.pins.containsKey(of: $0) }) {
      case .found(let found, let path, let certificates):
        match = found
        self.path = path
        self.certificates = certificates
        return true
      case .missed(let certificates):
        path = nil
        self.certificates = certificates
      }
    } catch {
      systemError = error
    }
    return false
  }

  private mutating func take(_ path: ValidatedPath) {
    self.path = path
    certificates = path.certificates
  }
}

extension SecurityPolicy.Evaluation: CustomStringConvertible {
  /// The decision, the rule, and what was seen and pinned if that has decided.
  public var description: String {
    guard !isTrusted else { return "trusted: \(rule)" }
    var text = "not trusted: \(rule)"
    if let error = pinError ?? systemError { text += "\n\(error)" }
    guard rule == .keyMatch || rule == .certificateMatch else { return text }
    text += "\n  seen:" + certificates.map { "\n    \($0.publicKey.pin) \($0.subject)" }.joined()
    text += "\n  pinned:" + pinned.map { "\n    \($0.publicKey.pin) \($0.subject)" }.joined()
    return text
  }
}
