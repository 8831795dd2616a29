/// The expectations in a file of `Vectors/der`: decision diagrams over bytes, as the `make.py` beside
/// it describes them.
package struct ByteDiagrams {
  /// The 256 targets of each node: nodes for the next byte or, of the last one, outcomes.
  private var targets: [Int] = []
  private var nodes: [Substring: Int] = [:]
  /// The words of the lines that are not nodes.
  package private(set) var lines: [[Substring]] = []
  private let outcome: (Substring) throws -> Int

  /// Reads a file; `outcome` makes a number of an outcome's text.
  package init(_ name: String, outcome: @escaping (Substring) throws -> Int) throws {
    self.outcome = outcome
    for line in try CommittedVectors.text(name).split(separator: "\n") where line.first != "#" {
      let words = line.split(separator: " ")
      guard words.first == "node" else {
        lines.append(words)
        continue
      }
      nodes[words[1]] = targets.count / 256
      for run in words.dropFirst(2) {
        let parts = run.split(separator: ":")
        let ends = parts[0].split(separator: "-").compactMap { Int($0) }
        let value = try target(parts[1])
        targets += [Int](repeating: value, count: ends[1] - ends[0] + 1)
      }
      guard targets.count % 256 == 0 else { throw MalformedTestData(reason: "\(name): \(line)") }
    }
  }

  /// Returns a node or an outcome by its text.
  package func target(_ text: Substring) throws -> Int {
    if let node = nodes[text] { return node }
    return try outcome(text)
  }

  /// Returns the target of a node for a byte.
  package func target(of node: Int, _ byte: UInt8) -> Int { targets[256 * node + Int(byte)] }
}
