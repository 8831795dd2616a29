public import HoldfastDER

/// A log's signed promise to include a certificate: an SCT of version 1. RFC 6962 §3.2.
///
/// Parsing verifies nothing: see `TransparencyEvaluator`.
public struct SignedCertificateTimestamp: Sendable, Hashable {
  /// The whole timestamp, without the length before it.
  public let bytes: Bytes

  /// The identifier of the log.
  public let logID: LogID

  /// The time at which the log saw the certificate, as the log claims; a time too late for
  /// `LogTime` becomes the latest.
  public let time: LogTime

  /// The extensions, which the log signs and RFC 6962 leaves undefined.
  public var extensions: Bytes {
    Bytes(unchecked: bytes.input, bytes.startIndex + 43, extensionsEnd)
  }

  /// The hash function and the signature algorithm, as numbers of TLS 1.2. RFC 5246 §7.4.1.4.1.
  public let algorithm: Algorithm

  /// The signature.
  public var signature: Bytes { Bytes(unchecked: bytes.input, extensionsEnd + 4, bytes.endIndex) }

  /// The offset after the extensions. The parts are ranges of `bytes`, so that a copy holds one
  /// reference.
  private let extensionsEnd: Int

  /// A pair of numbers from TLS 1.2.
  public struct Algorithm: Sendable, Hashable, CustomStringConvertible {
    /// The hash function; 4 is SHA-256.
    public let hash: UInt8
    /// The signature algorithm; 1 is RSA, 3 is ECDSA.
    public let signature: UInt8

    /// SHA-256 with RSA, PKCS #1 v1.5. RFC 6962 §2.1.4.
    package static let rsa = Algorithm(hash: 4, signature: 1)
    /// SHA-256 with ECDSA. RFC 6962 §2.1.4.
    package static let ecdsa = Algorithm(hash: 4, signature: 3)

    /// `hash 4, signature 3`.
    public var description: String { "hash \(hash), signature \(signature)" }
  }

  /// Parses a timestamp; throws if other bytes follow it.
  ///
  /// - Parameter bytes: The timestamp alone, without the two bytes of its length in a list.
  ///   RFC 6962 §3.3.
  public init(_ bytes: some Collection<UInt8>) throws(TimestampError) {
    try self.init(Bytes(Array(bytes)))
  }

  /// Parses a timestamp within larger bytes, whose offsets are those of errors.
  init(_ bytes: Bytes) throws(TimestampError) {
    var reader = VectorReader(bytes)
    let start = reader.offset
    let version = UInt8(truncatingIfNeeded: try reader.readNumber(bytes: 1))
    guard version == 0 else { throw TimestampError(.unsupportedVersion(version), at: start) }
    guard let id = LogID(try reader.read(count: 32)) else {
      throw TimestampError(.truncated, at: start)
    }
    let milliseconds = try reader.readNumber(bytes: 8)
    _ = try reader.readVector()
    extensionsEnd = reader.offset
    let hash = UInt8(truncatingIfNeeded: try reader.readNumber(bytes: 1))
    let kind = UInt8(truncatingIfNeeded: try reader.readNumber(bytes: 1))
    _ = try reader.readVector()
    try reader.finish()
    algorithm = Algorithm(hash: hash, signature: kind)
    time = LogTime(millisecondsSince1970: Int64(clamping: milliseconds))
    logID = id
    self.bytes = bytes
  }

  /// The bytes of the time: what is signed has them unchanged.
  package var timeBytes: Bytes {
    Bytes(unchecked: bytes.input, bytes.startIndex + 33, bytes.startIndex + 41)
  }

  /// The extensions with their length.
  package var extensionsWithLength: Bytes {
    Bytes(unchecked: bytes.input, bytes.startIndex + 41, extensionsEnd)
  }

  /// The number of the log's entry, which static logs put into an extension; nil if it has none, or
  /// if the extensions are not those of a static log. c2sp.org/static-ct-api.
  public var leafIndex: UInt64? {
    var reader = VectorReader(extensions)
    var index: UInt64?
    var kinds: Set<UInt64> = []
    do throws(TimestampError) {
      while !reader.isAtEnd {
        let kind = try reader.readNumber(bytes: 1)
        var data = VectorReader(try reader.readVector())
        guard kinds.insert(kind).inserted else { return nil }
        guard kind == 0 else { continue }
        index = try data.readNumber(bytes: 5)
        try data.finish()
      }
    } catch {
      return nil
    }
    return index
  }
}

