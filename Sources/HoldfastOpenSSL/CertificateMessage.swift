/// The Certificate message of a handshake. RFC 8446 §4.4.2, RFC 5246 §7.4.2.
///
/// OpenSSL offers certificates only as it encodes them anew, which hides encodings that are not
/// DER. Here they are the bytes that were sent.
struct CertificateMessage {
  /// The type of the message. RFC 8446 §4.
  static let type: UInt8 = 11

  /// The certificates in the order of the message: the sender's own first.
  let certificates: [[UInt8]]

  /// Reads a message with its header; nil if it is not well formed.
  ///
  /// - Parameter hasExtensions: Whether the message has a context, and extensions with each
  ///   certificate: as of TLS 1.3.
  init?(_ message: [UInt8], hasExtensions: Bool) {
    var reader = VectorReader(message[...])
    guard reader.readByte() == CertificateMessage.type, var body = reader.readVector(ofLength: 3),
      reader.isAtEnd
    else { return nil }
    if hasExtensions, body.readVector(ofLength: 1) == nil { return nil }
    guard var list = body.readVector(ofLength: 3), body.isAtEnd else { return nil }
    var certificates: [[UInt8]] = []
    while !list.isAtEnd {
      guard let certificate = list.readVector(ofLength: 3) else { return nil }
      if hasExtensions, list.readVector(ofLength: 2) == nil { return nil }
      certificates.append(Array(certificate.rest))
    }
    self.certificates = certificates
  }
}

/// A position in the vectors of a TLS message, each of which begins with its length. RFC 8446 §3.4.
struct VectorReader {
  /// What was not read yet.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a byte; nil at the end.
  mutating func readByte() -> UInt8? { rest.popFirst() }

  /// Reads a vector whose length is a number of this many bytes; nil if it is longer than the rest.
  mutating func readVector(ofLength size: Int) -> VectorReader? {
    guard rest.count >= size else { return nil }
    let count = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    let content = rest.dropFirst(size)
    guard count <= content.count else { return nil }
    rest = content.dropFirst(count)
    return VectorReader(content.prefix(count))
  }
}
