internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON

/// What lines bring about revocation.
extension BatchValidator {
  func revocation(
    of request: BatchRequest, _ text: Span<UInt8>, _ sources: inout RevocationSources,
    _ problems: inout [InputProblem]
  ) throws(Unanswerable) -> Revocation? {
    guard
      !request.crls.isEmpty || !request.ocspResponses.isEmpty || !request.filters.isEmpty
    else {
      guard let demand = request.demand else { return settings.revocation }
      var revocation = settings.revocation ?? Revocation(demand)
      revocation.demand = demand
      return revocation
    }
    var (lists, responses, unreadable) = ([InputProblem](), [InputProblem](), [InputProblem]())
    let crls = BatchValidator.parse(request.crls[...], "crls", text, &lists) {
      bytes throws(ParseError) in try CRL(der: bytes)
    }
    let ocspResponses = BatchValidator.parse(request.ocspResponses[...], "ocsp", text, &responses) {
      bytes throws(ParseError) in try OCSPResponse(der: bytes)
    }
    let filter = BatchValidator.filter(request.filters, text, &unreadable)
    unreadable = lists + responses + unreadable
    // If nothing that the line has can be read, neither can the line.
    if crls.isEmpty, ocspResponses.isEmpty, filter?.cards.isEmpty ?? true,
      let problem = unreadable.first
    {
      throw Unanswerable(problem: "\(problem)")
    }
    problems += unreadable
    sources.crls += BatchValidator.names("crls", request.crls.count, without: lists)
    sources.unreadableCRLs += lists.map { "\($0.location)" }
    sources.ocspResponses += BatchValidator.names(
      "ocsp", request.ocspResponses.count, without: responses)
    sources.unreadableResponses += responses.map { "\($0.location)" }
    var revocation = settings.revocation ?? Revocation(.ifAvailable)
    revocation.demand = request.demand ?? revocation.demand
    revocation.crls += crls
    revocation.unreadableCRLs += lists.map(\.unreadableCRL)
    revocation.ocspResponses += ocspResponses
    revocation.unreadableResponses += responses.map { $0.error(reading: .ocspResponse) }
    if let filter { revocation.filters.append(filter) }
    return revocation
  }

  /// The names of the elements of a member but of those that have a problem.
  private static func names(
    _ member: String, _ count: Int, without problems: [InputProblem]
  ) -> [String] {
    (0..<count).map { "\(member)[\($0)]" }.filter { name in
      !problems.contains { $0.location.file == name }
    }
  }

  /// Reads the base of a filter and its deltas; nil if there is none.
  private static func filter(
    _ items: [JSONReader.Text], _ text: Span<UInt8>, _ problems: inout [InputProblem]
  ) -> RevocationFilter? {
    var cards: [Result<Clubcard, FilterError>] = []
    for (index, item) in items.enumerated() {
      let name = "filters[\(index)]"
      let files = parse([item], "filters", text, &problems) { bytes throws(ParseError) in bytes }
      let card = Result { () throws(FilterError) in
        try Clubcard(files.first ?? [], name: name, isDelta: index > 0)
      }
      if case .failure(let error) = card, !files.isEmpty {
        problems.append(InputProblem(error, in: name))
      }
      cards.append(card)
    }
    return cards.isEmpty ? nil : RevocationFilter(cards)
  }

  /// Parses elements of a member; of those that cannot be parsed, `problems` says why.
  static func parse<Value>(
    _ items: ArraySlice<JSONReader.Text>, _ name: String, _ text: Span<UInt8>,
    _ problems: inout [InputProblem], _ parse: ([UInt8]) throws(ParseError) -> Value
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for (index, item) in zip(items.indices, items) {
      let location = InputLocation(file: "\(name)[\(index)]")
      guard let bytes = item.withBytes(of: text, { Base64.bytes(of: $0) }) else {
        problems.append(
          InputProblem(location: location, problem: "not base64", rule: "RFC 4648 §4"))
        continue
      }
      do throws(ParseError) {
        values.append(try parse(bytes))
      } catch {
        problems.append(InputProblem(error, at: location, reading: bytes, number: index + 1))
      }
    }
    return values
  }
}
