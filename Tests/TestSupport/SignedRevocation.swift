package import HoldfastCertificates
import HoldfastDER
import HoldfastHashes

/// Makes lists, OCSP responses and their signers, with valid signatures.
package enum SignedRevocation {
  /// Makes a list issued by `CN=name`, on the last day of 2025 unless told otherwise. An entry is a
  /// serial number and its extensions; a list with a base is a delta CRL.
  package static func list(
    by name: String, _ key: UInt64,
    _ entries: [(serialNumber: UInt8, extensions: [UInt8]?)] = [], number: UInt8 = 1,
    base: UInt8? = nil, thisUpdate: String = "251231000000Z", extensions others: [UInt8] = [],
    innerAlgorithm: String = "1.2.840.10045.4.3.2"
  ) throws -> CRL {
    let revoked = entries.flatMap { entry in
      Made.der(
        0x30,
        Made.der(0x02, [entry.serialNumber]) + utc("251230000000Z")
          + (entry.extensions.map { Made.der(0x30, $0) } ?? []))
    }
    var fields = Made.der(0x02, [1]) + Made.der(0x30, Made.oid(innerAlgorithm))
    fields += Made.der(0x30, Made.name("CN=\(name)"))
    fields += utc(thisUpdate) + utc("260201000000Z")
    if !revoked.isEmpty { fields += Made.der(0x30, revoked) }
    var extensions = others + Made.extension("2.5.29.20", Made.der(0x02, [number]))
    if let base {
      extensions += Made.extension("2.5.29.27", isCritical: true, Made.der(0x02, [base]))
    }
    fields += Made.der(0xA0, Made.der(0x30, extensions))
    return try CRL(der: SignedCertificate.signed(Made.der(0x30, fields), by: key))
  }

  /// Makes the reasonCode extension of an entry. RFC 5280 §5.3.1.
  package static func reason(_ reason: RevocationReason) -> [UInt8] {
    Made.extension("2.5.29.21", Made.der(0x0A, [reason.rawValue]))
  }

  /// Makes a certificate `CN=name` that may sign lists.
  package static func signer(
    _ name: String, _ key: UInt64, by issuer: String, _ signer: UInt64,
    _ extensions: [[UInt8]] = [], serialNumber: UInt64 = 20, until end: String = "270101000000Z"
  ) throws -> Certificate {
    let usage = Made.extension("2.5.29.15", isCritical: true, [0x03, 0x02, 0x01, 0x02])
    var request = SignedCertificate(
      subject: "CN=\(name)", key: key, issuer: "CN=\(issuer)", signer: signer,
      extensions: [usage] + extensions, serialNumber: serialNumber)
    request.notAfter = end
    return try request.made()
  }

  /// id-pkix-ocsp-nocheck: the responder's certificate need not be checked. RFC 6960 §4.2.2.2.1.
  package static let noCheck = Made.extension("1.3.6.1.5.5.7.48.1.5", [5, 0])

  /// Makes a certificate with serial number 77 that may sign responses. RFC 6960 §4.2.2.2.
  package static func responder(
    _ key: UInt64, by issuer: String, _ signer: UInt64, _ extensions: [[UInt8]] = [noCheck],
    until end: String = "270101000000Z"
  ) throws -> Certificate {
    let usage = Made.extension("2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.9")))
    var request = SignedCertificate(
      subject: "CN=Responder", key: key, issuer: "CN=\(issuer)", signer: signer,
      extensions: [usage] + extensions, serialNumber: 77)
    request.notAfter = end
    return try request.made()
  }

  package static let good: [UInt8] = [0x80, 0]
  package static let unknown: [UInt8] = [0x82, 0]
  package static let revoked = Made.der(0xA1, time("20251230000000Z"))

  /// Makes a SingleResponse about a certificate. RFC 6960 §4.2.1.
  package static func single(
    _ certificate: Certificate, of issuer: Certificate, _ status: [UInt8] = good,
    extensions: [UInt8] = [], from: String = "20251231000000Z", until: String = "20260201000000Z"
  ) -> [UInt8] {
    let id =
      Made.der(0x30, Made.oid("1.3.14.3.2.26") + [5, 0]) + hash(certificate.issuer.der)
      + hash(issuer.publicKey.bytes) + Made.der(0x02, certificate.serialNumber.bytes.array)
    return Made.der(
      0x30,
      Made.der(0x30, id) + status + time(from)
        + Made.der(0xA0, time(until))
        + (extensions.isEmpty ? [] : Made.der(0xA1, Made.der(0x30, extensions))))
  }

  /// Makes a response signed by `key`; the responder is identified by `name`, or else by its key.
  package static func answer(
    _ singles: [[UInt8]], by responder: Certificate, _ key: UInt64, name: String? = nil,
    includesResponder: Bool = true, others: [UInt8] = []
  ) throws -> OCSPResponse {
    let id =
      name.map { Made.der(0xA1, Made.der(0x30, Made.name("CN=\($0)"))) }
      ?? Made.der(0xA2, hash(responder.publicKey.bytes))
    let tbs = Made.der(
      0x30, id + time("20251231000000Z") + Made.der(0x30, singles.flatMap { $0 }))
    let certificates =
      includesResponder ? Made.der(0xA0, Made.der(0x30, others + responder.der)) : []
    let basic =
      Made.oid("1.3.6.1.5.5.7.48.1.1")
      + Made.der(0x04, SignedCertificate.signed(tbs, by: key, certificates))
    return try OCSPResponse(
      der: Made.der(0x30, [0x0A, 1, 0] + Made.der(0xA0, Made.der(0x30, basic))))
  }

  package static func utc(_ text: String) -> [UInt8] { Made.der(0x17, Array(text.utf8)) }
  package static func time(_ text: String) -> [UInt8] { Made.der(0x18, Array(text.utf8)) }

  private static func hash(_ bytes: Bytes) -> [UInt8] {
    Made.der(0x04, HashAlgorithm.sha1.hash(bytes.array).array)
  }
}
