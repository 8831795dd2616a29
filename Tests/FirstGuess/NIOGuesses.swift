#if NIO
  import HoldfastNIO
  import NIOCore
  import NIOSSL

  /// What users of swift-nio type.
  enum NIOGuesses {
    static func client(
      _ channel: any Channel, _ context: NIOSSLContext, _ manager: TrustManager
    ) throws {
      // 98. Handlers for a client
      let verifier = NIOVerifier(manager)
      try verifier.addClientHandlers(to: channel, context: context, host: "example.com")
      // 99. NIOSSL's callback
      _ = try NIOSSLClientHandler(
        context: context, serverHostname: "example.com",
        customVerificationCallback: verifier.callback(host: "example.com"))
    }

    static func server(_ channel: any Channel, _ context: NIOSSLContext) throws {
      // 100. A server that verifies its clients
      let anchors = try AnchorSet(file: "clients.pem")
      let verifier = NIOVerifier(clients: PathValidator(anchors: anchors))
      try verifier.addServerHandlers(to: channel, context: context)
    }
  }
#endif
