internal import Holdfast
internal import HoldfastTrustStores

/// The workload that is asked about, by its SPIFFE ID, and the CAs of trust domains.
enum WorkloadQuestion {
  static let ids: Option<[SPIFFEPeers]> = .words(
    "--spiffe-id", "ID",
    "the SPIFFE ID of a workload, or a trust domain for any of its IDs, instead of --host",
    expected: "a SPIFFE ID or a trust domain"
  ) { text throws(SPIFFEIDError) in
    TextSearch.contains(":", in: text) ? try .id(text) : try .trustDomain(text)
  }
  static let bundles: Option<[String]> = .texts(
    "--spiffe-bundle", "DOMAIN=FILE",
    "the CAs of a trust domain, as JSON, PEM or DER; without DOMAIN= a map of several in JSON")

  static let options = OptionGroup("workloads", [ids, bundles])

  /// What `connect` and `get` take.
  static let serverOptions = OptionGroup(
    "workloads",
    [
      ids.described(
        "the SPIFFE ID that the server must have, or a trust domain for any of its IDs, whatever its "
          + "name is"), bundles,
    ])

  /// The workloads that a command line asks about; nil if it does not.
  private static func peers(_ call: Invocation) throws(UsageError) -> SPIFFEPeers? {
    guard call.has(ids) else {
      if call.has(bundles) { throw .missingOption("--spiffe-id", "ID") }
      return nil
    }
    guard call.has(bundles) else { throw .missingOption("--spiffe-bundle", "DOMAIN=FILE") }
    return SPIFFEPeers(
      ids: call[ids].flatMap { $0.ids }, trustDomains: call[ids].flatMap { $0.trustDomains })
  }

  /// The workloads that a command line asks servers to be; nil if it asks for their names.
  static func servers(_ call: Invocation) throws(UsageError) -> SPIFFEPeers? {
    let peers = try peers(call)
    let isOfHost =
      call.has(PinOptions.pin) || call.has(PinOptions.configuration)
      || call.has(TransparencyQuestion.list)
    guard peers == nil || !isOfHost else {
      throw .conflict("--pin, --pins and --log-list are about names, not about --spiffe-id")
    }
    return peers
  }

  /// The purpose of a command line; nil if it does not ask about a workload.
  static func purpose(
    _ call: Invocation, _ use: PathQuestion.Use
  ) throws(UsageError) -> Purpose? {
    guard let peers = try peers(call) else { return nil }
    if call.has(PathQuestion.host) || call.has(PathQuestion.email) {
      throw .conflict("--spiffe-id stands instead of --host and --email")
    }
    // Without the option it is a peer of either side.
    guard call.has(PathQuestion.use) else { return .spiffe(peers) }
    switch use {
    case .server: return .spiffe(peers).narrowed(to: .serverAuth)
    case .client: return .spiffe(peers).narrowed(to: .clientAuth)
    case .peer: return .spiffe(peers)
    case .code, .email, .time, .ocsp, .any:
      throw .conflict("--spiffe-id goes with --purpose server, client or peer")
    }
  }

  /// The anchors of a command line, each for its own trust domain.
  static func anchors(_ call: Invocation) throws(UsageError) -> TrustOption.Anchors {
    var all: [SPIFFEBundle] = []
    for text in call[bundles] { all += try read(text) }
    let remarks = all.flatMap { bundle in
      bundle.ignored.map { "bundle of \(bundle.trustDomain): \($0)" }
    }
    let anchors = try UsageError.about("--spiffe-bundle") { () throws(TrustStoreError) in
      try AnchorSet(bundles: all)
    }
    return TrustOption.Anchors(
      anchors: anchors, description: all.map { "\($0)" }.joined(separator: "; "),
      remarks: remarks)
  }

  private static func read(_ text: String) throws(UsageError) -> [SPIFFEBundle] {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      let bytes = try Invocation.contents(of: text, limit: TrustStore.maximumSize)
      return try UsageError.about(text) { () throws(TrustStoreError) in
        try SPIFFEBundle.bundles(inMap: bytes)
      }
    }
    let domain: SPIFFETrustDomain
    do throws(SPIFFEIDError) {
      domain = try SPIFFETrustDomain(String(text[..<equals]))
    } catch {
      throw .badValue(
        option: "--spiffe-bundle", value: text, expected: "DOMAIN=FILE: \(error)")
    }
    let path = String(text[text.utf8.index(after: equals)...])
    let bytes = try Invocation.contents(of: path, limit: TrustStore.maximumSize)
    return [
      try UsageError.about(path) { () throws(TrustStoreError) in
        try SPIFFEBundle(bytes, of: domain)
      }
    ]
  }
}
