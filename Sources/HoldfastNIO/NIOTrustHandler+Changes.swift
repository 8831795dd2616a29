#if NIO
  internal import HoldfastDER
  public import Holdfast
  public import NIOCore
  internal import NIOSSL

  /// Fired through the pipeline when the policy has changed, and the peer of an open channel is no longer
  /// trusted, for this reason: what has begun may end, and nothing new should begin.
  ///
  /// An idle channel is closed at once. Another one is closed when it is quiet: an answer is not due, all
  /// writes are done, and no bytes have passed for a fifth of a second; or after
  /// `NIOTrustHandler.closingTime`. A request ends at its answer, as far as bytes tell: an application
  /// whose answers pause for longer closes its channels itself at this event.
  public struct NIOTrustEnded: Sendable {
    /// The reason.
    public let error: TrustError
  }

  /// What a channel is doing, as far as its bytes tell.
  struct ChannelActivity {
    /// Whether the last bytes were those of a request.
    var isAnswerDue = false
    var unfinishedWrites = 0
    /// When bytes have passed last.
    var latest = NIODeadline.uptimeNanoseconds(0)

    /// How long no bytes pass on a channel that is quiet.
    static let quietTime = TimeAmount.milliseconds(200)

    func isQuiet(at time: NIODeadline) -> Bool {
      !isAnswerDue && unfinishedWrites == 0 && latest + ChannelActivity.quietTime <= time
    }
  }

  extension NIOTrustHandler {
    /// How long a channel may be busy once its peer is no longer trusted.
    public static let closingTime = TimeAmount.seconds(10)

    /// Notes that bytes have arrived.
    func noteRead(_ context: ChannelHandlerContext) {
      guard verifier.changes != nil else { return }
      activity.isAnswerDue = verifier.peer == .client
      activity.latest = context.eventLoop.now
    }

    /// Notes that bytes are written. Returns the promise that tells when that is done.
    func noteWrite(
      _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) -> EventLoopPromise<Void>? {
      guard verifier.changes != nil else { return promise }
      activity.isAnswerDue = verifier.peer == .server
      activity.latest = context.eventLoop.now
      activity.unfinishedWrites += 1
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenComplete { _ in
        self.activity.unfinishedWrites -= 1
      }
      return promise
    }

    /// Judges the peer again after each change of the policy, and now if there was one meanwhile.
    func observe(_ context: ChannelHandlerContext) {
      guard let changes = verifier.changes else { return }
      let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let eventLoop = context.eventLoop
      // Changes that follow each other faster than the peer can be judged do not pile up.
      let isPending = Guarded(false)
      observation = changes.observe {
        let wasPending = isPending.withLock { isPending in
          defer { isPending = true }
          return isPending
        }
        guard !wasPending else { return }
        eventLoop.execute {
          isPending.withLock { $0 = false }
          let (handler, context) = this.value
          handler.judgeAgain(context)
        }
      }
      judgeAgain(context)
    }

    /// Ends the channel if its peer is no longer trusted.
    private func judgeAgain(_ context: ChannelHandlerContext) {
      guard observation != nil, case .accepted(let verdict)? = outcome,
        !verdict.isOfCurrentPolicy
      else { return }
      do throws(TrustError) {
        let leaf: [UInt8]?
        do { leaf = try tls.peerCertificate?.toDERBytes() } catch { throw .custom(error) }
        result = .success(.accepted(try verifier.decide(resumed: leaf ?? [], host: host)))
      } catch {
        observation = nil
        result = .success(.rejected(error))
        context.fireUserInboundEventTriggered(NIOTrustEnded(error: error))
        endWhenQuiet(context, error, context.eventLoop.now + NIOTrustHandler.closingTime)
      }
    }

    private func endWhenQuiet(
      _ context: ChannelHandlerContext, _ error: TrustError, _ deadline: NIODeadline
    ) {
      let now = context.eventLoop.now
      if now >= deadline || activity.isQuiet(at: now) { return end(context, error) }
      let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(deadline: min(deadline, now + ChannelActivity.quietTime)) {
        let (handler, context) = this.value
        handler.endWhenQuiet(context, error, deadline)
      }
    }

    private func end(_ context: ChannelHandlerContext, _ error: TrustError) {
      guard case .open = state, context.channel.isActive else { return }
      state = .closed(error)
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }
#endif
