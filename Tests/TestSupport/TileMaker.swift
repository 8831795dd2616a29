/// Makes data tiles by c2sp.org/static-ct-api, with lengths that can be wrong.
package struct TileMaker {
  /// An entry in the making.
  package struct Entry {
    package var time: UInt64
    package var type: Int
    package var certificate: [UInt8]
    /// For a precertificate: the TBSCertificate.
    package var tbs: [UInt8]
    package var keyHash = [UInt8](repeating: 7, count: 32)
    /// nil for the extension with the index of the entry.
    package var extensions: [UInt8]?
    package var fingerprints: [UInt8]

    package init(
      time: UInt64 = 1_790_000_000_123, type: Int = 0, certificate: [UInt8] = [0x30, 0x00],
      tbs: [UInt8] = [0x30, 0x01, 0xFF], extensions: [UInt8]? = nil,
      fingerprints: [UInt8] = [UInt8](repeating: 1, count: 32) + [UInt8](repeating: 2, count: 32)
    ) {
      self.time = time
      self.type = type
      self.certificate = certificate
      self.tbs = tbs
      self.extensions = extensions
      self.fingerprints = fingerprints
    }
  }

  package static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func vector(_ content: [UInt8], lengthBytes: Int) -> [UInt8] {
    number(content.count, bytes: lengthBytes) + content
  }

  package static func bytes(_ entry: Entry, index: Int) -> [UInt8] {
    let extensions = entry.extensions ?? [0, 0, 5] + number(index, bytes: 5)
    var bytes = number(Int(entry.time), bytes: 8) + number(entry.type, bytes: 2)
    if entry.type == 1 { bytes += entry.keyHash }
    bytes += vector(entry.type == 1 ? entry.tbs : entry.certificate, lengthBytes: 3)
    bytes += vector(extensions, lengthBytes: 2)
    if entry.type == 1 { bytes += vector(entry.certificate, lengthBytes: 3) }
    return bytes + vector(entry.fingerprints, lengthBytes: 2)
  }

  package static func tile(_ entries: [Entry], first: Int = 0) -> [UInt8] {
    entries.enumerated().flatMap { bytes($1, index: first + $0) }
  }
}
