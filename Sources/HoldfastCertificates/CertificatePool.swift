internal import HoldfastDER

/// Certificates that were parsed lately, so that equal bytes need not be parsed again.
///
/// All that a certificate says follows from its bytes, so it does not matter for any verdict whether a
/// certificate was in the pool. Bytes that cannot be parsed are parsed, and rejected, each time.
///
/// A certificate that somebody holds is not returned a second time: two threads would count references to
/// the same object, which takes longer the more threads there are.
package final class CertificatePool: Sendable {
  private let shards: [Shard]

  /// The number of certificates kept.
  package static var capacity: Int { 64 }
  /// The maximum size in bytes of a certificate that is kept: few of servers have more.
  package static var maximumSize: Int { 8_192 }
  private static var shardCount: Int { 8 }

  private final class Shard: Sendable {
    let places = Guarded(Places())
  }

  private struct Places: Sendable {
    private var places: [(mark: UInt64, storage: CertificateStorage)] = []
    /// The place of the certificate that is dropped next.
    private var oldest = 0

    /// Returns the certificate with these bytes, if it is kept and nobody holds it.
    mutating func certificate(_ mark: UInt64, _ der: [UInt8]) -> Certificate? {
      for place in places.indices where places[place].mark == mark {
        guard isKnownUniquelyReferenced(&places[place].storage),
          Bytes(places[place].storage.der) == Bytes(der)
        else { continue }
        return Certificate(places[place].storage)
      }
      return nil
    }

    mutating func insert(_ mark: UInt64, _ storage: CertificateStorage) {
      if places.count < CertificatePool.capacity / CertificatePool.shardCount {
        places.append((mark, storage))
      } else {
        places[oldest] = (mark, storage)
        oldest = (oldest + 1) % places.count
      }
    }
  }

  package init() {
    shards = (0..<CertificatePool.shardCount).map { _ in Shard() }
  }

  /// Returns the certificate with these bytes, parsed now or before.
  package func certificate(der: [UInt8]) throws(ParseError) -> Certificate {
    guard 8...CertificatePool.maximumSize ~= der.count else { return try Certificate(der: der) }
    // The end of the signature, which differs between certificates.
    let mark = DERReader.word(at: der.count - 8, in: der.span)
    let shard = shards[Int(mark % UInt64(shards.count))]
    if let known = shard.places.withLock({ $0.certificate(mark, der) }) { return known }
    let certificate = try Certificate(der: der)
    shard.places.withLock { $0.insert(mark, certificate.storage) }
    return certificate
  }
}
