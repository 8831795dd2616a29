internal import HoldfastDER

/// Bytes of a secret, which all copies share and which are overwritten after the last of them.
final class SecretBytes: Sendable {
  private let bytes: Guarded<[UInt8]>

  /// Takes bytes over. They are copied, so that this is the only holder.
  init(_ bytes: [UInt8]) {
    var own: [UInt8] = []
    own.reserveCapacity(bytes.count)
    own += bytes
    self.bytes = Guarded(own)
  }

  deinit {
    bytes.withLock { Secrets.overwrite(&$0) }
  }

  /// A copy, which the caller has to overwrite.
  var copy: [UInt8] {
    bytes.withLock { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      copy += bytes
      return copy
    }
  }
}
