/// Makes certificates around names, keys and extensions that the fuzzer supplies. Their signatures
/// are zeros.
enum Skeleton {
  /// Ed25519, as an AlgorithmIdentifier.
  private static let algorithm = element(0x30, element(0x06, [0x2B, 0x65, 0x70]))
  private static let key = element(
    0x30, algorithm + element(0x03, [UInt8](repeating: 0, count: 33)))

  /// A self-issued certificate with these attributes in its name and these alternative names.
  static func certificate(subject: [UInt8], alternativeNames: [UInt8]) -> [UInt8] {
    let name = element(0x30, subject)
    return leaf(issuer: name, subject: name, alternativeNames: alternativeNames)
  }

  /// A leaf; its names are elements, its alternative names are what is in one.
  static func leaf(
    issuer: [UInt8], subject: [UInt8], alternativeNames: [UInt8], serial: [UInt8] = [1]
  ) -> [UInt8] {
    let names = `extension`(0x11, element(0x30, alternativeNames))
    return certificate(issuer, subject, key, names, serial: serial)
  }

  /// A CA certificate; a constraint is the base of a permitted and of an excluded subtree.
  static func authority(
    _ name: [UInt8], key: [UInt8]? = nil, constraint: [UInt8]? = nil
  ) -> [UInt8] {
    var extensions = `extension`(0x13, element(0x30, element(0x01, [0xFF])))
    if let constraint {
      let subtree = element(0x30, constraint)
      extensions += `extension`(
        0x1E, element(0x30, element(0xA0, subtree) + element(0xA1, subtree)))
    }
    return certificate(name, name, key ?? Skeleton.key, extensions)
  }

  private static func certificate(
    _ issuer: [UInt8], _ subject: [UInt8], _ key: [UInt8], _ extensions: [UInt8],
    serial: [UInt8] = [1]
  ) -> [UInt8] {
    let time = element(0x17, Array("260101000000Z".utf8))
    let signed = element(
      0x30,
      element(0xA0, element(0x02, [2])) + element(0x02, serial) + algorithm + issuer
        + element(0x30, time + time) + subject + key + element(0xA3, element(0x30, extensions)))
    return element(
      0x30, signed + algorithm + element(0x03, [UInt8](repeating: 0, count: 65)))
  }

  /// An extension of the arc 2.5.29.
  private static func `extension`(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    element(0x30, element(0x06, [0x55, 0x1D, number]) + element(0x04, value))
  }

  /// Encodes an element of up to 65,535 bytes. X.690 §8.1.3.
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 0x80
      ? [UInt8(count)]
      : count < 0x100
        ? [0x81, UInt8(count)]
        : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    return [tag] + length + content
  }
}
