import CCurl
import Foundation
import Holdfast
import HoldfastOpenSSL
import Synchronization

/// Fetches a page with curl from a pinned server:
///
///     CurlClient https://example.com/ anchors.pem sha256/… sha256/… [HOST:PORT to connect to]
///
/// curl makes the connection; Holdfast decides during the handshake whether to trust the server,
/// before the request is sent.
@main
struct CurlClient {
  static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    let target =
      words.count > 2 && !words[words.count - 1].hasPrefix("sha256/") ? words.popLast() : nil
    guard words.count >= 4, let host = URL(string: words[0])?.host else {
      print("usage: CurlClient URL ANCHORS PIN BACKUP-PIN… [HOST:PORT]")
      exit(2)
    }
    let pins = try PinTable([host: PinSet(words.dropFirst(2).map { try Pin($0) })])
    let anchors = AnchorSet(try Certificate.certificates(inFile: words[1]))
    let transfer = Transfer(TrustManager(pins: pins, anchors: anchors), host: host)
    exit(transfer.get(words[0], connectingTo: target) ? 0 : 1)
  }
}

/// One transfer. It has its own verifier, so a recorded rejection belongs to this transfer.
final class Transfer: Sendable {
  private let host: String
  private let verifier: TLSVerifier
  private let rejection: Rejection

  /// Why the server was rejected.
  final class Rejection: Sendable {
    let reason = Mutex<TrustError?>(nil)
  }

  init(_ manager: TrustManager, host: String) {
    let rejection = Rejection()
    self.host = host
    self.rejection = rejection
    verifier = TLSVerifier { peer throws(TrustError) in
      do throws(TrustError) {
        return try manager.evaluate(
          der: peer.chain, host: host, staple: peer.staple, at: peer.time)
      } catch {
        rejection.reason.withLock { $0 = error }
        throw error
      }
    }
  }

  /// Fetches a page and prints it. Returns false if the server is rejected or cannot be reached.
  func get(_ url: String, connectingTo target: String?) -> Bool {
    let curl = curl_easy_init()
    defer { curl_easy_cleanup(curl) }
    example_set_defaults(curl)
    _ = example_set_url(curl, url)
    let targets = target.flatMap { curl_slist_append(nil, "::\($0)") }
    defer { curl_slist_free_all(targets) }
    _ = example_connect_to(curl, targets)
    // `self` outlives the transfer.
    let status = example_set_context_function(
      curl,
      { _, context, argument in
        guard let context, let argument else { return CURLE_SSL_CONNECT_ERROR }
        let transfer = Unmanaged<Transfer>.fromOpaque(argument).takeUnretainedValue()
        do {
          try transfer.verifier.installOnClient(OpaquePointer(context), host: transfer.host)
          return CURLE_OK
        } catch {
          return CURLE_SSL_CONNECT_ERROR
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    guard status == CURLE_OK else {
      // Without this function, only curl's own verification would apply.
      print("this curl is not built on OpenSSL: \(String(cString: curl_easy_strerror(status)))")
      return false
    }
    let result = curl_easy_perform(curl)
    if let reason = rejection.reason.withLock({ $0 }) {
      print("rejected: \(reason)")
    } else if result != CURLE_OK {
      print("failed: \(String(cString: curl_easy_strerror(result)))")
    }
    return result == CURLE_OK
  }
}
