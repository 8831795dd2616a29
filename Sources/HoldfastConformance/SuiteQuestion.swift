internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// One question of a suite to the path validator.
///
/// Certificates are bytes here, for suites hold some that must not be readable.
struct SuiteQuestion: Sendable {
  var anchors: [[UInt8]]
  /// Whether the anchors are roots of the web.
  var arePublic = false
  /// What root programs demand of paths to the anchors.
  var programs: [ProgramConstraint] = []
  /// The SPIFFE trust domains that the anchors belong to; nil for none.
  var trustDomains: Set<SPIFFETrustDomain>?
  /// Anchors besides, which issue in Merkle trees.
  var trees: [TrustAnchor] = []
  /// When logs saw the leaf.
  var logTimes = LeafLogTimes.notEvaluated
  /// What is sent, the leaf first.
  var chain: [[UInt8]]
  /// Whether the validator is given what was sent and cannot be read.
  var givesUnreadable = false
  var rules: ValidationRules
  /// All of these must be answered with yes.
  var purposes = [Purpose.any]
  var time: Timestamp
  /// What is known of revocations, and what is asked of it.
  var revocation: Revocation?

  /// What was said.
  struct Answer {
    /// The path, if there is a valid one.
    var path: ValidatedPath?
    /// The rule that was broken, and by which certificate of the path: `expired at 0`.
    var rule: String?
    /// The reason that comes first, if a rule was broken.
    var rejection: PathError.Rejection?
  }

  /// The answer; on demand the second one of a validator that remembers the first.
  func answer(twice: Bool = false) -> Answer {
    var (sent, unreadable): ([Certificate], [UnreadableCertificate]) = ([], [])
    for (index, der) in (chain.isEmpty ? [[]] : chain).enumerated() {
      do throws(ParseError) {
        sent.append(try Certificate(der: der))
      } catch {
        if index == 0 { return Answer(rule: "unreadable: \(error)") }
        guard givesUnreadable else { continue }
        unreadable.append(UnreadableCertificate(der: der, error: error, number: index + 1))
      }
    }
    var constraints = TrustAnchor.Constraints()
    constraints.programs = programs
    constraints.trustDomains = trustDomains
    let trusted = anchors.compactMap(Certificate.readable).map {
      TrustAnchor($0, constraints: constraints, isPublic: arePublic)
    }
    let validator = PathValidator(
      anchors: AnchorSet(trusted + trees), rules: rules, cache: twice ? SignatureCache() : nil
    ).with(Demand.all { [logTimes] _, _, _ in logTimes })
    if twice { _ = answer(of: validator, about: sent, unreadable) }
    return answer(of: validator, about: sent, unreadable)
  }

  private func answer(
    of validator: PathValidator, about sent: [Certificate], _ unreadable: [UnreadableCertificate]
  ) -> Answer {
    var answer = Answer(rule: "nothingAsked")
    for purpose in purposes {
      do throws(PathError) {
        let path = try validator.validate(
          Question(
            sent, for: purpose, at: time, revocation: revocation, unreadable: unreadable))
        answer = Answer(path: path)
      } catch {
        if case .limitReached(let limit) = error.cause { return Answer(rule: limit.name) }
        guard let nearest = error.rejections.first else { return Answer(rule: "noPath") }
        return Answer(
          rule: "\(nearest.rule.name) at \(nearest.index)", rejection: nearest)
      }
    }
    return answer
  }
}

/// What can be read, or nil.
extension Certificate {
  static func readable(_ der: [UInt8]) -> Certificate? {
    do throws(ParseError) { return try Certificate(der: der) } catch { return nil }
  }
}

extension OCSPResponse {
  static func readable(_ der: [UInt8]) -> OCSPResponse? {
    do throws(ParseError) { return try OCSPResponse(der: der) } catch { return nil }
  }
}

extension CRL {
  static func readable(_ der: [UInt8]) -> CRL? {
    do throws(ParseError) { return try CRL(der: der) } catch { return nil }
  }
}
