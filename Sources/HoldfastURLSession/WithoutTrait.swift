#if !Curl
  /// Needs the package trait Curl: `.package(…, traits: ["Curl"])`.
  @available(*, unavailable, message: "needs the package trait: .package(…, traits: [\"Curl\"])")
  public enum PinnedURLProtocol {}
#endif
