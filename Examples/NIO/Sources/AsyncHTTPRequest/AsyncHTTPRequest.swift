import AsyncHTTPClient
import Holdfast
import NIOCore
import NIOSSL

/// A request with async-http-client to one server whose key is pinned, behind NIOSSL's own
/// validation:
///
///     AsyncHTTPRequest https://localhost:8443/ root.pem sha256/… sha256/…
///
/// async-http-client has no callback for certificates. What it has runs after the handshake and
/// before a request is sent, and knows the server's own certificate, not the path: a pin can only be
/// that of the server's key. It runs for every host, so this client is for one.
@main
struct AsyncHTTPRequest {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5 else {
      print("usage: AsyncHTTPRequest URL ANCHORS PIN BACKUP-PIN")
      return
    }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .file(words[2])
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow)
    configuration.pin(to: [try Pin(words[3]), try Pin(words[4])])
    let client = HTTPClient(configuration: configuration)
    do {
      let response = try await client.execute(
        HTTPClientRequest(url: words[1]), timeout: .seconds(10))
      print("\(response.status): \(String(buffer: try await response.body.collect(upTo: 65_536)))")
    } catch {
      print("failed: \(error)")
    }
    try await client.shutdown()
  }
}

/// The server's key is none of the pins.
struct NotPinned: Error, CustomStringConvertible {
  let pin: Pin

  var description: String { "the server's key is not pinned: \(pin)" }
}

extension HTTPClient.Configuration {
  /// Lets requests pass only to servers with one of these keys.
  mutating func pin(to pins: [Pin]) {
    let check: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
      channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
        let leaf = try Certificate(der: certificate?.toDERBytes() ?? [])
        guard pins.contains(where: { $0.matches(leaf) }) else {
          // async-http-client would leave the connection open.
          channel.close(promise: nil)
          throw NotPinned(pin: Pin(keyOf: leaf))
        }
      }
    }
    http1_1ConnectionDebugInitializer = check
    http2ConnectionDebugInitializer = check
    // A server with another key has it at the next attempt, too.
    connectionPool.retryConnectionEstablishment = false
  }
}
