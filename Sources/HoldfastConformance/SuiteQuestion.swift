internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// One question of a suite to the path validator.
struct SuiteQuestion {
  var anchors: [Certificate]
  var leaf: Certificate
  var intermediates: [Certificate]
  var rules: ValidationRules
  /// All of these must be answered with yes.
  var purposes: [Purpose]
  var time: Timestamp
  /// What is known of revocations, and what is asked of it.
  var revocation: Revocation?

  /// What was said.
  enum Answer {
    case valid(ValidatedPath)
    /// The name of the rule that was broken, and by which certificate of the path.
    case refused(rule: String, index: Int?)

    /// The path, if there is a valid one.
    var path: ValidatedPath? { if case .valid(let path) = self { path } else { nil } }

    /// The rule as reports have it: `expired at 0`.
    var rule: String? {
      switch self {
      case .valid: nil
      case .refused(let rule, let index): index.map { "\(rule) at \($0)" } ?? rule
      }
    }
  }

  func answer() -> Answer {
    answer(of: PathValidator(anchors: AnchorSet(anchors), rules: rules, memory: nil))
  }

  /// The answer when a validator that remembers is asked again.
  func secondAnswer() -> Answer {
    let validator = PathValidator(anchors: AnchorSet(anchors), rules: rules)
    _ = answer(of: validator)
    return answer(of: validator)
  }

  private func answer(of validator: PathValidator) -> Answer {
    var answer = Answer.refused(rule: "nothingAsked", index: nil)
    for purpose in purposes {
      do throws(PathError) {
        answer = .valid(
          try validator.validate(
            [leaf] + intermediates, for: purpose, at: time, revocation: revocation))
      } catch {
        switch error.cause {
        case .limitReached(let limit): return .refused(rule: limit.name, index: nil)
        default:
          let nearest = error.rejections.first
          return .refused(rule: nearest?.rule.name ?? "noPath", index: nearest?.index)
        }
      }
    }
    return answer
  }
}

extension Certificate {
  /// The certificate in a PEM text or nil; suites hold some that must not be readable.
  static func readable(pem text: String) -> Certificate? {
    do throws(ParseError) { return try Certificate(pem: text) } catch { return nil }
  }

  /// The certificate in DER or nil.
  static func readable(der bytes: [UInt8]) -> Certificate? {
    do throws(ParseError) { return try Certificate(der: bytes) } catch { return nil }
  }
}

extension OCSPResponse {
  /// The response in DER or nil; suites hold some that must not be readable.
  static func readable(der bytes: [UInt8]) -> OCSPResponse? {
    do throws(ParseError) { return try OCSPResponse(der: bytes) } catch { return nil }
  }

  /// The response in a PEM text or nil.
  static func readable(pem text: String) -> OCSPResponse? {
    PEMText(Array(text.utf8)).blocks.first.flatMap { readable(der: $0.bytes) }
  }
}

extension CertificateList {
  /// The list in DER or nil; suites hold some that must not be readable.
  static func readable(der bytes: [UInt8]) -> CertificateList? {
    do throws(ParseError) { return try CertificateList(der: bytes) } catch { return nil }
  }

  /// The list in a PEM text or nil.
  static func readable(pem text: String) -> CertificateList? {
    do throws(ParseError) { return try CertificateList(pem: text) } catch { return nil }
  }
}
