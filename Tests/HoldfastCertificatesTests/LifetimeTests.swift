import HoldfastDER
import Testing

@testable import HoldfastCertificates

@Suite("Lifetimes") struct LifetimeTests {
  /// CVE-2022-1473 is a table that grew with every certificate that was decoded.
  @Test("a released certificate leaves no memory behind, nor does a part of it")
  func certificates() throws {
    weak var storage: CertificateStorage?
    do {
      let certificate = try Certificate(
        der: try #require(try RevocationMaterial.blocks("certificates.pem").first).der)
      storage = certificate.storage
      #expect(certificate.extensions.count > 0 && !certificate.subject.isEmpty)
      #expect(storage != nil)
    }
    #expect(storage == nil)
  }
}
