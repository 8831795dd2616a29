import Foundation
import FoundationNetworking
import Holdfast
import HoldfastURLSession

/// Makes a request to a pinned server with Foundation's `URLSession`:
///
///     PinnedURLSession https://localhost:8443/ root.pem sha256/… sha256/…
///
/// `Examples/serve` starts a server and prints the arguments.
@main
struct PinnedURLSession {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 4, let url = URL(string: words[0]), let host = url.host else {
      print("usage: PinnedURLSession URL ANCHORS PIN BACKUP-PIN…")
      exit(2)
    }
    let pins = try PinTable([host: PinSet(words.dropFirst(2).map { try Pin($0) })])
    let anchors = AnchorSet(try Certificate.certificates(inFile: words[1]))
    let manager = TrustManager(pins: pins, anchors: anchors, rules: .rfc5280)

    let session = URLSession(configuration: .pinned(manager))
    do {
      let (data, response) = try await session.data(from: url)
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) bytes")
    } catch let error as URLError {
      print("error \(error.code.rawValue): \(error.localizedDescription)")
      if let reason = error.userInfo[NSUnderlyingErrorKey] as? TrustError { print(reason) }
      exit(1)
    }
  }
}
