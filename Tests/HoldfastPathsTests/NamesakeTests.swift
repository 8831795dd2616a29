import HoldfastCertificates
import HoldfastPaths
import TestSupport
import Testing

/// More CAs of one name than the limits allow to be tried.
@Suite("Many CAs of one name") struct NamesakeTests {
  private let root: Certificate

  init() throws { root = try SignedCertificate.root() }

  /// CAs of one name with the keys from 1,000 on, the last of which has signed the leaf.
  private func search(
    count: UInt64, _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Search {
    let others = try (0..<count).map {
      try SignedCertificate.authority("Same", 1_000 + $0, by: "Root", 1, change)
    }
    let leaf = try SignedCertificate.leaf(by: "Same", 999 + count, change)
    return Search(leaf: leaf, others: others, anchors: [root])
  }

  @Test("of a thousand CAs the last is found by its key identifier, with two signatures")
  func identified() throws {
    var search = try search(count: 1_000)
    search.limits.publicKeyOperations = 2
    #expect(search.path == [search.leaf, search.others[999], root])
    // Certificates of other names, and the certificate of the CA above, in front of it.
    let strangers = try (0..<300).map { try SignedCertificate.root("Stranger", 5_000 + $0) }
    let top = try SignedCertificate.root("Top", 3)
    let cross = try SignedCertificate.authority("Root", 1, by: "Top", 3)
    search = Search(
      leaf: search.leaf, others: strangers + search.others + [cross], anchors: [top])
    search.limits.publicKeyOperations = 3
    #expect(search.path == [search.leaf, search.others[1_299], cross, top])
  }

  @Test("a limit is told as the reason, and nothing that was sent is said to be missing")
  func unidentified() throws {
    // Of the first, all candidates are known; of the second, some are not considered at all.
    for count: UInt64 in [200, 1_000] {
      let search = try search(count: count) { $0.hasKeyIdentifiers = false }
      let error = try #require(search.error)
      #expect(error.cause == .limitReached(.publicKeyOperations(100)))
      #expect(error.hints == [.limit(.publicKeyOperations(100))])
      let text = "\(error)"
      #expect(text.contains("limit of 100 public key operations reached"), "\(text)")
      #expect(text.contains("with key identifiers"), "\(text)")
    }
    let few = try search(count: 60) { $0.hasKeyIdentifiers = false }
    #expect(few.path == [few.leaf, few.others[59], root])
  }

  @Test("what is wrong with the leaf itself is told beside a limit")
  func leafBesideLimit() throws {
    let search = try search(count: 300) {
      $0.hasKeyIdentifiers = false
      if $0.isAuthority == nil { $0.notAfter = "250601000000Z" }
    }
    #expect(try #require(search.error).hints.contains(.leafExpired(search.leaf)))
  }
}
