import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import HoldfastTrustStores
import TestSupport
import Testing

/// One bad entry is named with line and label, is not trusted, and does not lose the others.
@Suite("Damaged trust stores") struct DamagedStoreTests {
  private func read(_ text: String) throws(TrustStoreError) -> TrustStore {
    try TrustStore(Array(text.utf8), source: "made")
  }

  /// The labels of the entries that are trusted for anything.
  private func trusted(_ store: TrustStore) -> [String] {
    store.entries.filter { !$0.constraints.programs.contains { $0.alternatives.isEmpty } }
      .map(\.label)
  }

  /// The text with a change of the first place, after a mark.
  private func changed(
    _ text: String, _ old: String, _ new: String, after mark: String = ""
  ) throws -> String {
    let start = mark.isEmpty ? text.startIndex : try #require(text.firstRange(of: mark)).upperBound
    let range = try #require(text[start...].firstRange(of: old))
    return String(text[..<range.lowerBound]) + new + String(text[range.upperBound...])
  }

  @Test(
    "a bad object of certdata.txt is named and not trusted",
    arguments: [
      // The value of the first certificate: not octal, more than a byte, without its end, short.
      ("CKA_VALUE MULTILINE_OCTAL\n\\060", "CKA_VALUE MULTILINE_OCTAL\n\\0x0", 17, "not octal"),
      (
        "CKA_VALUE MULTILINE_OCTAL\n\\060", "CKA_VALUE MULTILINE_OCTAL\n\\460", 17,
        "more than a byte"
      ),
      (
        "CKA_LABEL UTF8 \"Root 0\"\n", "CKA_LABEL UTF8 \"Root 0\"\nlabel\n", 7,
        "expected an attribute and its type"
      ),
      (
        "CKA_LABEL UTF8 \"Root 0\"\n", "CKA_LABEL UTF8 \"Root 0\"\nCKA_LABEL UTF8 \"x\"\n", 7,
        "CKA_LABEL occurs twice"
      ),
      (
        "CKA_ISSUER MULTILINE_OCTAL\n\\060", "CKA_ISSUER\n\\060", 7,
        "expected an attribute and its type"
      ),
    ])
  func certdata(old: String, new: String, line: Int, problem: String) throws {
    let store = try read(try changed(try StoreTexts.certdata(), old, new))
    #expect(!trusted(store).contains("Root 0"))
    #expect(trusted(store).contains("Root 1"))
    let first = try #require(store.problems.first)
    #expect(first.line == line)
    #expect(first.problem == .syntax(problem))
    #expect(first.label == "Root 0" || problem.hasSuffix("twice"))
  }

  @Test("an object of certdata.txt that lacks a certificate's end, its label or its trust is named")
  func lostLines() throws {
    let text = try StoreTexts.certdata()
    let noEnd = try read(try changed(text, "END\n", "", after: "CKA_VALUE"))
    #expect(noEnd.problems.first?.problem == .syntax("expected END"))
    #expect(noEnd.problems.first?.label == "Root 0")
    #expect(trusted(noEnd) == ["Root 1"])

    let noLabel = try read(try changed(text, "CKA_LABEL UTF8 \"Root 0\"\n", ""))
    #expect(noLabel.problems.map(\.problem) == [.value("CKA_LABEL")])
    #expect(noLabel.problems.first?.label == (try StoreTexts.certificates()[0].shortName))
    #expect(trusted(noLabel) == ["Root 1"])

    let noTrust = try read(
      try changed(text, "CKA_TRUST_SERVER_AUTH", "CKA_TRUST_SERVER_AUHT"))
    #expect(noTrust.problems.map(\.problem) == [.value("CKA_TRUST_SERVER_AUTH")])
    #expect(noTrust.problems.first?.label == "Root 0")
    #expect(trusted(noTrust) == ["Root 1"])
  }

  @Test("a short certificate in certdata.txt is named with the field that is cut")
  func shortCertificate() throws {
    let whole = try StoreTexts.certificates()[1].der
    let store = try read(
      try StoreTexts.certdata().replacing(
        StoreTexts.octal(whole), with: StoreTexts.octal(Array(whole.dropLast(20)))))
    let problem = try #require(store.problems.first)
    #expect(store.problems.count == 1)
    #expect(problem.label == "Root 1")
    #expect(problem.description.contains("line "))
    guard case .certificate = problem.problem else {
      Issue.record("\(problem)")
      return
    }
    #expect(store.entries.map(\.label) == ["Root 0", "Root 2"])
  }

  @Test("what stands before the place where certdata.txt is cut stays trusted")
  func cutCertdata() throws {
    let text = try StoreTexts.certdata()
    let start = try #require(text.firstRange(of: "\"Root 2\""))
    let value = try #require(text[start.upperBound...].firstRange(of: "CKA_VALUE"))
    let store = try read(String(text[..<text.index(value.upperBound, offsetBy: 60)]))
    #expect(trusted(store) == ["Root 0", "Root 1"])
    #expect(store.problems.map(\.label) == ["Root 2"])
    #expect(store.problems.map(\.problem) == [.syntax("not octal")])
  }

