internal import HoldfastDER

/// The results of verifying one signature, by key.
///
/// All copies of a CRL or an OCSP response share them, so that a signature is verified once for all
/// certificates and threads.
package final class SignatureVerdicts: Sendable {
  /// The maximum number of keys remembered; under others the signature is verified each time.
  static let maximumKeys = 16

  private let known = Guarded<[(key: Bytes, isValid: Bool)]>([])

  package init() {}

  /// Returns whether the signature verifies under a key; nil if that is not known.
  package func verdict(under key: PublicKey) -> Bool? {
    known.withLock { known in known.first { $0.key == key.der }?.isValid }
  }

  /// Stores a result.
  package func keep(_ isValid: Bool, under key: PublicKey) {
    known.withLock { known in
      // The key that verifies is worth more than any number of others.
      if known.count >= SignatureVerdicts.maximumKeys {
        guard isValid else { return }
        known.removeFirst()
      }
      known.append((key.der, isValid))
    }
  }
}
