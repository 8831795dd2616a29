internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastOnline

/// What a command line lets be fetched: `--fetch`, `--cache`, `--fetch-from`, `--fetch-port`.
struct FetchQuestion: Sendable {
  let policy: FetchPolicy
  let cache: FetchCache
  /// Addresses that are not public, and allowed.
  let ranges: [AddressRange]

  static let kinds: Option<Set<FetchKind>?> = .word(
    "--fetch", "WHAT", "fetch over http what is missing: issuers, ocsp, crl, with commas, or all",
    expected: "issuers, ocsp and crl with commas between, or all"
  ) { text in
    if text == "all" { return Set(FetchKind.allCases) }
    let kinds = text.split(separator: ",").map { FetchKind(rawValue: String($0)) }
    return kinds.contains(nil) || kinds.isEmpty ? nil : Set(kinds.compactMap(\.self))
  }
  static let folder: Option<String?> = .file(
    "--cache", "keep what was fetched in this folder", placeholder: "FOLDER")
  static let range: Option<AddressRange?> = .word(
    "--fetch-from", "RANGE",
    "also from these addresses, as 10.0.0.0/8; only from public ones otherwise",
    expected: "a range of addresses, as 10.0.0.0/8"
  ) { AddressRange($0) }
  static let port: Option<Int?> = .number(
    "--fetch-port", "also from this port; only from 80 otherwise", 1...65_535, placeholder: "PORT")

  static let options = OptionGroup("fetching", [kinds, folder, range, port])

  /// The question of a command line; nil if nothing may be fetched.
  init?(_ call: Invocation) throws(UsageError) {
    guard call.has(FetchQuestion.kinds) else {
      for option in [FetchQuestion.folder, FetchQuestion.range, FetchQuestion.port]
        as [any CommandOption] where call.has(option)
      {
        throw .missingOption("--fetch", "WHAT")
      }
      return nil
    }
    try self.init(fetching: call)
  }

  /// The question of a command that fetches in any case.
  init(fetching call: Invocation) throws(UsageError) {
    #if Curl
      policy = FetchQuestion.policy(call)
      ranges = call[FetchQuestion.range].map { [$0] } ?? []
      do throws(FetchCacheError) {
        cache =
          try call[FetchQuestion.folder].map { folder throws(FetchCacheError) in
            try FetchCache(directory: folder)
          } ?? FetchCache()
      } catch {
        throw .badInput(printable("\(error)"))
      }
    #else
      throw .conflict("this tool was built without requests: build it with --traits Curl")
    #endif
  }

  /// What may be fetched: all kinds, unless the command line says otherwise.
  static func policy(_ call: Invocation) -> FetchPolicy {
    var policy = FetchPolicy(call[kinds] ?? Set(FetchKind.allCases))
    if let port = call[port] { policy.ports.insert(UInt16(port)) }
    return policy
  }
}

/// A chain, and what is known beside it, with what was fetched for it.
struct FetchedInput {
  var chain: [Certificate]
  var revocation: Revocation?
  var sources: RevocationSources
  /// What was asked for.
  private(set) var reports: [FetchReport] = []

  init(_ chain: [Certificate], _ revocation: Revocation?, _ sources: RevocationSources) {
    (self.chain, self.revocation, self.sources) = (chain, revocation, sources)
  }

  /// Adds what is missing for a path, if the command line lets it be fetched.
  ///
  /// - Parameter validator: The anchors and the rules.
  mutating func fetch(
    _ question: FetchQuestion?, _ purpose: Purpose, _ time: Timestamp, _ validator: PathValidator
  ) {
    #if Curl
      guard let question else { return }
      let answer = question.answer(
        to: ValidationRequest(chain, for: purpose, at: time, revocation: revocation), validator)
      (chain, revocation, reports) = (answer.chain, answer.revocation, answer.fetches)
      for report in reports {
        switch report.source {
        case .crl(let index): sources.crls.set(report.url, at: index)
        case .ocspResponse(let index): sources.ocspResponses.set(report.url, at: index)
        default: break
        }
      }
    #endif
  }
}

extension [String] {
  /// Sets an element, after empty ones if there are fewer.
  fileprivate mutating func set(_ text: String, at index: Int) {
    while count <= index { append("") }
    self[index] = text
  }
}
