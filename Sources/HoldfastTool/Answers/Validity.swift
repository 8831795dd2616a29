internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastDER

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
