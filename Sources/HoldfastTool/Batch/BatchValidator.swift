internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastConfigurations
internal import HoldfastJSON

/// Validates the chains of lines, one after the other. Each thread has its own, so that threads
/// share nothing that changes, not even the counts of references.
struct BatchValidator {
  let settings: BatchSettings
  private let anchors: AnchorSet
  private var certificates: CertificateCache
  private let cache: SignatureCache
  private var validators: [Ready] = []
  var writer: AnswerWriter
  var facts = BatchFacts()
  private var issuers: KnownIssuers
  private var lastHost: KnownHost?
  /// Maximum number of bytes of the anchors of lines that are cached, all together.
  private let maximumBytes: Int

  /// The validators for some anchors and rules.
  private struct Ready {
    /// The anchors of the lines for which it is; nil for lines without their own.
    let anchors: [Certificate]?
    let rules: String
    let validator: PathValidator
    let manager: TrustManager?

    /// The number of bytes of the anchors, if they came with a line.
    var size: Int { anchors?.reduce(0) { $0 + $1.der.count } ?? 0 }
  }

  /// What the host of a line comes to. Neighbors often have the same.
  private struct KnownHost {
    let text: [UInt8]
    let purpose: Purpose
    /// The reason of a path that is valid for it.
    let reason: String
  }

  /// Maximum number of cached sets of anchors.
  private static let maximumValidators = 16

  /// - Parameter threads: The number of threads that share the memory of the caches.
  init(_ settings: BatchSettings, threads: Int) {
    self.settings = settings
    maximumBytes = max((4 << 20) / threads, 1 << 16)
    let capacity = BatchValidator.capacity(2048, threads)
    certificates = CertificateCache(capacity: capacity)
    writer = AnswerWriter(digests: capacity)
    cache = SignatureCache(capacity: max((1 << 13) / threads, 1 << 10))
    issuers = KnownIssuers(settings.intermediates, settings.unreadableIntermediates)
    anchors = AnchorSet((settings.anchors ?? []).compactMap(BatchValidator.copy))
  }

  /// Returns the share of each thread of the capacity of a cache, a power of two.
  private static func capacity(_ all: Int, _ threads: Int) -> Int {
    var share = 64
    while 2 * share * threads <= all { share *= 2 }
    return share
  }

  /// Returns an anchor that shares nothing with another thread's.
  private static func copy(_ anchor: TrustAnchor) -> TrustAnchor? {
    if anchor.issuesInTree { return anchor }
    guard let certificate = anchor.certificate?.copy else { return nil }
    return TrustAnchor(
      certificate, constraints: anchor.constraints, isPublic: anchor.isPublic)
  }

  /// Why a line cannot be answered.
  struct Unanswerable: Error {
    let problem: String
  }

  /// Something to answer, and what is known of it.
  struct Subject {
    /// The id as it is written.
    var id = BatchRequest.noID
    /// The number of the line, from 1.
    let number: Int
    /// The file, if answers name it.
    let file: String?
    /// The certificate in question, if it could be parsed.
    var leaf: Certificate?
  }

  /// Answers a line, whatever it is.
  mutating func answer(
    _ line: Range<Int>, in text: Span<UInt8>, _ subject: inout Subject,
    _ output: inout BatchOutput
  ) {
    var request = BatchRequest()
    let answer: Answer
    do throws(JSONReader.Problem) {
      try BatchRequest.read(line, in: text, &request)
      answer = self.answer(request, text, &subject)
    } catch {
      let offset = error.offset - line.lowerBound
      answer = .unreadable(
        line: subject.number, "\(error.message) at byte \(offset) of the line")
    }
    subject.id = request.id
    write(answer, subject, &output)
  }

  private mutating func answer(
    _ request: BatchRequest, _ text: Span<UInt8>, _ subject: inout Subject
  ) -> Answer {
    do throws(Unanswerable) {
      return try validate(request, text, &subject)
    } catch {
      return .unreadable(line: subject.number, error.problem)
    }
  }

