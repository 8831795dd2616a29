internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER

/// The settings of lines that have none of their own.
struct BatchDefaults: Sendable {
  /// nil if there are none, and each line must have its own.
  let anchors: [TrustAnchor]?
  /// What these are, in words; nil if the command line names certificates.
  let trust: String?
  /// The intermediates that lines may leave out.
  let intermediates: [Certificate]
  let rules: String
  /// nil for the moment at which the line is validated.
  var time: Timestamp?
  let revocation: Revocation?
  let pins: PinSet?
  /// The pins of each host, as a configuration has them.
  let table: PinTable?
  /// Whether timestamps are looked at; nil if not.
  let transparency: TransparencyCheck?
  /// What may be fetched; nil for nothing.
  let fetch: FetchQuestion?
}

/// What is done with the lines of a run.
struct BatchSettings: Sendable {
  var defaults: BatchDefaults
  /// Whether certificates are listed and not validated.
  let isListing: Bool
  /// Of how many lines one is answered; nil for all.
  let sample: Int?
  /// Whether rules, issuers, months and keys are counted.
  let isSummarized: Bool

  /// Keeps the time of a run for lines without one. What is fetched now says what has been known
  /// since, and the time of a run may be days ago.
  mutating func keepTime(_ time: Timestamp) {
    if defaults.fetch == nil { defaults.time = time }
  }
}
