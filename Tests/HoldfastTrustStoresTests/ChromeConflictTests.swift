import HoldfastCertificates
import HoldfastTrustStores
import Testing

@Suite("Conflicts in Chrome's store") struct ChromeConflictTests {
  @Test("two entries of Chrome's store about one certificate must agree, and one of each field")
  func chrome() throws {
    let root = try StoreAnswers.certificate("root-1")
    func store(_ constraints: [String]) throws -> TrustStore {
      let text = constraints.map { "trust_anchors { sha256_hex: \"\(root.sha256)\" \($0) }\n" }
      return try TrustStore(
        chrome: Array("version_major: 1\n\(text.joined())".utf8),
        certificates: Array(root.pem.utf8))
    }
    let dated = "constraints { validity_starts_not_after_sec: 1577836800 }"
    let rows: [([String], String, [TrustStoreError.Problem])] = [
      ([""], "trusted", []), ([dated], "programIssuance at 0", []),
      ([dated, ""], "programDistrust at 2", [.contradiction]),
      (["", dated], "programDistrust at 2", [.contradiction]), (["", ""], "trusted", [.duplicate]),
      (
        [
          "constraints { validity_starts_not_after_sec: 1577836800 "
            + "validity_starts_not_after_sec: 4000000000 }"
        ], "programDistrust at 2", [.value("validity_starts_not_after_sec")]
      ),
    ]
    for (index, (constraints, expected, problems)) in rows.enumerated() {
      let store = try store(constraints)
      #expect(try StoreAnswers.answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
    }
  }

  @Test("what Chrome demands of a certificate and is lost is demanded of all with its name and key")
  func chromeTwins() throws {
    let root = try StoreAnswers.certificate("root-1")
    let twin = try StoreAnswers.certificate("root-1-expired")
    let unknown = TrustStoreError.Problem.unknownConstraint("no_such_constraint")
    let rows: [(Certificate, String, String, [TrustStoreError.Problem])] = [
      (twin, "", "trusted", []),
      (
        twin, "constraints { no_such_constraint: 1 }", "programDistrust at 2",
        [unknown, .contradiction]
      ),
      // The entry cannot be read, and another one of the same certificate or of its twin can.
      (
        twin, "policy_oids: ", "programDistrust at 2",
        [.syntax("expected a name or a value"), .contradiction]
      ),
      (
        root, "policy_oids: ", "programDistrust at 2",
        [.syntax("expected a name or a value"), .contradiction]
      ),
    ]
    for (index, (first, members, expected, problems)) in rows.enumerated() {
      let text =
        "version_major: 1\n"
        + "trust_anchors {\n  sha256_hex: \"\(first.sha256)\"\n  \(members)\n}\n"
        + "trust_anchors {\n  sha256_hex: \"\(root.sha256)\"\n}\n"
      let store = try TrustStore(
        chrome: Array(text.utf8), certificates: Array((root.pem + twin.pem).utf8))
      #expect(try StoreAnswers.answer(store) == expected, "row \(index)")
      #expect(store.problems.map(\.problem) == problems, "row \(index)")
    }
  }
}