  private mutating func validate(
    _ request: BatchRequest, _ text: Span<UInt8>, _ subject: inout Subject
  ) throws(Unanswerable) -> Answer {
    let number = subject.number
    var problems: [InputProblem] = []
    // Of the chain only the leaf must be readable: as in `verify` the others do not spoil it.
    var chain: [Certificate] = []
    parseCertificates(request.chain.prefix(1), "chain", text, to: &chain, &problems)
    if let problem = problems.first { throw Unanswerable(problem: "\(problem)") }
    subject.leaf = chain.first
    parseCertificates(request.chain.dropFirst(), "chain", text, to: &chain, &problems)
    let purpose = try purpose(of: request, text)
    return try validate(chain, purpose, problems, request, number, text)
  }

  /// Validates a chain.
  ///
  /// - Parameter problems: What of the chain cannot be read.
  private mutating func validate(
    _ chain: [Certificate], _ purpose: Purpose, _ problems: [InputProblem],
    _ request: BatchRequest, _ number: Int, _ text: Span<UInt8>
  ) throws(Unanswerable) -> Answer {
    var unreadable = problems.compactMap(\.certificate)
    var problems = settings.unreadable + problems
    let ready = try ready(for: request, text, &problems)
    var sources = settings.sources
    var revocation = try revocation(of: request, text, &sources, &problems)
    let asked = request.time ?? settings.time
    var time = asked ?? .now
    var input = Answer.Input(
      trust: request.anchors == nil ? settings.trust : nil, line: number, purpose: purpose,
      time: time, unreadable: problems.map { Answer.Note($0) }, sources: sources)
    var chain = chain
    let count = chain.count + unreadable.count
    if !issuers.isEmpty { issuers.complete(&chain) }
    unreadable += issuers.unreadable(above: chain, after: count)
    if let fetch = settings.fetch {
      var material = FetchedInput(
        chain, revocation, input.sources, unreadable: unreadable, at: asked)
      material.fetch(fetch, purpose, ready.validator)
      (chain, revocation, time) = (material.chain, material.revocation, material.time)
      input = input.with(material)
    }
    let question = Question(
      chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable)
    guard request.pins == nil, let manager = ready.manager else {
      do throws(NoSatisfyingPath) {
        let found = try ready.validator.find(
          question, ready.manager?.transparency ?? settings.transparency,
          settings.configuration?.table, satisfying: request.pins ?? settings.pins)
        let reason = lastHost?.purpose == input.purpose ? lastHost?.reason : nil
        var answer = Answer(found.path, found.transparency, input, reason: reason)
        // As in the verdict of a manager.
        if settings.transparency == nil, answer.unchecked.contains(.transparency),
          ready.manager?.requiresTransparency(of: input.host) == true
        {
          answer.hints.append("\(Verdict.Warning.transparency(.notEvaluated(.noList)))")
        }
        return answer
      } catch {
        return Answer(error.trustError, input)
      }
    }
    guard purpose.extendedKeyUsages.count < 2 else {
      throw Unanswerable(problem: "the pins of the command line are for servers, not for peers")
    }
    guard case .host(let host)? = purpose.identity else {
      // As with `verify`: what would be trusted without a pin was asked for with pins.
      throw Unanswerable(
        problem: "the pins of the command line are for hosts, and the line names no host")
    }
    let outcome = Result { () throws(TrustError) in
      try manager.evaluate(question)
    }
    return Answer(
      outcome, input, pins: manager.pins.selection(for: host, at: time), of: settings.configuration)
  }
}

