import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import HoldfastTrustStores
import TestSupport
import Testing

/// A store that says two things of a certificate, or has lost what it said: distrust wins, whatever
/// the order of the file, and by certificate, key, or issuer and serial number.
@Suite("Conflicts in trust stores") struct StoreConflictTests {
  private func certificate(_ name: String) throws -> Certificate {
    try StoreAnswers.certificate(name)
  }

  private func answer(_ store: TrustStore, sent: [String] = ["leaf", "issuing"]) throws -> String {
    try StoreAnswers.answer(store, sent: sent)
  }

  private func read(_ text: String) throws(TrustStoreError) -> TrustStore {
    try TrustStore(Array(text.utf8), source: "made")
  }

  // MARK: p11-kit

  private func p11Kit(_ name: String, _ lines: String) throws -> String {
    "[p11-kit-object-v1]\nlabel: \"\(name)\"\n\(lines)\n\(try certificate(name).pem)\n"
  }

  private func quoted(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce("\"") { text, byte in
      let digits = String(byte, radix: 16)
      return text + "%" + (digits.count < 2 ? "0" : "") + digits
    } + "\""
  }

  /// An object that distrusts a certificate without having it.
  ///
  /// - Parameter hasHeader: Whether the serial number is an INTEGER in DER, or only its content.
  private func blocked(_ name: String, hasHeader: Bool = true) throws -> String {
    let certificate = try certificate(name)
    let number = certificate.serialNumber.bytes
    return "[p11-kit-object-v1]\nlabel: \"blocked\"\nclass: certificate\ncertificate-type: x-509\n"
      + "issuer: \(quoted(certificate.issuer.der))\n"
      + "serial-number: \(quoted((hasHeader ? [2, UInt8(number.count)] : []) + number))\n"
      + "x-distrusted: true\n"
  }

  @Test("what one object of a p11-kit file distrusts, no other makes trusted")
  func p11KitDistrust() throws {
    let trusted = try p11Kit("root-1", "trusted: true")
    let distrusted = try p11Kit("root-1", "x-distrusted: true")
    let key = PEMBlock.text(
      label: "PUBLIC KEY", bytes: Array(try certificate("root-1").publicKey.der))
    let rows: [(String, String, [TrustStoreError.Problem])] = [
      (trusted, "trusted", []),
      (distrusted, "programDistrust at 2", []),
      (trusted + distrusted, "programDistrust at 2", [.contradiction]),
      (distrusted + trusted, "programDistrust at 2", [.contradiction]),
      // The same name and key in another certificate, the root's number, and its key.
      (
        trusted + (try p11Kit("root-1-expired", "x-distrusted: true")), "programDistrust at 2",
        [.contradiction]
      ),
      (trusted + (try blocked("root-1")), "programDistrust at 2", [.contradiction]),
      (
        trusted + (try blocked("root-1", hasHeader: false)), "programDistrust at 2",
        [.contradiction]
      ),
      (
        trusted + "[p11-kit-object-v1]\nclass: public-key\nx-distrusted: true\n\(key)\n",
        "programDistrust at 2", [.contradiction]
      ),
      (
        trusted + "[p11-kit-object-v1]\nclass: public-key\n\(key)\n", "trusted", []
      ),
      (trusted + (try blocked("root-2")), "trusted", []),
      // One object says both, or says it in a way that is not understood.
      (
        try p11Kit("root-1", "trusted: true\nx-distrusted: true"), "programDistrust at 2",
        [.contradiction]
      ),
      (
        try p11Kit("root-1", "trusted: true\nx-distrusted: yes"), "programDistrust at 2",
        [.contradiction, .value("x-distrusted")]
      ),
      (try p11Kit("root-1", "trusted: true\nx-distrusted: false"), "trusted", []),
      (
        trusted + "[p11-kit-object-v1]\nlabel: \"nothing\"\nx-distrusted: true\n", "trusted",
        [.value("certificate")]
      ),
      // Twice the same, and once trusted and once neither.
      (trusted + trusted, "trusted", [.duplicate]),
      (trusted + (try p11Kit("root-1", "")), "programDistrust at 2", [.contradiction]),
      // The date is lost of another certificate with the name and the key.
      (
        trusted
          + (try p11Kit("root-1-expired", "trusted: true\nnss-server-distrust-after: \"%01\"")),
        "programDistrust at 2", [.value("nss-server-distrust-after"), .contradiction]
      ),
      // An object of which a line is damaged may have been a distrusting one.
      (
        trusted + (try p11Kit("root-1", "x-distrusted true")), "programDistrust at 2",
        [.syntax("expected name: value"), .contradiction]
      ),
    ]
    for (index, (text, expected, problems)) in rows.enumerated() {
      let store = try read(text)
      #expect(try answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
    }
  }

