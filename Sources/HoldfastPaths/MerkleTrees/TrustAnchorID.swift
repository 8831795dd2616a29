internal import HoldfastCertificates

/// A trust anchor ID, which names a CA, a log or a cosigner: an OID relative to 1.3.6.1.4.1.
/// draft-ietf-tls-trust-anchor-ids §3.
@_spi(MerkleTrees)
public struct TrustAnchorID: Sendable, Hashable {
  /// The content of a RELATIVE-OID: from 1 to 255 bytes.
  let bytes: [UInt8]
  let text: String

  /// The longest text: with `oid/1.3.6.1.4.1.` before it and the number of a log behind it, it still
  /// has a length of one byte where it is signed.
  private static var maximumText: Int { 230 }

  /// Creates an ID from its dotted text. Returns nil unless each arc is a number below 2^64 without
  /// leading zeros.
  public init?(_ text: String) {
    var bytes: [UInt8] = []
    for part in text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false) {
      guard part.first != 0x30 || part.count == 1, part.allSatisfy({ 0x30...0x39 ~= $0 }),
        let arc = UInt64(Substring(part)), bytes.count <= 255
      else { return nil }
      let groups = max((UInt64.bitWidth - arc.leadingZeroBitCount + 6) / 7, 1)
      for group in (0..<groups).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: arc >> (7 * group)) & 0x7F | (group > 0 ? 0x80 : 0))
      }
    }
    guard 1...255 ~= bytes.count, text.utf8.count <= TrustAnchorID.maximumText else { return nil }
    (self.bytes, self.text) = (bytes, text)
  }

  /// Creates an ID from the content of a RELATIVE-OID. Returns nil if an arc is not in its shortest
  /// form, cut off, or not below 2^64.
  init?(_ bytes: some Collection<UInt8>) {
    guard 1...255 ~= bytes.count else { return nil }
    var arcs: [UInt64] = []
    var arc: UInt64?
    for byte in bytes {
      if arc == nil, byte == 0x80 { return nil }
      let high = arc ?? 0
      guard high >> 57 == 0 else { return nil }
      let next = high << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { arcs.append(next) }
      arc = byte < 0x80 ? nil : next
    }
    guard arc == nil else { return nil }
    self.bytes = Array(bytes)
    text = arcs.map { "\($0)" }.joined(separator: ".")
    guard text.utf8.count <= TrustAnchorID.maximumText else { return nil }
  }

  /// Reads the ID that is the whole of a name; nil if the name is not one. §5.1 of the draft.
  init?(_ name: DistinguishedName, _ draft: MerkleTreeDraft) {
    let input = name.der.input
    var names = DERReader(name.content)
    do throws(DERError) {
      var set = try names.read(.set, in: input)
      var attribute = try set.read(.sequence, in: input)
      let oid = try attribute.readOID(in: input)
      let (tag, value) = try attribute.readAny(in: input)
      guard names.isAtEnd, set.isAtEnd, attribute.isAtEnd, oid == draft.row.nameAttribute,
        tag.rawValue == draft.row.nameTag
      else { return nil }
      let bytes = value.rest(in: input)
      guard draft == .draft05 else {
        self.init(bytes)
        return
      }
      self.init(String(decoding: bytes, as: UTF8.self))
    } catch {
      return nil
    }
  }

  /// The ID as cosignatures have it: `oid/1.3.6.1.4.1.32473.1`. §5.3.1 of the draft.
  var origin: [UInt8] { Array("oid/1.3.6.1.4.1.\(text)".utf8) }
}

extension TrustAnchorID: CustomStringConvertible {
  /// `32473.1`.
  public var description: String { text }
}
