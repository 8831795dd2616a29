import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// What is remembered saves work, but is charged as if it did not: an answer at a limit is the same
/// whatever was validated before.
@Suite("Remembered signatures and the budget") struct RememberedWorkTests {
  /// A question, and how many signatures it takes to answer it.
  struct Question: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let signatures: Int
    var isValid = true
    let make: @Sendable () throws -> Material
  }

  struct Material {
    var chain: [Certificate]
    var root: Certificate
    var revocation: Revocation?
  }

  static let questions = [
    Question(testDescription: "two signatures of certificates", signatures: 2) {
      let middle = try SignedCertificate.authority("M", 2, by: "Root", 1)
      return Material(
        chain: [try SignedCertificate.leaf(by: "M", 2), middle],
        root: try SignedCertificate.root())
    },
    Question(testDescription: "an issuer behind decoys of its name", signatures: 8) {
      // The leaf names no key, so all four are tried: the signature on each, and that on the leaf.
      let leaf = try SignedCertificate.leaf(by: "M", 2) { $0.hasKeyIdentifiers = false }
      let issuers = try [3, 4, 5, 2].map { key in
        try SignedCertificate.authority("M", key, by: "Root", 1)
      }
      return Material(chain: [leaf] + issuers, root: try SignedCertificate.root())
    },
    Question(testDescription: "a list of the issuer", signatures: 2) {
      let list = try SignedRevocation.list(by: "Root", 1)
      return try direct(Revocation(.required(of: .leaf), crls: [list]))
    },
    Question(testDescription: "a list under another key of its name", signatures: 4) {
      // The list is tried under both keys; the right one has a path of one signature.
      let list = try SignedRevocation.list(by: "Root", 7)
      let signer = try SignedRevocation.signer("Root", 7, by: "Root", 1)
      return try direct(Revocation(.required(of: .leaf), crls: [list], signers: [signer]))
    },
    Question(testDescription: "an OCSP response of the issuer", signatures: 2) {
      let root = try SignedCertificate.root()
      let leaf = try SignedCertificate.leaf(by: "Root", 1)
      let single = SignedRevocation.single(leaf, of: root)
      let answer = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
      return try direct(Revocation(.required(of: .leaf), ocspResponses: [answer]))
    },
    Question(testDescription: "an OCSP response of a delegate", signatures: 3) {
      let root = try SignedCertificate.root()
      let leaf = try SignedCertificate.leaf(by: "Root", 1)
      let responder = try SignedRevocation.responder(8, by: "Root", 1)
      let single = SignedRevocation.single(leaf, of: root)
      let answer = try SignedRevocation.answer([single], by: responder, 8)
      return try direct(Revocation(.required(of: .leaf), ocspResponses: [answer]))
    },
    Question(testDescription: "a list on two paths", signatures: 4, isValid: false) {
      // The leaf is revoked, so the second path is tried: its own signature is new, those on the
      // leaf and on the list are not.
      let issuers = try [5, 6].map { number in
        try SignedCertificate.authority("M", 2, by: "Root", 1) { $0.serialNumber = number }
      }
      let list = try SignedRevocation.list(by: "M", 2, [(1, nil)])
      return Material(
        chain: [try SignedCertificate.leaf(by: "M", 2)] + issuers,
        root: try SignedCertificate.root(), revocation: Revocation(crls: [list]))
    },
  ]

  private static func direct(_ revocation: Revocation) throws -> Material {
    Material(
      chain: [try SignedCertificate.leaf(by: "Root", 1)], root: try SignedCertificate.root(),
      revocation: revocation)
  }

  /// Whether a path is found with so many signatures allowed; nil if the limit is reached.
  private func isValid(
    _ material: Material, _ cache: SignatureCache?, _ maximum: Int?
  ) -> Bool? {
    var limits = Limits.default
    if let maximum { limits.publicKeyOperations = maximum }
    let validator = PathValidator(
      anchors: AnchorSet([material.root]), limits: limits, cache: cache)
    do throws(PathError) {
      _ = try validator.validate(
        material.chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: material.revocation)
      return true
    } catch {
      if case .limitReached(.publicKeyOperations) = error.cause { return nil }
      return false
    }
  }

  @Test(
    "a question takes the same number of signatures before and after it was answered",
    arguments: questions)
  func limitHeavy(question: Question) throws {
    for maximum in 0...(question.signatures + 1) {
      let expected: Bool? = maximum < question.signatures ? nil : question.isValid
      let material = try question.make()
      #expect(isValid(material, nil, maximum) == expected, "new, \(maximum) allowed")
      let cache = SignatureCache()
      for turn in 1...3 {
        #expect(isValid(material, cache, nil) == question.isValid)
        #expect(isValid(material, cache, maximum) == expected, "turn \(turn), \(maximum) allowed")
      }
    }
  }
}
