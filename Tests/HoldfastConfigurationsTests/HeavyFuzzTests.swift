import Foundation
import Holdfast
import HoldfastConfigurations
import HoldfastConformance
import TestSupport
import Testing

/// What is wrong in thousands of ways gets an answer with a place, and nothing ends the process.
///
/// HOLDFAST_FUZZ_ROUNDS=1000000 makes it go on for that many rounds of each test, from numbers that
/// HOLDFAST_FUZZ_SEED chooses.
@Suite("Mutated input") struct HeavyFuzzTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private let rounds = setting("HOLDFAST_FUZZ_ROUNDS") ?? 10_000
  private var mutator = Mutator(
    numbers: SeededNumbers(seed: UInt64(setting("HOLDFAST_FUZZ_SEED") ?? 8)))

  private func folder(_ name: String) -> String {
    CommittedVectors.path("\(name)")
  }

  @Test("no mutated OCSP request crashes")
  mutating func requests() throws {
    let chain = try Certificate.certificates(inFile: folder("demo/chain.pem"))
    var seeds: [[UInt8]] = []
    for hash in [HashAlgorithm.sha1, .sha256] {
      let id = try #require(
        OCSPCertificateID(of: chain[0], issuerKey: chain[1].publicKey, hash: hash))
      seeds.append(OCSPRequest(id).der)
      for nonce in [1, 32, 128] {
        let bytes = [UInt8](repeating: 7, count: nonce)
        seeds.append(try #require(OCSPRequest([id, id], nonce: bytes)).der)
      }
    }
    var read = 0
    for round in 0..<rounds {
      let bytes = mutator.changed(seeds[round % seeds.count], among: seeds)
      do throws(ParseError) {
        let request = try OCSPRequest(der: bytes)
        read += 1
        #expect(request.der == bytes && !request.certificateIDs.isEmpty)
      } catch {
        #expect(0...bytes.count ~= error.offset, "\(error)")
      }
    }
    #expect(0 < read && read < rounds)
  }

  @Test("no mutated CRL or response crashes")
  mutating func revocation() throws {
    let seeds = ["lists", "answers"].flatMap { name in
      PEMText(
        (try? Array(Data(contentsOf: URL(fileURLWithPath: folder("revocation/\(name).pem"))))) ?? []
      )
      .blocks.map(\.bytes)
    }
    #expect(seeds.count > 20)
    for round in 0..<rounds {
      let bytes = mutator.changed(seeds[round % seeds.count], among: seeds)
      do throws(ParseError) {
        let list = try CRL(der: bytes)
        #expect(list.der == bytes && !"\(list)".isEmpty)
      } catch {
        #expect(0...bytes.count ~= error.offset, "\(error)")
      }
      do throws(ParseError) {
        #expect(!"\(try OCSPResponse(der: bytes))".isEmpty)
      } catch {
        #expect(0...bytes.count ~= error.offset, "\(error)")
      }
    }
  }

  @Test("no mutated configuration of any format crashes")
  mutating func configurations() throws {
    let seeds = Samples.all.map { Array($0.1.utf8) }
    for round in 0..<rounds {
      let (format, text) = Samples.all[round % Samples.all.count]
      let bytes = mutator.changed(Array(text.utf8), among: seeds)
      do throws(ConfigurationError) {
        let read = try PinConfiguration(bytes, as: format, Samples.context)
        #expect(read.table.entries.allSatisfy { $0.pins?.pins.isEmpty != true })
      } catch {
        #expect(error.file == "pins")
      }
    }
  }

  @Test("no mutated JSON pin crashes")
  mutating func coded() throws {
    let chain = try Certificate.certificates(inFile: folder("demo/chain.pem"))
    let pins = [Pin(keyOf: chain[0]), Pin(keyOf: chain[1])]
    let seeds = [Array(try JSONEncoder().encode(pins))]
    for _ in 0..<max(rounds / 10, 1) {
      let pinText = Data(mutator.changed(seeds[0], among: seeds))
      if let read = try? JSONDecoder().decode([Pin].self, from: pinText) {
        let again = try JSONDecoder().decode([Pin].self, from: try JSONEncoder().encode(read))
        #expect(again == read)
      }
    }
  }

  @Test("a changed chain is valid only if no signed byte was changed")
  mutating func chains() throws {
    var seeds: [(chain: [[UInt8]], anchors: AnchorSet)] = []
    for name in ["flaws", "chains"] {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder(name)).sorted()
      where file.hasSuffix(".case") {
        let text = try String(contentsOfFile: "\(folder(name))/\(file)", encoding: .utf8)
        let parts = text.components(separatedBy: "\nanchor:").map {
          PEMText(Array($0.utf8)).blocks.map(\.bytes)
        }
        guard parts.count == 2, !parts[0].isEmpty else { continue }
        let anchors = parts[1].compactMap { try? Certificate(der: $0) }
        seeds.append((parts[0], AnchorSet(anchors)))
      }
    }
    #expect(seeds.count > 100)
    let time = try #require(Timestamp("2026-01-01T00:00:00Z"))
    let rules = [ValidationRules.webPKI, .rfc5280, .strict]
    var read = 0
    for round in 0..<rounds {
      let (chain, anchors) = seeds[round % seeds.count]
      var changed = chain
      let offset = round / seeds.count % chain.count
      changed[offset] = mutator.changed(chain[offset], among: chain)
      let certificates = changed.compactMap { try? Certificate(der: $0) }
      guard !certificates.isEmpty else { continue }
      read += 1
      let diagnosis = PathValidator(anchors: anchors, rules: rules[round % 3], cache: nil)
        .diagnose(
          certificates,
          for: try round % 2 == 0 ? .any : .server("www.bad.example"),
          at: time)
      #expect("\(diagnosis)".utf8.count > 0)
      if let error = diagnosis.error { #expect("\(error)".utf8.count <= 4096) }
      // Every certificate that is believed is one of those that were there before.
      if let path = diagnosis.path {
        let believed = chain + anchors.anchors.compactMap(\.certificate?.der)
        #expect(path.certificates.allSatisfy { believed.contains($0.der) })
      }
    }
    #expect(read > rounds / 10)
  }
}

/// Changes bytes a little, the same in every run.
private struct Mutator {
  var numbers: SeededNumbers

  /// One to four changes: bits, bytes that lengths and tags are made of, parts cut out, written
  /// twice, or taken from another seed.
  mutating func changed(_ seed: [UInt8], among seeds: [[UInt8]]) -> [UInt8] {
    var bytes = seed
    for _ in 0...numbers.next(below: 4) where !bytes.isEmpty {
      let offset = numbers.next(below: bytes.count)
      let end = min(bytes.count, offset + 1 + numbers.next(below: 16))
      switch numbers.next(below: 8) {
      case 0: bytes[offset] ^= UInt8(1 << numbers.next(below: 8))
      case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xFF][numbers.next(below: 8)]
      case 2:
        bytes[offset] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31, 0xA0][numbers.next(below: 8)]
      case 3: bytes[offset] = bytes[offset] &+ UInt8(truncatingIfNeeded: numbers.next(below: 5) - 2)
      case 4: bytes.removeSubrange(offset..<end)
      case 5: bytes.insert(contentsOf: bytes[offset..<end], at: offset)
      case 6: bytes.insert(UInt8(numbers.next(below: 256)), at: offset)
      default:
        let other = seeds[numbers.next(below: seeds.count)]
        guard !other.isEmpty else { continue }
        let start = numbers.next(below: other.count)
        let part = other[start..<min(other.count, start + end - offset)]
        bytes.replaceSubrange(offset..<end, with: part)
      }
    }
    return bytes
  }
}
