package import HoldfastCertificates
package import HoldfastDER
internal import HoldfastHashes

/// What a log signs besides time and extensions: a certificate, or the TBSCertificate of the
/// precertificate that it was made from. RFC 6962 §3.2.
///
/// It holds ranges of the original bytes, which are hashed in place; only lengths are written anew.
package struct LogEntry: Sendable {
  /// The entry type, for a precertificate the hash of its issuer's key, and the length.
  private var head: [UInt8]
  /// What follows, in order: lengths that were written anew, and ranges of the original bytes.
  private var pieces: [Bytes]

  /// The entry of a certificate, for timestamps from a TLS handshake or an OCSP response.
  package init(certificate der: [UInt8]) {
    head = [0, 0] + LogEntry.length(of: der.count)
    pieces = [Bytes(der)]
  }

  /// The entry of the precertificate that a certificate with embedded timestamps was made from, or
  /// of a precertificate itself; nil if the certificate is neither.
  ///
  /// - Parameter issuerKey: The issuer's SubjectPublicKeyInfo.
  package init?(precertificateOf certificate: Certificate, issuerKey: Bytes) {
    let tbs = certificate.tbs
    do throws(DERError) {
      var found = try LogEntry.pieces(of: tbs, without: .signedCertificateTimestamps)
      if found == nil { found = try LogEntry.pieces(of: tbs, without: .precertificatePoison) }
      guard let found else { return nil }
      pieces = found
    } catch {
      return nil
    }
    let keyHash = HashAlgorithm.sha256.hash(issuerKey.input, in: issuerKey.range)
    head = [0, 1] + keyHash.array
    head += LogEntry.length(of: pieces.reduce(0) { $0 + $1.count })
  }

  /// The pieces in one array: the certificate, or the TBSCertificate as it was logged.
  package var content: [UInt8] { pieces.flatMap { $0.array } }

  /// Feeds the entry to a hash function.
  func update(_ hash: inout SHA256) {
    hash.update(head.span)
    for piece in pieces { hash.update(piece.input.span.extracting(piece.range)) }
  }

  /// The SHA-256 of the entry, which identifies it in the cache.
  var digest: Digest {
    var hash = SHA256()
    update(&hash)
    return hash.finish()
  }

  private static func length(of count: Int) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}

/// The TBSCertificate without the timestamps. RFC 6962 §3.2.
extension LogEntry {
  /// Cuts the extension that a log does not sign out of a TBSCertificate: the list of timestamps,
  /// or the poison of a precertificate; nil if it is not there. Without other extensions, the field
  /// is left out.
  private static func pieces(
    of tbs: Bytes, without removed: OID
  ) throws(DERError) -> [Bytes]? {
    let input = tbs.input
    var reader = DERReader(tbs)
    var fields = try reader.read(.sequence, in: input)
    let start = fields.position
    while !fields.isAtEnd, fields.nextTag(in: input) != .constructedContext(3) {
      _ = try fields.skipAny(in: input)
    }
    let before = Bytes(unchecked: input, start, fields.position)
    guard var wrapper = try fields.readIfPresent(.constructedContext(3), in: input) else {
      return nil
    }
    let after = fields.rest(in: input)
    var list = try wrapper.read(.sequence, in: input)
    let kept = try keptExtensions(&list, without: removed, in: input)
    guard let kept else { return nil }
    let keptCount = kept.reduce(0) { $0 + $1.count }

    var extensions: [Bytes] = []
    if keptCount > 0 {
      let inner = header(.sequence, keptCount)
      let outer = header(.constructedContext(3), keptCount + inner.count)
      extensions = [Bytes(outer + inner)] + kept
    }
    let count = extensions.reduce(before.count + after.count) { $0 + $1.count }
    return [Bytes(header(.sequence, count)), before] + extensions + [after]
  }

  /// Returns the ranges of the extensions that stay, neighbors as one range; nil if all stay.
  private static func keptExtensions(
    _ list: inout DERReader, without removed: OID, in input: [UInt8]
  ) throws(DERError) -> [Bytes]? {
    var kept: [Bytes] = []
    let first = list.position
    var start = first
    while !list.isAtEnd {
      let position = list.position
      var fields = try list.read(.sequence, in: input)
      guard try fields.readOID(in: input) == removed else { continue }
      if start < position { kept.append(Bytes(unchecked: input, start, position)) }
      start = list.position
    }
    guard start > first else { return nil }
    if start < list.position { kept.append(Bytes(unchecked: input, start, list.position)) }
    return kept
  }

  /// Encodes a tag and a length. X.690 §8.1.3.
  private static func header(_ tag: DERTag, _ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [tag.rawValue, UInt8(truncatingIfNeeded: count)] }
    let length = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
    var bytes = [tag.rawValue, 0x80 | UInt8(truncatingIfNeeded: length)]
    for offset in (0..<length).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: count >> (8 * offset)))
    }
    return bytes
  }
}
