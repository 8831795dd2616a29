import HoldfastCertificates
import HoldfastConformance
import TestSupport
import Testing

@testable import HoldfastPaths

/// What must hold for every path, whatever is in it.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct HeavyPathPropertyTests {
  @Test("a changed byte in any certificate of a valid path is rejected, with and without a cache")
  func changedOctet() throws {
    let chains = try BenchChain.names.map { ($0, try BenchChain($0)) } + SignedChains.all()
    #expect(chains.count == 20)
    for (name, chain) in chains {
      let validator = PathValidator(anchors: AnchorSet([chain.root]))
      let good = [chain.leaf] + chain.intermediates
      #expect(isValid(validator, good), "\(name)")
      var accepted: [String] = []
      var judged = 0
      for (index, certificate) in good.enumerated() {
        for offset in certificate.der.indices {
          var der = certificate.der
          der[offset] ^= UInt8(truncatingIfNeeded: 1 << (offset % 8))
          guard let changed = readable(der) else { continue }
          var path = good
          path[index] = changed
          judged += 1
          if isValid(validator, path) { accepted.append("\(name) \(index) byte \(offset)") }
        }
      }
      #expect(accepted.isEmpty, "\(accepted)")
      #expect(judged > 200 * good.count, "\(name): few of the changed certificates can be read")
      #expect(isValid(validator, good))
    }
  }

  @Test("order, duplicates and unrelated intermediates do not change the verdict")
  func shuffled() throws {
    let strangers = try BenchChain("path_mesh_8").intermediates
    var random = SeededNumbers(seed: 41)
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

  @Test(
    "order, duplicates and unrelated intermediates change no verdict of limbo",
    .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
  func shuffledLimbo() throws {
    let strangers = try BenchChain("path_mesh_8").intermediates.map(\.der)
    let listed = try Divergences.load(for: "limbo-strict").reasons
    let all = try LimboCase.load()
    let accepted = all.filter { $0.isValid }
    let rejected = all.filter { !$0.isValid && !$0.id.hasPrefix("bettertls") }
    var random = SeededNumbers(seed: 42)
    var count = 0
    while count < 10_000 {
      let cases = (accepted + rejected).map { test in
        var test = test
        test.intermediates += test.intermediates + strangers.shuffled(using: &random).prefix(3)
        test.intermediates.shuffle(using: &random)
        return test
      }
      let report = LimboRunner().report(cases)
      let unlisted = report.rows.filter { $0.outcome == .failed && listed[$0.id] == nil }
      #expect(unlisted.isEmpty, "\(unlisted.map(\.id))")
      count += report.passed
    }
  }
}

private func readable(_ der: [UInt8]) -> Certificate? {
  do throws(ParseError) { return try Certificate(der: der) } catch { return nil }
}

private func isValid(_ validator: PathValidator, _ path: [Certificate]) -> Bool {
  do throws(PathError) {
    _ = try validator.validate(
      path, for: .server(named: BenchChain.host),
      at: BenchChain.time)
    return true
  } catch {
    return false
  }
}
