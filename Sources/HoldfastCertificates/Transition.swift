// Former names, until every module has the new ones.
package import HoldfastDER

/// A former name.
public typealias CertificateError = ParseError
/// A former name.
public typealias RevocationDataError = ParseError
/// A former name.
public typealias Finding = EncodingDeviation

extension Certificate {
  package var findings: [EncodingDeviation] { deviations }
  package var mark: UInt64 { signatureTail }
  package var publicKeyMark: UInt64 { keyTail }
  package var publicKeyOctets: Bytes { publicKeyBytes }
  package func namesIssuer(_ other: Certificate) -> Bool { issuerMatches(subjectOf: other) }
  package func namesIssuer(_ name: DistinguishedName) -> Bool { issuerMatches(name) }
  package func spellsIssuer(as other: Certificate) -> Bool { issuerBytesEqual(subjectOf: other) }
  package func hasIssuer(of other: Certificate) -> Bool { issuerMatches(issuerOf: other) }
  package static var largestByDefault: Int { maximumSize }
}

extension CertificateList {
  package var findings: [EncodingDeviation] { deviations }
  package static var largestByDefault: Int { maximumSize }
}

extension OCSPResponse { package static var largestByDefault: Int { maximumSize } }
extension BasicOCSPResponse { package var findings: [EncodingDeviation] { deviations } }
extension OCSPRequest { package var findings: [EncodingDeviation] { deviations } }
extension RevokedCertificate { package var findings: [EncodingDeviation] { deviations } }
extension CertificateRequest { package var findings: [EncodingDeviation] { deviations } }
extension Extensions { package var list: [Extension] { Array(self) } }
extension CertificateListExtensions { package var list: [Extension] { all } }
extension ASCIIText { package var octets: Bytes { bytes } }
extension SerialNumber { package var octets: Bytes { bytes } }
extension CRLNumber { package var octets: Bytes { bytes } }
extension PublicKey { package var octets: Bytes { bytes } }
extension IPAddress { package var octets: [UInt8] { bytes } }
extension ParseError { package var words: String { message } }

extension OID {
  package var name: String? { KnownExtension(self)?.row.name }
  package var revocationName: String? { name }
  package var revocationCitation: String? {
    KnownExtension(self).map { $0.row.listCitation ?? $0.row.citation }
  }
}
