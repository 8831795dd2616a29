#if OpenSSL
  @testable import HoldfastOpenSSL
  import Testing

  /// What a server says before it ends a connection.
  @Suite("Alerts of servers") struct AlertTests {
    /// RFC 8446 appendix B.2, without those that it reserves for older versions.
    static let alerts: [(number: UInt8, name: String)] = [
      (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"),
      (22, "record_overflow"), (40, "handshake_failure"), (42, "bad_certificate"),
      (43, "unsupported_certificate"), (44, "certificate_revoked"), (45, "certificate_expired"),
      (46, "certificate_unknown"), (47, "illegal_parameter"), (48, "unknown_ca"),
      (49, "access_denied"), (50, "decode_error"), (51, "decrypt_error"), (70, "protocol_version"),
      (71, "insufficient_security"), (80, "internal_error"), (86, "inappropriate_fallback"),
      (90, "user_canceled"), (109, "missing_extension"), (110, "unsupported_extension"),
      (112, "unrecognized_name"), (113, "bad_certificate_status_response"),
      (115, "unknown_psk_identity"), (116, "certificate_required"),
      (120, "no_application_protocol"),
    ]

    @Test("every alert of RFC 8446 has its name and a sentence of its own")
    func complete() throws {
      for (number, name) in Self.alerts {
        let row = try #require(TLSAlertText.row(number), "\(name)")
        #expect(row.name == name)
        #expect(
          TLSError.alert(number).description == "\(row.meaning) (alert \(number), \(name))")
        #expect(row.meaning.hasPrefix("the server "))
        // The user is told which server it is, once.
        let summary = TLSAlertText.summary(of: number, from: "a.example")
        #expect(summary.split(separator: "a.example", omittingEmptySubsequences: false).count == 2)
        #expect(summary.hasSuffix(".") && !summary.contains("server"))
      }
      #expect(Set(TLSAlertText.all.map(\.meaning)).count == TLSAlertText.all.count)
      #expect(TLSError.alert(200).description == "the server ended the handshake with alert 200")
    }

    @Test("the alerts about a client's certificate are those that RFC 8446 defines so")
    func client() {
      let numbers = TLSAlertText.all.filter(\.isAboutClientCertificate).map(\.number)
      #expect(numbers == [42, 43, 44, 45, 46, 48, 49, 116])
    }

    @Test(
      "an alert is found in OpenSSL's message by its code, whatever the words",
      arguments: [
        ("OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", 116),
        ("error:0A000418:SSL routines::tlsv1 alert unknown ca", 48),
        ("error:0A000410:SSL routines::ssl/tls alert handshake failure", 40),
        ("error:0A000126:SSL routines::unexpected eof while reading", nil),
        ("error:0A00010B:SSL routines::wrong version number", nil), ("Connection reset", nil),
      ] as [(String, UInt8?)])
    func message(text: String, alert: UInt8?) {
      #expect(TLSAlertText.alert(in: text) == alert)
      #expect(TLSAlertText.saysNotTLS(text) == text.contains("wrong version"))
    }

    @Test("bytes that are no record of TLS are shown, and those of one are not")
    func notTLS() {
      func answer(_ text: String) -> String? { TLSConnection.answer(notTLS: Array(text.utf8)) }
      #expect(answer("HTTP/1.1 400 Bad Request\r\nServer: x") == "HTTP/1.1 400 Bad Request")
      #expect(answer("SSH-2.0-x\u{7}y") == "SSH-2.0-xy")
      #expect(TLSConnection.answer(notTLS: [0xFF, 0x00]) == "")
      #expect(TLSConnection.answer(notTLS: [22, 2, 0]) == "")
      // RFC 8446 §5.1: a handshake record and an alert.
      #expect(TLSConnection.answer(notTLS: [22, 3, 1, 0, 5]) == nil)
      #expect(TLSConnection.answer(notTLS: [21]) == nil)
      #expect(TLSConnection.answer(notTLS: []) == nil)
      #expect(TLSError.notTLS(answer: "").description == "the server does not speak TLS")
    }
  }
#endif
