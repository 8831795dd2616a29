import Glibc
import Holdfast
import HoldfastNIO
import HoldfastOpenSSL
import NIOCore
import NIOPosix

/// Many connections to a server with mutual TLS: resumed, full, rejected.
struct Growth {
  private let material: Material

  init(_ material: Material) { self.material = material }

  func run(_ count: Int) throws {
    let context = try material.serverContext(.noHostnameVerification)
    let verifier = NIOVerifier(clients: material.validatorOfClients())
    let server = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try verifier.addServerHandlers(to: channel, context: context)
          try channel.pipeline.syncOperations.addHandler(Echo())
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    let port = UInt16(server.localAddress?.port ?? 0)
    var options = TLSClient.Options()
    options.resumesSessions = true
    options.identity = material.stranger
    let stranger = try TLSClient(TLSVerifier(try material.manager()), options: options)
    options.identity = material.client
    let resuming = try TLSClient(TLSVerifier(try material.manager()), options: options)
    options.resumesSessions = false
    let full = try TLSClient(TLSVerifier(try material.manager()), options: options)
    var counts = [0, 0, 0]
    for index in 1...count {
      let client = [resuming, full, stranger][index % 10 < 6 ? 0 : index % 10 < 9 ? 1 : 2]
      do throws(TLSError) {
        let connection = try client.connect(to: "localhost", port: port, address: "127.0.0.1")
        defer { connection.close() }
        try connection.write([0x78])
        let answer = try connection.read()
        counts[answer == [0x78] ? (connection.isResumed ? 0 : 1) : 2] += 1
      } catch {
        counts[2] += 1
      }
      if index % (count / 10) == 0 { print("\(index) connections: \(memory()) KiB") }
    }
    print("resumed \(counts[0]), full \(counts[1]), rejected \(counts[2])")
    try server.close().wait()
  }

  private func memory() -> String {
    guard let file = fopen("/proc/self/status", "r") else { return "?" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(cString: line)
      if text.hasPrefix("VmRSS") { return text.filter(\.isNumber) }
    }
    return "?"
  }
}
