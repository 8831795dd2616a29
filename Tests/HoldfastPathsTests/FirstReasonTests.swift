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
      #expect(error.rejections.contains { $0.rule == .leafIsAuthority })
      #expect(error.hints.first == .unknownRoot(server, anchors: 1))
    }
    #expect(try validate([server], []).rejections.first?.rule == .untrustedRoot)
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
      #expect(error.rejections.first?.rule == .leafIsAuthority)
      #expect(!error.rejections.contains { $0.rule == .untrustedRoot })
      #expect(error.hints.first == .isAnchorItself(old))
    }
  }
}
