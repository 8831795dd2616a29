internal import HoldfastBase
public import Holdfast
public import HoldfastIdentities

/// Trust that is made of files, and made anew when they change.
///
/// ```swift
/// let files = try FilesTrust(description, every: .seconds(10))
/// let client = HTTPClient(files.trust)
/// for await event in files.events { logger.notice("\(event)") }
/// ```
///
/// The files are looked at on an interval, and by `reload()`. They count all or not at all: where one
/// cannot be read, or they change while they are read, what was read last goes on. Replace files that
/// belong together at once, as Kubernetes does with the link `..data` of a mounted folder, or by
/// renaming their folder: a look opens each folder and follows each link once, and so never sees files
/// of two versions. Other files must not change from the beginning of a look to its end, or it begins
/// again.
public final class FilesTrust: Sendable {
  /// The trust, for clients.
  public let trust: LiveTrust

  /// The anchors, the rules and the revocation data of the same files, without pins: for servers, which
  /// verify clients, and for workloads with SPIFFE IDs.
  public let validator: Live<PathValidator>

  /// The certificate and the key; nil if no files were given for them.
  public let identity: Live<Identity>?

  private let files: TrustFiles
  private let clock: @Sendable () -> Timestamp
  private let warningDays: Int64
  private let state: Guarded<State>
  /// The digest of what was read last; held while files are read.
  private let work: Guarded<[UInt8]?>
  private let timer = Guarded<Task<Void, Never>?>(nil)

  private struct State: Sendable {
    var status: Status
    var observers: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextObserver = 0
    /// The endings that observers were told of.
    var announced: Set<TrustEnding> = []
  }

  /// What a page about the health of a service shows.
  public struct Status: Sendable {
    /// The number of times that the trust was replaced.
    public fileprivate(set) var generation = 0
    /// When the files that are in use were read.
    public fileprivate(set) var read: Timestamp
    /// When the files were looked at last.
    public fileprivate(set) var looked: Timestamp
    /// Why the files that are there now are not in use; nil if they are.
    public fileprivate(set) var error: (any Error)?
    /// Since when there is an error.
    public fileprivate(set) var failing: Timestamp?
    /// Everything in the files that ends, the earliest first.
    public fileprivate(set) var endings: [TrustEnding]
  }

  /// What has come of a look at the files.
  public enum Event: Sendable {
    /// They have changed, and are in use.
    case updated(generation: Int)
    /// They cannot be used, for this reason; what was read before goes on.
    case failed(any Error)
    /// Something in them ends within the days of warning, or has ended: once for each.
    case ends(TrustEnding)
  }

  /// The files have changed each time that they were read.
  struct UnsteadyFiles: Error, CustomStringConvertible {
    var description: String { "the files change while they are read" }
  }

  /// Reads the files, and looks at them again on an interval.
  ///
  /// - Parameters:
  ///   - interval: The time between two looks; nil to look only in `reload()`.
  ///   - warningDays: How many days before it ends `events` tells of it.
  ///   - clock: The time that `status` shows.
  /// - Throws: What the readers of the files throw: there is nothing yet that could go on.
  public init(
    _ files: TrustFiles, every interval: Duration? = .seconds(10), warningDays: Int = 14,
    clock: @escaping @Sendable () -> Timestamp = { .now }
  ) throws {
    let (contents, digest) = try FilesTrust.read(files)
    self.files = files
    self.clock = clock
    self.warningDays = Int64(clamping: warningDays)
    trust = LiveTrust(contents.manager)
    validator = Live(contents.manager.validator)
    identity = contents.identity.map { Live($0) }
    let now = clock()
    state = Guarded(
      State(status: Status(read: now, looked: now, endings: FilesTrust.endings(contents))))
    work = Guarded(digest)
    guard let interval else { return }
    let task = Task { [weak self] in
      while true {
        do { try await Task.sleep(for: interval) } catch { return }
        guard let self else { return }
        self.reload()
      }
    }
    timer.withLock { $0 = task }
  }

  deinit {
    timer.withLock { $0?.cancel() }
    for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
  }

  /// The state, for a page about the health of a service.
  public var status: Status { state.withLock { $0.status } }

  /// What comes of looks at the files from now on: changes, errors when they begin, and what ends soon.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(16))
    let number = state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = continuation
      return state.nextObserver
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Looks at the files now. Returns whether they have changed and are in use.
  @discardableResult public func reload() -> Bool {
    work.withLock { digest in
      let isNew = look(&digest)
      announceEndings()
      return isNew
    }
  }

  private func look(_ digest: inout [UInt8]?) -> Bool {
    let files = TrustFileDigests(files)
    if files.digest == digest {
      // Files that were changed back are those in use.
      note { $0.error = nil }
      return false
    }
    do {
      let (contents, read) = try FilesTrust.read(self.files, seen: files)
      if let identity, let new = contents.identity { identity.update(new) }
      trust.update(contents.manager)
      validator.update(contents.manager.validator)
      digest = read
      let now = clock()
      note { status in
        status.generation += 1
        status.read = now
        status.error = nil
        status.endings = FilesTrust.endings(contents)
      }
      tell(.updated(generation: status.generation))
      return true
    } catch {
      let isNew = status.error.map { "\($0)" } != "\(error)"
      note { $0.error = error }
      if isNew { tell(.failed(error)) }
      return false
    }
  }

  private func tell(_ event: Event) {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(event) }
  }

  /// Tells of what ends soon, if there is an observer: those that come later are told, too.
  private func announceEndings() {
    let now = clock()
    let new = state.withLock { state in
      let current = Set(state.status.endings)
      state.announced.formIntersection(current)
      guard !state.observers.isEmpty else { return [TrustEnding]() }
      let soon = state.status.endings.filter {
        $0.days(from: now) < warningDays && !state.announced.contains($0)
      }
      state.announced.formUnion(soon)
      return soon
    }
    for ending in new { tell(.ends(ending)) }
  }

  private func note(_ change: (inout Status) -> Void) {
    let now = clock()
    state.withLock { state in
      change(&state.status)
      state.status.looked = now
      state.status.failing = state.status.error == nil ? nil : state.status.failing ?? now
    }
  }

  /// Returns what is in files that stay the same while they are read, and their digest.
  ///
  /// - Parameter seen: What a look has just found; nil for none.
  private static func read(
    _ files: TrustFiles, seen: TrustFileDigests? = nil
  ) throws -> (TrustFiles.Contents, [UInt8]) {
    var digests = seen ?? TrustFileDigests(files)
    for attempt in 1...maximumAttempts {
      let contents = Result { try files.read(from: digests.reading) }
      if digests.isSteady { return (try contents.get(), digests.digest) }
      guard attempt < maximumAttempts else { break }
      Platform.waitForFiles()
      digests = TrustFileDigests(files)
    }
    throw UnsteadyFiles()
  }

  /// How often files that change are read in one look.
  private static let maximumAttempts = 3

  private static func endings(_ contents: TrustFiles.Contents) -> [TrustEnding] {
    let own = contents.identity.map { [TrustEnding(clientCertificate: $0.leaf)] } ?? []
    return (contents.manager.endings + own).sorted { $0.end < $1.end }
  }
}

extension FilesTrust.Event: CustomStringConvertible {
  /// What has happened, on one line.
  public var description: String {
    switch self {
    case .updated(let generation): "the files of trust have changed: generation \(generation)"
    case .failed(let error):
      "the files of trust cannot be used, and the last ones go on: "
        + ((error as? any HoldfastError)?.logLine ?? "\(error)")
    case .ends(let ending): "\(ending)"
    }
  }
}
