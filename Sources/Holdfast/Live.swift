/// A trust manager that is replaced while clients use it.
public typealias LiveTrust = Live<TrustManager>

/// A value that is replaced while a program uses it, as the trust of a service that runs for months.
///
/// ```swift
/// let trust = LiveTrust(manager)
/// let client = HTTPClient(trust)
/// trust.update(try TrustManager(pins: newPins))
/// ```
///
/// What takes a `TrustManager`, or a `PathValidator`, takes a live one in its place. Each decision
/// uses one value from beginning to end, never parts of two. After an update what was decided before
/// is decided again before it is used: on a kept connection, for a session, for a ticket. Clients close
/// idle connections to servers that are no longer trusted at once; a request that has begun ends as it
/// would have.
///
/// No reader waits for the making of a value: it is made before the update, and the old one is
/// released after it. The lock is held while a reference is copied, as an atomic reference would be.
public final class Live<Value: Sendable>: Sendable {
  private final class Version: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let version: Guarded<Version>
  /// The changes of the value.
  package let changes = TrustGeneration()

  /// Creates the first generation.
  public init(_ value: Value) {
    version = Guarded(Version(value))
  }

  /// The value of this moment.
  public var value: Value { version.withLock { $0 }.value }

  /// The number of updates so far.
  public var generation: Int { changes.number }

  /// Replaces the value. Any thread may call it, at any time, as often as needed.
  public func update(_ value: Value) {
    let new = Version(value)
    let old = version.withLock { version in
      defer { version = new }
      return version
    }
    changes.advance()
    withExtendedLifetime(old) {}
  }

  /// Returns a verdict of the value of this moment, which holds until the next update.
  package func judge<Failure: Error>(
    _ decide: (Value) throws(Failure) -> Verdict
  ) throws(Failure) -> Verdict {
    // Before the value: of an update in between, the verdict is one of the generation before.
    let mark = changes.mark
    return try decide(value).limited(to: mark)
  }
}

extension Live where Value == TrustManager {
  /// Evaluates the chain of a server by the manager of this moment. The verdict ends with an update.
  public func evaluate(
    _ chain: [Certificate], host: String, at time: Timestamp = .now
  ) throws(TrustError) -> Verdict {
    try judge { manager throws(TrustError) in try manager.evaluate(chain, host: host, at: time) }
  }

  /// Evaluates what a TLS library provides by the manager of this moment, as
  /// `TrustManager.evaluate(der:host:staple:timestamps:at:)` does. The verdict ends with an update.
  public func evaluate(
    der chain: [[UInt8]], host: String, staple: [UInt8]? = nil, timestamps: [UInt8]? = nil,
    at time: Timestamp = .now
  ) throws(TrustError) -> Verdict {
    try judge { manager throws(TrustError) in
      try manager.evaluate(
        der: chain, host: host, staple: staple, timestamps: timestamps, at: time)
    }
  }
}

extension TrustManager {
  /// A manager does not change.
  @available(
    *, unavailable,
    message: "give clients a LiveTrust(manager) in place of the manager: live.update(newManager)"
  )
  public func update(_ other: TrustManager) {}
}

extension Live: CustomStringConvertible {
  /// The present value.
  public var description: String { "\(value)" }
}
