import HoldfastConfigurations

/// One configuration of each system, all of which say nearly the same.
enum Samples {
  static let first = "n95z/So+vXjWt352VsADIAf/0kU1RIhEcvRuTS00Y8E="
  static let second = "mD9JJy/an94z1+6U5bTriBfi1E3mVetRxtwBzCmP/P0="

  static let trustKit = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>CFBundleName</key>
      <string>Example &amp; Sons</string>
      <key>TSKConfiguration</key>
      <dict>
        <key>TSKSwizzleNetworkDelegates</key>
        <false/>
        <key>TSKPinnedDomains</key>
        <dict>
          <key>good.com</key>
          <dict>
            <key>TSKIncludeSubdomains</key>
            <true/>
            <key>TSKExpirationDate</key>
            <string>2030-01-01</string>
            <key>TSKPublicKeyHashes</key>
            <array>
              <string>\(first)</string>
              <string>\(second)</string>
            </array>
            <key>TSKReportUris</key>
            <array><string>https://report.example/</string></array>
          </dict>
        </dict>
      </dict>
    </dict>
    </plist>

    """

  static let android = """
    <?xml version="1.0" encoding="utf-8"?>
    <network-security-config>
      <!-- The pins of the shop. -->
      <domain-config cleartextTrafficPermitted="false">
        <domain includeSubdomains="true">good.com</domain>
        <pin-set expiration="2030-01-01">
          <pin digest="SHA-256">\(first)</pin>
          <pin digest="SHA-256">\(second)</pin>
        </pin-set>
        <trust-anchors>
          <certificates src="system" />
        </trust-anchors>
      </domain-config>
    </network-security-config>

    """

  static let nsPinnedDomains = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSPinnedDomains</key>
        <dict>
          <key>good.com</key>
          <dict>
            <key>NSIncludesSubdomains</key>
            <true/>
            <key>NSPinnedCAIdentities</key>
            <array>
              <dict>
                <key>SPKI-SHA256-BASE64</key>
                <string>\(first)</string>
              </dict>
              <dict>
                <key>SPKI-SHA256-BASE64</key>
                <string>\(second)</string>
              </dict>
            </array>
          </dict>
        </dict>
      </dict>
    </dict>
    </plist>

    """

  static let okHttpLines = """
    # The shop.
    good.com      sha256/\(first) sha256/\(second)
    *.good.com    sha256/\(first) sha256/\(second)

    """

  static let okHttp = """
    val pinner = CertificatePinner.Builder()
        .add("**.good.com", "sha256/\(first)")
        .add("**.good.com",
             "sha256/\(second)")
        .build()

    """

  static let curl = "sha256//\(first);sha256//\(second)"

  static let all: [(PinConfiguration.Format, String)] = [
    (.trustKit, trustKit), (.android, android), (.nsPinnedDomains, nsPinnedDomains),
    (.okHttp, okHttp), (.curl, curl),
  ]

  static let context = PinConfiguration.Context(name: "pins", host: "good.com")
}
