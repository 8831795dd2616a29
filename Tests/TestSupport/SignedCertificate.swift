package import HoldfastBase
package import HoldfastCertificates
package import HoldfastPaths
import HoldfastHashes
import HoldfastSignatures

/// Certificates with valid signatures, in shapes that no CA issues.
///
/// The private keys are small public numbers, and the secret number of each signature is 1. So in
/// FIPS 186-5 §6.4.1, r is the x-coordinate of P-256's generator and s = z + r d, which needs only
/// sums modulo the order.
package struct SignedCertificate {
  package var subject: String
  package var key: UInt64
  package var issuer: String
  package var signer: UInt64
  /// Nil for a leaf.
  package var isAuthority: Bool?
  package var pathLength: UInt8?
  package var notBefore = "250101000000Z"
  package var notAfter = "270101000000Z"
  /// Whether the certificate has key identifiers.
  package var hasKeyIdentifiers = true
  package var extensions: [[UInt8]]
  package var serialNumber: UInt64
  /// The content of the INTEGER that replaces `serialNumber`.
  package var serialNumberContent: [UInt8]?
  /// The SubjectPublicKeyInfo that replaces `key`.
  package var publicKeyInfo: [UInt8]?
  /// The AlgorithmIdentifier and the bytes that replace the signature.
  package var signature: (algorithm: [UInt8], bytes: [UInt8])?

  package init(
    subject: String = "CN=Leaf", key: UInt64 = 100, issuer: String = "CN=Root", signer: UInt64 = 1,
    isAuthority: Bool? = nil, extensions: [[UInt8]] = [], serialNumber: UInt64 = 1
  ) {
    self.subject = subject
    self.key = key
    self.issuer = issuer
    self.signer = signer
    self.isAuthority = isAuthority
    self.extensions = extensions
    self.serialNumber = serialNumber
  }

  package static let time = Timestamp("2026-01-01T00:00:00Z") ?? .now
  package static let host = "www.example.com"

  package static func authority(
    _ subject: String, _ key: UInt64, by issuer: String, _ signer: UInt64,
    _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Certificate {
    var request = SignedCertificate(
      subject: "CN=\(subject)", key: key, issuer: "CN=\(issuer)", signer: signer, isAuthority: true)
    change(&request)
    return try request.made()
  }

  /// Makes a root: issuer and subject are the same.
  package static func root(_ name: String = "Root", _ key: UInt64 = 1) throws -> Certificate {
    try authority(name, key, by: name, key)
  }

  /// Makes a root with a text in an unknown extension; any field may contain one.
  package static func root(holding text: String) throws -> Certificate {
    try authority("Outer", 1, by: "Outer", 1) {
      $0.extensions.append(
        Made.extension("1.3.6.1.4.1.32473.1", Made.der(0x0C, Array(text.utf8))))
    }
  }

  /// Makes a server certificate for `host`.
  package static func leaf(
    by issuer: String, _ signer: UInt64, names: [[UInt8]] = [Made.dns(host)],
    _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Certificate {
    var request = SignedCertificate(issuer: "CN=\(issuer)", signer: signer)
    if !names.isEmpty { request.extensions = [Made.alternativeNames(names)] }
    change(&request)
    return try request.made()
  }

  package func made() throws -> Certificate {
    let curve = Made.oid("1.2.840.10045.2.1") + Made.oid("1.2.840.10045.3.1.7")
    var all = extensions
    if let isAuthority {
      let flag: [UInt8] = isAuthority ? [1, 1, 0xFF] : []
      let length = pathLength.map { Made.der(0x02, [$0]) } ?? []
      all.append(Made.extension("2.5.29.19", isCritical: true, Made.der(0x30, flag + length)))
    }
    if hasKeyIdentifiers {
      all.append(
        Made.extension("2.5.29.14", Made.der(0x04, SignedCertificate.identifier(key))))
      all.append(
        Made.extension(
          "2.5.29.35",
          Made.der(0x30, Made.der(0x80, SignedCertificate.identifier(signer)))))
    }
    // Without extensions it is of version 1. RFC 5280 §4.1.2.1.
    var fields = all.isEmpty ? [] : Made.der(0xA0, Made.der(0x02, [2]))
    fields += Made.der(0x02, serialNumberContent ?? SignedCertificate.integer(serialNumber))
    fields += signature?.algorithm ?? SignedCertificate.ecdsa
    fields += Made.der(0x30, Made.name(issuer))
    fields += Made.der(
      0x30, Made.der(0x17, Array(notBefore.utf8)) + Made.der(0x17, Array(notAfter.utf8)))
    fields += Made.der(0x30, Made.name(subject))
    fields +=
      publicKeyInfo
      ?? Made.der(0x30, Made.der(0x30, curve) + Made.bits(SignedCertificate.publicKey(key)))
    if !all.isEmpty { fields += Made.der(0xA3, Made.der(0x30, all.flatMap { $0 })) }
    let tbs = Made.der(0x30, fields)
    let der =
      signature.map { Made.der(0x30, tbs + $0.algorithm + Made.bits($0.bytes)) }
      ?? SignedCertificate.signed(tbs, by: signer)
    return try Certificate(der: der, maximumSize: 8 << 20)
  }

  /// ECDSA with SHA-256. RFC 5758 §3.2.
  private static let ecdsa = Made.der(0x30, Made.oid("1.2.840.10045.4.3.2"))

  /// Returns the signed bytes with the algorithm and the signature: a certificate, a list, or, with
  /// more after it, an OCSP response.
  package static func signed(_ tbs: [UInt8], by key: UInt64, _ more: [UInt8] = []) -> [UInt8] {
    Made.der(0x30, tbs + ecdsa + Made.bits(signature(of: tbs, by: key)) + more)
  }

  /// Returns the identifier of a key.
  package static func identifier(_ key: UInt64) -> [UInt8] {
    [UInt8](repeating: 0xA5, count: 12) + big(key)
  }

  private static func big(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }

  /// Encodes the content of a positive INTEGER. X.690 §8.3.
  private static func integer(_ number: UInt64) -> [UInt8] { integer(big(number)) }

  private static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    return (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits
  }
}

// MARK: Arithmetic

extension SignedCertificate {
  /// Returns the signature of a message, with ECDSA and SHA-256, in DER.
  package static func signature(of message: [UInt8], by key: UInt64) -> [UInt8] {
    let curve = CurveParameters.p256
    let r = curve.generatorX
    var s = reduced(limbs(HashAlgorithm.sha256.hash(message).array))
    // s = z + r d, with r doubled for each bit of d.
    var (summand, digits) = (r, key)
    while digits > 0 {
      if digits & 1 == 1 { s = sum(s, summand) }
      summand = sum(summand, summand)
      digits >>= 1
    }
    return Made.der(
      0x30, Made.der(0x02, integer(bytes(r))) + Made.der(0x02, integer(bytes(s))))
  }

  /// Returns the point of a private key, uncompressed.
  private static func publicKey(_ key: UInt64) -> [UInt8] {
    var point = JacobianPoint<FieldP256>.infinity
    for offset in (0..<(64 - key.leadingZeroBitCount)).reversed() {
      point.double()
      if key >> UInt64(offset) & 1 == 1 { point.add(FieldP256.generator) }
    }
    guard let point = point.affine else { return [] }
    return [4] + point.x.encoded + point.y.encoded
  }

  /// Converts 32 bytes, the highest first, to four limbs, the lowest first.
  private static func limbs(_ bytes: [UInt8]) -> [UInt64] {
    (0..<4).reversed().map { limb in
      bytes[(8 * limb)..<(8 * limb + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private static func bytes(_ limbs: [UInt64]) -> [UInt8] { limbs.reversed().flatMap(big) }

  private static func sum(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var (total, carry): ([UInt64], UInt64) = ([], 0)
    for (a, b) in zip(a, b) {
      let (first, over) = a.addingReportingOverflow(b)
      let (second, overAgain) = first.addingReportingOverflow(carry)
      total.append(second)
      carry = over || overAgain ? 1 : 0
    }
    return reduced(total, carry)
  }

  /// Reduces a number of five limbs, of which `top` is the highest, by subtracting the order once.
  private static func reduced(_ number: [UInt64], _ top: UInt64 = 0) -> [UInt64] {
    var (difference, borrow): ([UInt64], UInt64) = ([], 0)
    for (a, b) in zip(number, CurveParameters.p256.n) {
      let (first, under) = a.subtractingReportingOverflow(b)
      let (second, underAgain) = first.subtractingReportingOverflow(borrow)
      difference.append(second)
      borrow = under || underAgain ? 1 : 0
    }
    return top >= borrow ? difference : number
  }
}

extension Purpose {
  /// Returns the purpose for a well-formed host name.
  package static func server(named host: String) -> Purpose {
    do { return try .server(host) } catch { preconditionFailure("\(host): \(error)") }
  }
}
