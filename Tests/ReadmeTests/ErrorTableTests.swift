import Holdfast
import HoldfastCompatibility
import HoldfastConfigurations
import HoldfastIdentities
import HoldfastOnline
import HoldfastTransparency
import HoldfastTrustStores
import TestSupport
import Testing

/// The article that shows what each public error says.
@Suite("What errors say") struct ErrorTableTests {
  private let time: Timestamp
  private let chain: [Certificate]
  private let root: Certificate
  private static let host = "www.demo.example"

  init() throws {
    time = try #require(Timestamp("2026-11-21T12:00:00Z"))
    chain = try Certificate.certificates(inFile: CommittedVectors.path("demo/chain.pem"))
    root = try Certificate.certificates(inFile: CommittedVectors.path("demo/root.pem"))[0]
  }

  /// The error that something throws.
  private func error(_ body: () throws -> Void) throws -> any HoldfastError {
    let thrown = try #require(throws: (any Error).self) { try body() }
    return try #require(thrown as? any HoldfastError)
  }

  private func manager(_ pins: PinSet? = nil, anchors: [Certificate]? = nil) throws -> TrustManager
  {
    let entries = try pins.map { [PinTable.Entry(try HostPattern(Self.host), $0)] } ?? []
    return TrustManager(
      pins: try PinTable(entries), anchors: AnchorSet(anchors ?? [root]), otherHosts: .validate)
  }

  /// What a manager throws about the chain of the demo.
  private func rejection(
    _ manager: TrustManager, host: String = Self.host, at time: Timestamp? = nil,
    _ chain: [Certificate]? = nil
  ) throws -> any HoldfastError {
    try error {
      _ = try manager.evaluate(chain ?? self.chain, host: host, at: time ?? self.time)
    }
  }

