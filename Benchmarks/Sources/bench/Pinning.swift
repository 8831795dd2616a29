internal import Holdfast

/// What pins cost: to find those of a host, and to compare them with a path.
enum Pinning {
  static func benchmarks() -> [Benchmark] { [lookUp, lookUpByText, evaluate].compactMap(\.self) }

  private static func pins(_ count: Int, and last: Pin? = nil) -> [Pin] {
    let made = (0..<count).compactMap { index in
      try? Pin(digest: [UInt8](repeating: UInt8(index), count: 32))
    }
    return made + (last.map { [$0] } ?? [])
  }

  private static func table(hosts: Int, _ last: [PinTable.Entry] = []) -> PinTable? {
    guard let set = try? PinSet(pins(10)) else { return nil }
    let reaches = HostPattern.Reach.allCases
    let entries = (0..<hosts).compactMap { index -> PinTable.Entry? in
      guard let host = try? HostName("host\(index).example\(index % 61).com"),
        let pattern = try? HostPattern(host, reaches[index % reaches.count])
      else { return nil }
      return PinTable.Entry(pattern, set)
    }
    return try? PinTable(entries + last)
  }

  /// Hosts that are there and hosts that are not, by turns.
  private static let names = (0..<64).map { "api.host\($0 * 157).example\($0 * 157 % 61).com" }

  private static var lookUp: Benchmark? {
    guard let table = table(hosts: 10_000) else { return nil }
    let hosts = names.compactMap { try? HostName($0) }
    var next = 0
    return Benchmark(
      name: "pin: a host among 10,000", goal: 0.5,
      ours: {
        next = (next + 1) % hosts.count
        return table.selection(for: hosts[next]) != .excluded(table.entries[0].pattern)
      }, theirs: nil, note: "µs")
  }

  private static var lookUpByText: Benchmark? {
    guard let table = table(hosts: 10_000) else { return nil }
    var next = 0
    return Benchmark(
      name: "pin: the same, its text read first", goal: nil,
      ours: {
        next = (next + 1) % names.count
        guard let host = try? HostName(names[next]) else { return false }
        return table.selection(for: host) != .excluded(table.entries[0].pattern)
      }, theirs: nil, note: "µs")
  }

  /// A chain with pins of its intermediate among those of 100 hosts, beside validation alone.
  private static var evaluate: Benchmark? {
    guard let chain = ChainFiles("a_rsa2048"), let leaf = try? Certificate(der: chain.leaf),
      let root = try? Certificate(der: chain.root), let host = try? HostName(ChainFiles.host)
    else { return nil }
    guard let middle = try? Certificate(der: chain.intermediate),
      let set = try? PinSet(pins(9, and: Pin(keyOf: middle))),
      let pattern = try? HostPattern(host, .hostAndSubdomains),
      let table = table(hosts: 99, [PinTable.Entry(pattern, set)])
    else { return nil }
    let anchors = AnchorSet([root])
    anchors.prepareKeys()
    let validator = PathValidator(anchors: anchors)
    let manager = TrustManager(pins: table, anchors: anchors)
    let presented = [leaf, middle]
    let time = Timestamp(secondsSince1970: ChainFiles.time)
    return Benchmark(
      name: "pin: validate with 100 hosts × 10 pins, and without", goal: nil,
      ours: { (try? manager.evaluate(presented, host: host, at: time)) != nil },
      theirs: {
        (try? validator.validate(leaf, intermediates: presented, for: .server(host), at: time))
          != nil
      }, note: "signatures remembered; the second column is the validator alone")
  }
}