  @Test("a p11-kit file distrusts an intermediate wherever it is on a path")
  func p11KitIntermediate() throws {
    let trusted =
      try p11Kit("root-1", "trusted: true") + p11Kit("root-2", "trusted: true")
    let sent = ["leaf", "issuing", "issuing-cross"]
    #expect(try answer(try read(trusted), sent: sent) == "trusted")
    // By its number: the same CA has another certificate, below another root.
    let number = try read(trusted + (try blocked("issuing")))
    #expect(number.problems == [])
    #expect(try answer(number) == "programDistrust at 1")
    #expect(try answer(number, sent: sent) == "trusted")
    // By the certificate, and with it the key: no other certificate helps.
    let key = try read(trusted + (try p11Kit("issuing", "x-distrusted: true")))
    #expect(try answer(key, sent: sent) == "programDistrust at 1")
    #expect(try answer(key, sent: ["leaf", "issuing-cross"]) == "programDistrust at 1")
    // By the key of a root that another root certified.
    let root = try read(
      try p11Kit("root-2", "trusted: true") + p11Kit("root-1-expired", "x-distrusted: true"))
    #expect(try answer(root, sent: ["leaf", "issuing", "root-1-cross"]) == "programDistrust at 2")
  }

  // MARK: certdata

  private let granted = "CKT_NSS_TRUSTED_DELEGATOR"
  private let denied = "CKT_NSS_NOT_TRUSTED"
  private let noDate = "CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_FALSE\n"

  private func date(_ text: String) -> String {
    "CKA_NSS_SERVER_DISTRUST_AFTER MULTILINE_OCTAL\n" + StoreTexts.octal(Array(text.utf8))
  }

  private func key(_ certificate: Certificate) -> String {
    let number = certificate.serialNumber.bytes
    return "CKA_LABEL UTF8 \"Root\"\nCKA_ISSUER MULTILINE_OCTAL\n"
      + StoreTexts.octal(Array(certificate.issuer.der)) + "CKA_SERIAL_NUMBER MULTILINE_OCTAL\n"
      + StoreTexts.octal([2, UInt8(number.count)] + number)
  }

  /// A certificate with what follows its value.
  private func object(_ name: String, _ lines: String? = nil) throws -> String {
    let certificate = try certificate(name)
    return "\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\n" + key(certificate)
      + "CKA_VALUE MULTILINE_OCTAL\n" + StoreTexts.octal(certificate.der) + (lines ?? noDate)
  }

  /// What a certificate is trusted for.
  ///
  /// - Parameter hashed: Whose hash it has; nil for none.
  private func trust(
    _ name: String, _ word: String, hashed: String?, _ lines: String = ""
  ) throws -> String {
    "\nCKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n" + key(try certificate(name))
      + (try hashed.map {
        "CKA_CERT_SHA1_HASH MULTILINE_OCTAL\n"
          + StoreTexts.octal(try certificate($0).fingerprint(.sha1))
      } ?? "") + "CKA_TRUST_SERVER_AUTH CK_TRUST \(word)\n" + lines
  }

