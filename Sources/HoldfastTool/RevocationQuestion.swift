internal import Holdfast
internal import HoldfastCertificates

/// What a command line says of revocations: `--crl`, `--ocsp`, `--revocation`.
struct RevocationQuestion {
  let revocation: Revocation
  let sources: RevocationSources

  static let lists: Option<[String]> = .files(
    "--crl", "revocation lists, and certificates of those who sign them")
  static let answers: Option<[String]> = .files("--ocsp", "OCSP answers")
  static let demand: Option<Demand?> = .choice(
    "--revocation", "DEMAND", "which status must be known, given with --crl or --ocsp")

  static let options: [any CommandOption] = [lists, answers, demand]

  /// What is demanded, in the words of the command line.
  enum Demand: String, Choice {
    case ignored, given, leaf, required

    /// The demand of the library.
    var demand: Revocation.Demand {
      switch self {
      case .ignored: .ignored
      case .given: .ifAvailable
      case .leaf: .required(of: .leaf)
      case .required: .required(of: .everyCertificate)
      }
    }
  }

  /// What the command line says; nil if it asks for nothing.
  ///
  /// One list or answer that cannot be read does not spoil the others. An answer is then as one that is
  /// not there; a list that may revoke a certificate leaves its status unknown.
  static func read(
    _ call: Invocation, _ session: inout InputSession
  ) throws(UsageError) -> RevocationQuestion? {
    guard options.contains(where: call.has) else { return nil }
    var reading = Reading()
    let others = session.unreadableLists.count
    try reading.read(call[lists], "revocation list", \.lists.count, &session)
    try reading.read(call[answers], "OCSP answer", \.answers.count, &session)
    // Where none could be read, nothing of what was asked can be answered.
    let isNothingRead = reading.lists.isEmpty && reading.answers.isEmpty
    if isNothingRead, reading.hasFailed { throw .reported }
    var revocation = Revocation(
      (call[demand] ?? .given).demand, lists: reading.lists, answers: reading.answers,
      signers: reading.signers)
    let unreadable = session.unreadableLists.dropFirst(others)
    revocation.unreadableLists = unreadable.map(\.list)
    reading.sources.unreadableLists = unreadable.map { "\($0.place)" }
    return RevocationQuestion(revocation: revocation, sources: reading.sources)
  }
}

/// Where each CRL and each OCSP response came from, in the order of `Revocation`: its file, or the
/// handshake.
struct RevocationSources: Sendable {
  var lists: [String] = []
  var unreadableLists: [String] = []
  var answers: [String] = []

  /// The place of a source; its number if that is not known.
  func name(of source: CertificateRevocation.Source) -> String {
    place(of: source) ?? "\(source)"
  }

  /// The place of a source, if it is known.
  func place(of source: CertificateRevocation.Source) -> String? {
    let (places, index) =
      switch source {
      case .list(let index): (lists, index)
      case .unreadableList(let index): (unreadableLists, index)
      case .answer(let index): (answers, index)
      }
    return places.indices.contains(index) ? places[index] : nil
  }
}

/// What the files hold, as they are read.
private struct Reading {
  var lists: [CertificateList] = []
  var answers: [OCSPResponse] = []
  var signers: [Certificate] = []
  var sources = RevocationSources()
  var hasFailed = false

  /// Reads files, of which each that can be read must have what it was named for.
  mutating func read(
    _ files: [String], _ name: String, _ count: KeyPath<Reading, Int>,
    _ session: inout InputSession
  ) throws(UsageError) {
    for file in files {
      let before = self[keyPath: count]
      let isUnderstood = session.read([file], uses: .all) { take($1, at: $0.place) }
      hasFailed = hasFailed || !isUnderstood
      guard !isUnderstood || self[keyPath: count] > before else {
        throw .badInput("\(printable(file)): there is no \(name) in it")
      }
    }
  }

  private mutating func take(_ content: InputItem.Content, at place: InputPlace) {
    switch content {
    case .revocationList(let list):
      sources.lists.append("\(place)")
      lists.append(list)
    case .ocspResponse(let answer):
      sources.answers.append("\(place)")
      answers.append(answer)
    case .certificate(let certificate): signers.append(certificate)
    case .request, .publicKey, .ocspRequest, .privateKey: break
    }
  }
}