  @Test(
    "a bad object of a p11-kit file is named and not trusted",
    arguments: [
      (
        "nss-server-distrust-after: \"250601000000Z\"", "nss-server-distrust-after", 6,
        "expected name: value"
      ),
      ("\"250601000000Z\"", "\"250601%0\"", 6, "expected name: value"),
      ("trusted: true\n", "trusted: true\ntrusted: true\n", 5, "trusted occurs twice"),
    ])
  func p11Kit(old: String, new: String, line: Int, problem: String) throws {
    let store = try read(try changed(try StoreTexts.p11Kit(), old, new))
    #expect(store.problems.map(\.problem) == [.syntax(problem)])
    #expect(store.problems.map(\.line) == [line])
    #expect(store.problems.map(\.label) == ["Root 0"])
    #expect(trusted(store) == ["Root 1"])
  }

  @Test("a p11-kit file that is cut within a certificate, or lacks its end, keeps the others")
  func cutP11Kit() throws {
    let text = try StoreTexts.p11Kit()
    let noEnd = try read(try changed(text, "-----END CERTIFICATE-----\n", ""))
    #expect(noEnd.problems.map(\.problem) == [.syntax("expected -----END")])
    #expect(noEnd.problems.map(\.label) == ["Root 0"])
    #expect(trusted(noEnd) == ["Root 1"])
    let cut = try read(String(text.dropLast(100)))
    #expect(cut.problems.map(\.label) == ["Root 2"])
    #expect(trusted(cut) == ["Root 0", "Root 1"])
  }

  @Test("a stapled extension that is damaged makes its certificate untrusted")
  func damagedStaple() throws {
    let text = try StoreTexts.p11Kit()
    for (old, new) in [
      ("object-id: 2.5.29.37", "object-id 2.5.29.37"), ("object-id: 2.5.29.37\n", ""),
      ("class: x-certificate-extension", "class x-certificate-extension"),
    ] {
      let store = try read(try changed(text, old, new))
      #expect(trusted(store) == ["Root 0"], "\(old)")
      #expect(store.problems.first?.label == "Root 1")
    }
  }

  @Test("a date that cannot be read distrusts others of its number, whatever an extension says")
  func damagedDateAndStaple() throws {
    let twins = try [5, 6].map { (key: UInt64) in
      try SignedCertificate.authority("A", key, by: "A", key) { $0.serialNumber = 9 }
    }
    let text = """
      [p11-kit-object-v1]
      label: "Root 0"
      trusted: true
      \(twins[0].pem)
      [p11-kit-object-v1]
      label: "Root 1"
      trusted: true
      nss-server-distrust-after: "never"
      \(twins[1].pem)
      """
    let staple = """

      [p11-kit-object-v1]
      class: x-certificate-extension
      object-id 2.5.29.37
      \(PEMBlock.text(label: "PUBLIC KEY", bytes: twins[1].publicKey.der))
      """
    #expect(trusted(try read(text)) == [])
    #expect(trusted(try read(text + staple)) == [])
  }

  @Test(
    "a bad entry of Chrome's textproto is named and not trusted",
    arguments: [
      ("min_version: \"125\"", "min_version \"125\"", "Root \"0\""),
      ("enforce_anchor_expiry: true\n}", "enforce_anchor_expiry: true\n", "Root \"0\""),
      ("display_name: \"Root", "display_name: Root", nil),
    ])
  func chrome(old: String, new: String, label: String?) throws {
    let (textproto, certificates) = try StoreTexts.chrome()
    let store = try TrustStore(
      chrome: Array(try changed(textproto, old, new).utf8), certificates: Array(certificates.utf8))
    #expect(store.entries.count == 2)
    #expect(trusted(store).count == 1)
    #expect(store.problems.count == 1)
    #expect(store.problems.first?.line == 3)
    let digest = try StoreTexts.certificates()[0].sha256
    #expect(store.problems.first?.label == label ?? digest)
  }

  @Test("entries of Chrome's textproto that are left of two are not trusted")
  func mergedEntries() throws {
    let (textproto, certificates) = try StoreTexts.chrome()
    let merged = try changed(textproto, "}\ntrust_anchors {\n", "\n")
    let store = try TrustStore(
      chrome: Array(merged.utf8), certificates: Array(certificates.utf8))
    #expect(trusted(store) == [])
    #expect(store.problems.map(\.problem) == [.value("sha256_hex")])
    #expect(store.problems.first?.label == "Root \"0\"")
  }

  @Test("JSON that is cut is refused as a whole, with its line; a bad anchor is named by its path")
  func json() throws {
    let text = try StoreTexts.json()
    let cut = #expect(throws: TrustStoreError.self) { try read(String(text.dropLast(40))) }
    #expect(cut?.line == 6)
    let store = try read(try changed(text, "\"public\": true", "\"public\": 7"))
    #expect(store.problems.map(\.label) == ["anchors[1]"])
    #expect(trusted(store) == ["Root 0"])
  }

  @Test("a file of which nothing can be read says what is wrong first")
  func nothingLeft() throws {
    let certdata = try StoreTexts.certdata().replacing("\\060\\202", with: "\\06x\\202")
    let error = #expect(throws: TrustStoreError.self) { try read(certdata) }
    #expect(error?.description.hasPrefix("trust store, line 17, \"Root 0\": not octal") == true)
    let p11Kit = try StoreTexts.p11Kit().replacing("label: \"", with: "label \"")
    #expect(throws: TrustStoreError.self) { try read(p11Kit) }
  }
}
