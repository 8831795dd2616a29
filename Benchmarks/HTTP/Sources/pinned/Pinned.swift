import Holdfast
import HoldfastHTTP
import Turns

/// Requests with pins, by `HTTPClient`:
///
///     pinned [--own-thread] ANCHORS HOST PIN…
///
/// With `--own-thread` the tasks run on the client's executor. Without a host the turns are those of a
/// client that makes no requests: the way of a task to another thread and back.
@main
struct Pinned {
  static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    let staysOnThread = words.first == "--own-thread"
    if staysOnThread { words.removeFirst() }
    guard words.count > 2 else {
      return serveTurns { _ in
        Hop()
      } request: { hop, _ in
        await hop.turn()
      }
    }
    let anchors = AnchorSet(try Certificate.certificates(inFile: words[0]))
    let pins = try PinTable([words[1]: PinSet(words.dropFirst(2).map { try Pin($0) })])
    let manager = TrustManager(pins: pins, anchors: anchors)
    serveTurns { turn in
      var options = HTTPOptions()
      options.allowsHTTP2 = turn.isHTTP2
      options.maximumConnectionsPerHost = turn.connections
      options.maximumConnections = turn.connections
      return HTTPClient(manager, options: options)
    } executor: { client in
      staysOnThread ? client.executor : nil
    } request: { client, turn in
      do throws(HTTPError) {
        let (data, response) = try await client.data(for: HTTPRequest(turn.url))
        return response.isSuccess && !data.isEmpty
      } catch {
        return false
      }
    }
  }
}
