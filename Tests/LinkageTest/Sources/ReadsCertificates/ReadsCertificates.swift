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
    MIIByDCCAW6gAwIBAgIUJkEgof6fLd/G2aYucHPrNFz1qfEwCgYIKoZIzj0EAwIw
    QjELMAkGA1UEBhMCQ0gxFjAUBgNVBAoMDUhvbGRmYXN0IERlbW8xGzAZBgNVBAMM
    EkhvbGRmYXN0IERlbW8gUm9vdDAeFw0yNjAxMDEwMDAwMDBaFw00NjAxMDEwMDAw
    MDBaMEIxCzAJBgNVBAYTAkNIMRYwFAYDVQQKDA1Ib2xkZmFzdCBEZW1vMRswGQYD
    VQQDDBJIb2xkZmFzdCBEZW1vIFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
    AARN9vzJqSR8an00BS4I1zDEYn7IVJVGUH5CgVYrFPdF+eyzMwNFYr0IlFjO6EY2
    FQJuFD0iiweYHRJgkEAmdchMo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB
    /wQEAwIBBjAdBgNVHQ4EFgQUtdW9iYOtyONBb+JG7CZaP51YcEwwCgYIKoZIzj0E
    AwIDSAAwRQIgKRhnpLVRHllBrSpZjP7yV1QCXI0r8KwpeW/dhw6lG8cCIQDPmbyb
    qNb+cF2tmLWpXJmeSontxoeN6R0f/eKXIuKnaA==
    -----END CERTIFICATE-----
    """
}
