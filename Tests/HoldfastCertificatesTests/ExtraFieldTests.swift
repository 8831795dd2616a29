import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// An element, and what is in it: that of a constructed one, and of an OCTET STRING that holds a
/// SEQUENCE, as the values of extensions do.
private struct Element {
  let tag: UInt8
  var content: [UInt8]
  var children: [Element]

  static func elements(of bytes: ArraySlice<UInt8>) -> [Element]? {
    var found: [Element] = []
    var rest = bytes
    while let tag = rest.popFirst() {
      guard let first = rest.popFirst() else { return nil }
      var count = Int(first)
      if first >= 0x80 {
        let digits = rest.prefix(Int(first & 0x7F))
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        count = digits.reduce(0) { $0 << 8 | Int($1) }
      }
      guard count <= rest.count else { return nil }
      let content = rest.prefix(count)
      rest = rest.dropFirst(count)
      let holdsMore = tag & 0x20 != 0 || tag == 0x04 && content.first == 0x30
      let children = holdsMore ? elements(of: content) : nil
      found.append(Element(tag: tag, content: Array(content), children: children ?? []))
    }
    return found
  }

  var der: [UInt8] {
    Made.der(tag, children.isEmpty ? content : children.flatMap(\.der))
  }

  /// The element with a NULL at the end of one SEQUENCE in it, for each of them but those with a
  /// single identifier: an AlgorithmIdentifier may have parameters. RFC 5280 §4.1.1.2.
  var lengthened: [Element] {
    var all: [Element] = []
    for index in children.indices {
      for child in children[index].lengthened {
        var copy = self
        copy.children[index] = child
        all.append(copy)
      }
    }
    if tag == 0x30, !children.isEmpty, children.map(\.tag) != [0x06] {
      var copy = self
      copy.children.append(Element(tag: 0x05, content: [], children: []))
      all.append(copy)
    }
    return all
  }
}

/// A structure of ASN.1 that has no `...` ends where its last field ends.
@Suite("Structures with an extra field") struct ExtraFieldTests {
  /// How many variants there are, and how many of them are taken.
  private func variants(
    of der: [UInt8], _ read: ([UInt8]) throws(ParseError) -> Bool
  ) throws -> (count: Int, taken: Int) {
    #expect(try read(der))
    let whole = try #require(Element.elements(of: der[...])?.first)
    #expect(whole.der == der)
    let variants = whole.lengthened
    let taken = variants.count { variant in
      do throws(ParseError) {
        return try read(variant.der)
      } catch {
        return false
      }
    }
    return (variants.count, taken)
  }

  @Test("a NULL at the end of any SEQUENCE of a certificate is rejected")
  func certificates() throws {
    for file in ["demo/chain.pem", "demo/proxy-chain.pem"] {
      for certificate in try Certificate.certificates(inFile: CommittedVectors.path(file)) {
        let found = try variants(of: certificate.der) { der throws(ParseError) in
          _ = try Certificate(der: der)
          return true
        }
        #expect(found.count > 20 && found.taken == 0)
      }
    }
  }

  @Test("a NULL at the end of any SEQUENCE of a CRL is rejected")
  func crls() throws {
    for (name, der) in try RevocationMaterial.blocks("lists.pem") {
      let found = try variants(of: der) { der throws(ParseError) in
        _ = try CRL(der: der)
        return true
      }
      #expect(found.count > 8 && found.taken == 0, "\(name)")
    }
  }

  /// A certificate in a response that cannot be read is passed over, and the others are not.
  @Test("a NULL at the end of any SEQUENCE of an OCSP response is rejected")
  func responses() throws {
    for (name, der) in try RevocationMaterial.blocks("answers.pem") {
      let certificates = try OCSPResponse(der: der).basic?.certificates.count
      let found = try variants(of: der) { der throws(ParseError) in
        try OCSPResponse(der: der).basic?.certificates.count == certificates
      }
      #expect(found.count > 0 && found.taken == 0, "\(name)")
    }
  }

  @Test("a NULL at the end of any SEQUENCE of a certificate request is rejected")
  func requests() throws {
    for block in try PEMText(CommittedVectors.bytes("requests/requests.pem")).blocks {
      let found = try variants(of: block.bytes) { der throws(ParseError) in
        _ = try CertificateRequest(der: der)
        return true
      }
      #expect(found.count > 4 && found.taken == 0)
    }
  }

  @Test("a NULL at the end of any SEQUENCE of an OCSP request is rejected")
  func questions() throws {
    let certificate = try Certificate(
      der: RevocationMaterial.block("good", in: "certificates.pem"))
    let id = OCSPCertificateID(of: certificate, issuerKey: certificate.publicKey)
    let request = try #require(OCSPRequest([id, id], nonce: [1, 2, 3]))
    let found = try variants(of: request.der) { der throws(ParseError) in
      _ = try OCSPRequest(der: der)
      return true
    }
    #expect(found.count > 8 && found.taken == 0)
  }

  @Test("a NULL at the end of a subtree or a directory name of a certificate is rejected")
  func constraints() throws {
    let extensions = [
      Made.nameConstraints(permitted: [Made.directory("CN=a"), Made.dns("a.example")]),
      Made.alternativeNames(Made.directory("CN=a")),
    ]
    let certificate = try Made.certificate(extensions.flatMap { $0 })
    let found = try variants(of: certificate.der) { der throws(ParseError) in
      _ = try Certificate(der: der)
      return true
    }
    #expect(found.count > 15 && found.taken == 0)
  }

  @Test("constraints made of the subtrees of others have their bytes, in every form")
  func madeConstraints() throws {
    let mask = [UInt8](repeating: 255, count: 9) + [0xE0] + [UInt8](repeating: 0, count: 6)
    let bases = [
      Made.dns("a.example"), Made.dns(".b.example"), Made.dns(""), Made.email("a@b.example"),
      Made.uri(".c.example"), Made.directory("C=AQ,CN=a"), Made.directory(""),
      Made.ip(10, 0, 0, 1, 255, 255, 128, 0), Made.ip(0, 0, 0, 0, 0, 0, 0, 0),
      Made.der(0x87, [UInt8](1...16) + mask), Made.other("1.2.3.4", Made.der(0x0C, [0x61])),
      Made.der(0x88, [0x2A, 0x03]), Made.der(0xA3, [0x05, 0x00]), Made.der(0xA5, [0x05, 0x00]),
      Made.dns("d.example") + [0x80, 0x01, 0x05], Made.dns("d.example") + [0x81, 0x02, 0x00, 0x80],
      Made.dns("d.example") + [0x80, 0x02, 0x01, 0x00, 0x81, 0x01, 0x00],
    ]
    for (permitted, excluded) in [(bases, []), ([], bases), (bases, bases.reversed())] {
      let read = try #require(
        Made.certificate(Made.nameConstraints(permitted: permitted, excluded: excluded))
          .extensions.nameConstraints)
      let made = NameConstraints(permitted: Array(read.permitted), excluded: Array(read.excluded))
      #expect(made.permitted.count == permitted.count && made.excluded.count == excluded.count)
      // Lists are equal if their bytes are.
      #expect(made.permitted == read.permitted && made.excluded == read.excluded)
      #expect(made == read)
    }
  }
}
