internal import HoldfastCertificates
internal import HoldfastDER
internal import Synchronization

/// What was fetched and proved useful, until its time is over: in memory, and in a folder if asked.
///
/// A response is kept only after a validation has used it, so a forged one does not take the place of
/// a good one. It is used until its signed nextUpdate, and asked for again, while the old one stays,
/// when the server's Cache-Control says so. Validators may share a cache.
public final class FetchCache: Sendable {
  /// The most bytes in memory, and in the folder.
  public let maximumBytes: Int
  private let folder: FetchFolder?
  private let state = Mutex(State())

  /// For how long issuers, and what has no nextUpdate, are used. The limits are ours.
  private static let issuerLifetime: Int64 = 7 * 86_400
  private static let lifetimeWithoutNextUpdate: Int64 = 3_600

  /// What identifies a response.
  struct Key: Hashable, Sendable {
    let kind: FetchKind
    let url: FetchURL
    /// The certificate that an OCSP response is about: its issuer, serial number and key identifier.
    let subject: [UInt8]
  }

  /// A response.
  struct Entry: Sendable {
    let value: FetchedValue
    let body: [UInt8]
    let entityTag: String?
    /// When it is asked for again.
    let refreshTime: Timestamp
    /// When it is of no use any more.
    let end: Timestamp
  }

  fileprivate struct State {
    var entries: [Key: (entry: Entry, lastUse: UInt64)] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  /// Creates a cache in memory.
  ///
  /// - Parameter maximumBytes: The most bytes in memory. A response counts about twice its length,
  ///   and one that is longer is not kept.
  public init(maximumBytes: Int = 64 << 20) {
    self.maximumBytes = maximumBytes
    folder = nil
  }

  /// Creates a cache that also keeps its entries in a folder, which only the owner may read, and
  /// which several processes may use at once.
  ///
  /// An entry that is damaged is ignored and replaced. If the disk is full, entries stay in memory.
  ///
  /// - Parameters:
  ///   - directory: The path of the folder. It is created if it is missing, but not those above it.
  ///   - maximumBytes: The most bytes in memory, and as many again in the folder.
  public init(directory: String, maximumBytes: Int = 256 << 20) throws(FetchCacheError) {
    self.maximumBytes = maximumBytes
    folder = try FetchFolder(directory, maximumBytes: maximumBytes)
  }

  /// The bytes that the entries in memory count.
  package var usedBytes: Int { state.withLock { $0.bytes } }

  /// Returns an entry that may be used at a time; from the folder if memory has none.
  func entry(_ key: Key, at time: Timestamp) -> Entry? {
    if let known = remembered(key, at: time) { return known }
    guard let folder, let entry = folder.read(key), time <= entry.end else { return nil }
    insert(key, entry)
    return entry
  }

  /// Returns an entry in memory that may be used at a time.
  func remembered(_ key: Key, at time: Timestamp) -> Entry? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key) else { return nil }
      let entry = state.entries.values[index].entry
      guard time <= entry.end else {
        state.remove(key)
        return nil
      }
      state.uses += 1
      state.entries.values[index].lastUse = state.uses
      return entry
    }
  }

  /// Keeps a response that was useful.
  func insert(_ key: Key, _ value: FetchedValue, _ response: FetchResponse, at time: Timestamp) {
    let end =
      value.nextUpdate
      ?? time.advanced(
        bySeconds: key.kind == .issuers
          ? FetchCache.issuerLifetime : FetchCache.lifetimeWithoutNextUpdate)
    let refresh = response.maximumAge.map { time.advanced(bySeconds: max(60, $0)) } ?? end
    let entry = Entry(
      value: value, body: response.body, entityTag: response.entityTag,
      refreshTime: min(refresh, end), end: end)
    insert(key, entry)
    folder?.write(key, entry)
  }

  private func insert(_ key: Key, _ entry: Entry) {
    guard entry.body.count <= maximumBytes else { return }
    state.withLock { state in
      state.remove(key)
      state.uses += 1
      state.entries[key] = (entry, state.uses)
      state.bytes += entry.size
      guard state.bytes > maximumBytes else { return }
      // What was not used for the longest time goes, a tenth more than it must.
      for (old, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
      where old != key {
        guard state.bytes > maximumBytes - maximumBytes / 10 else { break }
        state.remove(old)
      }
    }
  }
}

extension FetchCache.State {
  fileprivate mutating func remove(_ key: FetchCache.Key) {
    if let old = entries.removeValue(forKey: key) { bytes -= old.entry.size }
  }
}

extension FetchCache.Entry {
  /// The bytes that it counts: what was parsed takes as much again, and more beside it.
  fileprivate var size: Int { 2 * body.count + 512 }
}

extension FetchCache.Key {
  /// The bytes from which the name of its file is made.
  var bytes: [UInt8] { Array("\(kind.rawValue) \(url) ".utf8) + subject }
}
