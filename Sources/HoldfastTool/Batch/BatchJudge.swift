internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

/// What holds for lines that say nothing else.
struct BatchDefaults: Sendable {
  /// nil where there are none, and each line must bring its own.
  let anchors: [Certificate]?
  let rules: String
  /// nil for the moment at which the line is judged.
  let time: Timestamp?
  let revocation: Revocation?
  let pins: PinSet?
  /// The pins of each host, as a configuration has them.
  let table: PinTable?
}

/// Judges lines, one after the other. Each thread has its own, so that threads share nothing that
/// changes, not even the counts of references.
struct BatchJudge {
  private let defaults: BatchDefaults
  private let anchors: [Certificate]
  private var issuers: CertificateCache
  private let memory: SignatureMemory
  private var validators: [Ready] = []
  /// How many bytes the anchors of lines may have that are kept ready.
  private let mostBytes: Int

  /// What was made ready for some anchors and rules.
  private struct Ready {
    let anchors: [Certificate]
    let rules: String
    let validator: PathValidator
    let manager: TrustManager?
    /// How many bytes the anchors have, if they came with a line.
    let size: Int
  }

  /// The most sets of anchors that are kept ready.
  private static let mostValidators = 16

  /// - Parameter threads: How many share the memory for what is kept from line to line.
  init(_ defaults: BatchDefaults, threads: Int) {
    self.defaults = defaults
    mostBytes = max((4 << 20) / threads, 1 << 16)
    issuers = CertificateCache(mostBytes: mostBytes)
    memory = SignatureMemory(capacity: max((1 << 15) / threads, 1 << 10))
    anchors = (defaults.anchors ?? []).compactMap { anchor in
      do throws(ParseError) { return try Certificate(der: anchor.der) } catch { return nil }
    }
  }

  /// Why a line cannot be answered.
  private struct Unanswerable: Error {
    let problem: String
  }

  /// Answers a line, whatever it is.
  mutating func answer(
    _ line: Range<Int>, number: Int, in text: Span<UInt8>, into output: inout BatchOutput
  ) {
    var request = BatchRequest()
    do throws(JSONReader.Problem) {
      try BatchRequest.read(line, in: text, &request)
    } catch {
      let place = error.offset - line.lowerBound
      output.addUnreadable(
        request.id, line: number, "\(error.message) at byte \(place) of the line")
      return
    }
    do throws(Unanswerable) {
      try answer(request, text, into: &output)
    } catch {
      output.addUnreadable(request.id, line: number, error.problem)
    }
  }

  private mutating func answer(
    _ request: BatchRequest, _ text: Span<UInt8>, into output: inout BatchOutput
  ) throws(Unanswerable) {
    var problems: [String] = []
    let leaf = read(request.chain.prefix(1), "chain", &problems) {
      judge, item throws(Unanswerable) in try judge.certificate(item, text)
    }
    // Of the chain only the leaf must be readable: as in `verify` the others do not spoil it.
    if let problem = problems.first { throw Unanswerable(problem: problem) }
    let intermediates = read(request.chain.dropFirst(), "chain", &problems) {
      judge, item throws(Unanswerable) in try judge.issuer(item, text)
    }
    let purpose = try purpose(of: request)
    let ready = try ready(for: request, text, &problems)
    let revocation = try revocation(of: request, text, &problems)
    let time = request.time ?? defaults.time ?? .now
    if let manager = ready.manager, request.pins == nil, case .host(let host)? = purpose.identity {
      do throws(TrustError) {
        let verdict = try manager.evaluate(
          leaf + intermediates, host: "\(host)", at: time, revocation: revocation)
        if let path = verdict.path { output.add(path, request.id, problems) }
      } catch {
        output.add(error, request.id, problems)
      }
      return
    }
    if ready.manager != nil, request.pins == nil {
      // As with `verify`: what would be trusted without a pin was asked for with pins.
      throw Unanswerable(
        problem: "the pins of the command line are for hosts, and the line names no host")
    }
    var missed: [PinnedPath] = []
    do throws(PathError) {
      let path = try ready.validator.validate(
        leaf + intermediates, for: purpose, at: time, revocation: revocation,
        holding: request.pins ?? defaults.pins, missed: &missed
      ).path
      output.add(path, request.id, problems)
    } catch {
      output.add(error, request.id, problems)
    }
  }
}

