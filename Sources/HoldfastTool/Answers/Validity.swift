internal import HoldfastAnswers
internal import HoldfastCertificates
package import HoldfastDER
internal import HoldfastSystem

/// How a time relates to the validity of a certificate. Both ends belong to it: RFC 5280 §4.1.2.5.
enum Validity: Sendable, Hashable {
  case notYet(seconds: Int64)
  case valid(secondsLeft: Int64)
  case expired(seconds: Int64)

  init(_ certificate: Certificate, at time: Timestamp) {
    if time < certificate.notBefore {
      self = .notYet(seconds: certificate.notBefore.seconds(since: time))
    } else if certificate.notAfter < time {
      self = .expired(seconds: time.seconds(since: certificate.notAfter))
    } else {
      self = .valid(secondsLeft: certificate.notAfter.seconds(since: time))
    }
  }

  /// `341 days left`.
  var text: String {
    switch self {
    case .notYet(let seconds): "not valid yet, begins in \(Timestamp.duration(ofSeconds: seconds))"
    case .valid(let seconds): "\(Timestamp.duration(ofSeconds: seconds)) left"
    case .expired(let seconds): "expired \(Timestamp.duration(ofSeconds: seconds)) ago"
    }
  }

  /// The name for programs.
  var name: String {
    switch self {
    case .notYet: "notYetValid"
    case .valid: "valid"
    case .expired: "expired"
    }
  }
}

extension Timestamp {
  /// The moment as the user's clocks show it, `2026-03-01 14:00 +02:00`; nil if that is UTC.
  package func local(
    ahead offset: (Int64) -> Int64 = System.offsetOfLocalTime(atSecondsSince1970:)
  ) -> String? {
    let ahead = offset(secondsSince1970)
    guard ahead != 0 else { return nil }
    let shown = "\(Timestamp(secondsSince1970: secondsSince1970 + ahead))"
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = abs(ahead) / 60
    let zone = "\(ahead < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
    return "\(shown.prefix(10)) \(shown.dropFirst(11).prefix(5)) \(zone)"
  }
}

/// `--warn-days`: status 1 for what is trusted today, but not for long.
enum ExpiryWarning {
  static let days: Option<Int?> = .number(
    "--warn-days", "status 1 if a certificate expires in fewer days", 0...36_500)

  /// The status of a command: that of its answer, or, if the first of the certificates to expire
  /// does so within the days of the command line, rejected. Says which it is.
  ///
  /// - Parameter server: The server that shows them, as the user has named it.
  static func status(
    _ status: ExitStatus, _ certificates: [Certificate], at time: Timestamp,
    of server: String? = nil, _ call: Invocation
  ) -> ExitStatus {
    let first = certificates.min { $0.notAfter < $1.notAfter }
    guard let days = call[days], let first,
      first.notAfter.seconds(since: time) < Int64(days) * 86_400
    else { return status }
    let place = server.map { "\(printable($0)): " } ?? ""
    call.console.message(
      "holdfast: \(place)\(printable(PathText.name(first))): \(Validity(first, at: time).text), "
        + "and \(Self.days.name) is \(days)\n")
    return status == .trusted ? .rejected : status
  }

  /// The status of an answer, whose path may be about to expire.
  static func status(of answer: Answer, _ call: Invocation) -> ExitStatus {
    status(
      answer.status, answer.isTrusted ? answer.path : [], at: answer.input.time ?? .now,
      of: answer.input.address ?? answer.input.host.map { "\($0)" }, call)
  }
}
