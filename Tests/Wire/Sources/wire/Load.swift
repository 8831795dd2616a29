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
}
