internal import HoldfastDER

extension Extensions {
  /// Whether an extension is there and critical.
  package func isCritical(_ known: KnownExtension) -> Bool {
    storage.extensions.critical.contains(known.bit)
  }

  /// The critical extensions that are not read or not among some, in their order; without a look at
  /// the list where there are none.
  package func critical(besides some: KnownExtensions) -> [Extension] {
    guard storage.extensions.hasUnknownCritical || !storage.extensions.critical.isSubset(of: some)
    else { return [] }
    var found: [Extension] = []
    var cursor = storage.extensions.list.content
    do throws(DERError) {
      while !cursor.isAtEnd {
        let raw = try Extension.Raw(&cursor, in: storage.der)
        guard raw.isCritical else { continue }
        if let known = KnownExtension(raw.oid), some.contains(known.bit) { continue }
        found.append(Extension(raw, in: storage.der))
      }
    } catch {
      // Not reached: the list was read before.
    }
    return found
  }
}
