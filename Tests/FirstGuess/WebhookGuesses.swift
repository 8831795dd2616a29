#if Curl && canImport(FoundationNetworking)
  import Foundation
  import HoldfastURLSession

  /// What the sender of webhooks types.
  enum WebhookGuesses {
    static func client(_ pin: Pin, _ backup: Pin, _ date: Date) throws -> HTTPClient {
      // 101. Pins that expire, of Foundation's date
      let pins = try PinSet([pin, backup], expires: date)
      // 102. And of text, with labels
      let others = try PinSet(["current": "sha256/…", "backup": "sha256/…"], expires: "2028-01-01")
      let table = try PinTable(["hooks.example": pins, "other.example": others])
      return HTTPClient(TrustManager(pins: table, anchors: try AnchorSet(file: "ca.pem")))
    }

    static func send(_ client: HTTPClient, _ body: Data) async throws -> [UInt8] {
      var metrics: [String: Int] = [:]
      do throws(HTTPError) {
        // 103. requests.post, axios.post
        let (data, _) = try await client.post(
          "https://hooks.example/in", body: body, headers: ["Content-Type": "application/json"])
        return data
      } catch {
        // 104. A label for metrics
        metrics[error.code, default: 0] += 1
        // 105. Whether to try again
        if error.isTransient, !error.wasSent { print("again") }
        // 106. Metadata of a structured log
        for (key, value) in error.fields { print(key, value) }
        throw error
      }
    }

    static func certificates() throws -> Double {
      // 107. A chain of a file
      let chain = try Certificate.chain(file: "chain.pem")
      // 108. How long it is valid, in Foundation's words
      return chain[0].notAfter.date.timeIntervalSinceNow / 86400
    }
  }
#endif
