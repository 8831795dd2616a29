import HoldfastConfigurations
import TestSupport
import Testing

/// Two hundred broken files of each format: an error, or pins that are as strict.
@Suite("Broken configurations") struct MutationTests {
  private func mutant(_ text: String, _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = Array(text.utf8)
    let offset = numbers.next(below: bytes.count)
    switch numbers.next(below: 7) {
    case 0: bytes.remove(at: offset)
    case 1: bytes[offset] ^= UInt8(1 << numbers.next(below: 8))
    case 2: bytes.insert(UInt8(numbers.next(below: 256)), at: offset)
    case 3: bytes.removeSubrange(offset...)
    case 4: bytes[offset] = [0x3C, 0x3E, 0x22, 0x26, 0x00, 0x0A][numbers.next(below: 6)]
    case 5:
      // Two neighbors change places.
      if offset + 1 < bytes.count { bytes.swapAt(offset, offset + 1) }
    default:
      // A line is written twice.
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = numbers.next(below: lines.count)
      lines.insert(lines[line], at: line)
      bytes = Array(lines.joined(separator: "\n").utf8)
    }
    return bytes
  }

  @Test("two hundred broken files of each format pin no less, or give an error with its position")
  func mutants() throws {
    for (format, text) in Samples.all + [(.okHttp, Samples.okHttpLines)] {
      var numbers = SeededNumbers(seed: 6)
      var rejected = 0
      let entries = try PinConfiguration(Array(text.utf8), as: format, Samples.context).table
        .entries
      for number in 0..<200 {
        let bytes = mutant(text, &numbers)
        do throws(ConfigurationError) {
          let read = try PinConfiguration(bytes, as: format, Samples.context).table.entries
          let mutant = String(decoding: bytes, as: UTF8.self)
          #expect(read.count >= entries.count, "\(format) \(number)\n\(mutant)")
          for entry in read {
            guard let set = entry.pins else {
              Issue.record("\(format) \(number): \(entry.pattern) is excluded\n\(mutant)")
              continue
            }
            // A line that is there twice may be another of the same pins.
            let maximum = entries[0].pins?.pins.count ?? 0
            #expect(Set(set.pins).count <= maximum, "\(format) \(number)\n\(mutant)")
            #expect(!set.pins.isEmpty && set.mode == .enforced, "\(format) \(number)\n\(mutant)")
            #expect(set.expiry?.action ?? .failClosed == .failClosed)
          }
        } catch {
          rejected += 1
          #expect(error.file == "pins")
          #expect("\(error)".count > "pins: ".count)
        }
      }
      // Most of what is broken is seen; the rest is another host, or another pin of the same
      // length.
      #expect(rejected > 80, "\(format): \(rejected)")
    }
  }

  @Test("no truncated configuration is read as one that pins less")
  func cuts() throws {
    for (format, text) in Samples.all {
      let bytes = Array(text.utf8)
      for count in 0..<bytes.count {
        do throws(ConfigurationError) {
          let table = try PinConfiguration(Array(bytes[..<count]), as: format, Samples.context)
            .table
          #expect(
            table.entries.allSatisfy { !($0.pins?.pins.isEmpty ?? true) }, "\(format) \(count)")
        } catch {
          #expect(error.file == "pins")
        }
      }
    }
  }
}
