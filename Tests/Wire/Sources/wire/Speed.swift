import COpenSSL
import Foundation
import Holdfast
import HoldfastOpenSSL

/// Full handshakes with a server on this machine, one after the other, by five ways to verify it.
enum Speed {
  private struct Contender {
    let name: String
    let connect: () -> Bool
  }

  /// Prints the median of the rounds in microseconds; in each round every contender has its turn.
  static func run(
    _ material: Material, port: UInt16, server: String, rounds: Int, perRound: Int
  ) throws -> Bool {
    func contender(
      _ name: String, checksName: CInt = 0, _ prepare: (OpaquePointer) throws -> Void
    ) throws -> Contender {
      let context = wire_context(0, TLS1_3_VERSION)
      try prepare(context)
      return Contender(name: name) {
        wire_connect(context, dial(port), "wire.example", checksName) == 1
      }
    }
    let pinned = try material.manager([server])
    let forgetful = try material.manager([server], cache: nil)
    let validator = PathValidator(anchors: material.root)
    let contenders = try [
      contender("no verification") { _ in },
      contender("OpenSSL's own", checksName: 1) {
        precondition(wire_verify_itself($0, material.path("root.pem")) == 1)
      },
      contender("Holdfast") { try TLSVerifier(validator).installOnClient($0) },
      contender("Holdfast with pins") { try TLSVerifier(pinned).installOnClient($0) },
      contender("Holdfast with pins, cold") { try TLSVerifier(forgetful).installOnClient($0) },
    ]
    var times = [[Double]](repeating: [], count: contenders.count)
    for round in 0..<rounds + 2 {
      let order = Array(contenders.indices)
      for index in round.isMultiple(of: 2) ? order : order.reversed() {
        let start = ContinuousClock.now
        for _ in 0..<perRound where !contenders[index].connect() { return false }
        let time = (ContinuousClock.now - start) / .microseconds(1) / Double(perRound)
        if round >= 2 { times[index].append(time) }
      }
    }
    for (contender, times) in zip(contenders, times) {
      let sorted = times.sorted()
      func quantile(_ part: Double) -> Int { Int(sorted[Int(part * Double(sorted.count - 1))]) }
      let rate = 1_000_000 / max(quantile(0.5), 1)
      print(
        "\(server)\t\(contender.name)\t\(quantile(0.5))\t\(quantile(0.25))\t\(quantile(0.75))\t\(rate)"
      )
    }
    return true
  }

  /// A connection to a port of this machine, as a file descriptor.
  static func dial(_ port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(status == 0, "no server on port \(port)")
    return descriptor
  }
}
