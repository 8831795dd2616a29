public import HoldfastCertificates

/// A report that no valid path of a host holds its pins, with the facts of RFC 7469 §3 and TrustKit.
///
/// `TrustManager` hands it to `onMismatch`. Nothing here sends it.
public struct PinReport: Sendable, Hashable {
  /// When the host was evaluated.
  public var time: Timestamp
  /// The host that was asked for.
  public var host: String
  /// The host of the entry whose pins counted.
  public var notedHost: String
  /// Whether the entry is for subdomains, too.
  public var includesSubdomains: Bool
  /// Whether the connection was refused.
  public var isEnforced: Bool
  /// When the pins expire, if they do.
  public var expiry: Timestamp?
  /// The chain as it was sent.
  public var servedChain: [Certificate]
  /// The valid path that was tried first.
  public var validatedChain: [Certificate]
  /// The pins that were expected.
  public var knownPins: [Pin]
  /// Where the pin set wants reports to be sent.
  public var reportURIs: [String]

  /// The report of a mismatch.
  public init(_ mismatch: PinMismatch, isEnforced: Bool = true) {
    time = mismatch.time
    host = "\(mismatch.host)"
    notedHost = "\(mismatch.pattern.host)"
    includesSubdomains = mismatch.pattern.reach != .host
    self.isEnforced = isEnforced
    expiry = mismatch.pins.expiry?.time
    servedChain = mismatch.presented
    validatedChain = mismatch.paths.first?.path.certificates ?? []
    knownPins = mismatch.pins.pins.map(\.pin)
    reportURIs = mismatch.pins.reportURIs
  }

  /// Whether two reports differ in nothing but their time, so that one of them is enough.
  public func isDuplicate(of other: PinReport) -> Bool {
    var copy = other
    copy.time = time
    return copy == self
  }
}
