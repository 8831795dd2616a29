import Foundation
import HoldfastCertificates
import HoldfastConformance
import Synchronization
import Testing

@testable import HoldfastPaths

/// What must hold for every path, whatever is in it.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct HeavyPathPropertyTests {
  @Test("one changed octet in any certificate of a valid path is refused, memory or not")
  func changedOctet() throws {
    for name in BenchChain.names {
      let chain = try BenchChain(name)
      let validator = PathValidator(anchors: AnchorSet([chain.root]))
      let good = [chain.leaf] + chain.intermediates
      _ = try validator.validate(
        chain.leaf, intermediates: chain.intermediates, for: .server(BenchChain.host),
        at: BenchChain.time)
      var accepted: [String] = []
      for (index, certificate) in good.enumerated() {
        for place in certificate.der.indices {
          var der = certificate.der
          der[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
          guard let changed = readable(der) else { continue }
          var path = good
          path[index] = changed
          if isValid(validator, path) { accepted.append("\(name) \(index) byte \(place)") }
        }
      }
      #expect(accepted.isEmpty, "\(accepted)")
      #expect(isValid(validator, good))
    }
  }

  @Test("order, duplicates and strangers among the intermediates do not change the verdict")
  func shuffled() throws {
    let strangers = try BenchChain("path_mesh_8").intermediates
    var random = SplitMix(state: 41)
    for name in BenchChain.names {
      let chain = try BenchChain(name)
      let validator = PathValidator(anchors: AnchorSet([chain.root]))
      for round in 0..<1500 {
        var intermediates = chain.intermediates + [chain.root, chain.leaf]
        for _ in 0..<(round % 7) {
          intermediates.append(intermediates.randomElement(using: &random) ?? chain.root)
          intermediates.append(strangers.randomElement(using: &random) ?? chain.root)
        }
        intermediates.shuffle(using: &random)
        #expect(isValid(validator, [chain.leaf] + intermediates))
        intermediates.removeAll { chain.intermediates.contains($0) }
        #expect(!isValid(validator, [chain.leaf] + intermediates))
      }
    }
  }

  @Test("eight threads share one validator and agree")
  func threads() throws {
    let chains = try BenchChain.names.map { try BenchChain($0) }
    let validator = PathValidator(anchors: AnchorSet(chains.map(\.root)))
    let results = Results()
    let group = DispatchGroup()
    for thread in 0..<8 {
      group.enter()
      Thread {
        for round in 0..<200 {
          let chain = chains[(round + thread) % chains.count]
          let path = [chain.leaf] + chain.intermediates
          // Every third is asked for without its intermediate, and must be refused.
          let isWhole = round % 3 != 0
          let verdict = isValid(validator, isWhole ? path : [chain.leaf])
          if verdict != isWhole { results.add("thread \(thread) round \(round)") }
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(results.all.isEmpty, "\(results.all)")
  }
}

private func readable(_ der: [UInt8]) -> Certificate? {
  do throws(CertificateError) { return try Certificate(der: der) } catch { return nil }
}

private func isValid(_ validator: PathValidator, _ path: [Certificate]) -> Bool {
  do throws(PathError) {
    _ = try validator.validate(
      path[0], intermediates: Array(path.dropFirst()), for: .server(BenchChain.host),
      at: BenchChain.time)
    return true
  } catch {
    return false
  }
}

/// Lines that any thread may add to.
private final class Results: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
