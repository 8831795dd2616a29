/// Makes a certificate around names that the fuzzer supplies.
enum Skeleton {
  static func certificate(subject: [UInt8], alternativeNames: [UInt8]) -> [UInt8] {
    let algorithm = element(0x30, element(0x06, [0x2B, 0x65, 0x70]))
    let time = element(0x17, Array("260101000000Z".utf8))
    let key = element(0x30, algorithm + element(0x03, [UInt8](repeating: 0, count: 33)))
    let names = element(
      0x30, element(0x06, [0x55, 0x1D, 0x11]) + element(0x04, element(0x30, alternativeNames)))
    let signed = element(
      0x30,
      element(0xA0, element(0x02, [2])) + element(0x02, [1]) + algorithm
        + element(0x30, subject) + element(0x30, time + time) + element(0x30, subject) + key
        + element(0xA3, element(0x30, names)))
    return element(
      0x30, signed + algorithm + element(0x03, [UInt8](repeating: 0, count: 65)))
  }

  /// Encodes an element of up to 65,535 bytes. X.690 §8.1.3.
  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
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
