#if !NIO
  /// Needs the package trait NIO: `.package(…, traits: ["NIO"])`.
  @available(*, unavailable, message: "needs the package trait: .package(…, traits: [\"NIO\"])")
  public enum NIOVerifier {}
#endif
