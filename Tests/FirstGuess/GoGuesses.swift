import Holdfast
import HoldfastIdentities

/// What users of Go's crypto/x509 and crypto/tls type.
enum GoGuesses {
  static func certificate() throws -> Certificate {
    // 71. x509.ParseCertificate, from a file
    let certificate = try Certificate(file: "server.pem")
    // 72. DNSNames
    print(certificate.dnsNames)
    // 73. IPAddresses, EmailAddresses
    print(certificate.ipAddresses, certificate.emailAddresses)
    // 74. Subject.CommonName
    print(certificate.subject.commonName ?? "")
    // 75. sha256.Sum256(cert.Raw)
    print(certificate.sha256)
    // 76. CheckSignatureFrom
    print(certificate.isSigned(by: certificate))
    return certificate
  }

  static func verify(_ chain: [Certificate], _ roots: AnchorSet) throws {
    // 77. cert.Verify(x509.VerifyOptions{DNSName:, Roots:})
    let path = try PathValidator(anchors: roots).validate(chain, for: .server("example.com"))
    print(path)
    // 78. KeyUsages: ExtKeyUsageClientAuth
    _ = try PathValidator(anchors: roots, rules: .rfc5280).validate(chain, for: .client)
  }

  static func revocation(_ roots: AnchorSet) throws {
    // 79. x509.ParseRevocationList
    let crl = try CRL(file: "ca.crl")
    // 80. Without pins, with a list
    _ = TrustManager(
      anchors: roots, rules: .rfc5280, revocation: Revocation(.required(of: .leaf), crls: [crl]))
    // 81. With pins and a list
    _ = try TrustManager(
      pins: ["example.com": ["sha256/…", "sha256/…"]], anchors: roots,
      revocation: Revocation(crls: [crl]))
  }

  static func keys() throws {
    // 82. x509.ParsePKIXPublicKey
    print(try PublicKey(file: "key.pub").pin)
    // 83. tls.X509KeyPair
    let key = try PrivateKey(file: "key.pem")
    print(key)
    // 84. pkcs12.Decode
    _ = try Identity(file: "client.p12", password: "secret")
    // 85. From text that is in memory
    _ = try Identity(pem: "-----BEGIN PRIVATE KEY-----", password: nil)
    // 86. All that a .p12 has
    for identity in try PKCS12(file: "client.p12").open(password: "secret").identities {
      print(identity)
    }
  }

  static func transparency(_ roots: AnchorSet) throws {
    // 87. ctutil, with Chrome's list
    _ = TrustManager(anchors: roots, transparency: .report(try LogList(file: "log_list.json")))
  }
}

#if OpenSSL
  import HoldfastOpenSSL

  extension GoGuesses {
    static func servers(_ context: OpaquePointer) throws {
      // 88. ClientCAs, RequireAndVerifyClientCert
      let clients = TLSVerifier(PathValidator(anchors: try AnchorSet(file: "clients.pem")))
      try clients.installOnServer(context)
      // 89. VerifyPeerCertificate
      _ = TLSVerifier { peer in
        try TrustManager(anchors: .system()).evaluate(der: peer.chain, host: "example.com")
      }
    }

    static func client(_ verdict: Verdict) {
      // 90. r.TLS.PeerCertificates[0].Subject
      print(verdict.client?.name ?? "", verdict.client?.leaf.serialNumber ?? "")
      print(verdict.client?.identities ?? [])
    }
  }
#endif
