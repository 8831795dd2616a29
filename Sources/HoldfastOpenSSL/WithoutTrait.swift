#if !OpenSSL
  /// Needs the package trait OpenSSL: `.package(…, traits: ["OpenSSL"])`.
  @available(*, unavailable, message: "needs the package trait: .package(…, traits: [\"OpenSSL\"])")
  public enum TLSClient {}

  /// Needs the package trait OpenSSL: `.package(…, traits: ["OpenSSL"])`.
  @available(*, unavailable, message: "needs the package trait: .package(…, traits: [\"OpenSSL\"])")
  public enum TLSVerifier {}
#endif
