internal import Holdfast
internal import HoldfastCertificates

/// What a command line says of revocations: `--crl`, `--ocsp`, `--revocation`.
struct RevocationQuestion {
  let revocation: Revocation
  /// Where each list and answer came from, in the words in which the library speaks of them.
  let sources: [String]

  static let options = [
    Option(
      name: "--crl", value: "FILE",
      meaning: "revocation lists, and certificates of those who sign them; may be repeated"),
    Option(name: "--ocsp", value: "FILE", meaning: "OCSP answers; may be repeated"),
    Option(
      name: "--revocation", value: "DEMAND",
      meaning: "ignored, given (the default with --crl or --ocsp), leaf or required (of all)",
      choices: ["ignored", "given", "leaf", "required"]),
  ]

  /// What the command line says; `revocation` is nil if it asks for nothing. Nil as a whole if a file
  /// could not be understood, which has been said then.
  ///
  /// One list or answer that cannot be read does not spoil the others: it is as one that is not there,
  /// so that it makes no certificate good where one is required.
  static func read(
    _ arguments: Arguments, _ unreadable: inout [InputProblem], _ console: inout Console
  ) throws(UsageError) -> (isUnderstood: Bool, question: RevocationQuestion?) {
    let lists = arguments.values("--crl")
    let answers = arguments.values("--ocsp")
    let word = try arguments.value("--revocation")
    guard word != nil || !lists.isEmpty || !answers.isEmpty else { return (true, nil) }
    let demand = try demand(word ?? "given")
    var reading = Reading()
    guard reading.read(lists, "revocation list", \.lists.count, &console),
      reading.read(answers, "OCSP answer", \.answers.count, &console)
    else { return (false, nil) }
    // Where none could be read, nothing of what was asked can be answered.
    let isNothingRead = reading.lists.isEmpty && reading.answers.isEmpty
    if isNothingRead, !reading.unreadable.isEmpty { return (false, nil) }
    unreadable += reading.unreadable
    let revocation = Revocation(
      demand, lists: reading.lists, answers: reading.answers, signers: reading.signers)
    return (true, RevocationQuestion(revocation: revocation, sources: reading.sources))
  }

  static func demand(_ word: String) throws(UsageError) -> Revocation.Demand {
    switch word {
    case "ignored": return .ignored
    case "given": return .ifAvailable
    case "leaf": return .required(of: .leaf)
    case "required": return .required(of: .everyCertificate)
    default:
      throw .badValue(
        option: "--revocation", value: word, expected: "ignored, given, leaf or required")
    }
  }
}

/// What the files hold, as they are read.
private struct Reading {
  var lists: [CertificateList] = []
  var answers: [OCSPResponse] = []
  var signers: [Certificate] = []
  var sources: [String] = []
  var unreadable: [InputProblem] = []

  /// Whether each file that could be read has what it was named for.
  mutating func read(
    _ files: [String], _ name: String, _ count: KeyPath<Reading, Int>, _ console: inout Console
  ) -> Bool {
    for file in files {
      let before = self[keyPath: count]
      var session = InputSession(uses: .all)
      session.read([file], &console) { item, content, _ in take(content, at: item.place) }
      unreadable += session.problems
      guard session.hasFailed || self[keyPath: count] > before else {
        console.message("holdfast: \(printable(file)): there is no \(name) in it\n")
        return false
      }
    }
    return true
  }

  private mutating func take(_ content: InputItem.Content, at place: InputPlace) {
    switch content {
    case .revocationList(let list):
      sources.append("CRL \(lists.count) is \(place)")
      lists.append(list)
    case .ocspResponse(let answer):
      sources.append("OCSP response \(answers.count) is \(place)")
      answers.append(answer)
    case .certificate(let certificate): signers.append(certificate)
    case .request, .publicKey, .ocspRequest, .privateKey, .other: break
    }
  }
}
