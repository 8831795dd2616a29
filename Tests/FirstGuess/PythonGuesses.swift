#if Curl
  import HoldfastHTTP

  /// What users of Python's ssl and requests type.
  enum PythonGuesses {
    static func anchors(_ text: String) throws -> [AnchorSet] {
      [
        // 52. create_default_context(cafile=…)
        try AnchorSet(file: "ca.pem"),
        // 53. capath=…
        try AnchorSet(folder: "/etc/ssl/certs"),
        // 54. cadata=…
        try AnchorSet(pem: text),
        // 55. create_default_context()
        try AnchorSet.system(),
      ]
    }

    static func identities() throws -> [Identity] {
      [
        // 56. load_cert_chain("client.pem", "client.key", password=…)
        try Identity(certificateFile: "client.pem", keyFile: "client.key", password: "secret"),
        // 57. load_cert_chain("both.pem")
        try Identity(file: "both.pem"),
      ]
    }

    static func clients(_ identity: Identity) throws -> [HTTPClient] {
      [
        // 58. requests.get(url)
        try HTTPClient(),
        // 59. verify="ca.pem"
        HTTPClient(anchors: try AnchorSet(file: "ca.pem")),
        // 60. cert=…
        try HTTPClient(options: HTTPOptions(identity: identity)),
        // 61. An SSLContext in an adapter
        HTTPClient(PathValidator(anchors: try .system())),
      ]
    }

    static func options(_ identity: Identity) -> HTTPOptions {
      var options = HTTPOptions()
      // 62. timeout=…
      options.timeout = .seconds(10)
      // 63. proxies=…
      options.proxy = HTTPProxy("http://proxy.example:3128")
      // 64. One host with a certificate
      options.identityForHost = { host in host == "api.example.com" ? identity : nil }
      return options
    }

    static func sockets(_ manager: TrustManager, _ identity: Identity) throws {
      // 65. wrap_socket
      let connection = try TLSClient(manager).connect(to: "example.com", port: 443)
      try connection.write(Array("GET / HTTP/1.0\r\n\r\n".utf8))
      print(String(decoding: try connection.read(), as: UTF8.self))
      // 66. minimum_version
      var options = TLSClient.Options()
      options.minimumVersion = .tls13
      options.identity = identity
      // 67. A context without pins
      _ = try TLSClient(PathValidator(anchors: .system()), options: options)
      // 68. getpeercert(binary_form=True)
      guard let leaf = connection.peer?.chain.first else { return }
      let certificate = try Certificate(der: leaf)
      // 69. getpeercert()["subjectAltName"]
      for name in certificate.subjectAlternativeNames { print(name) }
      // 70. getpeercert()["notAfter"]
      print(certificate.notAfter)
    }
  }
#endif
