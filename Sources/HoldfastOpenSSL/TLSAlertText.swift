#if OpenSSL
  internal import HoldfastDER

  /// What a server's alert means: a row for each of RFC 8446 §6.2, and for those of RFC 5246 §7.2
  /// that only TLS 1.2 has.
  package struct TLSAlertText: Sendable {
    package let number: UInt8
    /// The name in the RFC.
    package let name: String
    /// What the server says with it, for an engineer.
    package let meaning: String
    private let summary: Summary
    /// Whether it is about the client's certificate.
    package let isAboutClientCertificate: Bool

    private init(_ number: UInt8, _ name: String, _ meaning: String, _ summary: Summary) {
      self.number = number
      self.name = name
      self.meaning = meaning
      self.summary = summary
      isAboutClientCertificate = 41...49 ~= number && number != 47 || number == 116
    }

    /// The sentences for users, which begin with the server.
    private enum Summary: String {
      case ended = "ended the connection."
      case disturbed
      case noParameters = "offers no kind of secure connection that is accepted here."
      case badCertificate = "does not accept the certificate of this program."
      case revoked = "says that the certificate of this program has been revoked."
      case expired = "says that the certificate of this program has expired."
      case denied = "does not allow this program to connect."
      case required = "accepts only programs that have a certificate."
      case broken = "could not continue because of an error of its own."
      case unknownHost = "does not know the name under which it was asked for."

      func text(of server: String?) -> String {
        self == .disturbed
          ? "The connection to \(server ?? "the server") was disturbed."
          : "\(server ?? "The server") \(rawValue)"
      }
    }

    /// The text of an alert; nil if no RFC defines it for servers.
    package static func row(_ alert: UInt8) -> TLSAlertText? { all.first { $0.number == alert } }

    /// `the server requires a client certificate (alert 116, certificate_required)`.
    package static func description(of alert: UInt8) -> String {
      guard let row = row(alert) else {
        return "the server ended the handshake with alert \(alert)"
      }
      return "\(row.meaning) (alert \(alert), \(row.name))"
    }

    /// The code of an error with an alert.
    package static func code(of alert: UInt8) -> ErrorCode {
      // certificate_required. RFC 8446 §6.2.
      alert == 116 ? .noClientCertificate : .tlsAlert
    }

    package static let noCertificateGiven =
      "the server asked for a client certificate and none was given"

    /// What an alert means of a server that has asked for a client certificate and was given none; nil
    /// if it is about something else. `the server asked for a client certificate and none was given
    /// (alert 40, handshake_failure)`: below TLS 1.3 that is all it says. RFC 5246 §7.4.6.
    package static func missingCertificate(_ alert: UInt8) -> String? {
      guard let row = row(alert), alert == 40 || row.isAboutClientCertificate else { return nil }
      let meaning = alert == 116 ? row.meaning : noCertificateGiven
      return "\(meaning) (alert \(alert), \(row.name))"
    }

    /// What a user of the program is told of an alert of this server.
    package static func summary(of alert: UInt8, from host: String?) -> String {
      (row(alert)?.summary ?? .ended).text(of: host)
    }

    package static let all: [TLSAlertText] = [
      TLSAlertText(0, "close_notify", "the server closed the connection", .ended),
      TLSAlertText(
        10, "unexpected_message", "the server received a message that it did not expect", .disturbed
      ),
      TLSAlertText(
        20, "bad_record_mac", "the server received a record that does not decrypt", .disturbed),
      TLSAlertText(
        22, "record_overflow", "the server received a record that is too long", .disturbed),
      TLSAlertText(
        30, "decompression_failure", "the server could not decompress a record", .disturbed),
      TLSAlertText(
        40, "handshake_failure",
        "the server accepts none of the offered parameters or, below TLS 1.3, requires a client "
          + "certificate", .noParameters),
      TLSAlertText(
        42, "bad_certificate",
        "the server says that the client certificate is damaged or its signature is wrong",
        .badCertificate),
      TLSAlertText(
        43, "unsupported_certificate",
        "the server says that the client certificate is of an unsupported kind", .badCertificate),
      TLSAlertText(
        44, "certificate_revoked", "the server says that the client certificate is revoked",
        .revoked),
      TLSAlertText(
        45, "certificate_expired",
        "the server says that the client certificate has expired or is not valid now", .expired),
      TLSAlertText(
        46, "certificate_unknown",
        "the server does not accept the client certificate, and does not say why", .badCertificate),
      TLSAlertText(
        47, "illegal_parameter", "the server received a value that is not allowed", .disturbed),
      TLSAlertText(
        48, "unknown_ca", "the server does not trust the CA of the client certificate",
        .badCertificate),
      TLSAlertText(
        49, "access_denied", "the server denies access to the owner of the client certificate",
        .denied),
      TLSAlertText(50, "decode_error", "the server could not decode a message", .disturbed),
      TLSAlertText(
        51, "decrypt_error", "the server could not verify a signature of the handshake", .disturbed),
      TLSAlertText(
        70, "protocol_version", "the server supports none of the offered versions of TLS",
        .noParameters),
      TLSAlertText(
        71, "insufficient_security", "the server demands stronger parameters than were offered",
        .noParameters),
      TLSAlertText(80, "internal_error", "the server has an internal error", .broken),
      TLSAlertText(
        86, "inappropriate_fallback", "the server was offered an older version than it supports",
        .noParameters),
      TLSAlertText(90, "user_canceled", "the server canceled the handshake", .ended),
      TLSAlertText(100, "no_renegotiation", "the server does not renegotiate", .ended),
      TLSAlertText(
        109, "missing_extension", "the server requires an extension that was not sent",
        .noParameters),
      TLSAlertText(
        110, "unsupported_extension", "the server received an extension that it does not allow",
        .disturbed),
      TLSAlertText(
        112, "unrecognized_name", "the server does not know the host name", .unknownHost),
      TLSAlertText(
        113, "bad_certificate_status_response",
        "the server says that the OCSP response is not acceptable", .disturbed),
      TLSAlertText(
        115, "unknown_psk_identity", "the server does not know the pre-shared key", .noParameters),
      TLSAlertText(
        116, "certificate_required", "the server requires a client certificate", .required),
      TLSAlertText(
        120, "no_application_protocol",
        "the server supports none of the offered application protocols (ALPN)", .noParameters),
    ]
  }

  extension TLSAlertText {
    /// The code of an error in a message of OpenSSL, such as
    /// `error:0A00045C:SSL routines::tlsv13 alert certificate required`; nil if there is none of
    /// OpenSSL's SSL library.
    private static func reason(in message: String) -> Int? {
      // ERR_LIB_SSL is 20, and stands above 23 bits of reason.
      guard let start = TextSearch.end(of: "error:0A", in: message) else { return nil }
      return Int(String(message[start...].prefix(6)), radix: 16)
    }

    /// The alert in a message of OpenSSL; nil if it is about something else.
    package static func alert(in message: String) -> UInt8? {
      // SSL_AD_REASON_OFFSET is 1000.
      reason(in: message).flatMap { 1000...1255 ~= $0 ? UInt8($0 - 1000) : nil }
    }

    /// Whether a message of OpenSSL says that the peer's first bytes are no record of TLS
    /// (SSL_R_WRONG_VERSION_NUMBER).
    package static func saysNotTLS(_ message: String) -> Bool { reason(in: message) == 267 }
  }
#endif