  @Test("what one object of certdata.txt distrusts or another contradicts is not trusted")
  func certdataDistrust() throws {
    let root = try object("root-1")
    let yes = try trust("root-1", granted, hashed: "root-1")
    let no = try trust("root-1", denied, hashed: "root-1")
    let neither = try trust("root-1", "CKT_NSS_MUST_VERIFY_TRUST", hashed: "root-1")
    let lostHash = TrustStoreError.Problem.value("CKA_CERT_SHA1_HASH")
    let distrust = "programDistrust at 2"
    let rows: [(String, String, [TrustStoreError.Problem])] = [
      (root + yes, "trusted", []),
      (root + no, distrust, []),
      (root + yes + no, distrust, [.contradiction]),
      (root + no + yes, distrust, [.contradiction]),
      (root + yes + neither, distrust, [.contradiction]),
      (root + yes + yes, "trusted", []),
      // Distrusted for one purpose is trusted for none.
      (
        root
          + (try trust(
            "root-1", granted, hashed: "root-1", "CKA_TRUST_CODE_SIGNING CK_TRUST \(denied)\n")),
        distrust, [.contradiction]
      ),
      // The hash of another certificate, and none. Distrust needs no hash.
      (root + (try trust("root-1", granted, hashed: "root-2")), distrust, [.noTrust]),
      (root + (try trust("root-1", granted, hashed: nil)), distrust, [lostHash]),
      (root + yes + (try trust("root-1", denied, hashed: "root-2")), distrust, [.contradiction]),
      (root + yes + (try trust("root-1", denied, hashed: nil)), distrust, [.contradiction]),
      // A certificate with the same name and key is distrusted; another root is.
      (
        root + yes + (try object("root-1-expired"))
          + (try trust("root-1-expired", denied, hashed: "root-1-expired")),
        distrust, [.contradiction]
      ),
      (root + yes + (try trust("root-2", denied, hashed: "root-2")), "trusted", []),
      // A second object about trust is damaged, or has lost its name.
      (
        root + yes + (try trust("root-1", denied, hashed: "root-1", "CKA_TRUST\n")), distrust,
        [.syntax("expected an attribute and its type"), .noTrust]
      ),
      (
        root + yes
          + no.replacing("CKA_ISSUER", with: "CKA_OTHER"), distrust,
        [.value("CKA_ISSUER"), .noTrust]
      ),
    ]
    for (index, (text, expected, problems)) in rows.enumerated() {
      let store = try read("BEGINDATA\n" + text)
      #expect(try answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
      #expect(store.problems.allSatisfy { $0.label == "Root" && $0.line != nil }, "row \(index)")
    }
  }

  @Test("a date of certdata.txt that is lost, or of which there are two, is never no date")
  func certdataDates() throws {
    let yes = try trust("root-1", granted, hashed: "root-1")
    let name = "CKA_NSS_SERVER_DISTRUST_AFTER"
    let early = "200101000000Z"
    let issued = "programIssuance at 0"
    let lost = "programDistrust at 2"
    let rows: [(String, String, [TrustStoreError.Problem])] = [
      (try object("root-1", date("490101000000Z")) + yes, "trusted", []),
      (try object("root-1", date(early)) + yes, issued, []),
      (try object("root-1", "") + yes, lost, [.value(name)]),
      (try object("root-1", "\(name) CK_BBOOL CK_TRUE\n") + yes, lost, [.value(name)]),
      // The date is with the object about trust, beside false or nothing.
      (
        try object("root-1") + trust("root-1", granted, hashed: "root-1", date(early)), issued, []
      ),
      (
        try object("root-1", "") + trust("root-1", granted, hashed: "root-1", date(early)), issued,
        []
      ),
      (
        try object("root-1", date(early))
          + trust("root-1", granted, hashed: "root-1", date("490101000000Z")), issued, []
      ),
      // The certificate is there twice.
      (
        try object("root-1", date(early)) + object("root-1") + yes, lost, [.contradiction]
      ),
      (
        try object("root-1") + object("root-1", date(early)) + yes, lost, [.contradiction]
      ),
      (try object("root-1") + object("root-1") + yes, "trusted", [.duplicate]),
      // It is lost of another certificate with the name and the key.
      (
        try object("root-1-expired", "")
          + trust("root-1-expired", granted, hashed: "root-1-expired") + object("root-1") + yes,
        lost, [.value(name), .contradiction]
      ),
    ]
    for (index, (text, expected, problems)) in rows.enumerated() {
      let store = try read("BEGINDATA\n" + text)
      #expect(try answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
    }
  }

