internal import HoldfastCertificates
internal import HoldfastDER
internal import Synchronization

/// What was fetched and verified, for a day at most: in memory, and in a folder if asked.
///
/// An entry is kept only after a validation has used it: a path goes through the issuer, or the
/// issuer's signature shows what a certificate's status is. So what a network sends instead is
/// asked for again. It is used until its signed end, and no longer than a day after the server has
/// last sent or confirmed it, by the clock and not by the time of a question. It is asked for again,
/// while the old one stays, when the server's Cache-Control says so, and at once by a question that
/// it does not help. Validators may share a cache.
public final class FetchCache: Sendable {
  /// The most bytes in memory, and in the folder.
  public let maximumBytes: Int
  private let folder: FetchFolder?
  private let state = Mutex(State())

  /// For how long an entry is used, and one without a nextUpdate. The limits are ours.
  static let maximumLifetime: Int64 = 86_400
  private static let lifetimeWithoutNextUpdate: Int64 = 3_600

  /// What identifies an entry. What a server sends for one issuer says nothing about another one
  /// whose certificates name the same URL.
  struct Key: Hashable, Sendable {
    let kind: FetchKind
    let url: FetchURL
    /// The SHA-256 of the key of the certificate's issuer; empty if issuers are fetched.
    var issuer: [UInt8]
    /// The serial number of the certificate that an OCSP response is about; empty for others.
    let serialNumber: [UInt8]
    /// Whether the request is a POST that follows a GET.
    var isPost = false
  }

  /// A response.
  struct Entry: Sendable {
    let value: FetchedValue
    let body: [UInt8]
    let entityTag: String?
    /// When the server has last sent or confirmed it.
    let confirmed: Timestamp
    /// When it is asked for again.
    let refreshTime: Timestamp
    /// When it is of no use any more.
    let end: Timestamp

    /// Whether it may be used now. Where the clock was set back, nothing is known of its age.
    func isUsable(at now: Timestamp) -> Bool { confirmed <= now && now <= end }

    /// Whether it need not be asked for again.
    func isFresh(at now: Timestamp) -> Bool { isUsable(at: now) && now <= refreshTime }
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
  ///   - directory: The path of the folder. It is created with mode 700 if it is missing, but not
  ///     those above it. It must belong to the user, must not be a link, and only the user may be
  ///     able to write into it.
  ///   - maximumBytes: The most bytes in memory, and as many again in the folder.
  public init(directory: String, maximumBytes: Int = 256 << 20) throws(FetchCacheError) {
    self.maximumBytes = maximumBytes
    folder = try FetchFolder(directory, maximumBytes: maximumBytes)
  }

  /// The bytes that the entries in memory count.
  package var usedBytes: Int { state.withLock { $0.bytes } }

  /// Returns an entry that may be used now; from the folder if memory has none.
  func entry(_ key: Key, at now: Timestamp) -> Entry? {
    if let known = remembered(key, at: now) { return known }
    guard let folder, let entry = folder.read(key), entry.isUsable(at: now) else { return nil }
    insert(key, entry)
    return entry
  }

  /// Returns an entry in memory that may be used now.
  func remembered(_ key: Key, at now: Timestamp) -> Entry? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key) else { return nil }
      let entry = state.entries.values[index].entry
      guard entry.isUsable(at: now) else {
        state.remove(key)
        return nil
      }
      state.uses += 1
      state.entries.values[index].lastUse = state.uses
      return entry
    }
  }

  /// Keeps a response that a validation has used. One that the issuer has signed earlier than that
  /// which is known does not replace it: old responses can be sent again.
  func insert(_ key: Key, _ value: FetchedValue, _ response: FetchResponse, at now: Timestamp) {
    if let new = value.thisUpdate {
      if let old = remembered(key, at: now)?.value.thisUpdate, new < old { return }
      // Another process may know more by now.
      if let other = folder?.read(key), other.isUsable(at: now),
        let old = other.value.thisUpdate, new < old
      {
        return insert(key, other)
      }
    }
    let limit = now.advanced(bySeconds: FetchCache.maximumLifetime)
    let end = min(limit, value.end ?? now.advanced(bySeconds: FetchCache.lifetimeWithoutNextUpdate))
    guard now < end else { return }
    let refresh = response.maximumAge.map { now.advanced(bySeconds: max(60, $0)) } ?? end
    // It is sent back in a field, and written into a line. RFC 9110 §8.8.3.
    let tag = response.entityTag.flatMap { tag in
      tag.utf8.count <= 1_024 && tag.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? tag : nil
    }
    let entry = Entry(
      value: value, body: response.body, entityTag: tag, confirmed: now,
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
  /// - Parameter issuerKey: The key of the certificate's issuer; nil if issuers are fetched.
  init(
    _ kind: FetchKind, _ url: String, ports: Set<UInt16>, ranges: [AddressRange] = [],
    _ certificate: Certificate?, below issuerKey: PublicKey?
  ) throws(FetchError) {
    self.kind = kind
    self.url = try FetchURL(url, ports: ports, ranges: ranges)
    issuer = issuerKey?.fingerprint() ?? []
    serialNumber = kind == .ocsp ? certificate?.serialNumber.bytes.array ?? [] : []
  }

  /// The key of the entry, however it was asked for.
  var entry: FetchCache.Key {
    var entry = self
    entry.isPost = false
    return entry
  }

  /// What is the same for all requests that a server cannot tell apart: it sends one CRL for all
  /// issuers.
  var request: FetchCache.Key {
    var request = self
    if kind == .crl { request.issuer = [] }
    return request
  }

  /// A line that has all of it.
  var text: String { "\(kind.rawValue) \(url) \(Bytes(issuer)) \(Bytes(serialNumber))" }
}
