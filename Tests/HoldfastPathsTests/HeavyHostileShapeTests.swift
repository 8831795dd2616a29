import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

/// What hostile certificates cost, as multiples of a signature that is verified in the same run: a
/// time says nothing on a busy machine.
@Suite("Hostile shapes") struct HeavyHostileShapeTests {
  @Test("two hundred CAs of one name with different keys stay within the limits")
  func sameName() throws {
    let root = try SignedCertificate.root()
    func authorities(_ change: (inout SignedCertificate) -> Void) throws -> [Certificate] {
      try (0..<200).map { try SignedCertificate.authority("Same", 200 + $0, by: "Root", 1, change) }
    }
    let known = try authorities { _ in }
    let leaf = try SignedCertificate.leaf(by: "Same", 337)
    var search = Search(leaf: leaf, others: known, anchors: [root])
    // The key identifiers lead to the right one: two signatures are enough.
    search.limits.publicKeyOperations = 2
    #expect(search.path == [leaf, known[137], root])

    let unknown = try authorities { $0.hasKeyIdentifiers = false }
    let blind = try SignedCertificate.leaf(by: "Same", 337) { $0.hasKeyIdentifiers = false }
    search = Search(leaf: blind, others: unknown, anchors: [root])
    #expect(search.error?.cause == .limitReached(.publicKeyOperations(100)))
    // One signature for each that is the wrong one, and two for the path.
    search.limits.publicKeyOperations = 139
    #expect(search.path == [blind, unknown[137], root])
    search.limits.publicKeyOperations = 138
    #expect(search.error?.cause == .limitReached(.publicKeyOperations(138)))
  }

  @Test("a signature that takes several milliseconds counts as several")
  func slowKeys() throws {
    var search = try HostileShapes.slowRSA(count: 1)
    search.limits.publicKeyOperations = 9
    #expect(search.error?.cause == .limitReached(.publicKeyOperations(9)))
    // One for the authority; 9 for 256 limbs times themselves times 66 squares and products, in
    // parts of 128 * 128 * 32.
    search.limits.publicKeyOperations = 10
    #expect(search.error?.rejections.first?.rule == .signature)
  }

  /// What a validation costs: the least of a few.
  private func time(_ search: Search, runs: Int = 3) -> Duration {
    let validator = search.validator
    return leastProcessorTime(of: runs) { _ = validator.diagnoseOrValidate(search) }
  }

  /// Two signatures of P-256 and the little around them.
  private func unit() throws -> Duration {
    let search = Search(
      leaf: try SignedCertificate.leaf(by: "Middle", 2),
      others: [try SignedCertificate.authority("Middle", 2, by: "Root", 1)],
      anchors: [try SignedCertificate.root()])
    #expect(search.path != nil)
    return time(search, runs: 60)
  }

  /// Both are measured by turns, several times, and the least ratio counts: a machine that changes
  /// its pace in between moves it by half.
  @Test("no input of 256 KiB costs more than 1,500 validations of an honest chain")
  func bounded() throws {
    var lines: [String] = []
    for (name, search) in try HostileShapes.all() {
      let size = ([search.leaf] + search.others).reduce(0) { $0 + $1.der.count }
      #expect(size <= 256 << 10, "\(name): \(size)")
      let ratios = try (0..<3).map { _ in time(search, runs: 1) / (try unit()) }
      let ratio = ratios.min() ?? .infinity
      lines.append("\(name): \(size) bytes, \(ratio.rounded()) honest chains")
      #expect(ratio <= 1500, "\(name): \(ratios)")
    }
    print(lines.joined(separator: "\n"))
  }

  @Test(
    "ten thousand names under a thousand constraints are checked, and one that is not permitted is found"
  )
  func names() throws {
    let bases = (0..<1000).map { Made.dns("d\($0).example") }
    let hosts = (0..<9999).map { Made.dns("h\($0).d\($0 % 1000).example") }
    let constrained = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions = [Made.nameConstraints(permitted: bases + [Made.dns("example.com")])]
    }
    let root = try SignedCertificate.root()
    let good = try SignedCertificate.leaf(
      by: "Middle", 2, names: hosts + [Made.dns(SignedCertificate.host)])
    let bad = try SignedCertificate.leaf(
      by: "Middle", 2,
      names: hosts + [Made.dns(SignedCertificate.host), Made.dns("h.d1000.example")])
    #expect(Search(leaf: good, others: [constrained], anchors: [root]).path?.count == 3)
    let error = Search(leaf: bad, others: [constrained], anchors: [root]).error
    #expect(error?.rejections.first?.rule.name == "nameNotPermitted")
    // All names and all constraints, and no more work than for a few hundred signatures.
    let cost = time(Search(leaf: good, others: [constrained], anchors: [root]))
    #expect(cost / (try unit()) <= 700)
  }

  /// RFC 9618 §3.2: a tree of these policies has a million nodes and more.
  @Test("policies that all map to all stay within the limits")
  func policies() throws {
    let search = try HostileShapes.policyBomb(policies: 15)
    guard case .success(let path) = search.validate() else {
      Issue.record("\(String(describing: search.error))")
      return
    }
    #expect(path.policies?.count == 15)
    #expect(time(search) / (try unit()) <= 150)
  }
}

extension PathValidator {
  /// Whether it is valid, and what is wrong with it, which costs the most.
  fileprivate func diagnoseOrValidate(_ search: Search) -> Bool {
    do throws(PathError) {
      _ = try validate(
        [search.leaf] + search.others, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time)
      return true
    } catch {
      _ = "\(error)"
      return diagnose(
        [search.leaf] + search.others, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time
      ).path != nil
    }
  }
}
