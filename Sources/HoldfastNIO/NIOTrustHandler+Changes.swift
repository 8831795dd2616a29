#if NIO
  public import Holdfast
  public import NIOCore

  /// Fired through the pipeline when the policy has changed, and the peer of an open channel is no longer
  /// trusted, for this reason: what has begun may end, and nothing new should begin.
  ///
  /// The channel is closed at once if the last bytes were a server's answer or what a client received,
  /// otherwise after `NIOTrustHandler.closingTime`.
  public struct NIOTrustEnded: Sendable {
    /// The reason.
    public let error: TrustError
  }

  extension NIOTrustHandler {
    /// How long a channel may go on that an answer is due on, once its peer is no longer trusted.
    public static let closingTime = TimeAmount.seconds(10)

    /// Judges the peer again after each change of the policy, and now if there was one meanwhile.
    func observe(_ context: ChannelHandlerContext) {
      guard let changes = verifier.changes else { return }
      let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let eventLoop = context.eventLoop
      observation = changes.observe {
        eventLoop.execute {
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
        guard isBusy else { return end(context, error) }
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: NIOTrustHandler.closingTime) {
          let (handler, context) = this.value
          handler.end(context, error)
        }
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
