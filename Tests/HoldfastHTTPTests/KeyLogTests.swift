#if Curl
  import CHoldfastOpenSSL
  import Holdfast
  import HoldfastOpenSSL
  import Testing

  @testable import HoldfastHTTP

  /// libcurl logs the keys of connections if the environment says so when the process begins.
  @Suite("The log of keys") struct KeyLogTests {
    @Test("a context that logs keys logs none once the client has it", arguments: [false, true])
    func noKeys(isProxy: Bool) throws {
      // SAFETY: the context is freed here.
      guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
        Issue.record("no context")
        return
      }
      defer { unsafe SSL_CTX_free(context) }
      unsafe SSL_CTX_set_keylog_callback(context) { _, _ in }
      unsafe SSL_CTX_set_verify(context, isProxy ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
      let verifier = TLSVerifier(PathValidator(anchors: AnchorSet([Certificate]())))
      var options = HTTPOptions()
      options.proxy = HTTPProxy("https://localhost:1", verifier: verifier)
      let hop = try Hop(HTTPRequest("https://localhost/"), options)
      let isInstalled = unsafe HTTPDecision(verifier, options).install(
        on: context, for: hop, reporting: HTTPDecision.Handshakes())
      #expect(isInstalled)
      let hasLog = unsafe SSL_CTX_get_keylog_callback(context) != nil
      #expect(!hasLog)
    }
  }
#endif
