import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import HoldfastTrustStores
import TestSupport
import Testing

/// The cases are those of the standard for bundles, and of go-spiffe's tests as facts.
@Suite("SPIFFE bundles") struct SPIFFEBundleTests {
  private let domain: SPIFFETrustDomain
  private let root: Certificate
  private let other: Certificate

  init() throws {
    domain = try SPIFFETrustDomain("example.org")
    root = try SignedCertificate.root("Root", 1)
    other = try SignedCertificate.root("Other", 2)
  }

  /// A JWK of a certificate, whose members may be changed, or left out with nil.
  private func key(_ certificates: [Certificate], _ changes: [String: String?] = [:]) -> String {
    let point = certificates[0].publicKey.bytes.array
    func base64URL(_ bytes: ArraySlice<UInt8>) -> String {
      Base64.text(of: bytes).replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let chain = certificates.map { "\"\(Base64.text(of: $0.der))\"" }.joined(separator: ",")
    var members: [String: String?] = [
      "kty": "\"EC\"", "use": "\"x509-svid\"", "crv": "\"P-256\"",
      "x": "\"\(base64URL(point[1...32]))\"", "y": "\"\(base64URL(point[33...]))\"",
      "x5c": "[\(chain)]",
    ]
    for (name, value) in changes { members[name] = .some(value) }
    let texts = members.sorted { $0.key < $1.key }.compactMap { member in
      member.value.map { "\"\(member.key)\": \($0)" }
    }
    return "{" + texts.joined(separator: ", ") + "}"
  }

  private func read(_ text: String) throws(TrustStoreError) -> SPIFFEBundle {
    try SPIFFEBundle(Array(text.utf8), of: domain)
  }

  @Test("a JWK set has its certificates, its sequence and its refresh hint")
  func document() throws {
    let bundle = try read(
      """
      {"spiffe_sequence": 18446744073709551615, "spiffe_refresh_hint": 2419200, "more": [{}],
       "keys": [\(key([root], ["unknown": "1"])), \(key([other])), \(key([root])),
        {"kty": "EC", "use": "jwt-svid", "kid": "1", "crv": "P-256", "x": "", "y": ""}]}
      """)
    #expect(bundle.authorities == [root, other] && bundle.trustDomain == domain)
    #expect(bundle.sequence == .max && bundle.refreshHint == .seconds(2_419_200))
    #expect(bundle.ignored == [])
    let plain = try read("{\"keys\": []}")
    #expect(plain.authorities == [] && plain.sequence == nil && plain.refreshHint == nil)
  }

  @Test("what the standard lets a reader ignore is ignored and listed")
  func ignored() throws {
    let rows: [(change: [String: String?], label: String)] = [
      (["kty": "\"AKP\""], "key type AKP"), (["use": nil], "no use"),
      (["use": "\"sig\""], "use sig"),
      (["use": "\"X509-SVID\""], "use X509-SVID"), (["x5c": nil], "no certificate (x5c)"),
      (["x5c": "[]"], "no certificate (x5c)"),
    ]
    for (change, reason) in rows {
      let bundle = try read("{\"keys\": [\(key([root], change)), \(key([other]))]}")
      #expect(bundle.authorities == [other])
      #expect(bundle.ignored.map(\.problem) == [.ignoredKey(reason)])
      #expect(bundle.ignored.map(\.label) == ["keys[0]"])
    }
    // X509-SVID §6.2: all certificates but the first.
    #expect(try read("{\"keys\": [\(key([root, other]))]}").authorities == [root])
  }

  @Test("what is for certificates and cannot be read is an error with its place")
  func problems() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    func error(_ text: String) -> TrustStoreError? {
      #expect(throws: TrustStoreError.self) { try read(text) }
    }
    func error(ofKey change: [String: String?]) -> TrustStoreError? {
      error("{\"keys\": [\(key([other])), \(key([root], change))]}")
    }
    #expect(error("{}")?.problem == .value("keys"))
    #expect(error("{\"keys\": {}}")?.problem == .value("keys"))
    #expect(error("{\"keys\": null}")?.problem == .value("keys"))
    #expect(error("{\"keys\": [1]}")?.problem == .value("keys[0].kty"))
    for value in ["-1", "1.5", "\"1\"", "18446744073709551616", "null"] {
      let text = "{\"keys\": [], \"spiffe_sequence\": \(value)}"
      #expect(error(text)?.problem == .value("spiffe_sequence"))
    }
    #expect(
      error("{\"keys\": [], \"spiffe_refresh_hint\": -1}")?.problem
        == .value("spiffe_refresh_hint"))
    #expect(error(ofKey: ["kty": nil])?.problem == .value("keys[1].kty"))
    #expect(error(ofKey: ["use": "1"])?.problem == .value("keys[1].use"))
    #expect(error(ofKey: ["x5c": "\"\""])?.problem == .value("keys[1].x5c"))
    #expect(error(ofKey: ["x5c": "[\"*\"]"])?.problem == .value("keys[1].x5c"))
    let der = error(ofKey: ["x5c": "[\"MAA=\"]"])
    #expect(der?.label == "keys[1]")
    if case .certificate? = der?.problem {} else { Issue.record("not a certificate's error") }
    for change in [["x": "\"AAAA\""], ["y": "\"AAAA\""], ["crv": "\"P-384\""], ["kty": "\"RSA\""]] {
      let error = error(ofKey: change.mapValues { $0 })
      #expect(error?.problem == .otherKey(root) && error?.label == "keys[1]")
    }
    #expect(error("{\"keys\": [\(key([leaf]))]}")?.problem == .notCA(leaf))
    // A name that occurs twice. RFC 8259 §4, standard §6.3.
    let twice = error("{\"keys\": [],\n \"keys\": []}")
    #expect(twice?.line == 2)
    if case .syntax? = twice?.problem {} else { Issue.record("not an error of syntax") }
    #expect(error("{\"keys\": []} {}")?.line == 1)
  }

  @Test("a file of certificates is a bundle, if all can be read and there is one")
  func certificates() throws {
    let bundle = try read("\(root.pem)\n\(other.pem)")
    #expect(bundle.authorities == [root, other] && bundle.sequence == nil)
    #expect(try SPIFFEBundle(root.der, of: domain).authorities == [root])
    for text in ["", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
      #expect(throws: TrustStoreError.self) { try read(text) }
    }
    let damaged = "\(root.pem)\n-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    #expect(throws: TrustStoreError.self) { try read(damaged) }
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    #expect(throws: TrustStoreError.self) { try read("\(root.pem)\n\(leaf.pem)") }
  }

  @Test("a map has a bundle for each trust domain")
  func map() throws {
    func bundles(_ text: String) throws(TrustStoreError) -> [SPIFFEBundle] {
      try SPIFFEBundle.bundles(inMap: Array(text.utf8))
    }
    let found = try bundles(
      """
      {"trust_domains": {"example.org": {"spiffe_sequence": 7, "keys": [\(key([root]))]},
       "other.test": {"keys": [\(key([other]))]}}}
      """)
    #expect(found.map { "\($0.trustDomain)" } == ["example.org", "other.test"])
    #expect(found.map(\.authorities) == [[root], [other]] && found.map(\.sequence) == [7, nil])
    #expect(try bundles("{\"trust_domains\": {}}").isEmpty)
    #expect(throws: TrustStoreError.self) { try bundles("{\"keys\": []}") }
    let bad = #expect(throws: TrustStoreError.self) {
      try bundles("{\"trust_domains\": {\"Example.org\": {\"keys\": []}}}")
    }
    if case .trustDomain? = bad?.problem {} else { Issue.record("not a trust domain's error") }
    let key = #expect(throws: TrustStoreError.self) {
      try bundles("{\"trust_domains\": {\"a.test\": {\"keys\": [{}]}}}")
    }
    #expect(key?.problem == .value("trust_domains.a.test.keys[0].kty"))
    // Of two bundles of a trust domain one would be lost.
    #expect(throws: TrustStoreError.self) {
      try bundles("{\"trust_domains\": {\"a.test\": {\"keys\": []}, \"a.test\": {\"keys\": []}}}")
    }
  }

  @Test("a document cut anywhere is an error, and one with a changed byte has no second CA")
  func damage() throws {
    let text = Array("{\"keys\": [\(key([root]))]}".utf8)
    for count in 0..<text.count {
      #expect(throws: TrustStoreError.self) { try SPIFFEBundle(Array(text[..<count]), of: domain) }
    }
    for index in text.indices {
      var changed = text
      changed[index] ^= 0x20
      do throws(TrustStoreError) {
        let bundle = try SPIFFEBundle(changed, of: domain)
        #expect(bundle.trustDomain == domain)
        #expect(bundle.authorities.count <= 1, "\(index)")
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
  }

  @Test("a workload of one trust domain is never judged by the anchors of another")
  func federation() throws {
    func workload(_ id: String, by issuer: String, _ key: UInt64) throws -> Certificate {
      try SignedCertificate.leaf(by: issuer, key, names: [Made.uri(id)]) {
        $0.extensions.append(
          Made.extension("2.5.29.15", isCritical: true, Made.der(0x03, [7, 0x80])))
      }
    }
    let bundles = [
      try SPIFFEBundle(root.der, of: domain),
      try SPIFFEBundle(other.der, of: SPIFFETrustDomain("other.test")),
    ]
    let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
    let peers = SPIFFEPeers(trustDomains: bundles.map(\.trustDomain))
    func rule(_ id: String, by issuer: String, _ key: UInt64) throws -> Rule? {
      let chain = [try workload(id, by: issuer, key)]
      do throws(PathError) {
        let path = try validator.validate(chain, for: .spiffe(peers), at: SignedCertificate.time)
        #expect(path.spiffeID.map { "\($0)" } == id)
        return nil
      } catch {
        return error.rejections.first?.rule
      }
    }
    #expect(try rule("spiffe://example.org/a", by: "Root", 1) == nil)
    #expect(try rule("spiffe://other.test/a", by: "Other", 2) == nil)
    #expect(try rule("spiffe://other.test/a", by: "Root", 1) == .trustDomain)
    #expect(try rule("spiffe://example.org/a", by: "Other", 2) == .trustDomain)
    #expect(try rule("spiffe://third.test/a", by: "Root", 1) == .spiffeID)

    // A trust domain that has withdrawn all.
    let empty = [try SPIFFEBundle(Array("{\"keys\": []}".utf8), of: domain), bundles[1]]
    let error = #expect(throws: PathError.self) {
      try PathValidator(anchors: AnchorSet(bundles: empty)).validate(
        [workload("spiffe://example.org/a", by: "Root", 1)], for: .spiffe(peers),
        at: SignedCertificate.time)
    }
    #expect(error?.rejections.first?.rule == .issuerNotFound)
    #expect(throws: TrustStoreError(.repeatedTrustDomain(domain))) {
      try AnchorSet(bundles: [bundles[0], bundles[0]])
    }
  }

  @Test("a CA of two trust domains is one anchor that vouches for both")
  func shared() throws {
    let second = try SPIFFETrustDomain("second.test")
    let anchors = try AnchorSet(bundles: [
      SPIFFEBundle(root.der, of: domain), SPIFFEBundle(root.der, of: second),
    ])
    #expect(anchors.count == 1)
    #expect(AnchorSet([]).count == 0, "an empty set is no question of bundles")
    #expect(anchors.anchors[0].constraints.trustDomains == [domain, second])
  }
}
