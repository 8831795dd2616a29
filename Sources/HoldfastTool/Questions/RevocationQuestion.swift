internal import Holdfast
internal import HoldfastAnswers

/// What a command line says of revocations: `--crl`, `--ocsp`, `--filter`, `--upki`,
/// `--revocation`, `--clock-skew`.
struct RevocationQuestion {
  private(set) var revocation = Revocation()
  private(set) var sources = RevocationSources()
  /// Whether something could not be read.
  private var hasFailed = false

  static let crls: Option<[String]> = .files(
    "--crl", "CRLs, and certificates of those who sign them")
  static let ocspResponses: Option<[String]> = .files("--ocsp", "OCSP responses")
  static let filters: Option<[String]> = .files(
    "--filter", "files of a revocation filter of CRLite: a base, then its deltas")
  static let upki: Option<Bool> = .flag(
    "--upki", "use the revocation filters that upki keeps on this machine")
  static let demand: Option<Demand?> = .choice(
    "--revocation", "DEMAND", "which status must be known, given with the sources above")

  static let skew: Option<Int?> = .number(
    "--clock-skew", "how far clocks of CAs may differ from this one; 300 otherwise", 0...86_400,
    placeholder: "SECONDS")

  static let options = OptionGroup(
    "revocation", [crls, ocspResponses, filters, upki, demand, skew])

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
  /// A CRL, an OCSP response or a filter that cannot be read does not discard the others. But no
  /// status is good that such a CRL or response may change.
  ///
  /// - Parameter findsUpki: Whether upki's filters are used without `--upki`, if they are there.
  static func read(
    _ call: Invocation, _ session: inout InputSession, findsUpki: Bool = false
  ) throws(UsageError) -> RevocationQuestion? {
    let isAsked = options.options.contains(where: call.has)
    var question = RevocationQuestion()
    if call[upki] || findsUpki && call[filters].isEmpty && call[demand] != .ignored {
      try question.readUpki(isAsked: call[upki], &session)
    }
    guard isAsked || !question.revocation.filters.isEmpty else { return nil }
    try question.read(call[crls], .crl, { $0.crls.count }, &session)
    try question.read(call[ocspResponses], .ocspResponse, { $0.ocspResponses.count }, &session)
    question.readFilters(call[filters], &session)
    // Where none could be read, nothing of what was asked can be answered.
    let known = question.revocation
    let isNothingRead =
      known.crls.isEmpty && known.ocspResponses.isEmpty
      && known.filters.allSatisfy { $0.cards.isEmpty }
    if isNothingRead, question.hasFailed { throw .reported(session.problems) }
    question.revocation.demand = (call[demand] ?? .given).demand
    if let seconds = call[skew] { question.revocation.tolerance = Int64(seconds) }
    return question
  }
}

/// Reading what the files hold.
extension RevocationQuestion {
  /// Reads files, of which each that can be read must have what it was named for.
  private mutating func read(
    _ files: [String], _ kind: DERContent, _ count: (Revocation) -> Int,
    _ session: inout InputSession
  ) throws(UsageError) {
    for file in files {
      let (before, failures) = (count(revocation), session.failures.count)
      let isUnderstood = session.read([file], uses: [.all, .unknown]) {
        take($1, at: $0.location)
      }
      hasFailed = hasFailed || !isUnderstood
      guard !isUnderstood || count(revocation) > before else {
        throw .badInput("\(printable(word: file)): there is no \(kind.row.name) in it")
      }
      for problem in session.failures.dropFirst(failures) { add(problem, in: kind) }
    }
  }

  /// Adds what cannot be read: as a CRL if it is one, and otherwise as what the file was named for.
  private mutating func add(_ problem: InputProblem, in kind: DERContent) {
    if problem.list == nil, kind == .ocspResponse {
      revocation.unreadableResponses.append(problem.error(reading: kind))
      sources.unreadableResponses.append("\(problem.location)")
    } else {
      revocation.unreadableCRLs.append(problem.unreadableCRL)
      sources.unreadableCRLs.append("\(problem.location)")
    }
  }

  /// Opens the files of filters.
  private mutating func readFilters(_ files: [String], _ session: inout InputSession) {
    var cards: [Result<Clubcard, FilterError>] = []
    for file in files {
      let card = Result { () throws(FilterError) in try Clubcard(file: file) }
      if case .failure(let error) = card {
        hasFailed = true
        session.fail(InputProblem(error, in: file))
      }
      cards.append(card)
    }
    revocation.filters += RevocationFilter.all(of: cards)
  }

  /// Opens upki's cache. It need not be there unless it is asked for.
  private mutating func readUpki(isAsked: Bool, _ session: inout InputSession) throws(UsageError) {
    do throws(FilterError) {
      let cache = try UpkiCache()
      revocation.filters += cache.filters
      sources.upkiFolder = cache.folder
      for problem in cache.problems {
        session.fail(InputProblem(problem, in: "\(cache.folder)/\(problem.file)"))
      }
    } catch {
      if !isAsked, error.problem == .noCache { return }
      hasFailed = true
      session.fail(InputProblem(error, in: error.file))
      if isAsked { throw .reported(session.problems) }
    }
  }

  private mutating func take(_ content: InputItem.Content, at location: InputLocation) {
    switch content {
    case .crl(let crl):
      sources.crls.append("\(location)")
      revocation.crls.append(crl)
    case .ocspResponse(let response):
      sources.ocspResponses.append("\(location)")
      revocation.ocspResponses.append(response)
    case .certificate(let certificate): revocation.signers.append(certificate)
    case .request, .publicKey, .ocspRequest, .privateKey, .container: break
    }
  }
}
