import TestSupport
import Testing

@testable import HoldfastCertificates

/// A pool saves the parsing of equal bytes, and changes nothing else.
struct CertificatePoolTests {
  private let pool = CertificatePool()
  private let der: [UInt8]

  init() throws {
    der = try SignedCertificate.leaf(by: "Root", 1).der
  }

  /// The object of a certificate; nobody holds the certificate afterwards.
  private func object(_ der: [UInt8]) throws -> ObjectIdentifier {
    ObjectIdentifier(try pool.certificate(der: der).storage)
  }

  /// The certificate with another signature.
  private func changed(_ number: Int) -> [UInt8] {
    var other = der
    other[other.count - 1] = UInt8(truncatingIfNeeded: number)
    other[other.count - 2] = UInt8(truncatingIfNeeded: number >> 8)
    return other
  }

  @Test("equal bytes are parsed once")
  func equalBytes() throws {
    let first = try object(der)
    #expect(try object(Array(der)) == first)
    #expect(try pool.certificate(der: der) == Certificate(der: der))
  }

  @Test("a certificate that somebody holds is parsed again")
  func heldCertificate() throws {
    let held = try pool.certificate(der: der)
    let second = try pool.certificate(der: der)
    #expect(second == held)
    #expect(second.storage !== held.storage)
    #expect(try object(der) != ObjectIdentifier(held.storage))
  }

  @Test("a certificate with one changed byte is parsed as without a pool")
  func changedByte() throws {
    var different: [Int] = []
    var readable = 0
    for offset in der.indices {
      _ = try pool.certificate(der: der)
      var other = der
      other[offset] ^= UInt8(truncatingIfNeeded: 1 << (offset % 8))
      let expected = Result { () throws(ParseError) in try Certificate(der: other) }
      // The second time it may be in the pool.
      for _ in 1...2 {
        let found = Result { () throws(ParseError) in try pool.certificate(der: other) }
        switch (expected, found) {
        case (.success(let expected), .success(let found)):
          readable += 1
          if expected != found || found.der != other { different.append(offset) }
        case (.failure(let expected), .failure(let found)):
          if "\(expected)" != "\(found)" { different.append(offset) }
        default: different.append(offset)
        }
      }
    }
    #expect(different.isEmpty)
    #expect(readable > 200, "few of the changed certificates can be read")
  }

  @Test("a pool keeps no more certificates than its capacity, and drops the oldest")
  func capacity() throws {
    weak var first: CertificateStorage?
    do { first = try pool.certificate(der: changed(0)).storage }
    #expect(first != nil)
    var kept: [() -> CertificateStorage?] = []
    for number in 1...1_000 {
      let storage = try pool.certificate(der: changed(number)).storage
      kept.append { [weak storage] in storage }
    }
    #expect(first == nil)
    let count = kept.count { $0() != nil }
    #expect(count == CertificatePool.capacity)
    #expect(kept.suffix(8).allSatisfy { $0() != nil })
  }

  @Test("a certificate larger than the limit is not kept")
  func largeCertificate() throws {
    weak var large: CertificateStorage?
    let unknown = [UInt8](repeating: 0, count: CertificatePool.maximumSize)
    let der = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Made.extension("1.3.6.1.4.1.32473.1", Made.der(0x04, unknown)))
    }.der
    do { large = try pool.certificate(der: der).storage }
    #expect(large == nil)
  }

  @Test("what is too short to be a certificate is rejected as without a pool")
  func shortBytes() {
    for count in 0...9 {
      #expect(throws: ParseError.self) { try pool.certificate(der: [UInt8](der.prefix(count))) }
    }
  }
}
