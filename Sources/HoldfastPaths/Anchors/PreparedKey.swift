internal import HoldfastCertificates
internal import HoldfastSignatures
internal import Synchronization

/// A public key and what has been computed of it, once for all threads.
///
/// The first use reads the key, the second makes its tables, which pay from then on.
final class PreparedKey: Sendable {
  let publicKey: PublicKey
  private let preparation: Preparation
  private let state = Mutex(State.unread)

  private enum State: Sendable {
    case unread
    /// Used so many times.
    case read(VerificationKey, uses: Int)
    case prepared(VerificationKey)
    case unusable
  }

  init(_ key: PublicKey, _ preparation: Preparation = .anchor) {
    publicKey = key
    self.preparation = preparation
  }

  /// The key, which was used once more; nil if it cannot be used.
  func take() -> VerificationKey? {
    state.withLock { state in
      switch state {
      case .unusable: return nil
      case .prepared(let key): return key
      case .read(let key, let uses):
        guard uses >= 1 else {
          state = .read(key, uses: uses + 1)
          return key
        }
        let prepared = key.prepared(for: preparation)
        state = .prepared(prepared)
        return prepared
      case .unread:
        guard let key = SignatureChecks.verificationKey(publicKey) else {
          state = .unusable
          return nil
        }
        state = .read(key, uses: 1)
        return key
      }
    }
  }

  /// Computes everything now.
  func prepare() {
    state.withLock { state in
      switch state {
      case .prepared, .unusable: break
      case .read(let key, _): state = .prepared(key.prepared(for: preparation))
      case .unread:
        guard let key = SignatureChecks.verificationKey(publicKey) else {
          state = .unusable
          return
        }
        state = .prepared(key.prepared(for: preparation))
      }
    }
  }
}