/// What the parts of a request stand for.
extension BatchJudge {
  /// Reads elements of a member; of those that cannot be read, `problems` says why.
  private mutating func read<Element>(
    _ items: ArraySlice<JSONReader.Text>, _ name: String, _ problems: inout [String],
    _ read: (inout BatchJudge, JSONReader.Text) throws(Unanswerable) -> Element
  ) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(items.count)
    for (index, item) in zip(items.indices, items) {
      do throws(Unanswerable) {
        elements.append(try read(&self, item))
      } catch {
        problems.append("\(name)[\(index)]: \(error.problem)")
      }
    }
    return elements
  }

  /// What a parser makes of base64.
  private func parsed<Value>(
    _ item: JSONReader.Text, _ text: Span<UInt8>,
    _ parse: ([UInt8]) throws(ParseError) -> Value
  ) throws(Unanswerable) -> Value {
    guard let bytes = item.withBytes(of: text, { Base64.bytes(of: $0) }) else {
      throw Unanswerable(problem: "not base64 [RFC 4648 §4]")
    }
    do throws(ParseError) {
      return try parse(bytes)
    } catch {
      throw Unanswerable(problem: "\(error)")
    }
  }

  private func certificate(
    _ item: JSONReader.Text, _ text: Span<UInt8>
  ) throws(Unanswerable) -> Certificate {
    try parsed(item, text) { bytes throws(ParseError) in try Certificate(der: bytes) }
  }

  /// A certificate that other lines are likely to have too.
  private mutating func issuer(
    _ item: JSONReader.Text, _ text: Span<UInt8>
  ) throws(Unanswerable) -> Certificate {
    guard case .plain(let range) = item else { return try certificate(item, text) }
    if let known = issuers.certificate(text, range) { return known }
    let certificate = try certificate(item, text)
    issuers.keep(certificate, text, range)
    return certificate
  }

  private func purpose(of request: BatchRequest) throws(Unanswerable) -> Purpose {
    let name = request.purpose ?? "server"
    switch (name, request.host) {
    case ("server", .named(let host)):
      do throws(HostNameError) {
        return .server(try HostName(host))
      } catch {
        throw Unanswerable(problem: "host: \(error)")
      }
    case ("server", .anyone): return .anyServer
    case ("server", .missing):
      throw Unanswerable(problem: "host is missing; null is a server of any name")
    case (_, .named):
      throw Unanswerable(problem: "host goes with the purpose server, not with \(printable(name))")
    default: break
    }
    guard let purpose = PathQuestion.Use(rawValue: name)?.purpose else {
      throw Unanswerable(
        problem: "purpose \(printable(name)): expected server, client, code, time, ocsp or any")
    }
    return purpose
  }

  private mutating func ready(
    for request: BatchRequest, _ text: Span<UInt8>, _ problems: inout [String]
  ) throws(Unanswerable) -> Ready {
    var anchors = self.anchors
    if let items = request.anchors {
      var unreadable: [String] = []
      anchors = read(items[...], "anchors", &unreadable) {
        judge, item throws(Unanswerable) in try judge.issuer(item, text)
      }
      // Fewer anchors trust less; where none is left, nothing was asked.
      if anchors.isEmpty, let problem = unreadable.first { throw Unanswerable(problem: problem) }
      problems += unreadable
    } else if defaults.anchors == nil {
      throw Unanswerable(problem: "there are no anchors, neither here nor on the command line")
    }
    let name = request.rules ?? defaults.rules
    for known in validators where known.rules == name && known.anchors == anchors {
      return known
    }
    guard let rules = RulePreset(rawValue: name)?.rules else {
      throw Unanswerable(problem: "rules \(printable(name)): expected \(listed(RulePreset.names))")
    }
    let set = AnchorSet(anchors)
    let size = request.anchors == nil ? 0 : anchors.reduce(0) { $0 + $1.der.count }
    let ready = Ready(
      anchors: anchors, rules: name,
      validator: PathValidator(anchors: set, rules: rules, memory: memory),
      manager: defaults.table.map {
        TrustManager(pins: $0, anchors: set, rules: rules, memory: memory)
      }, size: size)
    guard size <= mostBytes else { return ready }
    validators.insert(ready, at: 0)
    while validators.count > BatchJudge.mostValidators
      || validators.reduce(0, { $0 + $1.size }) > mostBytes
    {
      validators.removeLast()
    }
    return ready
  }

  private mutating func revocation(
    of request: BatchRequest, _ text: Span<UInt8>, _ problems: inout [String]
  ) throws(Unanswerable) -> Revocation? {
    guard !request.lists.isEmpty || !request.answers.isEmpty else {
      guard let demand = request.demand else { return defaults.revocation }
      var revocation = defaults.revocation ?? Revocation(demand)
      revocation.demand = demand
      return revocation
    }
    var unreadable: [String] = []
    var unreadableLists: [UnreadableList] = []
    let lists = read(request.lists[...], "crls", &unreadable) { judge, item throws(Unanswerable) in
      try judge.parsed(item, text) { bytes throws(ParseError) in
        do throws(ParseError) {
          return try CertificateList(der: bytes)
        } catch {
          unreadableLists.append(UnreadableList(der: bytes, error: error))
          throw error
        }
      }
    }
    let answers = read(request.answers[...], "ocsp", &unreadable) {
      judge, item throws(Unanswerable) in
      try judge.parsed(item, text) { bytes throws(ParseError) in try OCSPResponse(der: bytes) }
    }
    // An answer that cannot be read is not there; a list may revoke what is asked about. Where all
    // that the line brings is unreadable, its question is.
    if lists.isEmpty, answers.isEmpty, let problem = unreadable.first {
      throw Unanswerable(problem: problem)
    }
    problems += unreadable
    var revocation = defaults.revocation ?? Revocation(.ifAvailable)
    revocation.demand = request.demand ?? revocation.demand
    revocation.lists += lists
    revocation.unreadableLists += unreadableLists
    revocation.answers += answers
    return revocation
  }
}

