import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Corners of the search that whole suites of chains do not visit.
@Suite("Corners of the search") struct SearchCornerTests {
  private let root: Certificate
  private let middle: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "Middle", 2)
  }

  private static let ecdsa = Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))

  /// A certificate with the signature of another, as if a digest of it were known.
  private func copy(_ certificate: Certificate, _ change: (inout SignedCertificate) -> Void)
    throws -> Certificate
  {
    try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.signature = (SearchCornerTests.ecdsa, Array(certificate.signature))
      change(&$0)
    }
  }

  @Test("a certificate with another's signature hides neither that nor itself", arguments: [1, 20])
  func sameSignature(count: Int) throws {
    let copies = try (0..<count).map { number in
      try copy(middle) { $0.serialNumber = UInt64(1_000 + number) }
    }
    for order in [copies + [middle], [middle] + copies] {
      #expect(
        Search(leaf: leaf, others: order, anchors: [root]).path == [leaf, middle, root])
    }
    let anchors = [try copy(middle) { $0.serialNumber = 1_000 }, root]
    #expect(
      Search(leaf: leaf, others: [middle], anchors: anchors).path?.last != middle)
  }

  @Test("anchors with one signature are told apart, and each is found by its certificate")
  func sameSignatureOfAnchors() throws {
    let copies = try (0..<3).map { number in
      try copy(middle) { $0.serialNumber = UInt64(1_000 + number) }
    }
    let anchors = AnchorSet([middle] + copies + copies)
    #expect(anchors.anchors.compactMap(\.certificate) == [middle] + copies)
    for certificate in [middle] + copies {
      #expect(anchors.anchor(madeFrom: certificate)?.certificate == certificate)
    }
    var short = TrustAnchor.Constraints()
    short.pathLength = 0
    // Of two anchors with one certificate the first is found.
    let both = AnchorSet(
      [TrustAnchor(middle)]
        + copies.flatMap { [TrustAnchor($0), TrustAnchor($0, constraints: short)] })
    for certificate in copies {
      #expect(both.anchor(madeFrom: certificate)?.constraints.pathLength == nil)
    }
    #expect(!both.contains(root))
  }

  /// Its key is a point that is not on the curve.
  private func badKey() throws -> [UInt8] {
    let curve = Made.oid("1.2.840.10045.2.1") + Made.oid("1.2.840.10045.3.1.7")
    let point = [UInt8](repeating: 4, count: 1) + [UInt8](repeating: 1, count: 64)
    return Made.der(0x30, Made.der(0x30, curve) + Made.bits(point))
  }

  @Test("a preset that checks the leaf's key is not named if the key is invalid")
  func acceptingPreset() throws {
    // RFC 8032 §5.1.3: the base point, and a number that is above the prime.
    func ed25519(_ bytes: [UInt8]) -> [UInt8] {
      Made.der(0x30, Made.der(0x30, Made.oid("1.3.101.112")) + Made.bits(bytes))
    }
    let rows: [(info: [UInt8]?, isValid: Bool)] = [
      (nil, true), (try badKey(), false),
      (ed25519([0x58] + [UInt8](repeating: 0x66, count: 31)), true),
      (ed25519([UInt8](repeating: 0xFF, count: 32)), false),
    ]
    for (info, isValid) in rows {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.publicKeyInfo = info }
      var search = Search(leaf: leaf, anchors: [root], rules: .rfc5280)
      search.rules.leaf.maximumValidity = 86_400
      let error = try #require(search.error)
      #expect(error.rejections.contains { $0.rule == .validityTooLong })
      #expect(error.hints.contains(.acceptedBy("webPKI")) == isValid, "\(error.hints)")
    }
  }

  @Test("an unused signature does not verify, and what the key identifiers say of it is told")
  func otherSigner() throws {
    let wrong = try SignedCertificate.leaf(by: "Middle", 3)
    let error = try #require(Search(leaf: wrong, others: [middle], anchors: [root]).error)
    #expect(error.rejections.map(\.rule) == [.signature])
    #expect(error.rejections.map(\.violation.detail) == [.signer(.other)])
    let unnamed = try SignedCertificate.leaf(by: "Middle", 3) { $0.hasKeyIdentifiers = false }
    let other = try #require(Search(leaf: unnamed, others: [middle], anchors: [root]).error)
    #expect(other.rejections.map(\.violation.detail) == [.signer(.unknown)])
    // The right one was sent, too: the signature is wrong under every key.
    let bad = try SignedCertificate.leaf(by: "Middle", 2) {
      $0.signature = (SearchCornerTests.ecdsa, Array(wrong.signature))
    }
    let rejected = try #require(Search(leaf: bad, others: [middle], anchors: [root]).error)
    #expect(rejected.rejections.map(\.violation.detail) == [.signer(.same)])
    // An anchor of the name with another key, beside the certificate that the identifiers mean.
    let stranger = try SignedCertificate.authority("Middle", 9, by: "Middle", 9)
    let beside = try #require(Search(leaf: bad, others: [middle], anchors: [stranger]).error)
    #expect(beside.rejections.first?.violation.detail == .signer(.same))
  }

  @Test("a key of another kind is another CA's if the key identifiers say so, and only then")
  func otherKind() throws {
    let key = Made.der(
      0x30,
      Made.der(0x30, Made.oid("1.3.101.112"))
        + Made.bits([0x58] + [UInt8](repeating: 0x66, count: 31)))
    for (identified, isOther) in [(2, false), (5, true)] as [(UInt64, Bool)] {
      let issuer = try SignedCertificate.authority("Middle", identified, by: "Root", 1) {
        $0.publicKeyInfo = key
      }
      let error = try #require(
        Search(leaf: leaf, others: [issuer], anchors: [root], rules: .rfc5280).error)
      #expect(error.rejections.map(\.rule) == [.unsupportedKey])
      let detail: Violation.Detail =
        isOther ? .signer(.other) : .key(issuer.publicKey, for: .ecdsa(.sha256))
      #expect(error.rejections.map(\.violation.detail) == [detail])
    }
  }

  @Test("if the first certificate is a CA's, the one that has the host's name is named")
  func order() throws {
    let error = try #require(
      Search(leaf: middle, others: [leaf], anchors: [root]).error)
    let first = try #require(error.rejections.first)
    #expect(first.rule == .leafNotFirst && first.index == 0)
    #expect(first.violation.detail == .certificate(leaf))
    #expect(first.violation.bytes == middle.range(of: .basicConstraints))
    // A leaf of another host is not the one asked about.
    let other = try SignedCertificate.leaf(
      by: "Middle", 2, names: [Made.dns("other.example.com")])
    let none = try #require(Search(leaf: middle, others: [other], anchors: [root]).error)
    #expect(!none.rejections.contains { $0.rule == .leafNotFirst })
    // A CA among the others that has the name is none either.
    let authority = try SignedCertificate.authority("Named", 5, by: "Root", 1) {
      $0.extensions.append(Made.alternativeNames([Made.dns(SignedCertificate.host)]))
    }
    let named = try #require(Search(leaf: middle, others: [authority], anchors: [root]).error)
    #expect(!named.rejections.contains { $0.rule == .leafNotFirst })
    // The first one has the name itself.
    let own = try #require(Search(leaf: authority, others: [leaf], anchors: [root]).error)
    #expect(!own.rejections.contains { $0.rule == .leafNotFirst })
  }

  @Test("the key identifier of a certificate with another name than the issuer's is told")
  func otherName() throws {
    let renamed = try SignedCertificate.authority("Renamed", 2, by: "Root", 1)
    for count in [20, 64, 65] {
      let identifier = [UInt8](repeating: 7, count: count)
      let issuer = try SignedCertificate.authority("Renamed", 2, by: "Root", 1) {
        $0.hasKeyIdentifiers = false
        $0.extensions.append(Made.extension("2.5.29.14", Made.der(0x04, identifier)))
      }
      let child = try SignedCertificate.leaf(by: "Middle", 2) {
        $0.hasKeyIdentifiers = false
        $0.extensions.append(
          Made.extension("2.5.29.35", Made.der(0x30, Made.der(0x80, identifier))))
      }
      let error = try #require(Search(leaf: child, others: [issuer], anchors: [root]).error)
      #expect(error.rejections.map(\.rule) == [.nameChaining])
      #expect(error.rejections.first?.violation.detail == .name(.directory(issuer.subject)))
    }
    let error = try #require(Search(leaf: leaf, others: [renamed], anchors: [root]).error)
    #expect(error.rejections.map(\.rule) == [.nameChaining])
    #expect(error.rejections.first?.violation.bytes == leaf.issuer.der.range)
  }

  /// RFC 5280 §4.1.1.2.
  @Test("an algorithm that is written in two ways differs, unless its parameters mean nothing")
  func innerAlgorithm() throws {
    // The outer one is SHA-384's, the inner one SHA-256's.
    let outer = Made.der(0x30, Made.oid("1.2.840.10045.4.3.3"))
    let valid = try SignedCertificate.leaf(by: "Root", 1)
    var der = valid.der
    let inner = Made.oid("1.2.840.10045.4.3.2")
    let place = try #require(
      der.indices.last { der[$0...].starts(with: inner) })
    der.replaceSubrange(place..<(place + inner.count), with: outer.dropFirst(2))
    let changed = try Certificate(der: der)
    for rules in [ValidationRules.webPKI, .rfc5280, .apple] {
      let error = try #require(Search(leaf: changed, anchors: [root], rules: rules).error)
      // That the signature does not verify either is no news.
      #expect(error.rejections.map(\.rule) == [.algorithmsDiffer])
      #expect(error.rejections.first?.violation.bytes == changed.signatureAlgorithmRange)
    }
  }

  @Test("serial numbers are checked from the profile on that asks for them")
  func serialNumbers() throws {
    let long = [1] + [UInt8](repeating: 0, count: 20)
    for (content, expected) in [
      ([0xFF], [false, true, true]), (long, [false, true, true]), ([0], [false, false, true]),
    ] as [([UInt8], [Bool])] {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumberContent = content }
      let found = [ValidationRules.Profile.unchecked, .serialNumbers, .rfc5280].map { profile in
        var search = Search(leaf: leaf, anchors: [root], rules: .rfc5280)
        search.rules.profile = profile
        return search.error?.rejections.first?.rule == .encoding
      }
      #expect(found == expected, "\(content)")
    }
  }

  @Test("the numbers of the algorithms are those of the public interface")
  func algorithms() {
    let all: [ValidationRules.Algorithms] = [.rsaPKCS1, .rsaPSS, .ecdsa, .ed25519, .ed448, .mldsa]
    #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32])
    let signatures = ValidationRules().signatures
    #expect(signatures.minimumRSABits == 2_048 && signatures.maximumRSABits == 8_192)
    #expect(ValidationRules.rfc5280.signatures.maximumRSABits == 16_384)
  }

  @Test("a path has as many certificates as the limit and no more, whatever else was sent")
  func pathLengthLimit() throws {
    var others: [Certificate] = []
    var (issuer, signer) = ("Root", UInt64(1))
    for number in 11...18 as ClosedRange<UInt64> {
      others.append(try SignedCertificate.authority("M\(number)", number, by: issuer, signer))
      (issuer, signer) = ("M\(number)", number)
    }
    let stray = try (31...38).map { (key: UInt64) in try SignedCertificate.root("S\(key)", key) }
    let leaf = try SignedCertificate.leaf(by: issuer, signer)
    for more in [[], stray] {
      var search = Search(leaf: leaf, others: others + more, anchors: [root])
      search.limits.pathLength = 10
      #expect(search.path?.count == 10)
      search.limits.pathLength = 9
      #expect(search.error?.cause == .limitReached(.pathLength(9)))
    }
  }

  @Test("as many intermediates as the limit are considered, and a cache has its largest size")
  func candidates() throws {
    let stray = try SignedCertificate.root("Stray", 30)
    for (maximum, isFound) in [(1, true), (0, false)] {
      var search = Search(leaf: leaf, others: [stray, middle], anchors: [root])
      search.limits.candidates = maximum
      #expect(search.error?.cause == (isFound ? nil : .limitReached(.candidates(0))))
    }
    #expect(SignatureCache(capacity: .max).capacity == 1_048_576)
    #expect(SignatureCache(capacity: 0).capacity == 2)
  }

  private static func policy(_ number: Int) -> [UInt8] {
    Made.extension("2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.\(number)"))))
  }

  /// RFC 5937 §3.2.
  @Test("the one policy of an anchor is that of its paths")
  func policyOfAnchor() throws {
    let root = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.extensions = [SearchCornerTests.policy(1)]
    }
    for (number, isValid) in [(1, true), (2, false)] {
      let leaf = try SignedCertificate.leaf(by: "Root", 1) {
        $0.extensions.append(SearchCornerTests.policy(number))
      }
      var search = Search(leaf: leaf, anchors: [root])
      search.rules.policies.requiresExplicitPolicy = true
      #expect(search.error?.rejections.first?.rule == (isValid ? nil : .policyRequired))
    }
  }

  /// RFC 5280 §4.2.1.11, §6.1.4 (h).
  @Test("policies are mapped as long as the certificates that may do so are not used up")
  func mappingLimits() throws {
    for (skipped, isValid) in [(2, true), (1, false)] as [(UInt8, Bool)] {
      let constraint = Made.extension("2.5.29.36", Made.der(0x30, Made.der(0x81, [skipped])))
      let mapping = Made.extension(
        "2.5.29.33", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.1") + Made.oid("1.2.3.2"))))
      var others: [Certificate] = []
      var (issuer, signer) = ("Root", UInt64(1))
      for own in [constraint, [], mapping] as [[UInt8]] {
        let key = signer + 1
        others.append(
          try SignedCertificate.authority("M\(key)", key, by: issuer, signer) {
            $0.extensions = [own + SearchCornerTests.policy(1)]
          })
        (issuer, signer) = ("M\(key)", key)
      }
      let leaf = try SignedCertificate.leaf(by: issuer, signer) {
        $0.extensions.append(SearchCornerTests.policy(2))
      }
      var search = Search(leaf: leaf, others: others, anchors: [root])
      search.rules.policies.requiresExplicitPolicy = true
      #expect(search.error?.rejections.first?.rule == (isValid ? nil : .policyRequired))
    }
  }

  /// RFC 5280 §4.2.1.14, §6.1.4 (h).
  @Test("anyPolicy counts as long as the certificates that may use it are not used up")
  func anyPolicyLimits() throws {
    let any = Made.extension("2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("2.5.29.32.0"))))
    for (skipped, isValid) in [(2, true), (1, false)] as [(UInt8, Bool)] {
      let constraint = Made.extension("2.5.29.54", Made.der(0x02, [skipped]))
      let policy = SearchCornerTests.policy(1)
      var others: [Certificate] = []
      var (issuer, signer) = ("Root", UInt64(1))
      for own in [[constraint, policy], [policy], [any]] as [[[UInt8]]] {
        let key = signer + 1
        others.append(
          try SignedCertificate.authority("M\(key)", key, by: issuer, signer) {
            $0.extensions = own
          })
        (issuer, signer) = ("M\(key)", key)
      }
      let leaf = try SignedCertificate.leaf(by: issuer, signer) { $0.extensions.append(policy) }
      var search = Search(leaf: leaf, others: others, anchors: [root])
      search.rules.policies.requiresExplicitPolicy = true
      let rejection = search.error?.rejections.first
      #expect(rejection?.rule == (isValid ? nil : .policyRequired))
      #expect(rejection?.index == (isValid ? nil : 1))
    }
  }

  @Test("a diagnosis of a valid chain has what is wrong with the other paths")
  func otherPaths() throws {
    let expired = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.notAfter = "250601000000Z"
    }
    let validator = PathValidator(anchors: AnchorSet([root]))
    let diagnosis = validator.diagnose(
      [leaf, middle, expired], for: .server(named: SignedCertificate.host),
      at: SignedCertificate.time)
    #expect(diagnosis.path?.certificates == [leaf, middle, root])
    #expect(diagnosis.attempts.flatMap(\.violations).map(\.rule) == [.expired])
  }
}
