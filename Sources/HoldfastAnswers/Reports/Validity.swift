package import Holdfast
internal import HoldfastDER

/// How a time relates to the validity of a certificate. Both ends belong to it: RFC 5280 §4.1.2.5.
package enum Validity: Sendable, Hashable {
  case notYet(seconds: Int64)
  case valid(secondsLeft: Int64)
  case expired(seconds: Int64)

  package init(_ certificate: Certificate, at time: Timestamp) {
    if time < certificate.notBefore {
      self = .notYet(seconds: certificate.notBefore.seconds(since: time))
    } else if certificate.notAfter < time {
      self = .expired(seconds: time.seconds(since: certificate.notAfter))
    } else {
      self = .valid(secondsLeft: certificate.notAfter.seconds(since: time))
    }
  }

  /// `341 days left`.
  package var text: String {
    switch self {
    case .notYet(let seconds): "not valid yet, begins in \(Timestamp.duration(ofSeconds: seconds))"
    case .valid(let seconds): "\(Timestamp.duration(ofSeconds: seconds)) left"
    case .expired(let seconds): "expired \(Timestamp.duration(ofSeconds: seconds)) ago"
    }
  }

  /// The name for programs.
  package var name: String {
    switch self {
    case .notYet: "notYetValid"
    case .valid: "valid"
    case .expired: "expired"
    }
  }
}

extension Timestamp {
  /// The moment as the user's clocks show it, `2026-03-01 14:00 +02:00`; nil if that is UTC.
  ///
  /// - Parameter offset: By how many seconds they are ahead of UTC, at a moment in seconds since 1970.
  package func local(ahead offset: (Int64) -> Int64) -> String? {
    let ahead = offset(secondsSince1970)
    guard ahead != 0 else { return nil }
    let shown = "\(Timestamp(secondsSince1970: secondsSince1970 + ahead))"
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(ahead) / 60
    let zone = "\(ahead < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
    return "\(shown.prefix(10)) \(shown.dropFirst(11).prefix(5)) \(zone)"
  }
}
