/// The encoding of labels with letters beyond ASCII. RFC 3492.
enum Punycode {
  /// Returns the A-label of a label that is mapped and normalized already; an ASCII label stays as
  /// it is. nil if the label is too long for a host name. RFC 5890 §2.3.2.1.
  static func aLabel(_ label: some StringProtocol) -> String? {
    let scalars = label.unicodeScalars.map { Int($0.value) }
    guard scalars.count <= 63 else { return nil }
    if scalars.allSatisfy({ $0 < 0x80 }) { return String(label) }
    let label = "xn--" + String(decoding: encode(scalars), as: UTF8.self)
    return label.utf8.count <= 63 ? label : nil
  }

  /// RFC 3492 §6.3, with its names of variables and the parameters of §5.
  private static func encode(_ input: [Int]) -> [UInt8] {
    var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
    let b = output.count
    var h = b
    if b > 0 { output.append(UInt8(ascii: "-")) }
    var (n, delta, bias) = (0x80, 0, 72)
    while let m = input.filter({ $0 >= n }).min() {
      delta += (m - n) * (h + 1)
      n = m
      for c in input {
        if c < n { delta += 1 }
        guard c == n else { continue }
        var q = delta
        var k = 36
        while true {
          let t = min(max(k - bias, 1), 26)
          if q < t { break }
          output.append(digit(t + (q - t) % (36 - t)))
          q = (q - t) / (36 - t)
          k += 36
        }
        output.append(digit(q))
        bias = adapt(delta, h + 1, isFirst: h == b)
        delta = 0
        h += 1
      }
      delta += 1
      n += 1
    }
    return output
  }

  /// RFC 3492 §6.1.
  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var k = 0
    while delta > 455 {
      delta /= 35
      k += 36
    }
    return k + 36 * delta / (delta + 38)
  }

  /// The letters are 0 to 25, the digits 26 to 35. RFC 3492 §5.
  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? 0x61 + value : 0x30 - 26 + value)
  }
}
