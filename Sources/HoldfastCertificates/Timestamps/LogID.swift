package import HoldfastDER
package import HoldfastHashes

/// The identifier of a log: the SHA-256 of its SubjectPublicKeyInfo. RFC 6962 §3.2.
public struct LogID: Sendable, Hashable, CustomStringConvertible {
  package let digest: Digest

  package init(_ digest: Digest) { self.digest = digest }

  /// - Parameter bytes: 32 bytes.
  package init(_ bytes: Bytes) {
    digest =
      Digest(bytes.input.span.extracting(bytes.range))
      ?? Digest([64 of UInt8](repeating: 0), count: 32)
  }

  /// The identifier of the log with this key.
  package init(of key: PublicKey) {
    digest = HashAlgorithm.sha256.hash(key.der.input, in: key.der.range)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { digest.array }

  /// The bytes in base64, as in log lists.
  public var description: String { Base64.text(of: bytes) }
}
