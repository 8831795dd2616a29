internal import HoldfastDER

/// The identity of a workload: a URI such as `spiffe://example.org/billing/api`. SPIFFE-ID §2.
///
/// It is compared byte for byte, and never brought into another form: an ID that would need that is
/// an error. The scheme, too, must be in lower case, as other implementations ask for it.
public struct SPIFFEID: Sendable, Hashable {
  /// The trust domain that vouches for the workload.
  public let trustDomain: SPIFFETrustDomain

  /// The bytes of the path, with its leading slash; empty for none.
  private let pathBytes: [UInt8]

  /// The maximum length in bytes. SPIFFE-ID §2.3.
  private static let maximumLength = 2048

  private static let scheme = Array("spiffe://".utf8)

  /// Parses an ID.
  public init(_ text: String) throws(SPIFFEIDError) {
    try self.init(bytes: Array(text.utf8))
  }

  /// Parses an ID of bytes, such as those of a URI in a certificate.
  package init(bytes: [UInt8]) throws(SPIFFEIDError) {
    guard !bytes.isEmpty else { throw SPIFFEIDError(.empty, at: 0) }
    guard bytes.count <= SPIFFEID.maximumLength else {
      throw SPIFFEIDError(.tooLong, at: SPIFFEID.maximumLength)
    }
    guard bytes.starts(with: SPIFFEID.scheme) else { throw SPIFFEIDError(.scheme, at: 0) }
    let start = SPIFFEID.scheme.count
    let end = bytes[start...].firstIndex(of: 0x2F) ?? bytes.count
    trustDomain = try SPIFFETrustDomain(bytes, start..<end)
    try SPIFFEID.checkPath(bytes, end..<bytes.count)
    pathBytes = Array(bytes[end...])
  }

  /// Creates the ID of a trust domain, without a path, as that of its CAs.
  public init(_ trustDomain: SPIFFETrustDomain) {
    self.trustDomain = trustDomain
    pathBytes = []
  }

  /// The path with its leading slash, such as `/billing/api`; empty for none, which only CAs may
  /// have.
  public var path: String { String(decoding: pathBytes, as: UTF8.self) }

  /// Whether there is a path.
  package var hasPath: Bool { !pathBytes.isEmpty }

  /// Checks the segments of a path, each of which follows a slash. SPIFFE-ID §2.2.
  private static func checkPath(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(SPIFFEIDError) {
    var slash = range.lowerBound
    while slash < range.upperBound {
      let start = slash + 1
      slash = bytes[start..<range.upperBound].firstIndex(of: 0x2F) ?? range.upperBound
      let segment = bytes[start..<slash]
      for offset in segment.indices where !isSegmentCharacter(segment[offset]) {
        throw SPIFFEIDError(byte: segment[offset], isInPath: true, at: offset)
      }
      if segment.isEmpty {
        let isLast = slash == range.upperBound
        throw SPIFFEIDError(isLast ? .trailingSlash : .emptySegment, at: start - 1)
      }
      if segment.count <= 2, segment.allSatisfy({ $0 == 0x2E }) {
        throw SPIFFEIDError(.dotSegment, at: start)
      }
    }
  }

  private static func isSegmentCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }
}

extension SPIFFEID: Comparable {
  /// Orders by trust domain, then by path.
  public static func < (a: SPIFFEID, b: SPIFFEID) -> Bool {
    a.trustDomain == b.trustDomain
      ? a.pathBytes.lexicographicallyPrecedes(b.pathBytes) : a.trustDomain < b.trustDomain
  }
}

extension SPIFFEID: CustomStringConvertible {
  /// The URI.
  public var description: String { "spiffe://\(trustDomain)\(path)" }
}

/// The name of a trust domain, such as `example.org`: what has CAs of its own. SPIFFE-ID §2.1.
///
/// It is no host, even if it looks like one.
public struct SPIFFETrustDomain: Sendable, Hashable {
  private let bytes: [UInt8]

  /// The maximum length in bytes. SPIFFE-ID §2.3.
  private static let maximumLength = 255

  /// Parses the name alone, without a scheme or a path.
  public init(_ name: String) throws(SPIFFEIDError) {
    let bytes = Array(name.utf8)
    if bytes.starts(with: "spiffe:".utf8) { throw SPIFFEIDError(.notOnlyTrustDomain, at: 0) }
    if let slash = bytes.firstIndex(of: 0x2F) {
      throw SPIFFEIDError(.notOnlyTrustDomain, at: slash)
    }
    try self.init(bytes, 0..<bytes.count)
  }

  fileprivate init(_ bytes: [UInt8], _ range: Range<Int>) throws(SPIFFEIDError) {
    for offset in range where !SPIFFETrustDomain.isCharacter(bytes[offset]) {
      throw SPIFFEIDError(byte: bytes[offset], isInPath: false, at: offset)
    }
    guard !range.isEmpty else { throw SPIFFEIDError(.noTrustDomain, at: range.lowerBound) }
    guard range.count <= SPIFFETrustDomain.maximumLength else {
      throw SPIFFEIDError(.trustDomainTooLong, at: range.lowerBound)
    }
    self.bytes = Array(bytes[range])
  }

  private static func isCharacter(_ byte: UInt8) -> Bool {
    Bytes.isDigit(byte) || 0x61...0x7A ~= byte || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }
}

extension SPIFFETrustDomain: Comparable {
  /// Orders by bytes.
  public static func < (a: SPIFFETrustDomain, b: SPIFFETrustDomain) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

extension SPIFFETrustDomain: CustomStringConvertible {
  /// `example.org`.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
