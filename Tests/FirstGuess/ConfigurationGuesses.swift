import HoldfastConfigurations

/// What users of TrustKit and of Android's configuration type.
enum ConfigurationGuesses {
  static func configurations() throws -> TrustManager {
    // 91. TrustKit's property list
    let configuration = try PinConfiguration(file: "TrustKit.plist")
    // 92. Android's network security configuration
    _ = try PinConfiguration(file: "network_security_config.xml", as: .android)
    // 93. What it says, shown
    print(configuration)
    // 94. What is wrong with it
    for finding in PinLint.findings(of: configuration) { print(finding) }
    // 95. A manager of it
    return TrustManager(configuration: configuration, anchors: try .system())
  }
}

#if Curl
  import HoldfastHTTP
  import HoldfastOnline

  /// What users type who want certificates completed and revocation asked for.
  enum OnlineGuesses {
    static func validators(_ validator: PathValidator) throws -> OnlineValidator {
      // 96. Addresses of one's own network
      let fetcher = HTTPFetcher(allowing: [try AddressRange("10.0.0.0/8")])
      // 97. A validator that fetches
      return OnlineValidator(validator, fetching: fetcher)
    }
  }
#endif
