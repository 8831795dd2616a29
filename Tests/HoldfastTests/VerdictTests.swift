import Holdfast
import Testing

@Suite("verdicts") struct VerdictTests {
  @Test("fingerprints differ when settings move from one part to the next")
  func fingerprints() {
    let a = PolicyFingerprint(kind: "k", [[1, 2], [3]])
    #expect(a == PolicyFingerprint(kind: "k", [[1, 2], [3]]))
    #expect(a != PolicyFingerprint(kind: "k", [[1], [2, 3]]))
    #expect(a != PolicyFingerprint(kind: "l", [[1, 2], [3]]))
    #expect(a != PolicyFingerprint(kind: "k", [[1, 2], [3], []]))
    #expect(a.description.count == 64)
  }
}
