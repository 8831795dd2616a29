internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastIdentities
internal import HoldfastJSON

extension Command {
  /// `holdfast inspect`: the contents of certificates, keys and their containers, requests, CRLs and
  /// OCSP messages, and what the timestamps of certificates prove.
  static let inspectCommand = Command(
    name: "inspect",
    summary: "shows certificates, requests, keys, containers, CRLs, OCSP messages and filters, or "
      + "what a server sends",
    usage: "FILE|FOLDER|HOST:PORT… [--at TIME] [--entries NUMBER] [--log-list LIST] [--json]",
    options: [
      [
        CommonOptions.daysFrom, ExpiryWarning.days, entries, ServerInput.connect,
        CommonOptions.json,
      ],
      OptionGroup(
        "Certificate Transparency",
        [
          TransparencyQuestion.list.described(
            "verify the timestamps of the logs in this list, version 3 in JSON"),
          TransparencyQuestion.policy,
        ]),
      OptionGroup("passwords", PasswordSource.options.options + [PasswordSource.iterations]),
    ],
    examples: """
      holdfast inspect chain.pem
          every certificate of a chain, with its pin
      holdfast inspect example.com:443
          what a server sends, which nothing verifies
      holdfast inspect client.p12
          certificates, CRLs and keys of a container, and which key belongs to which certificate
      openssl s_client -showcerts -connect example.com:443 </dev/null | holdfast inspect -
          the same by openssl; the text between the blocks does not matter
      holdfast inspect --json *.der | jq '.items[].notAfter'
          one field of many files
      holdfast inspect chain.pem --log-list log_list.json
          what the timestamps of a certificate prove, whose issuer is in the file, too
      holdfast inspect --entries 5 ca.crl
          a CRL, and its first entries
      holdfast inspect /var/cache/upki/revocation/*.filter
          which logs and issuers the filters of upki cover
      holdfast inspect --at 2027-01-01 server.pem
          its validity on New Year's Day
      """,
    readsCertificates: true, run: inspect)

  private static let entries: Option<Int?> = .number(
    "--entries", "how many entries of a CRL are shown: 20, or 10000 in JSON")

  private static func inspect(_ call: Invocation) throws(UsageError) -> ExitStatus {
    let files = try call.filesInFolders()
    var inspection = try Inspection(call, entries: call[entries])
    for file in files {
      if !call[ServerInput.connect], Clubcard.isLikely(file: file) {
        inspection.addFilter(file)
      } else {
        inspection.add(file)
      }
    }
    return inspection.finish()
  }
}

/// What `inspect` has seen, and where it writes.
private struct Inspection {
  private let call: Invocation
  private let time: Timestamp
  private let limit: Int
  /// What is read.
  private let uses: InputUse
  private var session: InputSession
  private var json: JSONDocument?
  private var isFirst = true
  private var certificates: [Certificate] = []
  private var identities: IdentityReport
  /// What verifies timestamps; nil if that was not asked for.
  private let evaluator: TransparencyEvaluator?
  /// What is not yet written, because the issuer of a certificate may come later.
  private var waiting: [(document: Document, certificate: Certificate?)] = []

  init(_ call: Invocation, entries: Int?) throws(UsageError) {
    self.call = call
    time = call[CommonOptions.at] ?? .now
    identities = IdentityReport(at: time)
    let isJSON = call[CommonOptions.json]
    limit = entries ?? (isJSON ? 10_000 : 20)
    session = try InputSession(call, complains: !isJSON)
    // An encrypted key is read only if there is a password: nothing is asked for the others.
    uses = try ServerInput.uses(
      session.passwords.given == nil ? .inspected : .inspected.union(.encryptedKeys), call)
    json = isJSON ? JSONDocument(call, ["time": .string("\(time)")], list: "items") : nil
    evaluator = try TransparencyQuestion.evaluator(call)
  }

  /// Shows what a file holds.
  mutating func add(_ file: String) {
    var session = session
    session.read([file], uses: uses) { item, content in
      identities.add(content, item)
      var certificate: Certificate?
      if case .certificate(let known) = content { certificate = known }
      if let certificate { certificates.append(certificate) }
      take(document(item, content), certificate)
    }
    self.session = session
  }

