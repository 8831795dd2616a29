/// A password in the two encodings that files use.
///
/// PBES2 and PBMAC1 take UTF-8 (RFC 8018 §3). The older schemes take a BMPString with two zero
/// bytes at its end (RFC 7292 appendix B.1); characters beyond U+FFFF become surrogate pairs, as in
/// OpenSSL. There an empty password is two zero bytes, and an absent one is no bytes.
struct Password {
  var utf8: [UInt8]
  var bmp: [UInt8]

  init(_ text: String?) {
    utf8 = Array((text ?? "").utf8)
    bmp = []
    guard let text else { return }
    // An array that grew would leave characters behind.
    bmp.reserveCapacity(2 * (text.utf16.count + 1))
    for unit in text.utf16 {
      bmp.append(UInt8(truncatingIfNeeded: unit >> 8))
      bmp.append(UInt8(truncatingIfNeeded: unit))
    }
    bmp += [0, 0]
  }

  /// Whether there is no password: it is no bytes, where an empty one has its end.
  var isAbsent: Bool { bmp.isEmpty }

  /// Returns the passwords to try, in order.
  ///
  /// *Departs:* RFC 7292 distinguishes an empty password from an absent one, but writers disagree
  /// which of them a file without a password has. Both are tried, as OpenSSL does.
  static func candidates(_ text: String?) -> [Password] {
    switch text {
    case nil: [Password(nil), Password("")]
    case "": [Password(""), Password(nil)]
    default: [Password(text)]
    }
  }

  mutating func overwrite() {
    SecretBytes.overwrite(&utf8)
    SecretBytes.overwrite(&bmp)
  }
}
