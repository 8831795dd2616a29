import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// What revocation data and their signers cost: by `Limits`, names one for every 64 bytes.
@Suite("What revocation costs") struct RevocationWorkTests {
  private static let long = String(repeating: "x", count: 6_400)

  /// The charge for a name `CN=` of this many characters.
  private func unit(_ count: Int) -> Int {
    1 + Made.der(0x30, Made.name("CN=" + String(repeating: "x", count: count))).count / 64
  }

  @Test("a CRL is charged by its issuer's name: for its scope, and for each search of its signer")
  func lists() throws {
    let base = WorkQuestion(
      middle: { _ in }, middleName: RevocationWorkTests.long, revocation: { _, _ in Revocation() })
    let more = try base.difference(\.nameComparisons) {
      $0.revocation = { _, _ in
        Revocation(crls: [try SignedRevocation.list(by: RevocationWorkTests.long, 2)])
      }
    }
    // For the leaf: one point, the scope, its comparison, and two comparisons of the signer. For the
    // CA one point, the scope, and its comparison, which is in vain.
    let u = unit(6_400)
    #expect(more == (1 + u + 1 + 2 * u) + (1 + u + 1))
  }

  @Test("entries with the serial number of the certificate are charged one by one, by the names")
  func entries() throws {
    func cost(_ count: Int, of serialNumber: UInt8) throws -> Int {
      try WorkQuestion(
        middle: { _ in }, middleName: RevocationWorkTests.long,
        revocation: { _, _ in
          // None of them counts: it is for a delta CRL to remove a certificate.
          let removal = SignedRevocation.reason(.removeFromCRL)
          let entries = [(UInt8, [UInt8]?)](repeating: (serialNumber, removal), count: count)
          return Revocation(crls: [
            try SignedRevocation.list(by: RevocationWorkTests.long, 2, entries)
          ])
        }
      ).cost(\.nameComparisons)
    }
    let none = try cost(0, of: 9)
    #expect(try cost(50, of: 9) - none == 50 * unit(6_400))
    #expect(try cost(50, of: 8) == none)
  }

  @Test("distribution points are charged one by one, with the names of their CRL issuers")
  func points() throws {
    func points(_ count: Int) -> [UInt8] {
      let point = Made.der(0x30, Made.der(0xA2, Made.directory("CN=Other")))
      return Made.extension(
        "2.5.29.31", Made.der(0x30, [[UInt8]](repeating: point, count: count).flatMap { $0 }))
    }
    let base = WorkQuestion(
      leaf: { $0.extensions.append(points(1)) },
      revocation: { _, _ in Revocation(crls: [try SignedRevocation.list(by: "Root", 1)]) })
    let more = try base.difference(\.nameComparisons) {
      $0.leaf = { $0.extensions.append(points(51)) }
    }
    // The point, the name of its issuer, and the comparison of both.
    #expect(more == 50 * (1 + 1 + 2))
  }

  @Test("a delta CRL is charged by its issuer's name")
  func deltas() throws {
    let base = WorkQuestion(
      middle: { _ in }, middleName: RevocationWorkTests.long,
      revocation: { _, _ in
        Revocation(crls: [try SignedRevocation.list(by: RevocationWorkTests.long, 2)])
      })
    let more = try base.difference(\.nameComparisons) {
      $0.revocation = { _, _ in
        Revocation(crls: [
          try SignedRevocation.list(by: RevocationWorkTests.long, 2),
          try SignedRevocation.list(by: RevocationWorkTests.long, 2, number: 2, base: 1),
        ])
      }
    }
    #expect(more == unit(6_400))
  }

