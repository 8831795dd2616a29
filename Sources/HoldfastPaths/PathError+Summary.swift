internal import HoldfastCertificates
public import HoldfastDER

extension PathError: HoldfastError {
  /// What is wrong, in one plain sentence: that of the path nearest to a valid one.
  public var summary: String {
    switch cause {
    case .emptyChain: return "No certificate was presented."
    case .invalidName(let error): return error.summary
    case .limitReached: return "The certificates are too complicated to check."
    case .rejected:
      guard let rejection = rejections.first else {
        return "\(owner(at: 0)) was not issued by a trusted authority."
      }
      return "\(owner(at: rejection.index)) \(rejection.rule.row.kind.predicate)."
    }
  }

  /// Whose certificate it is at an index of a path.
  private func owner(at index: Int) -> String {
    let host: String? = if case .host(let host)? = purpose.identity { "\(host)" } else { nil }
    if index > 0 {
      return "The certificate of an authority" + (host.map { " that vouches for \($0)" } ?? "")
    }
    if let host { return "The certificate of \(host)" }
    return purpose.extendedKeyUsages.contains(.serverAuth)
      ? "The server's certificate" : "The certificate"
  }
}
