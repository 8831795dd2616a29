import Foundation
import FoundationNetworking
import Turns

/// Requests without pins, by Foundation's `URLSession`.
@main
struct Session {
  static func main() {
    serveTurns { turn in
      let configuration = URLSessionConfiguration.default
      configuration.httpMaximumConnectionsPerHost = turn.connections
      configuration.urlCache = nil
      return URLSession(configuration: configuration)
    } request: { session, turn in
      guard let url = URL(string: turn.url) else { return false }
      do {
        let (data, response) = try await session.data(from: url)
        return (response as? HTTPURLResponse)?.statusCode == 200 && !data.isEmpty
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        return false
      }
    }
  }
}