  @Test("signers off the path are charged by their names, and their issuers' for their search")
  func signers() throws {
    func question(_ root: String, _ middle: String, _ count: Int) -> WorkQuestion {
      WorkQuestion(
        middle: { _ in }, root: root, middleName: middle,
        revocation: { _, _ in
          // The first of them has signed.
          var revocation = Revocation(crls: [try SignedRevocation.list(by: middle, 40)])
          revocation.signers = try (0..<UInt64(count)).map {
            try SignedRevocation.signer(middle, 40 + $0, by: middle, 2)
          }
          return revocation
        })
    }
    let u = unit(6_400)
    // In the pool, and where its name is compared: for the leaf, and for the first one's own status.
    #expect(
      try question("Root", RevocationWorkTests.long, 2).cost(\.nameComparisons)
        - question("Root", RevocationWorkTests.long, 1).cost(\.nameComparisons) == 3 * u)
    // The root's name is the issuer's of the signer's issuer.
    #expect(
      try question(RevocationWorkTests.long, "Middle", 1).cost(\.nameComparisons)
        - question("Root", "Middle", 1).cost(\.nameComparisons) >= u - 1)
    // A CA above that is in the pool, and where the signer's path is searched it is the issuer of one
    // certificate and the subject of another.
    func below(_ upper: String) throws -> Int {
      var question = question("Root", "Middle", 1)
      question.upperName = upper
      return try question.cost(\.nameComparisons)
    }
    #expect(try below(RevocationWorkTests.long) - below("Upper") >= 3 * (u - unit(5)))
  }

  @Test("a signer of two CRLs is validated once, and the names of all signers are read once")
  func signerOfTwo() throws {
    func list(_ reasons: [UInt8]) throws -> CRL {
      try SignedRevocation.list(
        by: "Middle", 40,
        extensions: Made.extension(
          "2.5.29.28", isCritical: true, Made.der(0x30, Made.der(0x83, reasons))))
    }
    // keyCompromise, and all others.
    let lists = [try list([6, 0x40]), try list([7, 0x3F, 0x80])]
    let signers = [
      try SignedRevocation.signer("Middle", 40, by: "Middle", 2),
      try SignedRevocation.signer(RevocationWorkTests.long, 41, by: "Middle", 2),
    ]
    func question(_ count: Int) -> WorkQuestion {
      WorkQuestion(
        middle: { _ in },
        revocation: { _, _ in Revocation(crls: Array(lists.prefix(count)), signers: signers) })
    }
    // The second one's signature, under the CA's key and under the signer's.
    #expect(
      try question(2).cost(\.publicKeyOperations) - question(1).cost(\.publicKeyOperations) == 2)
    #expect(
      try question(2).cost(\.nameComparisons) - question(1).cost(\.nameComparisons)
        < unit(6_400))
  }

  @Test("answers about one certificate share its identifier, and a CRL's point costs its length")
  func more() throws {
    func cost(_ answers: Int) throws -> Int {
      try WorkQuestion(revocation: { leaf, root in
        let single = SignedRevocation.single(leaf, of: root)
        return Revocation(ocspResponses: [
          try SignedRevocation.answer(
            [[UInt8]](repeating: single, count: answers), by: root, 1, includesResponder: false)
        ])
      }).cost(\.nameComparisons)
    }
    #expect(try cost(5) - cost(1) == 4)
    let uri = Made.uri("http://crl.example/" + String(repeating: "x", count: 640))
    let name = Made.der(0xA0, uri)
    let scope = Made.der(0x30, Made.der(0xA0, name))
    func cost(_ extensions: [UInt8]) throws -> Int {
      try WorkQuestion(revocation: { _, _ in
        Revocation(crls: [try SignedRevocation.list(by: "Root", 1, extensions: extensions)])
      }).cost(\.nameComparisons)
    }
    // The issuer's implicit point has one name, which is compared with the one in the scope: each
    // comparison counts by the length of both, and the names count one by one. Outside of the scope
    // no signer is looked for, which costs two comparisons of a short name.
    let issuer = Made.der(0x30, Made.name("CN=Root")).count
    #expect(
      try cost(Made.extension("2.5.29.28", isCritical: true, scope)) - cost([])
        == 1 + (scope.count + issuer) / 64 + 1 - 2)
  }

  @Test("the certificate of a responder is charged by its issuer's name")
  func responder() throws {
    func question(_ middle: String) -> WorkQuestion {
      WorkQuestion(
        middle: { _ in }, middleName: middle,
        revocation: { leaf, authority in
          let responder = try SignedRevocation.responder(8, by: middle, 2)
          return Revocation(ocspResponses: [
            try SignedRevocation.answer(
              [SignedRevocation.single(leaf, of: authority)], by: responder, 8)
          ])
        })
    }
    // In the identifier of the certificate, and in the responder's certificate.
    #expect(
      try question(RevocationWorkTests.long).cost(\.nameComparisons)
        - question("Middle").cost(\.nameComparisons) >= 2 * (unit(6_400) - unit(6)))
  }

  @Test("an OCSP response is charged by its answers, and by the names and keys it is compared with")
  func responses() throws {
    func base(_ revocation: @escaping (Certificate, Certificate) throws -> Revocation)
      -> WorkQuestion
    {
      WorkQuestion(middle: { _ in }, middleName: RevocationWorkTests.long, revocation: revocation)
    }
    func response(
      _ leaf: Certificate, _ middle: Certificate, name: String? = nil
    ) throws -> Revocation {
      Revocation(ocspResponses: [
        try SignedRevocation.answer(
          [SignedRevocation.single(leaf, of: middle)], by: middle, 2, name: name,
          includesResponder: false)
      ])
    }
    let none = try base { _, _ in Revocation() }.cost(\.nameComparisons)
    let u = unit(6_400)
    // The CA reads the answer, too, and sees that it is about another certificate. A key of 65 bytes
    // is charged twice.
    let byKey = try base { try response($0, $1) }.cost(\.nameComparisons)
    #expect(byKey - none == 1 + 1 + u + 2 + 2)
    let byName = try base { try response($0, $1, name: RevocationWorkTests.long) }.cost(
      \.nameComparisons)
    #expect(byName - none == 1 + 1 + u + 2 + u)
  }
}
