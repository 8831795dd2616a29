import Holdfast
import HoldfastTrustStores

/// Stores of anchors, and the checks of how certificates were issued.
enum StoreCase {
  /// Reads a store. The same text twice is never trusted more, and an object that distrusts a
  /// certificate counts wherever it stands.
  static func read(_ bytes: [UInt8]) throws(TrustStoreError) {
    let store = try TrustStore(bytes, source: "fuzz")
    check(store)
    guard bytes.count <= 1 << 14, [.certdata, .p11Kit].contains(store.format) else { return }
    let trusted = Set(trusted(in: store))
    let twice = try TrustStore(bytes + [0x0A] + bytes, source: "fuzz")
    precondition(trusted.isSuperset(of: Self.trusted(in: twice)), "trusted for being there twice")
    guard store.format == .p11Kit, let certificate = trusted.first else { return }
    let head = Array("[p11-kit-object-v1]\nx-distrusted: true\n".utf8)
    let distrust = head + Array(certificate.pem.utf8) + [0x0A]
    for text in [distrust + bytes, bytes + [0x0A] + distrust] {
      let other = try TrustStore(text, source: "fuzz")
      precondition(!Self.trusted(in: other).contains(certificate), "distrust was passed over")
    }
  }

  private static func trusted(in store: TrustStore) -> [Certificate] {
    store.entries.filter { $0.isTrusted(for: .serverAuth) }.map { $0.certificate }
  }

  /// Every entry can be shown, and what it demands can be asked.
  static func check(_ store: TrustStore) {
    precondition(!store.entries.isEmpty)
    say("\(store)")
    for entry in store.entries.prefix(20) {
      _ = entry.constraints.programs.map { "\($0)" }
      _ = entry.isTrusted(for: .serverAuth) && entry.serversIssuedUntil == nil
    }
    checkDistrust(store)
    for problem in store.problems {
      mustSay("\(problem)")
      mustSay("\(problem.summary)")
    }
    let comparison = StoreComparison(store.anchors, against: store)
    precondition(comparison.missing.isEmpty && comparison.unconstrained.isEmpty)
  }

  /// A certificate that the store does not trust for servers is no anchor of one, and vouches for
  /// none: unless another entry has its name and key.
  private static func checkDistrust(_ store: TrustStore) {
    let validator = PathValidator(anchors: store.anchors, rules: .rfc5280, cache: nil)
    for entry in store.entries.prefix(8) where !entry.isTrusted(for: .serverAuth) {
      let certificate = entry.certificate
      let twins = store.entries.count {
        $0.certificate.subject.matches(certificate.subject)
          && $0.certificate.publicKey == certificate.publicKey
      }
      let answer = Result { () throws(PathError) in
        try validator.validate([certificate], for: .anyServer, at: certificate.notBefore)
      }
      if case .success(let path) = answer {
        precondition(
          twins > 1 || path.certificates.count > 1, "\(certificate) is an anchor for servers")
      }
    }
  }

  /// The textproto, a zero byte, and the certificates.
  static func chrome(_ bytes: [UInt8]) throws(TrustStoreError) {
    let parts = bytes.split(separator: 0, maxSplits: 1)
    check(
      try TrustStore(
        chrome: Array(parts.first ?? []), certificates: Array(parts.dropFirst().first ?? [])))
  }

  static func lint(_ bytes: [UInt8]) throws(ParseError) {
    let certificate = try Certificate(der: bytes)
    for finding in certificate.lint() {
      mustSay("\(finding)")
      if let bytes = finding.bytes { precondition(bytes.upperBound <= certificate.der.count) }
    }
    _ = certificate.scheduledRequirements.map { "\($0) \($0.isBroken(by: certificate))" }
  }
}
