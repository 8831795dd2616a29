import HoldfastCertificates

/// Reads a certificate and prints whose it is.
@main
struct ReadsCertificates {
  static func main() throws {
    print(try Certificate(pem: root).subject)
  }

  /// `Vectors/demo/root.pem`.
  private static let root = """
    -----BEGIN CERTIFICATE-----
    MIIB4jCCAWmgAwIBAgIEXu0AATAKBggqhkjOPQQDAzA5MQswCQYDVQQGEwJTRTET
    MBEGA1UECgwKRGVtbyBUcnVzdDEVMBMGA1UEAwwMRGVtbyBSb290IFgxMB4XDTIw
    MDEwMTAwMDAwMFoXDTQ1MDEwMTAwMDAwMFowOTELMAkGA1UEBhMCU0UxEzARBgNV
    BAoMCkRlbW8gVHJ1c3QxFTATBgNVBAMMDERlbW8gUm9vdCBYMTB2MBAGByqGSM49
    AgEGBSuBBAAiA2IABMC0zIfCaLMCUIHdz4Od7RtcQbY0viU/3FsPG6URNVItgfJL
    AZXMDz/7aGERzAnkyvRJ7LZutnY5o0iv427JRa6kyiZFArGCDYUzid6F/CU9xIuq
    XkFdTTdC8G+XUMjSpKNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMC
    AQYwHQYDVR0OBBYEFIpxm8Uul2ggg2UtQlwAqKznqbJSMAoGCCqGSM49BAMDA2cA
    MGQCMDPdcDkijnSewwHgMf1K+y1ObkaTB9YQXBcm6b/F/EzSvzQ7xZMxYrNfgjFn
    2xw8oAIwbWLtNhZvXEv46pI4gAyPRpjrmSi9gvcI2ag3XKqx0QXFanAYdz+23xWX
    DMo1y4ek
    -----END CERTIFICATE-----
    """
}
