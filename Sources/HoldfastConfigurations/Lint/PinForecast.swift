package import Holdfast

/// A forecast for a pinned host, as time passes and certificates are replaced.
package struct PinForecast: Sendable {
  /// The host.
  package let host: HostName

  /// The periods in order; the first begins at the start of the forecast.
  package let periods: [Period]

  /// The number of chains.
  package let chainCount: Int

  /// The chains that clients reject although they are valid, each from the day on which a server may
  /// begin to show it.
  package let rejectedChains: [RejectedChain]

  /// The effects of replacing each key; empty if no chain is accepted at the start.
  package let replacements: [Replacement]

  /// The pins and the chains that were not compared, in words.
  package var unchecked: [String] = []

  /// A period during which the result for a host does not change.
  package struct Period: Sendable, Hashable {
    /// The start of the period.
    package let start: Timestamp
    /// The result for the host.
    package let state: State
    /// The reason, in one line.
    package let message: String
  }

  /// The result for a host.
  package enum State: String, Sendable, Hashable {
    /// At least one chain is accepted and has a pin.
    case accepted
    /// A chain is accepted without a pin: the host is not pinned, or mismatches are only reported.
    case unpinned
    /// No chain is accepted: all clients are locked out.
    case rejected
  }

  /// A chain with which a server locks its clients out.
  package struct RejectedChain: Sendable, Hashable {
    /// Its place among the chains, from 0.
    package let index: Int
    /// When a server that shows it begins to lock clients out: not before all of it is valid.
    package let start: Timestamp
    /// The reason, in one line.
    package let message: String
    /// Whether the path ends without a trust anchor, so that nothing is known of the pins.
    package let isRootUnknown: Bool
  }

  /// The replacement of a key by a new one.
  package struct Replacement: Sendable, Hashable {
    /// The role of the key's certificate on the path.
    package let scope: PinScope
    /// The name of its owner.
    package let name: String
    /// Whether clients with these pins can still connect, if nothing else changes.
    package let isSurvived: Bool
  }

  /// When all clients are first locked out; nil if they never are.
  package var lockout: Timestamp? { periods.first { $0.state == .rejected }?.start }

  /// When the first lockout ends; nil if it lasts until the end of the forecast, or if there is
  /// none.
  package var lockoutEnd: Timestamp? {
    periods.drop { $0.state != .rejected }.first { $0.state != .rejected }?.start
  }

  /// Makes the forecast for one host.
  ///
  /// - Parameters:
  ///   - manager: Pins, anchors and rules.
  ///   - chains: The host's present and future chains, each with the server's certificate first. A
  ///     chain counts from the first to the last moment of its certificates.
  ///   - end: The last moment that is looked at.
  package init(
    _ manager: TrustManager, host: HostName, chains: [[Certificate]], from start: Timestamp,
    to end: Timestamp
  ) {
    self.host = host
    chainCount = chains.count
    var moments: Set<Timestamp> = [start]
    for certificate in chains.joined() {
      // The last second is still valid. RFC 5280 §4.1.2.5.
      moments.formUnion([certificate.notBefore, certificate.notAfter.advanced(bySeconds: 1)])
    }
    moments.formUnion(manager.pins.changes(for: host))
    var periods: [Period] = []
    var path: ValidatedPath?
    var next: Timestamp? = start
    while let moment = next, moment <= end {
      let (state, message, found) = PinForecast.state(manager, host, chains, at: moment)
      if moment == start { path = found }
      if periods.last?.state != state || periods.last?.message != message {
        periods.append(Period(start: moment, state: state, message: message))
      }
      // The path may end at an anchor that is not in any chain and will expire, too.
      for certificate in found?.certificates ?? [] {
        moments.insert(certificate.notAfter.advanced(bySeconds: 1))
      }
      next = moments.filter { moment < $0 }.min()
    }
    self.periods = periods
    rejectedChains = chains.indices.compactMap { index in
      PinForecast.rejection(of: chains[index], index, manager, host, moments, start, end)
    }
    replacements = path.map { PinForecast.replacements(on: $0, manager.pins, host, start) } ?? []
  }

  /// Returns the best result for any of the chains.
  private static func state(
    _ manager: TrustManager, _ host: HostName, _ chains: [[Certificate]], at time: Timestamp
  ) -> (State, String, ValidatedPath?) {
    var best: (State, String, ValidatedPath?) = (.rejected, "there is no chain", nil)
    for (index, chain) in chains.enumerated() {
      let name = chains.count > 1 ? "chain \(index + 1): " : ""
      do throws(TrustError) {
        let verdict = try manager.evaluate(chain, host: "\(host)", at: time)
        switch verdict.reason {
        case .pinned(let match):
          let pin = match.pin.map { "\($0.pin)" } ?? "no denied pin"
          return (.accepted, "\(name)\(pin) is the \(match.scope)", verdict.path)
        case .reported:
          best = (.unpinned, "\(name)no pin is there: reported only", verdict.path)
        case .pinsExpired: best = (.unpinned, "\(name)the pins have expired", verdict.path)
        case .validPath, .excluded, .nothingChecked, .all, .custom:
          best = (.unpinned, "\(name)the host is not pinned", verdict.path)
        @unknown default: best = (.unpinned, "\(name)the host is not pinned", verdict.path)
        }
      } catch {
        guard best.0 == .rejected else { continue }
        best.1 = name + message(error)
      }
    }
    return best
  }

  /// Returns when clients first reject a chain while all of it is valid, and why; nil if they do not,
  /// or if it is for other hosts.
  private static func rejection(
    of chain: [Certificate], _ index: Int, _ manager: TrustManager, _ host: HostName,
    _ moments: Set<Timestamp>, _ start: Timestamp, _ end: Timestamp
  ) -> RejectedChain? {
    guard let first = chain.map({ $0.notBefore }).max(), let last = chain.map({ $0.notAfter }).min()
    else {
      return nil
    }
    let begin = max(start, first)
    for moment in moments.union([begin]).sorted() where begin <= moment && moment <= min(end, last)
    {
      do throws(TrustError) {
        _ = try manager.evaluate(chain, host: "\(host)", at: moment)
      } catch {
        guard !error.isAboutHost else { return nil }
        return RejectedChain(
          index: index, start: moment, message: message(error),
          isRootUnknown: error.isAboutUnknownRoot)
      }
    }
    return nil
  }

  private static func message(_ error: TrustError) -> String {
    switch error {
    case .invalidPath(let error):
      guard let first = error.rejections.first else { return error.headline }
      return TrustError.invalidPath(error).isAboutUnknownRoot
        ? "the root is unknown: \(error.headline)" : "not valid: \(first.violation)"
    case .pinMismatch(let mismatch):
      guard let path = mismatch.paths.first, path.reason == .noPin else {
        return mismatch.paths.first.map { "\($0.reason)" } ?? "no pin is on a valid path"
      }
      return "no key of the path is pinned: that of the leaf is \(Pin(keyOf: path.path.leaf))"
    case .pinsExpired(_, let time): return "the pins expired at \(time)"
    default: return "\(error)"
    }
  }

  /// Returns for each key on a path whether the other pins still satisfy the set without it.
  private static func replacements(
    on path: ValidatedPath, _ table: PinTable, _ host: HostName, _ time: Timestamp
  ) -> [Replacement] {
    // Pins that are only reported lock no client out, whatever is replaced.
    guard case .pinned(_, let set) = table.selection(for: host, at: time), set.mode != .reportOnly
    else { return [] }
    let elements = path.elements
    return elements.indices.map { replaced in
      // A new key that is not pinned counts like no key at all.
      var others = elements
      others.remove(at: replaced)
      var isSurvived = true
      do throws(PinnedPath.Reason) { _ = try set.evaluate(others) } catch { isSurvived = false }
      return Replacement(
        scope: elements[replaced].scope, name: elements[replaced].shortName, isSurvived: isSurvived)
    }
  }
}

extension TrustError {
  private var brokenRule: Rule? {
    if case .invalidPath(let error) = self { error.rejections.first?.rule } else { nil }
  }

  /// Whether the certificate is for other hosts.
  fileprivate var isAboutHost: Bool {
    brokenRule == .hostName || brokenRule == .noHostNames
  }

  /// Whether the path ends without a trust anchor.
  fileprivate var isAboutUnknownRoot: Bool {
    brokenRule == .untrustedRoot || brokenRule == .issuerNotFound
  }
}