/// What the parts of a request stand for.
extension BatchValidator {
  /// Parses certificates that other lines may have, too.
  private mutating func parseCertificates(
    _ items: ArraySlice<JSONReader.Text>, _ name: String, _ text: Span<UInt8>,
    to found: inout [Certificate], _ problems: inout [InputProblem]
  ) {
    found.reserveCapacity(items.endIndex)
    for (index, item) in zip(items.indices, items) {
      if case .plain(let range) = item, let known = certificates.certificate(text, range) {
        found.append(known)
        continue
      }
      let parsed = BatchValidator.parse(items[index...index], name, text, &problems) {
        bytes throws(ParseError) in try Certificate(der: bytes)
      }
      for certificate in parsed {
        found.append(certificate)
        if case .plain(let range) = item { certificates.keep(certificate, text, range) }
      }
    }
  }

  private mutating func purpose(
    of request: BatchRequest, _ text: Span<UInt8>
  ) throws(Unanswerable) -> Purpose {
    if request.purpose == nil, case .named(let host) = request.host, let lastHost,
      host.equals(lastHost.text, in: text)
    {
      return lastHost.purpose
    }
    let name = request.purpose ?? "server"
    switch (name, request.host) {
    case ("peer", .named(let host)):
      do throws(HostNameError) {
        return .peer(try HostName(host.word(in: text)))
      } catch {
        throw Unanswerable(problem: "host: \(error)")
      }
    case ("peer", _): throw Unanswerable(problem: "host is missing, the name of the peer")
    case ("server", .named(let host)):
      do throws(HostNameError) {
        let purpose = Purpose.server(try HostName(host.word(in: text)))
        lastHost = KnownHost(
          text: host.withBytes(of: text) { bytes in copied(bytes) },
          purpose: purpose, reason: Answer.valid(purpose))
        return purpose
      } catch {
        throw Unanswerable(problem: "host: \(error)")
      }
    case ("server", .anyone): return .anyServer
    case ("server", .missing):
      throw Unanswerable(problem: "host is missing; null is a server of any name")
    case (_, .named):
      throw Unanswerable(problem: "host goes with server and peer, not with \(printable(name))")
    default: break
    }
    guard let purpose = PathQuestion.Use(rawValue: name)?.purpose else {
      throw Unanswerable(
        problem:
          "purpose \(printable(name)): expected server, client, peer, code, time, ocsp or any")
    }
    return purpose
  }

  private mutating func ready(
    for request: BatchRequest, _ text: Span<UInt8>, _ problems: inout [InputProblem]
  ) throws(Unanswerable) -> Ready {
    var anchors: [Certificate]?
    if let items = request.anchors {
      var unreadable: [InputProblem] = []
      var own: [Certificate] = []
      parseCertificates(items[...], "anchors", text, to: &own, &unreadable)
      anchors = own
      // Fewer anchors trust less; where none is left, nothing was asked.
      if own.isEmpty, let problem = unreadable.first {
        throw Unanswerable(problem: "\(problem)")
      }
      problems += unreadable
    } else if settings.anchors == nil {
      throw Unanswerable(problem: "there are no anchors, neither here nor on the command line")
    }
    let name = request.rules ?? settings.rules
    for known in validators where known.rules == name && known.anchors == anchors {
      return known
    }
    guard let rules = RulePreset(rawValue: name)?.rules else {
      throw Unanswerable(problem: "rules \(printable(name)): expected \(listed(RulePreset.names))")
    }
    let set =
      anchors.map { AnchorSet($0, arePublic: settings.transparency != nil) } ?? self.anchors
    let ready = Ready(
      anchors: anchors, rules: name,
      validator: PathValidator(anchors: set, rules: rules, cache: cache)
        .with(settings.transparency),
      manager: settings.configuration.map {
        TrustManager(
          configuration: $0, anchors: set, rules: rules, cache: cache,
          transparency: settings.transparency)
      })
    guard ready.size <= maximumBytes else { return ready }
    validators.insert(ready, at: 0)
    while validators.count > BatchValidator.maximumValidators
      || validators.reduce(0, { $0 + $1.size }) > maximumBytes
    {
      validators.removeLast()
    }
    return ready
  }
}
