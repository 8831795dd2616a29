internal import HoldfastDER

/// Secret bytes in one buffer, which is overwritten when the last reference is released.
final class SecretBytes: Sendable {
  private let bytes: Guarded<[UInt8]>

  /// Copies the bytes, so that nothing else references the stored array.
  init(_ bytes: [UInt8]) {
    var own: [UInt8] = []
    own.reserveCapacity(bytes.count)
    own += bytes
    self.bytes = Guarded(own)
  }

  deinit {
    bytes.withLock { Secrets.overwrite(&$0) }
  }

  /// A copy, which the caller must overwrite.
  var copy: [UInt8] {
    bytes.withLock { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      copy += bytes
      return copy
    }
  }
}
