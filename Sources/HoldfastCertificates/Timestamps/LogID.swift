package import HoldfastDER
package import HoldfastHashes

/// The identifier of a log: the SHA-256 of its SubjectPublicKeyInfo. RFC 6962 §3.2.
public struct LogID: Sendable, Hashable, CustomStringConvertible {
  package let digest: Digest

  package init(_ digest: Digest) { self.digest = digest }

  /// Creates an identifier from its 32 bytes; nil if it is another number.
  package init?(_ bytes: Bytes) {
    guard bytes.count == 32, let digest = Digest(bytes.input.span.extracting(bytes.range)) else {
      return nil
    }
    self.digest = digest
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
