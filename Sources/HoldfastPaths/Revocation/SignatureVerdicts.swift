internal import HoldfastCertificates
internal import HoldfastDER

/// What was found of one signature, by the key under which it was verified.
final class SignatureVerdicts: Sendable {
  /// How many keys are remembered; beyond it signatures are verified each time.
  static let mostKeys = 16

  private struct Entry: Sendable {
    let key: Octets
    let isRight: Bool
  }

  private let known = Guarded<[Entry]>([])

  init() {}

  /// Whether the signature is right under a key, if that is known.
  func verdict(under key: PublicKey) -> Bool? {
    known.withLock { known in known.first { $0.key == key.der }?.isRight }
  }

  /// Keeps what was found.
  func keep(_ isRight: Bool, under key: PublicKey) {
    known.withLock { known in
      // A right key is worth more than any number of wrong ones.
      if known.count >= SignatureVerdicts.mostKeys {
        guard isRight else { return }
        known.removeFirst()
      }
      known.append(Entry(key: key.der, isRight: isRight))
    }
  }
}
