/// A password in the two forms in which files use it.
///
/// PBES2 and PBMAC1 take UTF-8 (RFC 8018 §3). The older schemes take a BMPString with two zero bytes at
/// its end (RFC 7292 appendix B.1), with surrogates for what lies beyond the first plane, as OpenSSL
/// writes. So an empty password is two zero bytes there, and an absent one is nothing.
struct Password {
  var utf8: [UInt8]
  var bmp: [UInt8]

  init(_ text: String?) {
    utf8 = Array((text ?? "").utf8)
    bmp =
      text.map { text in
        (Array(text.utf16) + [0]).flatMap {
          [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }
      } ?? []
  }

  /// What is tried, in this order.
  ///
  /// *Departs:* RFC 7292 tells an empty password from an absent one, and writers disagree which of
  /// them a file without a password has. OpenSSL tries both, and so does this.
  static func candidates(_ text: String?) -> [Password] {
    switch text {
    case nil: [Password(nil), Password("")]
    case "": [Password(""), Password(nil)]
    default: [Password(text)]
    }
  }

  mutating func overwrite() {
    Secrets.overwrite(&utf8)
    Secrets.overwrite(&bmp)
  }
}
