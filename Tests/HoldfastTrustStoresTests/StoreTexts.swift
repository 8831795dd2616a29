import HoldfastCertificates
import HoldfastDER
import TestSupport

/// Texts of stores with made certificates.
enum StoreTexts {
  /// The three roots, intermediates and leaf of a chain, used here as anchors.
  static func certificates() throws -> [Certificate] {
    let files = ["demo/root.pem", "demo/proxy-root.pem", "demo/clients-root.pem"]
    return try files.map { try Certificate(pem: try CommittedVectors.text($0)) }
  }

  static func octal(_ bytes: [UInt8]) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      let digits = String(byte, radix: 8)
      text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      if index % 16 == 15 { text += "\n" }
    }
    return text + (text.hasSuffix("\n") ? "" : "\n") + "END\n"
  }

  /// A certdata.txt: the first for servers until a time and for e-mail, the second for e-mail
  /// alone, the third for nothing.
  static func certdata() throws -> String {
    let trusted = "CKT_NSS_TRUSTED_DELEGATOR"
    let not = "CKT_NSS_MUST_VERIFY_TRUST"
    let rows: [(limit: String, server: String, email: String)] = [
      (
        "CKA_NSS_SERVER_DISTRUST_AFTER MULTILINE_OCTAL\n" + octal(Array("250601000000Z".utf8)),
        trusted, trusted
      ),
      ("CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_FALSE\n", not, trusted),
      ("", not, "CKT_NSS_NOT_TRUSTED"),
    ]
    var text = "# A comment\nBEGINDATA\nCKA_CLASS CK_OBJECT_CLASS CKO_NSS_BUILTIN_ROOT_LIST\n"
    for (index, (certificate, row)) in zip(try certificates(), rows).enumerated() {
      let key =
        "CKA_LABEL UTF8 \"Root \(index)\"\nCKA_ISSUER MULTILINE_OCTAL\n"
        + octal(Array(certificate.issuer.der)) + "CKA_SERIAL_NUMBER MULTILINE_OCTAL\n"
        + octal([2, UInt8(certificate.serialNumber.bytes.count)] + certificate.serialNumber.bytes)
      text += "\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\n" + key
      text += "CKA_VALUE MULTILINE_OCTAL\n" + octal(certificate.der) + row.limit
      text += "CKA_NSS_EMAIL_DISTRUST_AFTER CK_BBOOL CK_FALSE\n"
      text += "\nCKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n" + key
      text += "CKA_CERT_SHA1_HASH MULTILINE_OCTAL\n" + octal(certificate.fingerprint(.sha1))
      text += "CKA_TRUST_SERVER_AUTH CK_TRUST \(row.server)\n"
      text += "CKA_TRUST_EMAIL_PROTECTION CK_TRUST \(row.email)\n"
    }
    return text
  }

  /// A p11-kit file: the first until a time, the second for e-mail alone by a stapled extension,
  /// the third distrusted.
  static func p11Kit() throws -> String {
    let all = try certificates()
    let usage: [UInt8] = [
      0x30, 0x13, 0x06, 0x03, 0x55, 0x1D, 0x25, 0x04, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06,
      0x01, 0x05, 0x05, 0x07, 0x03, 0x04,
    ]
    let value = usage.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
    return """
      # A comment
      [p11-kit-object-v1]
      label: "Root 0"
      trusted: true
      nss-mozilla-ca-policy: true
      nss-server-distrust-after: "250601000000Z"
      nss-email-distrust-after: "%00"
      \(all[0].pem)
      [p11-kit-object-v1]
      label: "Root 1"
      trusted: true
      nss-server-distrust-after: "%00"
      \(all[1].pem)
      [p11-kit-object-v1]
      class: x-certificate-extension
      label: "Root 1"
      object-id: 2.5.29.37
      value: "\(value)"
      \(PEMBlock.text(label: "PUBLIC KEY", bytes: all[1].publicKey.der))
      [p11-kit-object-v1]
      label: "Root 2"
      x-distrusted: true
      \(all[2].pem)
      """
  }

  /// Chrome's textproto: the first with two sets of constraints, of which one is for old versions;
  /// the second with names; the third for nothing.
  static func chrome() throws -> (textproto: String, certificates: String) {
    let all = try certificates()
    let textproto = """
      # proto-file: example
      version_major: 34
      trust_anchors {
        sha256_hex: "\(all[0].sha256)"
        display_name: "Root \\"0\\""
        ev_policy_oids: "2.23.140.1.1"
        constraints: { max_version_exclusive: "125" }
        constraints {
          sct_not_after_sec: 1748736000  # 2025-06-01T00:00:00Z
          min_version: "125"
        }
        enforce_anchor_expiry: true
      }
      trust_anchors {
        sha256_hex: '\(all[1].sha256)'
        constraints: { permitted_dns_names: ["example.com", ".tr"] sct_all_after_sec: 0x5 }
      }
      additional_certs { sha256_hex: "\(all[2].sha256)" eutl: true }
      """
    return (textproto, all.map(\.pem).joined())
  }

  static func json() throws -> String {
    let all = try certificates()
    let pem = all[0].pem.split(separator: "\n").joined(separator: "\\n")
    let base64 = Base64.text(of: all[1].der)
    return """
      { "name": "Example", "date": "2026-11-01T00:00:00Z", "source": "intranet", "anchors": [
        { "label": "Root 0", "certificate": "\(pem)\\n", "conditions": [
          { "issuedUntil": "2025-06-01T00:00:00Z", "purposes": ["1.3.6.1.5.5.7.3.1"] },
          { "dnsNames": ["example.com"], "policies": ["1.2.3"], "expires": true } ] },
        { "certificate": "\(base64)", "public": true },
        { "label": "Root 2", "certificate": "\(Base64.text(of: all[2].der))", "conditions": [] } ] }
      """
  }
}