/// Lists of timestamps. RFC 6962 §3.3.
extension SignedCertificateTimestamp {
  /// One item of a list: a timestamp, or why it is malformed.
  package typealias Item = Result<SignedCertificateTimestamp, TimestampError>

  /// Parses a list, each item by itself, so that a malformed one does not affect the others.
  ///
  /// If a length of the list is wrong, the last item is that error. Items after the first `maximum`
  /// are only counted.
  package static func items(
    ofList bytes: Bytes, maximum: Int
  ) -> (items: [Item], omitted: Int) {
    var items: [Item] = []
    var omitted = 0
    do throws(TimestampError) {
      var outer = VectorReader(bytes)
      let start = outer.offset
      let list = try outer.readVector()
      try outer.finish()
      if list.isEmpty { throw TimestampError(.emptyList, at: start) }
      var reader = VectorReader(list)
      while !reader.isAtEnd {
        let item = try reader.readVector()
        if items.count >= maximum {
          omitted += 1
          continue
        }
        items.append(
          Result { () throws(TimestampError) in try SignedCertificateTimestamp(item) })
      }
    } catch {
      items.append(.failure(error))
    }
    return (items, omitted)
  }

  /// Parses the value of the extension of a certificate or an OCSP response: an OCTET STRING with a
  /// list.
  package static func items(
    ofExtension value: Bytes, maximum: Int
  ) -> (items: [Item], omitted: Int) {
    var reader = DERReader(value)
    do throws(DERError) {
      let list = try reader.readContent(.octetString, in: value.input)
      try reader.finish()
      return items(ofList: list, maximum: maximum)
    } catch {
      return ([.failure(TimestampError(.notAnOctetString, at: error.offset))], 0)
    }
  }
}

extension Certificate {
  /// The embedded timestamps that can be read, not verified; at most 64.
  package var embeddedTimestamps: [SignedCertificateTimestamp] {
    guard let list = extensions[.signedCertificateTimestamps] else { return [] }
    let (items, _) = SignedCertificateTimestamp.items(ofExtension: list.value, maximum: 64)
    return items.compactMap { if case .success(let timestamp) = $0 { timestamp } else { nil } }
  }
}

extension SignedCertificateTimestamp: CustomStringConvertible {
  /// `log 0e57…214e at 2026-07-04T09:01:40.283Z`.
  public var description: String { "log \(logID) at \(time)" }
}

/// Reads the numbers and vectors of TLS. RFC 5246 §4.
struct VectorReader {
  private let input: [UInt8]
  private(set) var offset: Int
  private let end: Int

  init(_ bytes: Bytes) {
    (input, offset, end) = (bytes.input, bytes.startIndex, bytes.endIndex)
  }

  var isAtEnd: Bool { offset >= end }

  mutating func read(count: Int) throws(TimestampError) -> Bytes {
    guard count <= end - offset else { throw TimestampError(.truncated, at: offset) }
    offset += count
    return Bytes(unchecked: input, offset - count, offset)
  }

  /// Reads a number of up to eight bytes.
  mutating func readNumber(bytes count: Int) throws(TimestampError) -> UInt64 {
    guard count <= end - offset else { throw TimestampError(.truncated, at: offset) }
    offset += count
    let digits = input.span.extracting(offset - count..<offset)
    var number: UInt64 = 0
    for index in digits.indices { number = number << 8 | UInt64(digits[index]) }
    return number
  }

  /// Reads a vector whose length has two bytes.
  mutating func readVector() throws(TimestampError) -> Bytes {
    let start = offset
    let count = Int(truncatingIfNeeded: try readNumber(bytes: 2))
    guard count <= end - offset else { throw TimestampError(.truncated, at: start) }
    return try read(count: count)
  }

  func finish() throws(TimestampError) {
    if !isAtEnd { throw TimestampError(.trailingData, at: offset) }
  }
}
