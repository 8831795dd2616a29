internal import HoldfastDER

/// The label of a block, whether the block is read or not.
///
/// Blocks that are not asked for, private keys above all, are not decoded; what they are called is
/// still worth a word.
struct PEMLabel: Sendable, Hashable {
  /// The words after BEGIN.
  let text: String
  /// The number of the block in its text, from 1.
  let number: Int
  /// The line of its BEGIN, from 1.
  let line: Int

  /// The labels of what the tool reads.
  static let read =
    [
      "CERTIFICATE", "X509 CERTIFICATE", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST",
      "PUBLIC KEY", "RSA PUBLIC KEY", "X509 CRL", "OCSP RESPONSE", "OCSP REQUEST",
    ] + containers

  /// The labels of PKCS #7 and CMS. RFC 7468 §8 and §9.
  static let containers = ["PKCS7", "CMS"]

  /// The labels of private keys: RFC 7468 §10 and §11, and those of OpenSSL before PKCS #8.
  static let privateKeys = [
    "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
  ]

  /// The labels of all blocks of a text, which are counted as `PEMText` does: by lines that begin
  /// with `-----BEGIN `.
  static func all(in bytes: [UInt8]) -> [PEMLabel] {
    let begin = Array("-----BEGIN ".utf8)
    var labels: [PEMLabel] = []
    var line = 1
    var start = PEMText.start(of: bytes)
    let span = bytes.span
    while start < span.count, labels.count < PEMText.maximumBlocks {
      if span[start] == begin[0], bytes[start...].starts(with: begin) {
        let rest = bytes[(start + begin.count)...].prefix(64).prefix { $0 != 0x0A && $0 != 0x2D }
        labels.append(
          PEMLabel(
            text: String(decoding: rest, as: UTF8.self), number: labels.count + 1, line: line))
      }
      while start < span.count, span[start] != 0x0A { start &+= 1 }
      start &+= 1
      line &+= 1
    }
    return labels
  }
}
