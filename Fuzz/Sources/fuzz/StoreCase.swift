import Holdfast
import HoldfastTrustStores

/// Stores of anchors, and the checks of how certificates were issued.
enum StoreCase {
  /// Every entry can be shown, and what it demands can be asked.
  static func check(_ store: TrustStore) {
    precondition(!store.entries.isEmpty)
    _ = "\(store)"
    for entry in store.entries.prefix(20) {
      _ = entry.constraints.programs.map { "\($0)" }
      _ = entry.isTrusted(for: .serverAuth) && entry.serversIssuedUntil == nil
    }
    for problem in store.problems {
      precondition(!"\(problem)".isEmpty && !problem.summary.isEmpty)
    }
    let comparison = StoreComparison(store.anchors, against: store)
    precondition(comparison.missing.isEmpty && comparison.unconstrained.isEmpty)
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
      precondition(!"\(finding)".isEmpty)
      if let bytes = finding.bytes { precondition(bytes.upperBound <= certificate.der.count) }
    }
    _ = certificate.scheduledRequirements.map { "\($0) \($0.isBroken(by: certificate))" }
  }
}
