import HoldfastCertificates
import HoldfastPaths
import TestSupport
import Testing

/// What a rejection says first about frequent mistakes, and what it advises.
@Suite("The first reason and the hints") struct FirstReasonTests {
  private func validate(
    _ chain: [Certificate], _ anchors: [Certificate], for host: String = SignedCertificate.host,
    at time: Timestamp = SignedCertificate.time
  ) throws -> PathError {
    try #require(
      throws: PathError.self,
      performing: {
        try PathValidator(anchors: AnchorSet(anchors)).validate(
          chain, for: .server(named: host), at: time)
      })
  }

  private func diagnose(_ chain: [Certificate], _ anchors: [Certificate]) throws -> PathError {
    try #require(
      PathValidator(anchors: AnchorSet(anchors)).diagnose(
        chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time
      ).error)
  }

  @Test("below an expired root that was sent, the newer root is to be trusted, and not that one")
  func crossSigned() throws {
    let old = try SignedCertificate.authority("Old Root", 1, by: "Old Root", 1) {
      $0.notAfter = "250601000000Z"
    }
    let newer = try SignedCertificate.authority("New Root X1", 2, by: "Old Root", 1)
    let middle = try SignedCertificate.authority("Middle", 3, by: "New Root X1", 2)
    let leaf = try SignedCertificate.leaf(by: "Middle", 3)
    let other = try SignedCertificate.root("Other", 9)
    let error = try validate([leaf, middle, newer, old], [other])
    #expect(error.hints == [.crossSigned(newer)])
    #expect(
      "\(error)".contains("trust CN=New Root X1, which was sent below an expired root"), "\(error)")
    // It helps.
    let own = try SignedCertificate.root("New Root X1", 2)
    _ = try PathValidator(anchors: AnchorSet([own])).validate(
      [leaf, middle, newer, old], for: .server(named: SignedCertificate.host),
      at: SignedCertificate.time)
    // A root that has not expired may be the caller's own, and an intermediate is no root.
    let root = try SignedCertificate.root("Old Root", 1)
    #expect(
      try validate([leaf, middle, newer, root], [other]).hints == [.unknownRoot(root, anchors: 1)])
    let short = try SignedCertificate.leaf(by: "New Root X1", 2)
    #expect(try !validate([short, newer, old], [other]).hints.contains(.crossSigned(newer)))
  }

  /// What `openssl req -x509` makes is a CA's certificate, and often for another host.
  @Test("a self-signed server that is no anchor is told so before its other faults")
  func selfSigned() throws {
    let server = try SignedCertificate.authority("A", 2, by: "A", 2)
    let root = try SignedCertificate.root()
    for error in [try validate([server], [root]), try diagnose([server], [root])] {
      let first = try #require(error.rejections.first)
      #expect(first.rule == .untrustedRoot && first.index == 0)
      #expect(first.bytes == server.issuer.der.range)
      #expect("\(first.violation)" == "self-signed, and not a trust anchor")
      #expect(error.rejections.contains { $0.rule == .leafIsCA })
      #expect(error.hints.first == .unknownRoot(server, anchors: 1))
    }
    #expect(try validate([server], []).rejections.first?.rule == .untrustedRoot)
  }

  @Test("a CA of the issuer's name that did not sign is not one to trust")
  func namesakeOfIssuer() throws {
    let leaf = try SignedCertificate.leaf(by: "A", 2)
    let namesake = try SignedCertificate.authority("A", 9, by: "A", 9)
    let above = try SignedCertificate.authority("A", 8, by: "B", 3)
    let root = try SignedCertificate.root()
    for sent in [[leaf, namesake], [leaf, above], [leaf, above, namesake]] {
      for error in [try validate(sent, [root]), try diagnose(sent, [root])] {
        for rejection in error.rejections {
          #expect(rejection.rule == .signature && rejection.index == 0)
          #expect(rejection.violation.detail == .signer(.other) && rejection.path.count == 2)
        }
        #expect(error.headline.contains("was signed by another CA of the name CN=A"))
        let identifier = leaf.extensions.authorityKeyIdentifier?.keyIdentifier
        #expect(error.hints == [.otherSigner(leaf, keyIdentifier: identifier)])
      }
    }
    // Without key identifiers nothing is known of who signed.
    let plain = try SignedCertificate.leaf(by: "A", 2) { $0.hasKeyIdentifiers = false }
    let rules = try validate([plain, namesake], [root]).rejections.map(\.rule)
    #expect(rules == [.untrustedRoot])
  }

  @Test("a leaf that only names itself as its issuer is not called self-signed")
  func selfIssued() throws {
    let root = try SignedCertificate.root()
    // The signature is another key's, and the leaf has another fault.
    let server = try SignedCertificate.authority("A", 2, by: "A", 3) {
      $0.hasKeyIdentifiers = false
    }
    for error in [try validate([server], [root]), try diagnose([server], [root])] {
      #expect(!error.rejections.contains { "\($0.violation)".hasPrefix("self-signed") })
    }
  }

  @Test("a new self-signed certificate beside the old one of the same name is told so")
  func renewedSelfSigned() throws {
    let old = try SignedCertificate.authority("A", 2, by: "A", 2)
    let new = try SignedCertificate.authority("A", 3, by: "A", 3)
    for error in [try validate([new], [old]), try diagnose([new], [old])] {
      #expect(error.rejections.first?.rule == .untrustedRoot)
      #expect(error.hints.first == .anchorWithOtherKey(TrustAnchor(old)))
    }
    // One that is an anchor is not.
    for error in [try validate([old], [old]), try diagnose([old], [old])] {
      #expect(error.rejections.first?.rule == .leafIsCA)
      #expect(!error.rejections.contains { $0.rule == .untrustedRoot })
      #expect(error.hints.first == .isAnchorItself(old))
    }
  }

  @Test("the certificate asked about without a name is one that has issued none of the others")
  func order() throws {
    let root = try SignedCertificate.root()
    // Without basic constraints it is no CA's, but it has issued the first.
    let old = try SignedCertificate.authority("A", 2, by: "Root", 1) { $0.isAuthority = nil }
    let first = try SignedCertificate.authority("B", 3, by: "A", 2)
    let leaf = try SignedCertificate.leaf(by: "B", 3)
    func rules(
      _ chain: [Certificate], _ rules: ValidationRules = .webPKI
    ) throws -> [Rule] {
      try #require(throws: PathError.self) {
        try PathValidator(anchors: AnchorSet([root]), rules: rules).validate(
          chain, for: .codeSigning, at: SignedCertificate.time)
      }.rejections.map(\.rule)
    }
    #expect(try !rules([first, old]).contains(.leafNotFirst))
    #expect(try rules([first, old, leaf]).first == .leafNotFirst)
    // Where a CA may be the one asked about, the first is.
    #expect(try rules([first, old, leaf], .rfc5280) == [.basicConstraintsMissing])
  }

  @Test("an expired leaf must be renewed, and was not skipped")
  func expiredLeaf() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.notAfter = "251231000000Z" }
    for error in [try validate([leaf], [root]), try diagnose([leaf], [root])] {
      #expect(error.hints == [.leafExpired(leaf)])
      #expect(
        "\(error)".contains("hint: renew this certificate: it was valid until 2025-12-31T00:00:00Z")
      )
      #expect(!"\(error)".contains("skipped"))
    }
    let early = try #require(Timestamp("2024-12-31T00:00:00Z"))
    let next = try validate([leaf], [root], at: early)
    #expect(next.hints == [.leafNotYetValid(leaf)])
    #expect("\(next)".contains("wait until 2025-01-01T00:00:00Z"))
  }

  @Test("what a CA breaks is for it to mend, and a certificate of another CA helps")
  func authoritysFault() throws {
    let root = try SignedCertificate.root()
    let forClients = Made.extension(
      "2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.2")))
    let authority = try SignedCertificate.authority("A", 2, by: "Root", 1) {
      $0.extensions = [forClients]
    }
    let error = try validate([SignedCertificate.leaf(by: "A", 2), authority], [root])
    #expect(error.rejections.map(\.rule) == [.extendedKeyUsage])
    #expect(error.hints == [.remedyAboveLeaf(.extendedKeyUsage, authority)])
    #expect(
      "\(error)".contains(
        "\n  hint: CN=A: have it issued anew for this purpose; or use a certificate of another CA\n"
      ))
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.extensions.append(forClients) }
    let own = try validate([leaf], [root])
    #expect(own.hints == [.remedy(.extendedKeyUsage)])
    #expect("\(own)".contains("\n  hint: have it issued anew for this purpose\n"))
  }

  @Test("an expired intermediate was skipped")
  func expiredIntermediate() throws {
    let root = try SignedCertificate.root()
    let authority = try SignedCertificate.authority("A", 2, by: "Root", 1) {
      $0.notAfter = "251231000000Z"
    }
    let leaf = try SignedCertificate.leaf(by: "A", 2)
    #expect(try validate([leaf, authority], [root]).hints == [.outsideValidity(authority)])
  }

  @Test("a wrong host is told with the names that were found, at most eight of them")
  func names() throws {
    let root = try SignedCertificate.root()
    func text(_ count: Int) throws -> String {
      let names = (0..<count).map { Made.dns("h\($0).example") }
      let leaf = try SignedCertificate.leaf(by: "Root", 1, names: names)
      return "\(try validate([leaf], [root]))"
    }
    #expect(
      try text(2).hasSuffix(
        "0: not valid for www.example.com, found DNS:h0.example, DNS:h1.example "
          + "[RFC 9525 §6.3]"))
    #expect(try text(8).hasSuffix(", DNS:h7.example [RFC 9525 §6.3]"))
    #expect(try text(300).hasSuffix(", DNS:h7.example and 292 more [RFC 9525 §6.3]"))
    let none = try text(0)
    #expect(none.contains("no subject alternative names; the common name is ignored ["))
    // The rule has said of the common name what there is to say.
    #expect(none.split(separator: "hint: ").count == 2, "\(none)")
    #expect(none.contains("hint: add DNS:www.example.com to the certificate\n"))
  }

  @Test("a certificate on hold is not replaced at once, and a CRL may be that of another key")
  func hold() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 9 }
    func error(_ reason: RevocationReason, signedBy key: UInt64 = 1) throws -> PathError {
      let list = try SignedRevocation.list(
        by: "Root", key, [(9, SignedRevocation.reason(reason))])
      return try #require(
        throws: PathError.self,
        performing: {
          try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
            [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
            revocation: Revocation(.required(of: .leaf), crls: [list]))
        })
    }
    #expect(try error(.certificateHold).hints == [.onHold(leaf)])
    #expect("\(try error(.certificateHold))".contains("hint: CN=Leaf is on hold, and not revoked"))
    #expect(try error(.keyCompromise).hints == [.remedy(.revoked)])
    let forged = try error(.keyCompromise, signedBy: 2)
    #expect(forged.rejections.map(\.rule) == [.revocationUnknown])
    #expect(forged.headline.hasSuffix("changed after it was signed, or signed with another key"))
  }
}
