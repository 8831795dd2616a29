public import HoldfastDER

/// The way in which a timestamp reached the client. RFC 6962 §3.3.
public enum TimestampDelivery: String, Sendable, Hashable, CaseIterable {
  /// In an extension of the certificate.
  case embedded
  /// In extension 18 of the TLS handshake.
  case tls
  /// In an extension of a stapled OCSP response.
  case ocsp
}

/// What a set of verified timestamps must fulfill: data with a date, not code.
///
/// A policy is fulfilled if any of its requirements is. Timestamps count only if they verified,
/// were issued in the past and come from a log in a state that the requirement accepts; further
/// timestamps never hurt.
public struct TransparencyPolicy: Sendable, Hashable {
  /// The name: `chrome`.
  public var name: String
  /// The day on which the rules were read at their source.
  public var date: Timestamp
  /// The document that has the rules.
  public var source: String
  /// Whether the last second of validity counts, by which every lifetime is a second longer.
  package var countsLastSecond: Bool
  /// Whether at least one counted log must have the interface of RFC 6962.
  package var requiresRFC6962Log: Bool
  /// The alternatives.
  package var requirements: [Requirement]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - date: The day on which the rules were read at their source.
  ///   - countsLastSecond: Whether the last second of validity counts, by which every lifetime is a
  ///     second longer.
  ///   - requiresRFC6962Log: Whether at least one counted log must have the interface of RFC 6962.
  ///   - requirements: The alternatives, of which one must be fulfilled.
  package init(
    name: String, date: Timestamp, source: String, countsLastSecond: Bool = false,
    requiresRFC6962Log: Bool = false, requirements: [Requirement]
  ) {
    self.name = name
    self.date = date
    self.source = source
    self.countsLastSecond = countsLastSecond
    self.requiresRFC6962Log = requiresRFC6962Log
    self.requirements = requirements
  }

  /// One way to fulfill a policy.
  package struct Requirement: Sendable, Hashable {
    /// The deliveries of which timestamps count.
    package var deliveries: Set<TimestampDelivery>
    /// The deliveries of which at least one counted timestamp must be; nil for any.
    package var requiredDeliveries: Set<TimestampDelivery>?
    /// When a log that is retired still counts.
    package var retiredLogs: RetiredLogs
    /// The fewest logs that are approved now: qualified, usable or read-only.
    package var minimumApprovedLogs: Int
    /// The fewest operators, each as of the time of the timestamp.
    package var minimumOperators: Int
    /// The fewest logs by lifetime; the first tier that fits counts. A certificate that lives
    /// longer than all tiers does not comply.
    package var tiers: [Tier]

    /// Creates a requirement.
    ///
    /// - Parameters:
    ///   - deliveries: The deliveries of which timestamps count.
    ///   - requiredDeliveries: The deliveries of which at least one counted timestamp must be; nil
    ///     for any.
    ///   - minimumApprovedLogs: The fewest logs that are approved now.
    ///   - minimumOperators: The fewest operators, each as of the time of the timestamp.
    ///   - tiers: The fewest logs by lifetime, the shortest lifetime first: the first tier that
    ///     fits counts, and a certificate that lives longer than all of them does not comply.
    package init(
      deliveries: Set<TimestampDelivery>, requiredDeliveries: Set<TimestampDelivery>? = nil,
      retiredLogs: RetiredLogs, minimumApprovedLogs: Int, minimumOperators: Int, tiers: [Tier]
    ) {
      self.deliveries = deliveries
      self.requiredDeliveries = requiredDeliveries
      self.retiredLogs = retiredLogs
      self.minimumApprovedLogs = minimumApprovedLogs
      self.minimumOperators = minimumOperators
      self.tiers = tiers
    }
  }

  /// When the timestamp of a log that is retired counts.
  package enum RetiredLogs: Sendable, Hashable {
    /// Never.
    case never
    /// If it is older than the retirement.
    case issuedBefore
    /// If it and the earliest timestamp from a log that is not retired are older than the
    /// retirement. A retired log that lies about its time cannot vouch for a newer certificate.
    case issuedAndSeenBefore
  }

