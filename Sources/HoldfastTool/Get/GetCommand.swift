/// The options of `get` alone.
enum GetOptions {
  static let fields: Option<[String]> = .texts(
    "--header", "FIELD",
    "send this header field, as in 'Accept: text/plain'; @FILE has one on each line, for secrets")
  static let time: Option<Int?> = .number(
    "--max-time", "how long everything may take", 1...86_400, placeholder: "SECONDS")
  static let size: Option<Int?> = .number(
    "--max-bytes",
    "how long the body may be; otherwise \(fileBytes) in a file, without a limit elsewhere",
    0...Int.max)
  /// The most bytes of a file unless the command line says otherwise.
  static let fileBytes = 1 << 30

  static let groups: [OptionGroup] =
    [
      [
        PathQuestion.anchors, ConnectOptions.identity,
        CommonOptions.output.described(
          "write the body there, and the answer to standard output; otherwise to standard error"),
        CommonOptions.force, CommonOptions.at, ExpiryWarning.days,
        CommonOptions.json.described("the answer as one JSON document"),
      ],
      OptionGroup(
        "request",
        [fields, time, size, ConnectOptions.target.described("connect there instead")]
          + ProxyOption.options),
      OptionGroup("trust and strictness", PathQuestion.strictness),
      WorkloadQuestion.serverOptions, PinOptions.options,
    ] + PathQuestion.trustOptions + [FetchQuestion.ownOptions]
}

extension Command {
  /// `holdfast get`: a resource, from a server that is trusted.
  static let getCommand = Command(
    name: "get",
    summary: "gets a resource from a server, if the server is trusted",
    usage: "URL [--pin PIN]… [--pins CONFIG] [--anchors FILE]… [-o FILE] [--json]",
    options: GetOptions.groups,
    examples: """
      holdfast get https://example.com/list.json --pin sha256/… --pin sha256/…
          the body on standard output, the answer about the server on standard error
      holdfast get https://example.com/archive.zip -o archive.zip --pins TrustKit.plist
          the body in a file, which gets its name when it is complete; the answer on standard output
      holdfast get https://example.com/list.json --fetch issuers,ocsp --revocation leaf
          asks for what the chain lacks before the request is sent
      holdfast get https://a.example/ --connect-to 127.0.0.1:8443 --anchors ca.pem --quiet
          a server that is not in the DNS yet; nothing but the body
      """,
    run: get)

  #if !Curl
    private static func get(_ call: Invocation) throws(UsageError) -> ExitStatus {
      throw .notBuilt(
        """
        this tool was built without HTTP. With libcurl on OpenSSL 3 and its headers \
        (libcurl4-openssl-dev, libcurl-devel), build it with
          swift build -c release --product holdfast --traits Curl
        """)
    }
  #endif
}