/// Certificates by the base64 that they were read from.
///
/// The issuers of many leaves are few, and comparing the text is several times faster than reading
/// it again. When it is full it begins anew; what is longer than any usual certificate is not kept.
private struct CertificateCache {
  private var entries: [UInt64: (text: [UInt8], certificate: Certificate)] = [:]
  private var size = 0
  private let mostBytes: Int
  private static let mostEntries = 1024
  private static let longestText = 1 << 16

  init(mostBytes: Int) {
    self.mostBytes = mostBytes
  }

  /// The certificate that was read from this text.
  func certificate(_ text: Span<UInt8>, _ range: Range<Int>) -> Certificate? {
    guard let known = entries[CertificateCache.key(text, range)], known.text.count == range.count
    else { return nil }
    let other = text.extracting(range)
    let own = known.text.span
    var difference: UInt8 = 0
    for index in 0..<range.count { difference |= own[index] ^ other[index] }
    return difference == 0 ? known.certificate : nil
  }

  mutating func keep(_ certificate: Certificate, _ text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= CertificateCache.longestText else { return }
    if entries.count >= CertificateCache.mostEntries || size + range.count > mostBytes {
      entries.removeAll()
      size = 0
    }
    size += range.count
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for place in range { copy.append(text[place]) }
    entries[CertificateCache.key(text, range)] = (copy, certificate)
  }

  /// The end of the text, which is that of the signature, and so tells certificates apart.
  private static func key(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var key = UInt64(range.count)
    for place in range.suffix(24) { key = key &* 0x0000_0100_0000_01B3 ^ UInt64(text[place]) }
    return key
  }
}