  /// How many logs a certificate of some lifetime needs.
  package struct Tier: Sendable, Hashable {
    /// The longest lifetime in days of 86,400 seconds; nil for any.
    package var maximumDays: Int?
    /// The fewest distinct logs.
    package var minimumLogs: Int
    /// The maximum number of logs of one operator that count; nil for any number.
    package var maximumPerOperator: Int?

    /// Creates a tier.
    ///
    /// - Parameters:
    ///   - maximumDays: The longest lifetime in days of 86,400 seconds; nil for any.
    ///   - maximumPerOperator: The maximum number of logs of one operator that count; nil for any
    ///     number.
    package init(maximumDays: Int? = nil, minimumLogs: Int, maximumPerOperator: Int? = nil) {
      self.maximumDays = maximumDays
      self.minimumLogs = minimumLogs
      self.maximumPerOperator = maximumPerOperator
    }
  }
}

/// The policies of browsers.
extension TransparencyPolicy {
  /// Chrome's policy. Embedded: one log approved now, and two logs, or three above 180 days, that
  /// are approved or retired since, of two operators. By TLS: two logs approved now, of two
  /// operators. Since Chrome 148, timestamps in OCSP responses do not count.
  ///
  /// *Departs:* by the text, not by Chrome's code, which lets one timestamp by TLS count together
  /// with embedded ones.
  public static let chrome = TransparencyPolicy(
    name: "chrome", date: Timestamp(literal: "2026-07-31"),
    source: "https://github.com/GoogleChrome/CertificateTransparency/blob/master/ct_policy.md",
    requirements: [
      Requirement(
        deliveries: [.embedded], retiredLogs: .issuedAndSeenBefore, minimumApprovedLogs: 1,
        minimumOperators: 2, tiers: [Tier(maximumDays: 180, minimumLogs: 2), Tier(minimumLogs: 3)]),
      Requirement(
        deliveries: [.tls], retiredLogs: .never, minimumApprovedLogs: 2, minimumOperators: 2,
        tiers: [Tier(minimumLogs: 2)]),
    ])

  /// Apple's policy. Embedded: one log approved now, and two logs of distinct operators, or three
  /// above 180 days of which at most two have the same operator. Otherwise two logs approved now,
  /// one of them by TLS or OCSP. One log must have the interface of RFC 6962.
  public static let apple = TransparencyPolicy(
    name: "apple", date: Timestamp(literal: "2026-07-31"),
    source: "https://support.apple.com/103214",
    countsLastSecond: true, requiresRFC6962Log: true,
    requirements: [
      Requirement(
        deliveries: [.embedded], retiredLogs: .issuedBefore, minimumApprovedLogs: 1,
        minimumOperators: 1,
        tiers: [
          Tier(maximumDays: 180, minimumLogs: 2, maximumPerOperator: 1),
          Tier(maximumDays: 398, minimumLogs: 3, maximumPerOperator: 2),
        ]),
      Requirement(
        deliveries: Set(TimestampDelivery.allCases), requiredDeliveries: [.tls, .ocsp],
        retiredLogs: .never, minimumApprovedLogs: 2, minimumOperators: 1,
        tiers: [Tier(minimumLogs: 2)]),
    ])

  /// Firefox's policy. Embedded: as Chrome's, but a retired log counts whatever the other
  /// timestamps say. By TLS or OCSP: two logs approved now, of two operators.
  public static let mozilla = TransparencyPolicy(
    name: "mozilla", date: Timestamp(literal: "2026-07-31"),
    source: "https://wiki.mozilla.org/SecurityEngineering/Certificate_Transparency",
    requirements: [
      Requirement(
        deliveries: [.embedded], retiredLogs: .issuedBefore, minimumApprovedLogs: 1,
        minimumOperators: 2, tiers: [Tier(maximumDays: 180, minimumLogs: 2), Tier(minimumLogs: 3)]),
      Requirement(
        deliveries: [.tls, .ocsp], retiredLogs: .never, minimumApprovedLogs: 2,
        minimumOperators: 2, tiers: [Tier(minimumLogs: 2)]),
    ])

  /// Returns a policy that requires timestamps from a number of distinct logs, however delivered,
  /// that are approved or were when they signed.
  public static func count(_ logs: Int) -> TransparencyPolicy {
    TransparencyPolicy(
      name: "count(\(logs))", date: Timestamp(literal: "2026-07-31"), source: "the caller",
      requirements: [
        Requirement(
          deliveries: Set(TimestampDelivery.allCases), retiredLogs: .issuedBefore,
          minimumApprovedLogs: 0, minimumOperators: 0, tiers: [Tier(minimumLogs: logs)])
      ])
  }
}

extension TransparencyPolicy: CustomStringConvertible {
  /// `chrome, as of 2026-07-31`.
  public var description: String { "\(name), as of \(date.day)" }
}
