import HoldfastCertificates
import HoldfastPaths
import TestSupport
import Testing

/// What was sent and cannot be read is named as the reason where it would have been the issuer.
@Suite("Certificates that cannot be read") struct UnreadableCertificateTests {
  private let root: Certificate
  private let authority: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    authority = try SignedCertificate.authority("A", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "A", 2)
  }

  private func unreadable(_ der: [UInt8], number: Int = 2) throws -> UnreadableCertificate {
    let error = try #require(throws: ParseError.self) { try Certificate(der: der) }
    return UnreadableCertificate(der: der, error: error, number: number)
  }

  private func error(
    _ chain: [Certificate], _ unreadable: [UnreadableCertificate]
  ) throws -> PathError {
    try #require(
      throws: PathError.self,
      performing: {
        try PathValidator(anchors: AnchorSet([root])).validate(
          Question(
            chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
            unreadable: unreadable))
      })
  }

  @Test("the subject is read as soon as it is there, wherever the certificate was cut off")
  func subjects() throws {
    let end = authority.subject.der.range.upperBound
    for count in 0..<authority.der.count {
      let cut = try unreadable(Array(authority.der.prefix(count)))
      #expect(cut.subject == (count < end ? nil : authority.subject), "\(count)")
    }
  }

  @Test("the subject is read whichever byte is flipped that is not before it or in it")
  func flips() throws {
    let range = authority.subject.der.range
    for index in authority.der.indices {
      var der = authority.der
      der[index] ^= 0x80
      let error = try unreadable(Array(der.prefix(der.count - 1))).error
      let subject = UnreadableCertificate(der: der, error: error, number: 2).subject
      if range.contains(index) {
        #expect(subject != authority.subject, "\(index)")
      } else if index >= range.upperBound {
        #expect(subject == authority.subject, "\(index)")
      }
    }
  }

  @Test("an issuer that cannot be read is named with its field and byte, and not asked for")
  func named() throws {
    let cut = try unreadable(Array(authority.der.dropLast()))
    let error = try error([leaf], [cut])
    let first = try #require(error.rejections.first)
    #expect(first.rule == .issuerUnreadable && first.index == 0)
    // No byte of the leaf is wrong.
    #expect(first.certificate == leaf && first.bytes == nil && first.field == nil)
    #expect(first.violation.detail == .unreadable(cut))
    #expect(
      error.headline == "certificate 2 of the chain cannot be read: certificate: "
        + "\(cut.error.problem.text), byte \(cut.error.offset)")
    #expect(error.hints == [.unreadable(cut)])
    #expect(!"\(error)".contains("send the intermediate"))
  }

  @Test("one of another name is no reason, and one without a name is if there is no other")
  func others() throws {
    let other = try SignedCertificate.authority("B", 3, by: "Root", 1)
    let stranger = try unreadable(Array(other.der.dropLast()), number: 2)
    #expect(try error([leaf], [stranger]).rejections.first?.rule == .issuerNotFound)
    let garbage = try unreadable([0x30, 0x03, 0x02, 0x01], number: 3)
    let error = try error([leaf], [stranger, garbage])
    #expect(error.rejections.first?.violation.detail == .unreadable(garbage))
    // It explains no gap where there is none.
    let wrongHost = try SignedCertificate.leaf(by: "A", 2, names: [Made.dns("a.example")])
    #expect(
      try self.error([wrongHost, authority], [garbage]).rejections.first?.rule == .hostName)
  }

  @Test("what cannot be read changes no verdict")
  func verdict() throws {
    let cut = try unreadable(Array(authority.der.dropLast()))
    let path = try PathValidator(anchors: AnchorSet([root])).validate(
      Question(
        [leaf, authority], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        unreadable: [cut]))
    #expect(path.certificates == [leaf, authority, root])
  }
}

extension ParseError.Problem {
  fileprivate var text: String {
    if case .der(let problem) = self { "\(problem)" } else { "\(self)" }
  }
}