  @Test("certdata.txt distrusts an intermediate of which it has only issuer and serial number")
  func certdataIntermediate() throws {
    let text = try "BEGINDATA\n" + object("root-1") + trust("root-1", granted, hashed: "root-1")
    #expect(try answer(try read(text)) == "trusted")
    let store = try read(text + (try trust("issuing", denied, hashed: nil)))
    #expect(store.problems == [])
    #expect(try answer(store) == "programDistrust at 1")
  }

  @Test("certdata.txt distrusts an intermediate in whatever words, and where the object is damaged")
  func certdataWords() throws {
    let text = try "BEGINDATA\n" + object("root-1") + trust("root-1", granted, hashed: "root-1")
    func answer(_ object: String) throws -> String { try self.answer(try read(text + object)) }
    for word in [
      denied, "CKT_NETSCAPE_UNTRUSTED", "CKT_NOT_TRUSTED", "CKT_NSS_NOT_TRUSTEDX", "CKT_", "no", "",
    ] {
      #expect(
        try answer(try trust("issuing", word, hashed: nil)) == "programDistrust at 1", "\(word)")
    }
    for word in [
      granted, "CKT_NSS_MUST_VERIFY_TRUST", "CKT_NSS_TRUST_UNKNOWN", "CKT_TRUST_UNKNOWN",
    ] {
      #expect(
        try answer(try trust("issuing", word, hashed: "issuing")) == "trusted", "\(word)")
    }
    let no = try trust("issuing", denied, hashed: "issuing")
    let flag = "CKA_TRUST_STEP_UP_APPROVED CK_BBOOL CK_FALSE\n"
    let other = try trust("root-2", denied, hashed: "root-2")
    for damaged in [
      // The attribute of a newer class, a digit that is not octal, and an attribute twice.
      no.replacing("CKA_TRUST_SERVER_AUTH", with: "CKA_PKCS_TRUST_SERVER_AUTH"),
      no.replacing("SHA1_HASH MULTILINE_OCTAL\n\\", with: "SHA1_HASH MULTILINE_OCTAL\n\\9"),
      no + flag + flag,
      // The line between two objects is lost, so the attributes of one replace those of the other.
      no + other.replacing("CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n", with: ""),
      other + no.replacing("CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n", with: ""),
    ] {
      #expect(try answer(damaged) == "programDistrust at 1", "\(damaged)")
    }
  }

  // MARK: JSON

  private func json(_ rows: [(name: String, members: String)]) throws -> String {
    let anchors = try rows.map { row in
      let certificate = Base64.text(of: try certificate(row.name).der)
      return "{ \"label\": \"\(row.name)\", \"certificate\": \"\(certificate)\"\(row.members) }"
    }
    return "{ \"name\": \"Example\", \"anchors\": [ \(anchors.joined(separator: ", ")) ] }"
  }

  @Test("an anchor of our JSON without conditions is distrusted wherever it is")
  func jsonDistrust() throws {
    let none = ", \"conditions\": []"
    let rows: [([(String, String)], String, [TrustStoreError.Problem])] = [
      ([("root-1", "")], "trusted", []),
      ([("root-1", ""), ("root-1", none)], "programDistrust at 2", [.contradiction]),
      ([("root-1", none), ("root-1", "")], "programDistrust at 2", [.contradiction]),
      (
        [("root-1", ""), ("root-1-expired", none)], "programDistrust at 2", [.contradiction]
      ),
      ([("root-1", ""), ("issuing", none)], "programDistrust at 1", []),
      (
        [("root-1", ""), ("root-1", ", \"condition\": []")], "programDistrust at 2",
        [.unknownConstraint("condition"), .contradiction]
      ),
      ([("root-1", ""), ("root-1", "")], "trusted", [.duplicate]),
    ]
    for (index, (anchors, expected, problems)) in rows.enumerated() {
      let store = try read(try json(anchors))
      #expect(try answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
    }
  }
}
