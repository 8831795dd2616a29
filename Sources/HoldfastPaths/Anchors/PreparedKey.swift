package import HoldfastCertificates
package import HoldfastSignatures
internal import Synchronization

/// A parsed public key and its precomputed tables, shared by all threads.
///
/// The second use builds tables, which pay off from then on. A key that stays in use gets the
/// larger tables of an anchor, which cost as much as a few dozen signatures save. No thread waits:
/// until the tables exist, the key is used without them. RSA keys have none.
package final class PreparedKey: Sendable {
  let publicKey: PublicKey
  /// The parsed key; nil if it cannot be used.
  private let key: VerificationKey?
  private let preparation: Preparation
  // Relaxed: a number with nothing beside it. It is read and changed in one step, so one thread alone
  // gets each number, and makes the tables of that number.
  private let uses = Atomic(0)
  // A load acquires what `storeIfNil` releases, so tables are seen complete; a thread whose own come
  // too late gets those that are there, which `storeIfNil` acquires.
  private let reuseTables = AtomicLazyReference<Tables>()
  private let anchorTables = AtomicLazyReference<Tables>()

  /// The key with its tables.
  private final class Tables: Sendable {
    let key: VerificationKey

    init(_ key: VerificationKey, _ preparation: Preparation) {
      self.key = key.prepared(for: preparation)
    }
  }

  /// The number of uses after which any key gets the tables of an anchor.
  static let usesForAnchorTables = 64

  package init(_ key: PublicKey, _ preparation: Preparation) {
    publicKey = key
    self.key = SignatureChecks.verificationKey(key)
    self.preparation = preparation
  }

  /// Counts a use and returns the key with the best tables it has; nil if it cannot be used.
  package func verificationKey() -> VerificationKey? {
    guard key?.gainsByPreparation == true, let key else { return key }
    if let tables = anchorTables.load() { return tables.key }
    let use = uses.wrappingAdd(1, ordering: .relaxed).newValue
    let isForLong = use == (preparation == .anchor ? 2 : PreparedKey.usesForAnchorTables)
    if isForLong { return anchorTables.storeIfNil(Tables(key, .anchor)).key }
    if use == 2 { return reuseTables.storeIfNil(Tables(key, .reuse)).key }
    return reuseTables.load()?.key ?? key
  }

  /// Builds the tables of an anchor now.
  func prepare() {
    guard let key, key.gainsByPreparation, anchorTables.load() == nil else { return }
    _ = anchorTables.storeIfNil(Tables(key, .anchor))
  }
}
