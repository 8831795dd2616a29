/// A manager where an evaluator is asked for: in challenges, and among others.
extension TrustManager: TrustEvaluating {
  /// Returns why the server is trusted, or throws `TrustError.pinning`.
  ///
  /// The manager judges by its own anchors and rules; those of the question do not count.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    do throws(PinningError) {
      let found = try evaluate(
        trust.chain, host: host, at: trust.time, revocation: trust.revocation)
      return Verdict(
        .pins(found), host: host, fingerprint: fingerprint, path: found.path,
        certificates: found.path.certificates, hazards: found.hazards, time: trust.time,
        lifetime: lifetime(of: found))
    } catch {
      throw .pinning(error)
    }
  }

  /// From when to when the path is valid and the table asks the same of the host.
  func lifetime(of verdict: PinVerdict) -> ClosedRange<Timestamp> {
    let path = verdict.path.lifetime
    let time = verdict.path.time
    guard case .pinned(_, let set) = pins.selection(for: verdict.host) else { return path }
    var (first, last) = (path.lowerBound, path.upperBound)
    for moment in [set.expiry?.time, set.enforcedFrom].compactMap(\.self) {
      if moment <= time {
        first = max(first, moment)
      } else {
        last = min(last, Timestamp(secondsSince1970: moment.secondsSince1970 - 1))
      }
    }
    return first...last
  }
}

extension PinVerdict {
  /// That pins are missing and only reported, or have expired and are not looked for any more.
  fileprivate var hazards: [Hazard] {
    switch pinning {
    case .reported: [.pinsAreIgnored]
    case .notPinned(.expired): [.pinsHaveExpired]
    case .matched, .notPinned: []
    }
  }
}
