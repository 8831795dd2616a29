import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// What root programs decide about, permit and distrust.
@Suite("Demands of root programs") struct ProgramDemandTests {
  private let root: Certificate

  init() throws { root = try SignedCertificate.root() }

  @Test("a program that decides about servers alone decides about peers, and not about clients")
  func decisions() throws {
    let constraint = ProgramConstraint(
      RootProgram("Test", date: nil, source: "a test"), decidesAbout: [.serverAuth], anyOf: [])
    func applies(_ usage: OID?, of purpose: Purpose) -> Bool {
      let usages = purpose.usages(usage.map { [$0] } ?? [], decidedBy: constraint.decidesAbout)
      return constraint.applies(to: usages)
    }
    let peer = try Purpose.peer(SignedCertificate.host)
    #expect(applies(.serverAuth, of: peer) && applies(.clientAuth, of: peer))
    #expect(applies(.serverAuth, of: .anyServer) && applies(nil, of: .any))
    #expect(!applies(.clientAuth, of: .client) && !applies(.codeSigning, of: .codeSigning))
  }

  @Test("below an empty name a program permits none, and the words of a set say when it ends")
  func emptyProgramName() throws {
    var conditions = ProgramConstraint.Conditions()
    conditions.enforcesExpiry = true
    #expect("\(conditions)" == "until it expires")
    for (permitted, expected) in [
      (["example"], []), (["", "."], [.programName]), (["."], [.programName]),
    ] as [([String], [Rule])] {
      conditions.dnsNames = permitted
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [conditions])
      ]
      // A name that ends in a dot lies below the root of all names.
      for name in ["host.example", "host.example."] where name.last != "." || !expected.isEmpty {
        let leaf = try SignedCertificate.leaf(by: "Root", 1, names: [Made.dns(name)])
        let result = Result { () throws(PathError) in
          try PathValidator(
            anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280
          ).validate([leaf], for: .any, at: SignedCertificate.time)
        }
        var found: [Rule] = []
        if case .failure(let error) = result { found = error.rejections.map(\.rule) }
        #expect(found == expected, "\(name) below \(permitted)")
      }
    }
  }

  @Test("a product of comparisons or a length that no Int holds is a limit or a value, and no trap")
  func products() throws {
    var budget = Budget()
    #expect(throws: CheckFailure.limitReached(.work(budget.limits.work))) {
      try budget.spendNameComparisons(.max, times: 2)
    }
    try budget.spendNameComparisons(2, times: 3)
    // More seconds than 32 bits hold: 1 << 40 - 1 and the last one.
    let endless = Violation(.validityTooLong, .length(1 << 40 - 1, allowed: 86_400))
    #expect("\(endless)" == "valid for 12725829 days, longer than 1")
  }

  /// The public key and the name of the issuer: `Limits.work`, one in eight bytes.
  @Test("what a program distrusts is charged for each certificate of a path")
  func distrust() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    func cost(_ distrusted: Set<DistrustedCertificate>) -> Int {
      var constraint = ProgramConstraint(
        RootProgram("Test", date: nil, source: "a test"), anyOf: [.init()])
      constraint.distrusted = distrusted
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [constraint]
      return least(below: 2_000) { limit in
        var limits = Limits.default
        limits.work = limit
        let validator = PathValidator(
          anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280,
          limits: limits, cache: nil)
        do throws(PathError) {
          _ = try validator.validate(
            [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
          return true
        } catch {
          return false
        }
      }
    }
    let charge = [leaf, root].reduce(0) {
      $0 + ($1.publicKeyBytes.count + $1.issuer.der.count) / 8 + 1
    }
    #expect(cost([.key([1])]) - cost([]) == charge)
  }
}
