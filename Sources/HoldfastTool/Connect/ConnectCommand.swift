extension Command {
  /// `holdfast connect`: whether servers are trusted as they are now.
  static let connectCommand = Command(
    name: "connect",
    summary: "connects to servers and says whether they are trusted, and for how long",
    usage: "HOST[:PORT]… [--pin PIN]… [--pins CONFIG] [--anchors FILE]… [--json]",
    options: [
      Option(name: "--hosts", value: "FILE", meaning: "a HOST[:PORT] on each line; # is a comment"),
      Option(
        name: "--jobs", value: "NUMBER", meaning: "how many hosts at once; 16 without the option"),
      Option(
        name: "--starttls", value: "PROTOCOL",
        meaning: "begin in the clear: smtp, imap, pop3 or postgres",
        choices: ["smtp", "imap", "pop3", "postgres"]),
      Option(
        name: "--servername", value: "NAME",
        meaning: "the name to ask for and to find in the certificate, instead of HOST"),
      Option(
        name: "--identity", value: "FILE",
        meaning: "client certificate and key: PKCS #12, or PEM with both"),
      Option(
        name: "--tls", value: "VERSION", meaning: "1.2 or 1.3 only", choices: ["1.2", "1.3"]),
      Option(name: "--alpn", value: "NAMES", meaning: "protocols to offer: h2,http/1.1"),
      Option(
        name: "--timeout", value: "SECONDS", meaning: "how long to wait for a host; 10 otherwise"),
      Option(
        name: "--save-chain", value: "FILE", meaning: "write what the server has sent, as PEM"),
      Option(
        name: "--html", value: "FILE", meaning: "the explanation as one page with pictures"),
      Option(name: "--force", meaning: "replace the files of --save-chain and --html"),
      TextStyle.option,
    ] + PathQuestion.trustOptions + PinOptions.options,
    examples: [
      ("holdfast connect example.com", "the handshake, the verdict and why"),
      (
        "holdfast connect --hosts hosts.txt --pins TrustKit.plist",
        "do the pins of the app match these servers today, and when will they not?"
      ),
      (
        "holdfast connect mail.example.com --starttls smtp --json",
        "one JSON document for programs"
      ),
      (
        "holdfast connect 127.0.0.1:8443 --servername a.example --anchors ca.pem",
        "a server that is not in the DNS yet"
      ),
    ],
    run: connect)

  #if !OpenSSL
    private static func connect(
      _ arguments: Arguments, _ console: inout Console
    ) throws(UsageError) -> ExitStatus {
      console.message(
        """
        holdfast connect: this tool was built without TLS. With OpenSSL 3 and its headers \
        (libssl-dev, openssl-devel), build it with
          swift build -c release --product holdfast --traits OpenSSL

        """)
      return .notUnderstood
    }
  #endif
}
