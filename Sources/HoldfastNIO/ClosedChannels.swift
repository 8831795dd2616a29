#if NIO
  internal import HoldfastDER
  internal import NIOCore

  /// What was decided about the peers of closed channels, whose pipelines are empty, so that those
  /// who ask late are told: a rejection closes its channel at once.
  ///
  /// An entry is of use while its channel is kept. The others are dropped when they may be half of
  /// all.
  enum ClosedChannels {
    /// The entries from which on others are dropped, at least.
    private static let leastMaximum = 64

    private struct Entry: Sendable {
      weak var channel: (any Channel)?
      let result: Result<NIOOutcome?, any Error>
    }

    private struct Content: Sendable {
      var entries: [ObjectIdentifier: Entry] = [:]
      var maximum = leastMaximum
    }

    private static let content = Guarded(Content())

    /// How many are kept, for tests.
    static var count: Int { content.withLock { $0.entries.count } }

    /// Keeps what was decided, by the first of several handlers, which is the one that is asked.
    static func keep(_ result: Result<NIOOutcome?, any Error>, of channel: any Channel) {
      content.withLock { content in
        if content.entries.count >= content.maximum {
          content.entries = content.entries.filter { $0.value.channel != nil }
          content.maximum = max(leastMaximum, 2 * content.entries.count)
        }
        let key = ObjectIdentifier(channel)
        guard content.entries[key]?.channel == nil else { return }
        content.entries[key] = Entry(channel: channel, result: result)
      }
    }

    /// Returns what was decided about the peer of a closed channel.
    static func result(of channel: any Channel) -> Result<NIOOutcome?, any Error>? {
      content.withLock { content in
        // Another channel may have been at the same address.
        guard let entry = content.entries[ObjectIdentifier(channel)], entry.channel != nil else {
          return nil
        }
        return entry.result
      }
    }
  }
#endif
