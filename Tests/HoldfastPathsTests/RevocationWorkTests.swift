import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// What revocation data and their signers cost at least: by `Limits`, names one for every 64 bytes.
@Suite("What revocation costs") struct RevocationWorkTests {
  private static let long = String(repeating: "x", count: 6_400)

  /// The least charge for the long name.
  private static let unit = 6_400 / 64

  /// Expects this price of the revocation data for every 64 bytes of a name.
  private func expectGrowth(
    price: Double, sourceLocation: SourceLocation = #_sourceLocation,
    _ question: (Int) throws -> WorkQuestion
  ) throws {
    try HoldfastPathsTests.expectGrowth(
      of: \.nameComparisons, by: 3_200, price: price / 64, sourceLocation: sourceLocation, question)
  }

  /// Expects this price for each of some things.
  private func expectGrowth(
    by step: Int, price: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ question: (Int) throws -> WorkQuestion
  ) throws {
    try HoldfastPathsTests.expectGrowth(
      of: \.nameComparisons, by: step, price: Double(price), sourceLocation: sourceLocation,
      question)
  }

  /// A question about a leaf under a CA of this name, of which the root's name may be another.
  private func question(
    _ middle: String = long, root: String = "Root", upper: String? = nil,
    _ revocation: @escaping (Certificate, Certificate) throws -> Revocation
  ) -> WorkQuestion {
    WorkQuestion(
      middle: { _ in }, root: root, middleName: middle, upperName: upper, revocation: revocation)
  }

  private func name(_ count: Int) -> String { String(repeating: "x", count: count) }

  // MARK: CRLs

  @Test("a CRL is charged by its issuer's name: for its scope, and for each search of its signer")
  func lists() throws {
    // The scope for both certificates, and for the leaf two comparisons of the signer.
    try expectGrowth(price: 4) { count in
      question(name(count)) { _, _ in
        Revocation(crls: [try SignedRevocation.list(by: name(count), 2)])
      }
    }
  }

