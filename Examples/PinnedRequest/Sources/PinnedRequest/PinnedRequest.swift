import HoldfastHTTP

/// Makes a request to a pinned server, without Foundation:
///
///     PinnedRequest https://localhost:8443/ root.pem sha256/… sha256/…
///
/// `Examples/serve` starts a server and prints the arguments.
@main
struct PinnedRequest {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 4, let url = words.first, let host = host(of: url) else {
      print("usage: PinnedRequest URL ANCHORS PIN BACKUP-PIN…")
      return
    }
    let pins = try PinTable([host: PinSet(words.dropFirst(2).map { try Pin($0) })])
    let anchors = try AnchorSet(file: words[words.startIndex + 1])
    let client = HTTPClient(TrustManager(pins: pins, anchors: anchors, rules: .rfc5280))
    do throws(HTTPError) {
      var shown = 0
      let (data, response) = try await client.data(for: HTTPRequest(url)) { progress in
        // A mark for each tenth: `##########`.
        let tenths = progress.fraction.map { Int($0 * 10) } ?? 0
        print(String(repeating: "#", count: max(tenths - shown, 0)), terminator: "")
        shown = max(tenths, shown)
      }
      print()
      print("status \(response.status), \(data.count) bytes")
    } catch {
      if case .notTrusted(let reason) = error { print("rejected: \(reason)") }
      print(error.summary)
    }
  }

  /// The host of an URL like `https://localhost:8443/`.
  private static func host(of url: String) -> String? {
    url.split(separator: "/").dropFirst().first?.split(separator: ":").first.map(String.init)
  }
}
