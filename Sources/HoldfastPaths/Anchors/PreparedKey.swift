internal import HoldfastCertificates
internal import HoldfastSignatures
internal import Synchronization

/// A public key, read, and what has been computed of it, once for all threads.
///
/// The second use makes tables, which pay from then on. A key that goes on being used gets the larger
/// tables of an anchor, which cost as much as some dozen signatures save. No thread waits: until
/// tables are there the key serves without them. An RSA key has none.
final class PreparedKey: Sendable {
  let publicKey: PublicKey
  /// The key as it was read; nil if it cannot be used.
  private let key: VerificationKey?
  private let preparation: Preparation
  private let uses = Atomic(0)
  private let reused = AtomicLazyReference<Tables>()
  private let lasting = AtomicLazyReference<Tables>()

  /// The key with its tables.
  private final class Tables: Sendable {
    let key: VerificationKey

    init(_ key: VerificationKey, _ preparation: Preparation) {
      self.key = key.prepared(for: preparation)
    }
  }

  /// A key with this many uses is taken for one that stays.
  static let usesOfLastingKey = 64

  init(_ key: PublicKey, _ preparation: Preparation) {
    publicKey = key
    self.key = SignatureChecks.verificationKey(key)
    self.preparation = preparation
  }

  /// The key, which is used once more; nil if it cannot be used.
  func take() -> VerificationKey? {
    guard let key, key.gainsByPreparation else { return key }
    if let tables = lasting.load() { return tables.key }
    let use = uses.wrappingAdd(1, ordering: .relaxed).newValue
    let isLasting = use == (preparation == .anchor ? 2 : PreparedKey.usesOfLastingKey)
    if isLasting { return lasting.storeIfNil(Tables(key, .anchor)).key }
    if use == 2 { return reused.storeIfNil(Tables(key, .reuse)).key }
    return reused.load()?.key ?? key
  }

  /// Computes everything now.
  func prepare() {
    guard let key, key.gainsByPreparation, lasting.load() == nil else { return }
    _ = lasting.storeIfNil(Tables(key, .anchor))
  }
}
