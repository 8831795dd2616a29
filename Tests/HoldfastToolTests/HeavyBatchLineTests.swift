import Foundation
import TestSupport
import Testing

/// Lines of `holdfast batch` that are damaged at random.
@Suite("Damaged batch lines") struct HeavyBatchLineTests {
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "-", "1e999",
    "\"host\":\"www.other.example\"", "\"anchors\":[]", "\"pins\":[\"sha256/\"]", "\u{FF}",
  ].map { Array($0.utf8) }

  /// One to four changes to a line, none of which ends it.
  private func damaged(_ line: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var line = line
    for _ in 0...numbers.next(below: 4) where !line.isEmpty {
      let offset = numbers.next(below: line.count)
      let end = min(line.count, offset + 1 + numbers.next(below: 40))
      switch numbers.next(below: 6) {
      case 0: line[offset] = UInt8(numbers.next(below: 256))
      case 1: line.removeSubrange(offset..<end)
      case 2: line.insert(contentsOf: line[offset..<end], at: offset)
      case 3: line.removeSubrange(offset...)
      default:
        let piece = Self.pieces[numbers.next(below: Self.pieces.count)]
        line.insert(contentsOf: piece, at: offset)
      }
    }
    return line.filter { $0 != 0x0A && $0 != 0x0D }
  }

  @Test("each damaged line gets one JSON answer, and is trusted only if the chain is intact")
  func damagedLines() throws {
    let cli = try BatchRun()
    var numbers = SeededNumbers(seed: 8259)
    let members = [
      "", "\"id\":7", "\"time\":\"2026-11-21T12:00:00Z\"", "\"purpose\":\"any\"",
      "\"anchors\":[\"\(cli.root)\"]", "\"revocation\":\"given\",\"crls\":[],\"ocsp\":[]",
      "\"pins\":[\"sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=\"],\"rules\":\"rfc5280\"",
    ]
    let seeds = members.map { Array(cli.request($0).utf8) }
    var lines: [[UInt8]] = []
    while lines.count < 20_000 {
      let line = damaged(seeds[lines.count % seeds.count], &numbers)
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { lines.append(line) }
    }
    // Not `joined`, which takes bytes one by one.
    let text = lines.reduce(into: []) { text, line in text += line + [0x0A] }
    let file = try cli.scratch.file("requests", text)
    let outcome = CLIRun(words: [
      "batch", file, "--anchors", CLIRun.demo("root.pem"), "--at", "2026-11-21T12:00:00Z",
    ])
    let answers = outcome.results.split(separator: "\n")
    #expect(answers.count == lines.count)
    let leaf = Array(cli.chain[0].utf8)
    var (trusted, wrong): (Int, [String]) = (0, [])
    for (line, answer) in zip(lines, answers) {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any], "\(answer)")
      let verdict = object["verdict"] as? String
      if verdict == "trusted" {
        trusted += 1
        if !line.contains(leaf) { wrong.append(String(decoding: line, as: UTF8.self)) }
      } else if verdict == nil {
        wrong.append(String(answer))
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    // Some damage does nothing: white space, a digit of an id.
    #expect(trusted > 0 && trusted < lines.count / 2, "\(trusted)")
  }
}
