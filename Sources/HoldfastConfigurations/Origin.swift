internal import Holdfast

/// A host as it is written in a configuration, and how far down it goes there.
struct Origin: Sendable, Hashable {
  let text: String
  let reach: HostPattern.Reach
  var isExcluded = false
}

extension PinConfiguration {
  /// Whether the other system itself would pin a host, as the text stands: some of them know neither
  /// capitals nor a last dot, and then the host is not pinned.
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
      // All but TrustKit bring their own text into one form.
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
