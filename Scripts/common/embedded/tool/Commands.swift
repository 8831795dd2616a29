internal import Holdfast
internal import HoldfastAnswers

// The commands about files, and in place of those about servers what these refer to.

extension Command {
  /// The commands, in the order in which help lists them.
  static let all: [Command] = [verifyCommand, inspectCommand, pinsCommand]

  /// A word is no file and no host here: the command is named.
  static func forFileOrHost(_ word: String) -> Command? { nil }

  /// That a server cannot be asked.
  static let withoutTLS = UsageError.notBuilt("this tool was built without TLS")
}

extension Answer {
  /// The handshake of a server, of which there is none.
  struct Connection: Sendable {
    func lines(of address: String, at time: Timestamp) -> [Line] { [] }
    func document(at time: Timestamp) -> Document { Document() }
  }
}

/// What may be fetched: nothing.
struct FetchQuestion: Sendable {
  static let options: OptionGroup = []

  init?(_ call: Invocation) throws(UsageError) { return nil }
}

/// A chain, and what is known beside it, to which nothing is fetched.
struct FetchedInput {
  let chain: [Certificate]
  let revocation: Revocation?
  let sources: RevocationSources
  let notes: [Answer.Note] = []
  let time: Timestamp

  init(
    _ chain: [Certificate], _ revocation: Revocation?, _ sources: RevocationSources,
    unreadable: [UnreadableCertificate], at time: Timestamp?
  ) {
    (self.chain, self.revocation, self.sources) = (chain, revocation, sources)
    self.time = time ?? .now
  }

  mutating func fetch(
    _ question: FetchQuestion?, _ purpose: Purpose, _ validator: PathValidator
  ) {}
}
