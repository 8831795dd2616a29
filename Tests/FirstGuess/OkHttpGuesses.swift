#if Curl
  import HoldfastHTTP

  /// What users of OkHttp type: pins by host, a client, a response.
  enum OkHttpGuesses {
    static let pin = "sha256/afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig="
    static let backup = "sha256/klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY="

    static func pinning() throws {
      // 1. CertificatePinner.Builder().add
      _ = try TrustManager(pins: ["publicobject.com": [pin, backup]])
      // 2. A wildcard for one label
      _ = try TrustManager(pins: ["*.publicobject.com": [pin, backup]])
      // 3. A wildcard for all labels, with anchors of one's own
      _ = try TrustManager(
        pins: ["**.publicobject.com": [pin, backup]], anchors: AnchorSet(file: "ca.pem"))
      // 4. OkHttpClient.Builder().certificatePinner
      _ = try HTTPClient(pins: ["publicobject.com": [pin, backup]])
    }

    static func requesting(_ client: HTTPClient) async throws {
      // 5. newCall(…).execute()
      let (data, response) = try await client.data(from: "https://publicobject.com/helloworld.txt")
      print(String(decoding: data, as: UTF8.self))
      // 6. Request.Builder().post
      let request = HTTPRequest(
        "https://publicobject.com/", method: "POST", body: .bytes(Array("{}".utf8)))
      _ = try await client.data(for: request)
      // 7. isSuccessful, code
      guard response.isSuccess else { return print(response.status) }
      // 8. header
      print(response.fields["Content-Type"] ?? "")
      // 9. handshake.peerCertificates
      print(response.verdict?.certificates.first?.subject.commonName ?? "")
    }

    static func rejected(_ client: HTTPClient) async {
      do {
        _ = try await client.data(from: "https://publicobject.com/")
      } catch HTTPError.notTrusted(let reason) {
        // 10. SSLPeerUnverifiedException
        print(reason)
      } catch {
        print(error)
      }
    }

    /// The pins of certificates.
    static func pins(of certificate: Certificate, and other: Certificate) throws -> TrustManager {
      // 11. CertificatePinner.pin(certificate)
      print("\(certificate.pin)")
      // 12. The pin of a key
      _ = Pin(certificate.publicKey)
      // 13. Pins that need no text
      return try TrustManager(
        pins: ["www.demo.example": [certificate.pin, other.pin]],
        anchors: AnchorSet([certificate]))
    }
  }
#endif
