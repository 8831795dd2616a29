internal import Holdfast

/// A host as written in a configuration, with its reach in that system.
struct Origin: Sendable, Hashable {
  let text: String
  let reach: HostPattern.Reach
  var isExcluded = false
}

extension PinConfiguration {
  /// Whether the other system itself would pin a host, given its text: some systems do not
  /// normalise capitals or a trailing dot, and then do not pin the host.
  public func isPinnedAtOrigin(_ host: String) -> Bool {
    let name: String
    switch format {
    case .trustKit, .okHttp: name = host
    case .android, .nsPinnedDomains, .hpkp, .curl:
      let small = host.lowercased()
      name = small.hasSuffix(".") ? String(small.dropLast()) : small
    }
    var best: (length: Int, isExcluded: Bool)?
    for origin in origins {
      // All except TrustKit normalise their own text.
      let text = format == .trustKit ? origin.text : origin.text.lowercased()
      guard PinConfiguration.covers(text, origin.reach, name) else { continue }
      if text.utf8.count >= best?.length ?? 0 { best = (text.utf8.count, origin.isExcluded) }
    }
    return best.map { !$0.isExcluded } ?? false
  }

  private static func covers(_ parent: String, _ reach: HostPattern.Reach, _ name: String) -> Bool {
    if name == parent { return reach != .oneLabelBelow }
    guard name.hasSuffix("." + parent) else { return false }
    let labels = name.dropLast(parent.count).count { $0 == "." }
    switch reach {
    case .host: return false
    case .hostAndSubdomains: return true
    case .oneLabelBelow, .hostAndOneLabelBelow: return labels == 1
    }
  }
}