  @Test("entries with the serial number of the certificate are charged one by one, by the names")
  func entries() throws {
    func asked(_ count: Int, of serialNumber: UInt8) -> WorkQuestion {
      question { _, _ in
        // None of them counts: it is for a delta CRL to remove a certificate.
        let removal = SignedRevocation.reason(.removeFromCRL)
        let entries = [(UInt8, [UInt8]?)](repeating: (serialNumber, removal), count: count)
        return Revocation(crls: [try SignedRevocation.list(by: Self.long, 2, entries)])
      }
    }
    try expectGrowth(by: 25, price: Self.unit) { asked($0, of: 9) }
    #expect(
      try asked(50, of: 8).cost(\.nameComparisons) <= asked(0, of: 8).cost(\.nameComparisons))
  }

  @Test("distribution points are charged one by one, with the names of their CRL issuers")
  func points() throws {
    // The point, the name of its issuer, and the comparison of both.
    try expectGrowth(by: 25, price: 1 + 1 + 2) { count in
      let point = Made.der(0x30, Made.der(0xA2, Made.directory("CN=Other")))
      let points = Made.der(0x30, [[UInt8]](repeating: point, count: count).flatMap { $0 })
      return WorkQuestion(
        leaf: { $0.extensions.append(Made.extension("2.5.29.31", points)) },
        revocation: { _, _ in Revocation(crls: [try SignedRevocation.list(by: "Root", 1)]) })
    }
  }

  @Test("each delta CRL is charged by its issuer's name")
  func deltas() throws {
    try expectGrowth(by: 1, price: Self.unit) { count in
      question { _, _ in
        let base = try SignedRevocation.list(by: Self.long, 2)
        return Revocation(
          crls: try [base]
            + (1...UInt8(count)).map {
              try SignedRevocation.list(by: Self.long, 2, number: 1 + $0, base: 1)
            })
      }
    }
  }

  @Test("the names of a CRL's scope are charged by their length")
  func scopes() throws {
    // They are compared with the one name of the issuer's implicit point.
    try expectGrowth(price: 1) { count in
      let uri = Made.uri("http://crl.example/" + name(count))
      let scope = Made.der(0x30, Made.der(0xA0, Made.der(0xA0, uri)))
      let list = Made.extension("2.5.29.28", isCritical: true, scope)
      return WorkQuestion(revocation: { _, _ in
        Revocation(crls: [try SignedRevocation.list(by: "Root", 1, extensions: list)])
      })
    }
  }

  // MARK: Signers

  @Test("signers off the path are charged by their names, and their issuers' for their search")
  func signers() throws {
    func asked(
      _ middle: String = "Middle", root: String = "Root", upper: String? = nil, signers: Int = 1
    ) -> WorkQuestion {
      question(middle, root: root, upper: upper) { _, _ in
        // The first of them has signed.
        var revocation = Revocation(crls: [try SignedRevocation.list(by: middle, 40)])
        revocation.signers = try (0..<UInt64(signers)).map {
          try SignedRevocation.signer(middle, 40 + $0, by: middle, 2)
        }
        return revocation
      }
    }
    // In the pool, and where its name is compared: for the leaf, and for the first one's own status.
    try expectGrowth(by: 1, price: 3 * Self.unit) {
      asked(Self.long, signers: $0)
    }
    // The root's name is the issuer's of the signer's issuer.
    try expectGrowth(price: 1) {
      asked(root: name($0))
    }
    // A CA above that is in the pool, and where the signer's path is searched it is the issuer of one
    // certificate and the subject of another.
    try expectGrowth(price: 3) {
      asked(upper: name($0))
    }
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
      try SignedRevocation.signer(Self.long, 41, by: "Middle", 2),
    ]
    func more(_ limit: WritableKeyPath<Limits, Int>) throws -> Int {
      let costs = try (1...2).map { count in
        try question("Middle") { _, _ in
          Revocation(crls: Array(lists.prefix(count)), signers: signers)
        }.cost(limit)
      }
      return costs[1] - costs[0]
    }
    // The second one's signature, under the CA's key and under the signer's.
    #expect(try (1...2).contains(more(\.publicKeyOperations)))
    #expect(try more(\.nameComparisons) < Self.unit)
  }

  // MARK: OCSP

  /// What a response by the second of two certificates says of the first.
  private func response(
    _ leaf: Certificate, _ issuer: Certificate, _ key: UInt64 = 2, answers: Int = 1,
    name: String? = nil
  ) throws -> Revocation {
    let single = SignedRevocation.single(leaf, of: issuer)
    return Revocation(ocspResponses: [
      try SignedRevocation.answer(
        [[UInt8]](repeating: single, count: answers), by: issuer, key, name: name,
        includesResponder: false)
    ])
  }

  @Test("an OCSP response is charged by its answers, and by the names and keys it is compared with")
  func responses() throws {
    try expectGrowth(by: 4, price: 1) { count in
      WorkQuestion(revocation: { try response($0, $1, 1, answers: count) })
    }
    // The CA reads the answer, too, and sees that it is about another certificate. A key of 65 bytes
    // is charged twice.
    let none = try question { _, _ in Revocation() }.cost(\.nameComparisons)
    let byKey = try question { try response($0, $1) }.cost(\.nameComparisons)
    #expect(byKey - none >= 2 + Self.unit + 2 * 2)
    // Its name is in the identifier of the certificate, and that of the responder.
    try expectGrowth(price: 1) { question(name($0)) { try response($0, $1) } }
    try expectGrowth(price: 2) { count in
      question(name(count)) { try response($0, $1, name: name(count)) }
    }
  }

  @Test("the certificate of a responder is charged by its issuer's name")
  func responder() throws {
    // In the identifier of the certificate, and in the responder's certificate.
    try expectGrowth(price: 2) { count in
      question(name(count)) { leaf, authority in
        let responder = try SignedRevocation.responder(8, by: name(count), 2)
        return Revocation(ocspResponses: [
          try SignedRevocation.answer(
            [SignedRevocation.single(leaf, of: authority)], by: responder, 8)
        ])
      }
    }
  }
}
