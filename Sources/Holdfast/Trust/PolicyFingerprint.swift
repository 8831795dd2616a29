internal import HoldfastDER
internal import HoldfastHashes

/// What tells one policy from another: two of the same kind with the same settings and pins have the
/// same fingerprint, in every process.
public struct PolicyFingerprint: Sendable, Hashable {
  /// The SHA-256 of kind, settings and pins, each after its length.
  public let octets: [UInt8]

  /// The fingerprint of a policy.
  ///
  /// - Parameters:
  ///   - kind: The kind of policy: of two kinds no fingerprint is the same.
  ///   - parts: Everything that an answer depends on. Where order means nothing, sort them.
  public init(kind: String, _ parts: [[UInt8]] = []) {
    var text: [UInt8] = []
    for part in [Array(kind.utf8)] + parts {
      for shift in stride(from: 56, through: 0, by: -8) {
        text.append(UInt8(truncatingIfNeeded: part.count >> shift))
      }
      text += part
    }
    octets = HashAlgorithm.sha256.hash(text).array
  }
}

extension PolicyFingerprint: CustomStringConvertible {
  /// The octets in hexadecimal.
  public var description: String { Hexadecimal.text(of: octets) }
}
