import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// An anchor that was also sent, and that another anchor has issued.
@Suite("Anchors that are sent") struct SentAnchorTests {
  private let root: Certificate
  private let middle: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "Middle", 2)
  }

  private static let program = RootProgram("Test", date: nil, source: "a test")

  private static func constraints(
    _ change: (inout TrustAnchor.Constraints) -> Void
  ) -> TrustAnchor.Constraints {
    var constraints = TrustAnchor.Constraints()
    change(&constraints)
    return constraints
  }

  private func validated(
    _ anchors: [TrustAnchor], sending chain: [Certificate]? = nil,
    unless objection: (ValidatedPath) -> String? = { _ in nil }
  ) -> Result<[Certificate], PathError> {
    Result { () throws(PathError) in
      try PathValidator(anchors: AnchorSet(anchors)).validate(
        Question(
          chain ?? [leaf, middle], for: .server(named: SignedCertificate.host),
          at: SignedCertificate.time)
      ) { (found, _, _, _) throws(CheckFailure) in
        if let objection = objection(found.path) { throw .violation(Violation(objection)) }
      }.certificates
    }
  }

  @Test("its own constraints do not block the path through it to another anchor")
  func constrained() throws {
    var issued = ProgramConstraint.Conditions()
    issued.issuedUntil = Timestamp("2020-01-01T00:00:00Z")
    let other = try Made.certificate(Made.nameConstraints(permitted: [Made.dns("example.org")]))
    let blocking = [
      Self.constraints { $0.names = other.extensions.nameConstraints },
      Self.constraints { $0.extendedKeyUsages = [.emailProtection] },
      Self.constraints { $0.programs = [ProgramConstraint(Self.program, anyOf: [issued])] },
    ]
    for constraints in blocking {
      let anchor = TrustAnchor(middle, constraints: constraints)
      #expect(throws: PathError.self) { try validated([anchor]).get() }
      for anchors in [[anchor, TrustAnchor(root)], [TrustAnchor(root), anchor]] {
        #expect(try validated(anchors).get() == [leaf, middle, root])
      }
      // With the other anchor's certificate in the chain, too.
      #expect(
        try validated([anchor, TrustAnchor(root)], sending: [leaf, middle, root]).get()
          == [leaf, middle, root])
    }
  }

  @Test("a path to it comes first, and a caller who takes another gets that")
  func unconstrained() throws {
    let anchors = [TrustAnchor(root), TrustAnchor(middle)]
    #expect(try validated(anchors).get() == [leaf, middle])
    let found = validated(anchors) { $0.certificates.contains(root) ? nil : "not to the root" }
    #expect(try found.get() == [leaf, middle, root])
  }

  @Test("what a root program distrusts stops every path through it for the program's purposes")
  func distrusted() throws {
    var mail = ProgramConstraint.Conditions()
    mail.purposes = [.emailProtection]
    var named = ProgramConstraint(Self.program, anyOf: [.init()])
    named.distrusted = [.key(middle.publicKeyBytes.array)]
    let rows: [(ProgramConstraint, isTrusted: Bool, Rule)] = [
      (ProgramConstraint(Self.program, anyOf: []), false, .programDistrust),
      (ProgramConstraint(Self.program, anyOf: [mail]), false, .programPurpose),
      (named, false, .programDistrust),
      (
        ProgramConstraint(Self.program, decidesAbout: [.emailProtection], anyOf: []), true,
        .programDistrust
      ),
    ]
    for (program, isTrusted, rule) in rows {
      let anchor = TrustAnchor(middle, constraints: Self.constraints { $0.programs = [program] })
      let found = validated([anchor, TrustAnchor(root)])
      guard case .failure(let error) = found else {
        #expect(isTrusted, "\(program)")
        continue
      }
      #expect(!isTrusted && error.rejections.map(\.rule) == [rule], "\(program): \(error)")
    }
  }

  @Test("a new key of an anchor that its old key has certified leads to the old anchor")
  func rollover() throws {
    let new = try SignedCertificate.authority("Root", 3, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "Root", 3)
    let blocked = Self.constraints { $0.extendedKeyUsages = [] }
    let anchors = [TrustAnchor(new, constraints: blocked), TrustAnchor(root)]
    #expect(try validated(anchors, sending: [leaf, new]).get() == [leaf, new, root])
    // The old anchor as an intermediate below a third.
    let top = try SignedCertificate.root("Top", 4)
    let old = try SignedCertificate.authority("Root", 1, by: "Top", 4)
    #expect(
      try validated(
        [TrustAnchor(new, constraints: blocked), TrustAnchor(top)], sending: [leaf, new, old]
      ).get() == [leaf, new, old, top])
  }

  @Test("a root that is sent and has no other issuer adds nothing to a search or its reasons")
  func ordinary() throws {
    let late = Timestamp("2040-01-01T00:00:00Z") ?? .now
    func diagnosis(_ chain: [Certificate]) -> Diagnosis {
      PathValidator(anchors: AnchorSet([root])).diagnose(
        chain, for: .server(named: SignedCertificate.host), at: late)
    }
    let plain = diagnosis([leaf, middle])
    let withRoot = diagnosis([leaf, middle, root])
    #expect(plain.attempts.count == 1 && withRoot.attempts.count == 1)
    #expect(plain.error?.rejections.map(\.rule) == withRoot.error?.rejections.map(\.rule))
  }
}
