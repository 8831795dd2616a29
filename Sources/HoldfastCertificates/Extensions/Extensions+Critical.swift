internal import HoldfastDER

extension Extensions {
  /// The critical extensions in their order, made one by one without an array.
  package var critical: CriticalExtensions {
    CriticalExtensions(storage)
  }

  /// The critical extensions of a certificate.
  package struct CriticalExtensions: Sequence, IteratorProtocol {
    private let storage: CertificateStorage
    private var cursor: DERCursor

    init(_ storage: CertificateStorage) {
      self.storage = storage
      cursor = storage.extensions.list.content
    }

    /// The next critical extension.
    package mutating func next() -> Extension? {
      do throws(DERError) {
        while !cursor.isAtEnd {
          let raw = try Extension.Raw(&cursor, in: storage.der)
          if raw.isCritical { return Extension(raw, in: storage.der) }
        }
      } catch {
        // Not reached: the list was read before.
      }
      return nil
    }
  }
}
