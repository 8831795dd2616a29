public import HoldfastDER
package import HoldfastHashes

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
  package var extensions: Bytes {
    Bytes(unchecked: bytes.input, bytes.startIndex + 43, extensionsEnd)
  }

  /// The hash function and the signature algorithm, as numbers of TLS 1.2. RFC 5246 §7.4.1.4.1.
  package let algorithm: Algorithm

  /// The signature.
  package var signature: Bytes { Bytes(unchecked: bytes.input, extensionsEnd + 4, bytes.endIndex) }

  /// The offset after the extensions. The parts are ranges of `bytes`, so that a copy holds one
  /// reference.
  private let extensionsEnd: Int

  /// A pair of numbers from TLS 1.2.
  public struct Algorithm: Sendable, Hashable, CustomStringConvertible {
    /// The hash function; 4 is SHA-256.
    package let hash: UInt8
    /// The signature algorithm; 1 is RSA, 3 is ECDSA.
    package let signature: UInt8

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
    let input = bytes.input
    if let version = bytes.first, version != 0 {
      throw TimestampError(.unsupportedVersion(version), at: bytes.startIndex)
    }
    var reader = DERReader(bytes)
    do throws(DERError) {
      let start = try reader.readBytes(1, in: input).position
      guard let id = LogID(try reader.readBytes(32, in: input).rest(in: input)) else {
        throw DERError(.truncated, at: start)
      }
      let milliseconds = try reader.readNumber(bytes: 8, in: input)
      extensionsEnd = try reader.readVector(in: input).end
      let pair = try reader.readBytes(2, in: input).position
      _ = try reader.readVector(in: input)
      try reader.finish()
      algorithm = Algorithm(hash: input[pair], signature: input[pair + 1])
      time = LogTime(millisecondsSince1970: Int64(clamping: milliseconds))
      logID = id
      self.bytes = bytes
    } catch {
      throw TimestampError(error)
    }
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
  package var leafIndex: UInt64? {
    let input = bytes.input
    var reader = DERReader(extensions)
    var index: UInt64?
    var kinds: Set<UInt64> = []
    do throws(DERError) {
      while !reader.isAtEnd {
        let kind = try reader.readNumber(bytes: 1, in: input)
        var data = try reader.readVector(in: input)
        guard kinds.insert(kind).inserted else { return nil }
        guard kind == 0 else { continue }
        index = try data.readNumber(bytes: 5, in: input)
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
  package static func items(ofList bytes: Bytes, maximum: Int) -> (items: [Item], omitted: Int) {
    var items: [Item] = []
    var omitted = 0
    var outer = DERReader(bytes)
    do throws(DERError) {
      var reader = try outer.readVector(in: bytes.input)
      try outer.finish()
      if reader.isAtEnd { items.append(.failure(TimestampError(.emptyList, at: bytes.startIndex))) }
      while !reader.isAtEnd {
        let item = try reader.readVector(in: bytes.input).rest(in: bytes.input)
        if items.count >= maximum {
          omitted += 1
          continue
        }
        items.append(Result { () throws(TimestampError) in try SignedCertificateTimestamp(item) })
      }
    } catch {
      items.append(.failure(TimestampError(error)))
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

/// The identifier of a log: the SHA-256 of its SubjectPublicKeyInfo. RFC 6962 §3.2.
public struct LogID: Sendable, Hashable, CustomStringConvertible {
  package let digest: Digest

  package init(_ digest: Digest) { self.digest = digest }

  /// Creates an identifier from its 32 bytes; nil if it is another number.
  package init?(_ bytes: Bytes) {
    guard bytes.count == 32, let digest = Digest(bytes.input.span.extracting(bytes.range)) else {
      return nil
    }
    self.digest = digest
  }

  /// The identifier of the log with this key.
  package init(of key: PublicKey) {
    digest = HashAlgorithm.sha256.hash(key.der.input, in: key.der.range)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { digest.array }

  /// The bytes in base64, as in log lists.
  public var description: String { Base64.text(of: bytes) }
}
