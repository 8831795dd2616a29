internal import HoldfastCertificates
internal import HoldfastDER

/// A pin, the SHA-256 of a SubjectPublicKeyInfo, in the notations that others read.
struct PinText: Sendable, Hashable {
  private let digest: [UInt8]

  init(_ key: PublicKey) {
    digest = key.fingerprint()
  }

  /// The notations.
  enum Notation: Sendable, CaseIterable {
    /// `sha256/` and base64, as OkHttp, Alamofire's users and RFC 7469's successors write it.
    case standard
    /// 64 hexadecimal digits.
    case hexadecimal
    /// `sha256//` and base64, as curl's `--pinnedpubkey` takes it.
    case curl
  }

  /// The digest alone in base64.
  var base64: String { Base64.text(of: digest) }

  /// The pin in a notation.
  func text(_ notation: Notation = .standard) -> String {
    switch notation {
    case .standard: "sha256/" + base64
    case .hexadecimal: Hexadecimal.text(of: digest)
    case .curl: "sha256//" + base64
    }
  }
}
