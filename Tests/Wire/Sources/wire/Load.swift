import COpenSSL
import Dispatch
import Foundation
import Holdfast
import HoldfastOpenSSL
import Synchronization

/// Numbers of equal words. The thread sanitizer does not see that a `Mutex` orders threads; the
/// counter shows it.
final class Counts: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let turns = Atomic(0)

  func add(_ word: String) {
    counts.withLock { counts in
      let turn = turns.load(ordering: .acquiring)
      counts[word, default: 0] += 1
      turns.store(turn + 1, ordering: .releasing)
    }
  }

  var all: [String: Int] { counts.withLock { $0 } }
}

/// Many connections to real servers.
enum Load {
  /// Connections through one client from many threads; each tenth goes to a server to be rejected,
  /// and each must have its own reason.
  ///
  /// - Parameter servers: Ports, the first to be accepted, each other with the rule it breaks.
  static func storm(
    _ material: Material, count: Int, threads: Int, servers: [(port: UInt16, rule: String)]
  ) throws -> Bool {
    let client = try TLSClient(TLSVerifier(PathValidator(anchors: material.root)))
    let next = Atomic(0)
    let seen = Counts()
    let group = DispatchGroup()
    let start = ContinuousClock.now
    for number in 0..<threads {
      DispatchQueue(label: "wire.\(number)").async(group: group) {
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < count else { return }
          let isBad = index % 10 == 9
          let server = servers[isBad ? 1 + index / 10 % (servers.count - 1) : 0]
          var got: String
          do throws(TLSError) {
            let connection = try client.connect(
              to: "wire.example", port: server.port, address: "127.0.0.1")
            got = "accepted"
            connection.close()
          } catch {
            if case .rejected(let rejection) = error {
              got = rejection.rule?.name ?? "\(rejection)"
            } else {
              got = "\(error)"
            }
          }
          if got != server.rule { got = "WRONG: \(got), expected \(server.rule)" }
          seen.add(got)
        }
      }
    }
    group.wait()
    let counts = seen.all
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    print("\(count) connections, \(threads) threads, \(Int(milliseconds)) ms:")
    for (name, number) in counts.sorted(by: { $0.key < $1.key }) { print("  \(number) \(name)") }
    return !counts.keys.contains { $0.hasPrefix("WRONG") }
  }

  /// Handshakes one after the other, and the memory that the process has in between.
  static func soak(_ material: Material, port: UInt16, count: Int) throws -> Bool {
    let client = try TLSClient(TLSVerifier(try material.manager(["good"])))
    var first = 0
    var last = 0
    for number in 1...count {
      let isGood = number % 10 != 0
      do throws(TLSError) {
        let connection = try client.connect(
          to: isGood ? "wire.example" : "localhost", port: port, address: "127.0.0.1")
        connection.close()
        guard isGood else { return false }
      } catch {
        guard case .rejected = error, !isGood else {
          print("\(error)")
          return false
        }
      }
      if number == count / 10 { first = residentKilobytes }
      if number % (count / 10) == 0 {
        last = residentKilobytes
        print("\(number) handshakes: \(last) kB resident")
      }
    }
    print("growth after the first tenth: \(last - first) kB")
    return last - first < 2048
  }

  /// Handshakes in memory, client and server, both verified: new and resumed sessions, rejected
  /// peers, and connections that end in the middle. The process must not grow.
  static func endure(_ material: Material, count: Int) throws -> Bool {
    try endure(material, handshakes: count / 10)
    let first = residentKilobytes
    for part in 1..<10 {
      try endure(material, handshakes: count / 10)
      print("\((part + 1) * (count / 10)) handshakes: \(residentKilobytes) kB resident")
    }
    let growth = residentKilobytes - first
    print("growth after the first tenth: \(growth) kB")
    return growth < 2048
  }

  private static func endure(_ material: Material, handshakes: Int) throws {
    // A fresh set of contexts for each hundred, so that contexts and sessions are freed too.
    for _ in 0..<handshakes / 100 {
      for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
        let sessions = Sessions(material, version: version)
        let server = try sessions.context(server: "good")
        let clients = PathValidator(anchors: material.clientsRoot, rules: .rfc5280)
        try TLSVerifier(clients).installOnServer(server)
        func client(_ identity: String, pins: String) throws -> OpaquePointer {
          let context = try sessions.context(client: identity)
          try TLSVerifier(try material.manager([pins])).installOnClient(context)
          return context
        }
        let good = try client("client-good", pins: "good")
        let foreign = try client("client-foreign", pins: "good")
        let mistaken = try client("client-good", pins: "p256")
        for number in 0..<10 {
          let first = try sessions.connect(good, server)
          let again = try sessions.connect(good, server, session: first.session)
          let rejected = [
            try sessions.connect(mistaken, server).client,
            try sessions.connect(foreign, server).server,
          ]
          guard again.isResumed, rejected.allSatisfy({ $0.hasPrefix("rejected") }) else {
            throw TLSError.closed()
          }
          wire_abandon(good, server, CInt(number % 4))
        }
      }
    }
  }

  private static var residentKilobytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
  }
}
