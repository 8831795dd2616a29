internal import HoldfastAnswers
internal import HoldfastCertificates

/// The options of `connect` alone.
enum ConnectOptions {
  static let hosts: Option<String?> = .file("--hosts", "a HOST[:PORT] on each line; # is a comment")
  static let jobs: Option<Int?> = .number(
    "--jobs", "how many hosts at once; 16 without the option", 1...256)
  static let startTLS: Option<StartTLSProtocol?> = .choice(
    "--starttls", "PROTOCOL", "begin in the clear")
  static let target: Option<ConnectTarget?> = .word(
    "--connect-to", "HOST:PORT", "connect there, and ask for HOST as if it were there",
    expected: "HOST:PORT"
  ) { ConnectTarget($0) }
  static let serverName: Option<HostName?> = .host(
    "--servername", "the name to ask for and to find in the certificate, instead of HOST")
  static let identity: Option<String?> = .file(
    "--identity", "client certificate and key: PKCS #12, or PEM with both")
  static let version: Option<TLSVersionName?> = .choice("--tls", "VERSION", "this version only")
  static let alpn: Option<String?> = .text("--alpn", "NAMES", "protocols to offer: h2,http/1.1")
  static let timeout: Option<Int?> = .number(
    "--timeout", "how long to wait for a host; 10 otherwise", 1...3600, placeholder: "SECONDS")
  static let metrics: Option<String?> = .file(
    "--metrics", "write what ends when, as text for Prometheus; an old file is replaced",
    use: .written)
  static let chainFile: Option<String?> = .file(
    "--save-chain", "write what the server has sent, as PEM", use: .written)

  static let groups: [OptionGroup] =
    [
      [
        PathQuestion.anchors, identity, CommonOptions.at, ExpiryWarning.days, hosts,
        CommonOptions.json,
      ],
      OptionGroup(
        "connection",
        [target, serverName, startTLS, version, alpn, timeout, jobs]),
      OptionGroup("trust and strictness", PathQuestion.strictness),
      WorkloadQuestion.serverOptions, PinOptions.options,
    ] + PathQuestion.trustOptions + [
      FetchQuestion.ownOptionsForMany,
      OptionGroup(
        "files",
        [
          metrics, chainFile,
          ExplanationPage.file.described("the explanation as one page with pictures"),
          CommonOptions.force.described("replace the files of --save-chain and --html"),
        ]),
    ]

  /// The protocols that begin in the clear.
  enum StartTLSProtocol: String, Choice { case smtp, imap, pop3, postgres }

  /// The versions of TLS.
  enum TLSVersionName: String, Choice {
    case tls12 = "1.2"
    case tls13 = "1.3"
  }
}

extension Command {
  /// `holdfast connect`: whether servers are trusted as they are now.
  static let connectCommand = Command(
    name: "connect",
    summary: "says whether servers are trusted now, and for how long",
    usage: "HOST[:PORT]… [--pin PIN]… [--pins CONFIG] [--anchors FILE]… [--json]",
    options: ConnectOptions.groups,
    examples: """
      holdfast connect example.com
          the handshake, the verdict and why
      holdfast connect --hosts hosts.txt --pins TrustKit.plist
          do the pins of the app match these servers today, and when will they not?
      holdfast connect mail.example.com --starttls smtp --json
          one JSON document for programs
      holdfast connect example.com --upki --revocation leaf
          only if upki's filters know that it is not revoked; they are used whenever they are there
      holdfast connect a.example --connect-to 127.0.0.1:8443 --anchors ca.pem
          a server that is not in the DNS yet
      holdfast connect --hosts hosts.txt --quiet --metrics /var/lib/metrics/holdfast.prom
          for a timer: what ends when, for alerts
      holdfast connect --hosts hosts.txt --warn-days 30 --quiet || echo "look at the certificates"
          for a timer: silent, with status 1 if something is wrong or ends within 30 days
      """,
    run: connect)

  #if !OpenSSL
    private static func connect(_ call: Invocation) throws(UsageError) -> ExitStatus {
      throw withoutTLS
    }

    /// That a server cannot be asked.
    static let withoutTLS = UsageError.notBuilt(
      """
      this tool was built without TLS. With OpenSSL 3 and its headers \
      (libssl-dev, openssl-devel), build it with
        swift build -c release --product holdfast --traits OpenSSL
      """)
  #endif
}
