/// Which evaluator is asked for which host: Alamofire's `ServerTrustManager`.
///
/// Hosts are found as they are: no wildcards, and nothing about subdomains. `TrustManager` knows of
/// those.
public struct EvaluatorManager: Sendable {
  /// Whether a host without an evaluator is refused. Otherwise it is left to default handling, which
  /// knows nothing of pins.
  public let allHostsMustBeEvaluated: Bool

  /// How hosts are compared.
  public let comparison: HostComparison

  /// The evaluators, by host in the form in which hosts are compared.
  public let evaluators: [String: any TrustEvaluating]

  /// How hosts are compared.
  public enum HostComparison: Sendable, Hashable {
    /// As host names: letters of either case are the same, and one dot at the end is nothing.
    case canonical
    /// Character by character, as Alamofire does: `API.example.com` and `api.example.com.` do not
    /// find the evaluator of `api.example.com`.
    case exact
  }

  /// A manager of evaluators; throws if one is for what is no host, or two are for the same.
  public init(
    allHostsMustBeEvaluated: Bool = true, comparison: HostComparison = .canonical,
    evaluators: [String: any TrustEvaluating]
  ) throws(EvaluatorManagerError) {
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.comparison = comparison
    guard comparison == .canonical else {
      self.evaluators = evaluators
      return
    }
    var byHost: [String: any TrustEvaluating] = [:]
    for (text, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
      let host: HostName
      do throws(HostNameError) {
        host = try HostName(text)
      } catch {
        throw .notHost(text, error)
      }
      guard byHost.updateValue(evaluator, forKey: host.description) == nil else {
        throw .sameHost(text)
      }
    }
    self.evaluators = byHost
  }

  /// Returns the evaluator of a host; nil if it has none and needs none.
  public func evaluator(for host: String) throws(TrustError) -> (any TrustEvaluating)? {
    if let evaluator = entry(for: host) { return evaluator }
    if allHostsMustBeEvaluated { throw .noRequiredEvaluator(host: host) }
    return nil
  }

  private func entry(for host: String) -> (any TrustEvaluating)? {
    if comparison == .exact { return evaluators[host] }
    do throws(HostNameError) {
      return evaluators[try HostName(host).description]
    } catch {
      // What is no host has no entry.
      return nil
    }
  }
}

/// Why there is no manager of these evaluators.
@nonexhaustive
public enum EvaluatorManagerError: Error, Sendable, Hashable {
  /// A key is not a host.
  case notHost(String, HostNameError)
  /// This key and another are the same host.
  case sameHost(String)
}

extension EvaluatorManagerError: CustomStringConvertible {
  /// Which key, and what is wrong with it.
  public var description: String {
    switch self {
    case .notHost(let text, let error): "“\(text)” is not a host: \(error)"
    case .sameHost(let text): "“\(text)” is the same host as another key"
    }
  }
}
