internal import HoldfastCertificates
public import HoldfastDER

extension PathError: HoldfastError {
  /// What is wrong, in one plain sentence: that of the path nearest to a valid one.
  public var summary: String {
    let isServer = purpose.extendedKeyUsages.contains(.serverAuth)
    switch cause {
    case .emptyChain: return "No certificate was presented."
    case .invalidName(let error): return error.summary
    case .limitReached: return "The certificates are too complicated to check."
    case .rejected:
      guard let rejection = rejections.first else {
        return "The certificate was not issued by a trusted authority."
      }
      let owner =
        if rejection.index > 0 {
          "The certificate of an authority"
        } else {
          isServer ? "The server's certificate" : "The certificate"
        }
      return "\(owner) \(rejection.rule.row.kind.predicate)."
    }
  }
}

extension SystemAnchorsError: HoldfastError {
  /// What is wrong, in one plain sentence.
  public var summary: String { "This system has no list of trusted authorities." }
}
