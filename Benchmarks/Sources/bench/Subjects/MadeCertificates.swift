internal import HoldfastCertificates
internal import HoldfastDER

/// Certificates of any size for the growth curves, with P-256 keys of this run, signed by OpenSSL.
struct MadeAuthority {
  let name: String
  let key: OpenSSLKey

  init?(_ name: String) {
    guard let key = OpenSSLKey.ec("P-256", hash: "sha256", message: []) else { return nil }
    self.name = name
    self.key = key
  }

  /// A certificate of another authority, or of this one itself.
  func certify(_ subject: MadeAuthority, excluding subtrees: Int = 0) -> [UInt8] {
    var extensions = [
      Made.extension(.basicConstraints, isCritical: true, Made.sequence([0x01, 0x01, 0xFF])),
      // keyCertSign and cRLSign.
      Made.extension(.keyUsage, isCritical: true, [0x03, 0x02, 0x01, 0x06]),
    ]
    if subtrees > 0 {
      let trees = (0..<subtrees).map { number in
        Made.sequence(Made.host("x\(number).excluded.example"))
      }
      extensions.append(
        Made.extension(
          .nameConstraints, isCritical: true,
          Made.sequence(DERWriting.element(.constructedContext(1), trees.flatMap(\.self)))))
    }
    return sign(subject.name, subject.key.publicKey, extensions)
  }

  /// A server's certificate for the host of all questions, and for more.
  func leaf(names count: Int = 1) -> [UInt8] {
    let others = (1..<max(count, 1)).flatMap { Made.host("h\($0).bench.example.com") }
    return sign(
      ChainFiles.host, key.publicKey,
      [
        Made.extension(.subjectAltName, Made.sequence(others + Made.host(ChainFiles.host))),
        Made.extension(.extKeyUsage, Made.sequence(Made.identifier(.serverAuth))),
      ])
  }

  private func sign(_ subject: String, _ point: [UInt8], _ extensions: [[UInt8]]) -> [UInt8] {
    let identified =
      extensions + [
        Made.extension(
          .subjectKeyIdentifier, DERWriting.element(.octetString, Made.keyIdentifier(point))),
        Made.extension(
          .authorityKeyIdentifier,
          Made.sequence(DERWriting.element(.context(0), Made.keyIdentifier(key.publicKey)))),
      ]
    let signed = Made.sequence(
      DERWriting.element(.constructedContext(0), [0x02, 0x01, 0x02]),
      DERWriting.element(.integer, [0x01] + point.suffix(15)), Made.algorithm, Made.name(name),
      Made.sequence(Made.time("260101000000Z"), Made.time("271231235959Z")), Made.name(subject),
      Made.publicKey(point),
      DERWriting.element(.constructedContext(3), Made.sequence(identified.flatMap(\.self))))
    return Made.sequence(signed, Made.algorithm, Made.bits(key.sign(signed)))
  }
}

/// The parts of certificates. RFC 5280 §4.1.
private enum Made {
  static let algorithm = sequence(identifier(.ecdsaWithSHA256))

  static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    DERWriting.element(.sequence, parts.flatMap(\.self))
  }

  static func identifier(_ oid: OID) -> [UInt8] {
    DERWriting.element(.objectIdentifier, oid.content)
  }

  static func bits(_ octets: [UInt8]) -> [UInt8] { DERWriting.element(.bitString, [0], octets) }

  static func time(_ text: String) -> [UInt8] { DERWriting.element(.utcTime, Array(text.utf8)) }

  static func host(_ name: String) -> [UInt8] {
    DERWriting.element(.context(2), Array(name.utf8))
  }

  static func name(_ commonName: String) -> [UInt8] {
    let value = DERWriting.element(.utf8String, Array(commonName.utf8))
    return sequence(DERWriting.element(.set, sequence(identifier(.commonName), value)))
  }

  static func publicKey(_ point: [UInt8]) -> [UInt8] {
    sequence(sequence(identifier(.ecPublicKey), identifier(.p256)), bits(point))
  }

  /// Octets of the point: what identifies a key is the issuer's to choose. RFC 5280 §4.2.1.2.
  static func keyIdentifier(_ point: [UInt8]) -> [UInt8] { Array(point.suffix(20)) }

  static func `extension`(_ oid: OID, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    sequence(
      identifier(oid), isCritical ? [0x01, 0x01, 0xFF] : [],
      DERWriting.element(.octetString, value))
  }
}