  private func trustErrors() throws -> [(name: String, error: any HoldfastError)] {
    let late = try #require(Timestamp("2040-01-01T00:00:00Z"))
    let other = try Pin(digest: Array(7..<39))
    let spare = try Pin(digest: Array(8..<40))
    let stranger = try Certificate.certificates(
      inFile: CommittedVectors.path("demo/proxy-root.pem"))[0]
    let expired = try PinSet(
      [other, spare], expiry: PinSet.Expiry(at: try #require(Timestamp("2026-01-01T00:00:00Z"))))
    return [
      ("a URL as the host", try rejection(try manager(), host: "https://www.demo.example/")),
      ("no certificate", try rejection(try manager(), [])),
      (
        "a leaf that cannot be read",
        try error {
          _ = try manager().evaluate(der: [[0x30, 0x00]], host: Self.host, at: time)
        }
      ),
      (
        "a staple that cannot be read",
        try error {
          _ = try manager().evaluate(
            der: chain.map(\.der), host: Self.host, staple: [0x30, 0x00], at: time)
        }
      ),
      (
        "a host without pins",
        try rejection(TrustManager(pins: try PinTable([:]), anchors: AnchorSet([root])))
      ),
      ("an expired certificate", try rejection(try manager(), at: late)),
      ("another host", try rejection(try manager(), host: "www.other.example")),
      ("an unknown root", try rejection(try manager(anchors: [stranger]), [chain[0]])),
      ("another key", try rejection(try manager(try PinSet([other, spare])))),
      ("pins that have expired", try rejection(try manager(expired))),
      (
        "a policy of one's own",
        TrustError.rejected(reason: "no public keys are pinned").naming(Self.host)
      ),
    ]
  }

  private func otherErrors() throws -> [(name: String, error: any HoldfastError)] {
    return [
      ("`DERError`", DERError(.truncated, at: 4)),
      ("`PEMError`", PEMError(problem: .missingEnd, block: 1, line: 3)),
      ("`ParseError`", try error { _ = try Certificate(der: [0x30, 0x02, 0x05, 0x00]) }),
      ("`HostNameError`", try error { _ = try HostName("a b.example") }),
      ("`TimestampError`", try error { _ = try SignedCertificateTimestamp([0, 1]) }),
      ("`FilterError`", FilterError(.otherHash, in: "2026-11.filter")),
      ("`LogListError`", try error { _ = try LogList(json: Array("{}".utf8)) }),
      ("`PinError`", try error { _ = try Pin("sha256/AAAA") }),
      ("`PinSetError`", try error { _ = try PinSet([Pin(keyOf: root)]) }),
      ("`HostPatternError`", try error { _ = try HostPattern("a.*.example") }),
      ("`PinTableError`", try error { _ = try PinTable(["a.*.example": ["sha256/AAAA"]]) }),
      (
        "`TrustManagerError`",
        try error { _ = try TrustManager(pins: ["a.example": []], anchors: AnchorSet([root])) }
      ),
      ("`TrustStoreError`", TrustStoreError(.tooManyEntries(limit: 100_000), line: 7)),
      (
        "`PinnedCertificateError`",
        try error {
          _ = try AFSecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [[UInt8]()])
        }
      ),
      (
        "`ConfigurationError`",
        try error { _ = try PinConfiguration(Array("<plist/>".utf8), as: .trustKit) }
      ),
      ("`IdentityError`", IdentityError(.wrongPassword(.file), in: "client.p12")),
      ("`FetchError`", FetchError.unreachable(host: "ca.example", reason: "Connection refused")),
      ("`FetchCacheError`", try error { _ = try FetchCache(directory: "/dev/null/cache") }),
    ]
  }

  @Test("the article has what the errors say, and each names its host")
  func article() throws {
    let trust = try trustErrors()
    let table = try ErrorTable("Servers: `TrustError`", trust)
    #expect(table.found == table.expected)
    let others = try ErrorTable("Files and texts", try otherErrors())
    #expect(others.found == others.expected)
    for (name, error) in trust where !name.hasPrefix("a URL") {
      let host = name == "another host" ? "www.other.example" : Self.host
      for text in [error.summary, error.logLine] where name != "a policy of one's own" {
        #expect(text.split(separator: host, omittingEmptySubsequences: false).count == 2, "\(text)")
      }
      #expect(!error.logLine.contains("\n"))
    }
    for (_, error) in trust + (try otherErrors()) {
      #expect(error.logLine.hasSuffix(" code=\(error.code)") && !error.logLine.contains("\""))
      #expect(error.fields.contains { $0.key == "code" && $0.value == error.code })
    }
  }

  @Test("the article of the codes has each once, and no error has another")
  func codes() throws {
    let own = ErrorCode.allCases.map { (code: $0.rawValue, meaning: $0.meaning) }
    let rules = Rule.allCases.map { (code: $0.code, meaning: "\($0)") }
    for (heading, codes) in [("Errors", own), ("Broken rules", rules)] {
      let table = try ErrorTable(heading, codes: codes)
      #expect(table.found == table.expected)
    }
    let all = (own + rules).map(\.code)
    #expect(Set(all).count == all.count)
    for code in all {
      #expect(code.wholeMatch(of: #/[a-z][a-z0-9]*(_[a-z0-9]+)*/#) != nil, "\(code)")
    }
    // The enumeration is all that `code` can be made of: no error writes one as text.
    let sources = SourceTree.texts(in: "Sources", ending: ".swift")
    let bodies = sources.flatMap { text in
      text.matches(
        of: #/var code: String \{(?:([^\n]*)\}\n|\n(.*?)\n {2,4}\}\n)/#.dotMatchesNewlines()
      ).map { $0.1 ?? $0.2 ?? "" }
    }
    #expect(bodies.count > 20)
    for body in bodies where !body.contains("unicodeScalars") {
      #expect(!body.contains("\""), "\(body)")
    }
    for code in ErrorCode.allCases {
      let isUsed = sources.contains { text in
        !text.contains("enum ErrorCode") && text.contains(".\(code)")
      }
      #expect(isUsed, "\(code)")
    }
  }

  @Test("whatever reads a file names it in its errors, once: a file without sense, and none")
  func files() throws {
    let readers: [(String) throws -> Void] = [
      { _ = try Certificate(file: $0) }, { _ = try Certificate.certificates(inFile: $0) },
      { _ = try CRL(file: $0) }, { _ = try OCSPResponse(file: $0) },
      { _ = try CertificateRequest(file: $0) }, { _ = try PublicKey(file: $0) },
      { _ = try AnchorSet(file: $0) }, { _ = try TrustStore(file: $0) },
      { _ = try LogList(file: $0) }, { _ = try Clubcard(file: $0) },
      { _ = try PinConfiguration(file: $0) }, { _ = try Identity(file: $0) },
      { _ = try PrivateKey(file: $0) }, { _ = try PKCS12(file: $0) }, { _ = try PKCS7(file: $0) },
    ]
    let folder = try ScratchFolder()
    let senseless = try folder.file("senseless.bin", [7, 7, 7])
    for path in [senseless, "\(folder.path)/none.bin"] {
      for (index, reader) in readers.enumerated() {
        let found = try error { try reader(path) }
        // Of a text that is none of the expected kind the summary does not speak of files.
        let isAbsent = path.hasSuffix("none.bin")
        for text in [found.description] + (isAbsent ? [found.summary] : []) {
          let pieces = text.split(separator: path, omittingEmptySubsequences: false)
          #expect(pieces.count == 2, "\(index): \(text)")
        }
      }
    }
  }
}
