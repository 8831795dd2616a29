/// The exit status of the process. These numbers are a promise; help, the manual and the
/// description of the answers are made of this table.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Trusted, or nothing was wrong.
  case trusted = 0
  /// The input was understood, and the answer is no.
  case rejected = 1
  /// The command line could not be understood.
  case usage = 2
  /// A file or a line could not be read, or an output could not be written.
  case unreadable = 3
  /// A server could not be reached, or the handshake failed for another reason than its
  /// certificates.
  case unreachable = 4
  /// A long run was interrupted from the keyboard, and has ended in order; shells call it so.
  case interrupted = 130

  /// What it means, for help.
  package var meaning: String {
    switch self {
    case .trusted: "trusted, or nothing is wrong"
    case .rejected: "rejected"
    case .usage: "the command line is not understood"
    case .unreadable: "an input cannot be read, or an output not written"
    case .unreachable: "the connection to a server failed"
    case .interrupted: "interrupted"
    }
  }

  /// The worst of several answers, which is the highest number; trusted if there is none.
  static func worst(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
    statuses.max { $0.rawValue < $1.rawValue } ?? .trusted
  }

  /// All of them in one sentence.
  package static var sentence: String {
    let rows = allCases.map { "\($0.rawValue) \($0.meaning)" }
    return "Exit status: " + rows.joined(separator: "; ")
      + ". Of several answers the highest counts."
  }
}
