// A file of its own, because Embedded Swift, which has no mirrors, compiles the others.
extension PrivateKey: CustomReflectable {
  /// An empty mirror, so that `dump` reveals nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PKCS12.Secret: CustomReflectable {
  /// An empty mirror, so that `dump` reveals nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
