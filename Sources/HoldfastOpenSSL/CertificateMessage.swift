internal import Holdfast

/// The Certificate message of a handshake. RFC 8446 §4.4.2, RFC 5246 §7.4.2.
///
/// OpenSSL offers certificates only as it encodes them anew, which hides encodings that are not
/// DER. Here they are the bytes that were sent.
struct CertificateMessage {
  /// The type of the message. RFC 8446 §4.
  static let type: UInt64 = 11

  /// The certificates in the order of the message: the sender's own first.
  let certificates: [[UInt8]]

  /// Reads a message with its header; nil if it is not well formed.
  ///
  /// - Parameter hasExtensions: Whether the message has a context, and extensions with each
  ///   certificate: as of TLS 1.3.
  init?(_ message: [UInt8], hasExtensions: Bool) {
    do throws(DERError) {
      var reader = DERReader(message)
      guard try reader.readNumber(bytes: 1, in: message) == CertificateMessage.type else {
        return nil
      }
      var body = try reader.readVector(lengthBytes: 3, in: message)
      try reader.finish()
      if hasExtensions { _ = try body.readVector(lengthBytes: 1, in: message) }
      var list = try body.readVector(lengthBytes: 3, in: message)
      try body.finish()
      var certificates: [[UInt8]] = []
      while !list.isAtEnd {
        let certificate = try list.readVector(lengthBytes: 3, in: message)
        certificates.append(certificate.rest(in: message).array)
        if hasExtensions { _ = try list.readVector(in: message) }
      }
      self.certificates = certificates
    } catch {
      return nil
    }
  }
}
