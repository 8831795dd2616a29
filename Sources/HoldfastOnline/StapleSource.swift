public import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSystem
internal import Synchronization

/// Keeps an OCSP response about a server's own certificate fresh, for the server to staple.
///
/// ```swift
/// let source = StapleSource(for: chain, validator: validator, fetching: HTTPFetcher())
/// Task { await source.run { error in log.warning("\(error)") } }
/// // In the callback of the TLS library, RFC 6066 §8:
/// let staple = source.response()
/// ```
///
/// A response is handed out only if it is signed, is about this certificate, says good, and may be used
/// now. If a newer one does not come, the old one stays until its nextUpdate.
public final class StapleSource: Sendable {
  private let chain: [Certificate]
  private let validator: PathValidator
  private let fetching: any Fetching
  private let policy: FetchPolicy
  private let clock: FetchClock
  private let current = Mutex<Staple?>(nil)

  private struct Staple {
    let der: [UInt8]
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp
  }

  /// How long to wait after a failure, at first and at most.
  private static let retries = Duration.seconds(60)...Duration.seconds(3_600)

  /// Creates a source, which has no response yet.
  ///
  /// - Parameters:
  ///   - chain: The server's certificate, then those of its issuers.
  ///   - validator: The anchors, and the rules for the signer of the response.
  public convenience init(
    for chain: [Certificate], validator: PathValidator, fetching: any Fetching,
    policy: FetchPolicy = FetchPolicy([.ocsp])
  ) {
    self.init(for: chain, validator, fetching, policy, clock: .system)
  }

  init(
    for chain: [Certificate], _ validator: PathValidator, _ fetching: any Fetching,
    _ policy: FetchPolicy, clock: FetchClock
  ) {
    self.chain = chain
    self.validator = validator.with(revocation: nil)
    self.fetching = fetching
    self.policy = policy
    self.clock = clock
  }

  /// Returns the response to staple, in DER; nil if there is none that may be used.
  public func response(at time: Timestamp = .now) -> [UInt8]? {
    current.withLock { staple in
      guard let staple, time <= staple.nextUpdate else { return nil }
      return staple.der
    }
  }

  /// Fetches a response, and keeps it if it is good and not older than that which may be used still.
  ///
  /// - Parameter time: When it must be valid; nil for the moment at which it has come.
  /// - Returns: The nextUpdate of the response that is handed out.
  @discardableResult
  public func refresh(at time: Timestamp? = nil) async throws(FetchError) -> Timestamp {
    // A cache of its own: what is known already is no refreshment.
    let online = OnlineValidator(
      validator, fetching: fetching, policy: policy, cache: FetchCache(), clock: clock)
    let answer = await online.answer(
      to: Question(
        chain, for: .any, at: time, revocation: Revocation(.required(of: .leaf))))
    let path: ValidatedPath
    do throws(PathError) {
      path = try answer.path
    } catch {
      for report in answer.fetches {
        if case .failed(let error) = report.outcome { throw .at(report.url, error) }
      }
      throw .notUseful(error.headline)
    }
    guard case .good(let evidence)? = path.leafStatus,
      case .ocspResponse(let index)? = evidence.sources.first,
      let response = answer.revocation?.ocspResponses[index],
      let thisUpdate = FetchedValue.ocsp(response).thisUpdate,
      let nextUpdate = FetchedValue.ocsp(response).end
    else { throw .notUseful("no response says good, with a nextUpdate") }
    let staple = Staple(der: response.der, thisUpdate: thisUpdate, nextUpdate: nextUpdate)
    return current.withLock { known in
      // What was signed before can be sent again.
      if let known, staple.thisUpdate < known.thisUpdate, answer.time <= known.nextUpdate {
        return known.nextUpdate
      }
      known = staple
      return nextUpdate
    }
  }

  /// Refreshes the response when half of its time is over, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - onRefresh: Called with each new response.
  ///   - onFailure: Called with each failure; the next attempt follows after a minute, and then after
  ///     twice as long each time, up to an hour.
  public func run(
    onRefresh: @Sendable ([UInt8]) -> Void = { _ in },
    onFailure: @Sendable (FetchError) -> Void
  ) async {
    var pause = StapleSource.retries.lowerBound
    var last: [UInt8]?
    while !Task.isCancelled {
      var wait = pause
      do throws(FetchError) {
        let nextUpdate = try await refresh()
        let now = clock.time()
        if let response = response(at: now), response != last {
          last = response
          onRefresh(response)
        }
        pause = StapleSource.retries.lowerBound
        wait = max(pause, .seconds(nextUpdate.seconds(since: now) / 2))
      } catch {
        onFailure(error)
        pause = min(pause * 2, StapleSource.retries.upperBound)
      }
      do { try await clock.wait(clock.now() + wait) } catch { return }
    }
  }

  /// Writes the response into a file, as nginx reads it with `ssl_stapling_file`. An old file is
  /// replaced as a whole, and stays if there is no response.
  ///
  /// - Throws: If there is no response that may be used, or the file cannot be written.
  public func write(toFile path: String, at time: Timestamp = .now) throws(FetchError) {
    guard let der = response(at: time) else { throw .notUseful("there is no response to write") }
    do throws(FileOutput.Problem) {
      try FileOutput.write(der, to: path, replacing: true)
    } catch {
      throw .other("\(path): \(error)")
    }
  }
}
