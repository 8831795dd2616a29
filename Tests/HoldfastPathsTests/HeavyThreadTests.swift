import Foundation
import HoldfastCertificates
import Synchronization
import Testing

@testable import HoldfastPaths

/// What threads share: validators, the memory, anchors and their keys.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct HeavyThreadTests {
  @Test("eight threads share one validator and agree")
  func validator() throws {
    let chains = try BenchChain.names.map { try BenchChain($0) }
    // So little memory that facts and keys come and go.
    let validator = PathValidator(
      anchors: AnchorSet(chains.map(\.root)), memory: SignatureMemory(capacity: 48))
    let results = inEightThreads { thread, results in
      for round in 0..<100 {
        let chain = chains[(round + thread) % chains.count]
        // Every third is asked for without its intermediate, and must be refused.
        let isWhole = round % 3 != 0
        if isValid(validator, chain, isWhole) != isWhole {
          results.add("thread \(thread) round \(round)")
        }
      }
    }
    #expect(results.isEmpty, "\(results)")
  }

  @Test("eight threads use the keys of anchors for the first time at once")
  func keys() throws {
    let chains = try ["a_rsa2048", "b_p256", "g_ed25519"].map { try BenchChain($0) }
    let anchors = AnchorSet(chains.map(\.root))
    let validator = PathValidator(anchors: anchors, memory: nil)
    let results = inEightThreads { thread, results in
      for round in 0..<3 {
        let chain = chains[(round + thread) % chains.count]
        if !isValid(validator, chain, true) { results.add("thread \(thread) round \(round)") }
        let found = anchors.anchors(withKey: chain.root.publicKey)
        if found.map(\.certificate) != [chain.root] { results.add("thread \(thread): anchors") }
      }
    }
    #expect(results.isEmpty, "\(results)")
  }

  @Test("batches answer as single validations do, in the order of the requests")
  func batch() async throws {
    let chains = try ["a_rsa2048", "b_p256"].map { try BenchChain($0) }
    let validator = PathValidator(anchors: AnchorSet(chains.map(\.root)))
    let requests = (0..<400).map { number in
      let chain = chains[number % 2]
      return PathValidator.Request(
        chain.leaf, intermediates: number % 5 == 0 ? [] : chain.intermediates,
        for: .server(BenchChain.host), at: BenchChain.time)
    }
    let answers = await validator.validate(requests)
    #expect(answers.count == requests.count)
    for (number, answer) in answers.enumerated() {
      switch answer {
      case .success(let path):
        #expect(number % 5 != 0 && path.leaf == chains[number % 2].leaf)
      case .failure: #expect(number % 5 == 0)
      }
    }
  }

  private func inEightThreads(_ work: @escaping @Sendable (Int, Results) -> Void) -> [String] {
    let results = Results()
    let group = DispatchGroup()
    for thread in 0..<8 {
      group.enter()
      Thread {
        work(thread, results)
        group.leave()
      }.start()
    }
    group.wait()
    return results.all
  }
}

private func isValid(_ validator: PathValidator, _ chain: BenchChain, _ isWhole: Bool) -> Bool {
  do throws(PathError) {
    _ = try validator.validate(
      chain.leaf, intermediates: isWhole ? chain.intermediates : [],
      for: .server(BenchChain.host), at: BenchChain.time)
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
