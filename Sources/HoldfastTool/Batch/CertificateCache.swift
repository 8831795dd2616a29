internal import HoldfastCertificates

/// Certificates by the base64 that they were read from.
///
/// The issuers of many leaves are few, and comparing the text is several times faster than reading
/// it again. A full cache is emptied; what is longer than any usual certificate is not cached.
struct CertificateCache {
  private var entries: [UInt64: (text: [UInt8], certificate: Certificate)] = [:]
  private var size = 0
  private let maximumBytes: Int
  private static let maximumEntries = 1024
  private static let maximumTextLength = 1 << 16

  init(maximumBytes: Int) {
    self.maximumBytes = maximumBytes
  }

  /// The certificate that was read from this text.
  func certificate(_ text: Span<UInt8>, _ range: Range<Int>) -> Certificate? {
    guard let known = entries[CertificateCache.key(text, range)], known.text.count == range.count
    else { return nil }
    let other = text.extracting(range)
    let own = known.text.span
    var difference: UInt8 = 0
    for index in 0..<range.count { difference |= own[index] ^ other[index] }
    return difference == 0 ? known.certificate : nil
  }

  mutating func keep(_ certificate: Certificate, _ text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= CertificateCache.maximumTextLength else { return }
    if entries.count >= CertificateCache.maximumEntries || size + range.count > maximumBytes {
      entries.removeAll()
      size = 0
    }
    size += range.count
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for offset in range { copy.append(text[offset]) }
    entries[CertificateCache.key(text, range)] = (copy, certificate)
  }

  /// The end of the text, which is that of the signature, and so tells certificates apart.
  private static func key(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var key = UInt64(range.count)
    for offset in range.suffix(24) { key = key &* 0x0000_0100_0000_01B3 ^ UInt64(text[offset]) }
    return key
  }
}

/// The digests of the last issuers.
struct DigestCache {
  private var digests: [(certificate: Certificate, digest: [UInt8])] = []

  /// The SHA-256 of a certificate that other paths are likely to have too.
  mutating func digest(of certificate: Certificate) -> [UInt8] {
    for known in digests where known.certificate == certificate { return known.digest }
    if digests.count >= 8 { digests.removeFirst() }
    digests.append((certificate, certificate.fingerprint()))
    return digests[digests.count - 1].digest
  }
}