  /// Shows what a revocation filter covers.
  mutating func addFilter(_ file: String) {
    do throws(FilterError) {
      take(Document(try Clubcard(file: file), in: file, entries: limit), nil)
    } catch {
      session.fail(InputProblem(error, in: file))
    }
  }

  /// Writes what is still to be written.
  mutating func finish() -> ExitStatus {
    var statuses = [session.status, identities.status]
    for (document, certificate) in waiting {
      var document = document
      if let report = certificate.flatMap(report) {
        document.add(
          "transparency", "transparency", Shown(report.json, report.summaryLines))
        statuses.append(report.verdict == .complies ? .trusted : .rejected)
      }
      write(document)
    }
    let documents = identities.documents
    if json == nil { documents.forEach { write($0) } }
    json?.finish(
      session.problems,
      documents.isEmpty ? [:] : ["identities": .array(documents.map { $0.json })])
    return ExpiryWarning.status(.worst(statuses), certificates, at: time, call)
  }

  private mutating func take(_ document: Document, _ certificate: Certificate?) {
    if evaluator == nil { write(document) } else { waiting.append((document, certificate)) }
  }

  private mutating func write(_ document: Document) {
    json?.append(document.json)
    if json == nil { call.console.report((isFirst ? "" : "\n") + document.text(TextStyle(call))) }
    isFirst = false
  }

  private func document(_ item: InputItem, _ content: InputItem.Content) -> Document {
    var document = Document(item)
    switch content {
    case .certificate(let certificate): document.add(certificate, at: time)
    case .request(let request): document.add(request)
    case .publicKey(let key): document.add(key)
    case .crl(let crl): document.add(crl, at: time, entries: limit)
    case .ocspResponse(let response): document.add(response, at: time)
    case .ocspRequest(let request): document.add(request)
    case .privateKey(let key):
      document.add("key", "privateKey", "\(key.kind)")
      document.add("pin", "pin", key.publicKey.map { "\(Pin($0))" })
    case .container(let container): document.add(container)
    }
    return document
  }

  /// What the timestamps of a certificate prove; nil of a CA, which needs none. Nothing is
  /// validated: the issuer is the certificate whose key has signed it.
  private func report(_ certificate: Certificate) -> TransparencyReport? {
    guard let evaluator, !certificate.isCA else { return nil }
    let issuer = certificates.first {
      $0.subject.matches(certificate.issuer) && certificate.isSigned(by: $0)
    }
    return evaluator.evaluate(
      certificate, issuerKey: issuer?.publicKey, at: LogTime(time)...LogTime(endOf: time),
      isValid: false)
  }
}

/// What a file of a revocation filter covers: an item of `holdfast inspect`.
///
/// In JSON it has `version`, `isDelta`, `size`, `coverageEnd`, `coverage` (a list of `log`, `first`
/// and `last`), the number of `issuers` and their `issuerKeyHashes`.
extension Document {
  /// - Parameter limit: How many logs and issuers are shown at most.
  init(_ card: Clubcard, in file: String, entries limit: Int) {
    self.init(title: "\(InputLocation(file: file)): revocation filter")
    add("file", file)
    add("kind", "revocation filter")
    add("version", "version", card.version)
    add("part", "isDelta", Shown(card.isDelta, card.isDelta ? "a delta" : "a base"))
    add("size", "size", Shown(card.size, "\(card.size) bytes"))
    add("covers until", "coverageEnd", "\(card.coverageEnd)")
    let coverage = card.coverage
    add("logs", nil, "\(coverage.count)")
    let logs = coverage.prefix(limit)
    add("", nil, logs.map { "\($0.log)  \($0.first) to \($0.last)" })
    addRest(coverage.count - logs.count)
    add(
      "coverage",
      logs.map {
        JSONValue.object([
          "log": .string("\($0.log)"), "first": .string("\($0.first)"),
          "last": .string("\($0.last)"),
        ])
      })
    let hashes = card.issuerKeyHashes
    let issuers = hashes.prefix(limit)
    add("issuers", "issuers", hashes.count)
    add("", "issuerKeyHashes", issuers.map { Hexadecimal.text(of: $0) })
    addRest(hashes.count - issuers.count)
  }

  private mutating func addRest(_ count: Int) {
    if count > 0 { add("", nil, "and \(count) more") }
  }
}
