import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastSignatures
import TestSupport
import Testing

@testable import HoldfastPaths

/// What threads share: validators, the memory, anchors and their keys, revocation data.
///
/// `Scripts/checks/threads` runs this suite under the thread sanitizer.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct HeavyThreadTests {
  @Test("eight threads sharing a validator give the answers of one thread")
  func validator() throws {
    let questions = try ThreadQuestion.all()
    let anchors = AnchorSet(questions.map(\.root))
    // What is made once in a process is made here, and so are the right answers.
    let alone = PathValidator(anchors: AnchorSet(questions.map(\.root)), cache: nil)
    let right = questions.map { $0.verdict(alone) }
    #expect(Set(right) == ["valid", "hostName", "issuerNotFound", "signature", "expired"])
    let full = SignatureCache()
    let validators = [
      PathValidator(anchors: anchors, cache: full),
      // So little memory that facts and keys come and go.
      PathValidator(anchors: anchors, cache: SignatureCache(capacity: 16)),
      PathValidator(anchors: anchors, cache: nil),
    ]
    let wrong = inEightThreads { thread, wrong in
      for index in questions.indices {
        let index = (index + 5 * thread) % questions.count
        let verdict = questions[index].verdict(validators[(thread + index) % validators.count])
        if verdict != right[index] { wrong.add("thread \(thread) \(index): \(verdict)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("eight threads use the keys of anchors for the first time at once")
  func keys() throws {
    let chains = try BenchChain.names.map { try BenchChain($0) }
    let anchors = AnchorSet(chains.map(\.root))
    let validator = PathValidator(anchors: anchors, cache: nil)
    let wrong = inEightThreads { thread, wrong in
      for chain in [chains[thread % 2], chains[1], chains[6]] {
        let question = ThreadQuestion(chain)
        if question.verdict(validator) != "valid" { wrong.add("thread \(thread)") }
        let found = anchors.anchors(named: chain.root.subject)
        if !found.map(\.certificate).contains(chain.root) { wrong.add("thread \(thread): anchors") }
      }
      if thread == 7 { anchors.prepareKeys() }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("a key shared by eight threads gets its tables and always answers right")
  func tables() throws {
    let chain = try BenchChain("b_p256")
    let (leaf, issuer) = (chain.leaf, chain.intermediates[0])
    let key = PreparedKey(issuer.publicKey, .reuse)
    let wrong = inEightThreads { thread, wrong in
      for _ in 0..<12 {
        guard let taken = key.verificationKey(),
          SignatureChecks.verify(leaf.signature, of: leaf.tbs, .ecdsa(.sha256), under: taken)
            == .valid,
          SignatureChecks.verify(issuer.signature, of: issuer.tbs, .ecdsa(.sha256), under: taken)
            == .invalid
        else {
          wrong.add("thread \(thread)")
          return
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
    #expect(tablePointCount(try #require(key.verificationKey())) > 0)
  }

  @Test("eight threads read the constraints of one issuer for the first time at once")
  func constraints() throws {
    let bases = (0..<100).map { Made.dns("u\($0).example") }
    let wrong = try (0..<20).flatMap { _ in
      let issuer = try Made.certificate(Made.nameConstraints(permitted: bases, excluded: bases))
      let leaf = try Made.certificate(Made.alternativeNames(Made.dns("u7.example")))
      return inEightThreads { thread, wrong in
        let rule = try? NameConstraintTests().rule(issuer, leaf)
        if rule != "nameExcluded" { wrong.add("thread \(thread)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("facts that were never cached are never found, whatever is evicted")
  func mixedFacts() throws {
    let chain = try BenchChain("a_rsa2048")
    // Certificates that differ in two places: those that agree in both are kept, no others.
    let number = try #require(chain.leaf.serialNumber.bytes.range.last)
    let signature = try #require(chain.leaf.signature.range.last)
    func certificate(_ first: Int, _ second: Int) throws -> Certificate {
      var der = chain.leaf.der
      der[number] = UInt8(first)
      der[signature] = UInt8(second)
      return try Certificate(der: der)
    }
    let count = 4
    let kept = try (0..<count).map { try certificate($0, $0) }
    let others = try (0..<count).flatMap { first in
      try (0..<count).filter { $0 != first }.map { try certificate(first, $0) }
    }
    let key = chain.root.publicKey.der
    let cache = SignatureCache(capacity: 2)
    let wrong = inEightThreads { thread, wrong in
      for turn in 0..<3_000 {
        if thread < 4 {
          let next = kept[(turn + thread) % count]
          cache.insert(SignatureCache.VerifiedSignature(next, under: key))
          _ = cache.contains(SignatureCache.VerifiedSignature(next, under: key))
        } else if cache.contains(
          SignatureCache.VerifiedSignature(others[(turn + thread) % others.count], under: key))
        {
          wrong.add("thread \(thread) turn \(turn)")
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
    let found = kept.filter { cache.contains(SignatureCache.VerifiedSignature($0, under: key)) }
    #expect(1...2 ~= found.count)
  }

  @Test("eight threads are given the certificates of their bytes, each its own object")
  func certificatePool() throws {
    let chain = try BenchChain("a_rsa2048")
    let certificates = [chain.leaf, chain.root] + chain.intermediates
    let pool = SignatureCache().certificates
    let wrong = inEightThreads { thread, wrong in
      for turn in 0..<3_000 {
        let expected = certificates[(turn + thread) % certificates.count]
        guard let found = try? pool.certificate(der: expected.der), found == expected,
          found.subject == expected.subject
        else {
          wrong.add("thread \(thread) turn \(turn)")
          continue
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("eight threads share CRLs, responses and the results of their signatures")
  func revocation() throws {
    let authority = try SmallAuthority()
    var cases: [(leaf: String, revocation: Revocation, time: Timestamp)] = []
    for line in authority.verdicts.prefix(30) {
      var revocation = Revocation()
      if line[0] == "list" {
        revocation.demand = .required(of: .everyCertificate)
        revocation.crls = try (["root"] + line[2].split(separator: ",").map(String.init)).map {
          try authority.list($0)
        }
      } else {
        revocation.demand = .required(of: .leaf)
        revocation.ocspResponses = [try authority.answer(line[2])]
      }
      let time = line[0] == "list" ? authority.listTime : authority.answerTime
      cases.append((line[1], revocation, time))
    }
    let right = try cases.map { try authority.verdict($0.leaf, $0.revocation, at: $0.time).word }
    let cache = SignatureCache()
    // Read again, for those above know their signatures by now.
    let other = try SmallAuthority()
    let wrong = inEightThreads { [cases] thread, wrong in
      for index in cases.indices {
        let index = (index + 7 * thread) % cases.count
        var revocation = cases[index].revocation
        revocation.crls = revocation.crls.map { list in
          other.crls.values.first { $0 == list } ?? list
        }
        let found = try? other.verdict(
          cases[index].leaf, revocation, at: cases[index].time, cache: cache)
        if found?.word != right[index] { wrong.add("thread \(thread) \(index)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  private func inEightThreads(_ work: @escaping @Sendable (Int, Complaints) -> Void) -> [String] {
    let complaints = Complaints()
    let group = DispatchGroup()
    for thread in 0..<8 {
      group.enter()
      Thread {
        work(thread, complaints)
        group.leave()
      }.start()
    }
    group.wait()
    return complaints.all
  }
}

/// A question about a chain, right or wrong in one way.
private struct ThreadQuestion: Sendable {
  let leaf: Certificate
  var intermediates: [Certificate]
  let root: Certificate
  var host = BenchChain.host
  var time = BenchChain.time

  init(_ chain: BenchChain) {
    (leaf, intermediates, root) = (chain.leaf, chain.intermediates, chain.root)
  }

  /// Each kind of chain as it should be, for another host, at another time, without its
  /// intermediate and with one whose signature is wrong.
  static func all() throws -> [ThreadQuestion] {
    try BenchChain.names.flatMap { name in
      let good = ThreadQuestion(try BenchChain(name))
      var (otherHost, late, short, forged) = (good, good, good, good)
      otherHost.host = "www.other.example.net"
      late.time = good.time.advanced(bySeconds: 1 << 30)
      short.intermediates = []
      var der = good.intermediates[0].der
      der[der.count - 1] ^= 1
      forged.intermediates = [try Certificate(der: der)]
      return [good, otherHost, good, late, good, short, forged]
    }
  }

  /// `valid`, or the rule that is broken.
  func verdict(_ validator: PathValidator) -> String {
    do throws(PathError) {
      let path = try validator.validate(
        [leaf] + intermediates, for: .server(named: host), at: time)
      return path.certificates == [leaf] + intermediates + [root] ? "valid" : "another path"
    } catch {
      return error.rejections.first?.rule.name ?? "\(error)"
    }
  }
}

/// Lines that any thread may add to.
private final class Complaints: Sendable {
  private let lines = Guarded<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }
}
