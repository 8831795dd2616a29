import Holdfast
import HoldfastNIO
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PostgresNIO

/// A query to a PostgreSQL server whose key is pinned:
///
///     PostgresQuery db.example.com 5432 root.pem sha256/… sha256/… user password
///
/// postgres-nio takes a context and no callback, but also a channel that is connected already. So
/// TLS begins at once, without PostgreSQL's request for it: servers since version 17 accept this.
@main
struct PostgresQuery {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 8, let port = Int(words[2]) else {
      print("usage: PostgresQuery HOST PORT ANCHORS PIN BACKUP-PIN USER PASSWORD")
      return
    }
    let host = words[1]
    let manager = try TrustManager(
      pins: [host: [words[4], words[5]]],
      anchors: AnchorSet(try Certificate.certificates(inFile: words[3])))
    let verifier = NIOVerifier(manager)
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.applicationProtocols = ["postgresql"]
    let context = try NIOSSLContext(configuration: tls)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addClientHandlers(to: channel, context: context, host: host)
        }
      }
      .connect(host: host, port: port).get()
    let logger = Logger(label: "PostgresQuery")
    do {
      let connection = try await PostgresConnection.connect(
        on: channel.eventLoop,
        configuration: .init(
          establishedChannel: channel, username: words[6], password: words[7], database: nil),
        id: 1, logger: logger)
      for try await version in try await connection.query("SELECT version()", logger: logger)
        .decode(String.self)
      {
        print(version)
      }
      try await connection.close()
    } catch let error as PSQLError {
      print("failed: \(error.underlying ?? error)")
    }
  }
}
