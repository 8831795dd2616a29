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
        lifetime: lifetime(of: found, at: trust.time))
    } catch {
      throw .pinning(error)
    }
  }

  /// While the path is valid and the same pins count.
  private func lifetime(
    of verdict: PinVerdict, at time: Timestamp
  ) -> ClosedRange<Timestamp> {
    let path = verdict.path.lifetime
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
  /// That pins are missing and only reported.
  fileprivate var hazards: [Hazard] {
    if case .reported = pinning { [.pinsAreIgnored] } else { [] }
  }
}
