#if NIO
  internal import NIOCore

  /// What an application wrote to a peer that is not accepted yet, in its order.
  struct WaitingWrites {
    /// The most bytes that wait. What an application writes may come from others, as in a proxy, and
    /// a peer can delay its handshake.
    private static let maximumBytes = 16 << 20
    /// What a write is counted for beside its bytes.
    private static let overhead = 64

    private var writes: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private var bytes = 0
    private var endPromise: EventLoopPromise<Void>?

    /// Whether something was flushed.
    var isFlushed = false
    /// Whether the output ends after these writes.
    private(set) var hasEnded = false

    /// Whether nothing waits.
    var isEmpty: Bool { writes.isEmpty }
    /// Whether more waits than may.
    var isTooMuch: Bool { bytes > WaitingWrites.maximumBytes }

    /// Adds a write.
    mutating func append(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, size: Int) {
      writes.append((data, promise))
      bytes += size + WaitingWrites.overhead
    }

    /// Notes that the output ends after these writes.
    mutating func end(_ promise: EventLoopPromise<Void>?) {
      hasEnded = true
      guard let promise else { return }
      if let endPromise {
        endPromise.futureResult.cascade(to: promise)
      } else {
        endPromise = promise
      }
    }

    /// Writes everything.
    func pass(to context: ChannelHandlerContext) {
      for write in writes { context.write(write.data, promise: write.promise) }
      if isFlushed || hasEnded { context.flush() }
      if hasEnded { context.close(mode: .output, promise: endPromise) }
    }

    /// Fails everything.
    func fail(_ error: any Error) {
      for write in writes { write.promise?.fail(error) }
      endPromise?.fail(error)
    }
  }
#endif
