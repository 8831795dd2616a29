#if NIO
  internal import HoldfastDER

  /// The certificates that came with those of accepted peers, because a resumed session has only the
  /// peer's own. They are candidates: the peer is judged anew with them.
  ///
  /// Bounded, and the oldest go first: without them a peer is judged by its own certificate, which
  /// can only be rejected for it.
  final class AcceptedChains: Sendable {
    /// The most chains that are kept.
    private static let maximum = 1024
    /// The most bytes of a chain that is kept.
    private static let maximumBytes = 16_384

    private struct Content: Sendable {
      var chains: [[UInt8]: [[UInt8]]] = [:]
      /// The leaves in the order in which they came, from `oldest` around.
      var leaves: [[UInt8]] = []
      var oldest = 0
    }

    private let content = Guarded(Content())

    /// Keeps the certificates that were accepted with a leaf.
    func keep(_ chain: [[UInt8]], of leaf: [UInt8]) {
      let size = chain.reduce(0) { $0 + $1.count }
      guard chain.count > 1, size <= AcceptedChains.maximumBytes else { return }
      content.withLock { content in
        guard content.chains.updateValue(chain, forKey: leaf) == nil else { return }
        if content.leaves.count < AcceptedChains.maximum { return content.leaves.append(leaf) }
        content.chains[content.leaves[content.oldest]] = nil
        content.leaves[content.oldest] = leaf
        content.oldest = (content.oldest + 1) % AcceptedChains.maximum
      }
    }

    /// Returns the certificates that were accepted with a leaf, with it as the first.
    func chain(of leaf: [UInt8]) -> [[UInt8]]? { content.withLock { $0.chains[leaf] } }
  }
#endif
