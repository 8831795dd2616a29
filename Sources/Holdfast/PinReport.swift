public import HoldfastCertificates

/// A report that no valid path of a host satisfies its pins, with the contents of RFC 7469 §3 and
/// TrustKit.
///
/// `TrustManager` passes it to `onMismatch`. Nothing here sends it.
public struct PinReport: Sendable, Hashable {
  /// The time of the evaluation.
  public var time: Timestamp
  /// The host that was evaluated.
  public var host: String
  /// The host of the entry that applied.
  public var notedHost: String
  /// Whether the entry also applies to subdomains.
  public var includesSubdomains: Bool
  /// Whether the connection was rejected.
  public var isEnforced: Bool
  /// When the pins expire; nil for never.
  public var expiry: Timestamp?
  /// The chain that the server sent.
  public var servedChain: [Certificate]
  /// The first valid path.
  public var validatedChain: [Certificate]
  /// The expected pins.
  public var knownPins: [Pin]
  /// The addresses to which the pin set wants reports sent.
  public var reportURIs: [String]

  /// Creates the report of a mismatch.
  ///
  /// - Parameter isEnforced: Whether the connection was rejected.
  public init(_ mismatch: PinMismatch, isEnforced: Bool = true) {
    time = mismatch.time
    host = "\(mismatch.host)"
    notedHost = "\(mismatch.pattern.host)"
    includesSubdomains = mismatch.pattern.reach != .host
    self.isEnforced = isEnforced
    expiry = mismatch.pins.expiry?.time
    servedChain = mismatch.presented
    validatedChain = mismatch.paths.first?.path.certificates ?? []
    knownPins = mismatch.pins.pins.map { $0.pin }
    reportURIs = mismatch.pins.reportURIs
  }

  /// Whether two reports differ only in their time, so that one of them is enough.
  package func isDuplicate(of other: PinReport) -> Bool {
    var copy = other
    copy.time = time
    return copy == self
  }
}

extension PinReport: CustomStringConvertible {
  /// The host, the time, what became of the connection, and the pins that were expected.
  public var description: String {
    let outcome = isEnforced ? "rejected" : "reported only"
    let pins = knownPins.map { "\($0)" }.joined(separator: ", ")
    return "\(host) at \(time): no pin is on a valid path, \(outcome); expected \(pins)"
  }
}
