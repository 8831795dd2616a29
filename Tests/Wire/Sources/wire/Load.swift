import COpenSSL
import Dispatch
import Foundation
import Holdfast
import HoldfastOpenSSL
import Synchronization

/// Many connections to real servers.
enum Load {
  /// Connections through one client from many threads; each tenth goes to a server to be refused, and
  /// each must have its own reason.
  ///
  /// - Parameter servers: Ports, the first to be accepted, each other with the rule it breaks.
  static func storm(
    _ material: Material, count: Int, threads: Int, servers: [(port: UInt16, rule: String)]
  ) throws -> Bool {
    let client = try TLSClient(TLSVerifier(PathValidator(anchors: material.root)))
    let next = Atomic(0)
    let seen = Mutex<[String: Int]>([:])
    let group = DispatchGroup()
    let start = ContinuousClock.now
    for number in 0..<threads {
      DispatchQueue(label: "wire.\(number)").async(group: group) {
        while true {
          let place = next.add(1, ordering: .relaxed).oldValue
          guard place < count else { return }
          let isBad = place % 10 == 9
          let server = servers[isBad ? 1 + place / 10 % (servers.count - 1) : 0]
          var got: String
          do throws(TLSError) {
            let connection = try client.connect(
              to: "wire.example", port: server.port, address: "127.0.0.1")
            got = "accepted"
            connection.close()
          } catch {
            if case .refused(let refusal) = error {
              got = refusal.rule?.name ?? "\(refusal)"
            } else {
              got = "\(error)"
            }
          }
          if got != server.rule { got = "WRONG: \(got), expected \(server.rule)" }
          seen.withLock { $0[got, default: 0] += 1 }
        }
      }
    }
    group.wait()
    let counts = seen.withLock { $0 }
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
        guard case .refused = error, !isGood else {
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

  private static var residentKilobytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
  }
}
