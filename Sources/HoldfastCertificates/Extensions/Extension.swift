public import HoldfastDER

/// One extension: its name, its criticality and its bytes. RFC 5280 §4.1.2.9.
public struct Extension: DERDecodable {
  private let header: Header

  /// The content of the OCTET STRING.
  public let value: Bytes

  /// Whether this library has read the value.
  public internal(set) var isDecoded: Bool

  /// What comes before the value. It has no reference to the input, so passing it along costs nothing.
  struct Header: Sendable, Hashable {
    let oid: OID
    let isCritical: Bool
    let known: KnownExtension?
  }

  /// The name of the extension.
  public var oid: OID { header.oid }

  /// Whether a reader that does not know it must refuse the certificate.
  public var isCritical: Bool { header.isCritical }

  /// Its row in the registry.
  package var known: KnownExtension? { header.known }

  /// The most extensions that a certificate may have.
  package static let maximumInOneCertificate = 64

  fileprivate init(_ header: Header, _ value: Bytes, isDecoded: Bool) {
    (self.header, self.value, self.isDecoded) = (header, value, isDecoded)
  }

  /// Reads an extension.
  public init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let (header, value) = try Extension.readParts(&list, in: input, &deviations)
    self.init(
      header, value.rest(in: input), isDecoded: header.known?.isReadInCertificates == true)
  }

  /// Reads an extension as its header and a reader of its value.
  @inline(__always)
  fileprivate static func readParts(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> (header: Header, value: DERReader) {
    var reader = try list.read(.sequence, in: input)
    let oid = try reader.readOID(in: input)
    let isCritical = try reader.readFlag(in: input, &deviations)
    let value = try reader.read(.octetString, in: input)
    try reader.finish()
    return (Header(oid: oid, isCritical: isCritical, known: KnownExtension(oid)), value)
  }
}

extension Extension {
  /// The first of some that is critical and not known where it occurs.
  static func firstUnknownCritical(in all: [Extension]) -> OID? {
    all.first { $0.isCritical && !$0.isDecoded }?.oid
  }
}

extension Extension: CustomStringConvertible {
  /// `keyUsage (critical)`; the number of one whose name is not known.
  public var description: String {
    (known?.name ?? "\(oid)") + (isCritical ? " (critical)" : "")
  }
}

extension DERReader {
  /// Reads a `BOOLEAN DEFAULT FALSE`.
  ///
  /// *Departs:* a FALSE that is written out, which X.690 §11.5 forbids, is noted: certificates in use
  /// have it, and every other reader takes it.
  @inline(__always)
  mutating func readFlag(
    _ tag: DERTag = .boolean, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Bool {
    let start = position
    guard nextTag(in: input) == tag else { return false }
    let flag = try readBoolean(tag, in: input)
    if !flag { deviations.append(.defaultEncoded(at: start)) }
    return flag
  }

  /// Reads the content of `Extensions`, each of which may occur once. RFC 5280 §4.2.
  ///
  /// - Parameters:
  ///   - state: Where the values go: a closure that captures them makes a copy of all in the end.
  ///   - field: Names the extension that was read last.
  ///   - read: Reads the value of an extension, if it is known where it occurs.
  @inline(__always)
  func readExtensions<State>(
    into state: inout State, limit: Int, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation],
    _ read: (
      inout State, Extension.Header, inout DERReader, inout [EncodingDeviation]
    ) throws(DERError) -> Bool
  ) throws(DERError) -> DERList<Extension> {
    var reader = self
    var known: KnownExtensions = []
    var count = 0
    while !reader.isAtEnd {
      field = .extensions
      let place = reader.position
      var (next, value) = try Extension.readParts(&reader, in: input, &deviations)
      field = .extension(next.oid)
      let isNew =
        if let kind = next.known {
          known.insert(kind.bit).inserted
        } else {
          !DERList<Extension>(
            unchecked: Bytes(unchecked: input, position, place), count: count
          ).contains { $0.oid == next.oid }
        }
      guard isNew else { throw DERError(.duplicate, at: place) }
      guard count < limit else { throw DERError(.tooMany(limit: limit), at: place) }
      count &+= 1
      if try read(&state, next, &value, &deviations) { try value.finish() }
    }
    field = .extensions
    return DERList(unchecked: rest(in: input), count: count)
  }

  /// The same with the extensions as values, each with the answer whether it is known where it occurs.
  func readExtensionArray(
    limit: Int, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation],
    _ read: (Extension.Header, inout DERReader, inout [EncodingDeviation]) throws(DERError) -> Bool
  ) throws(DERError) -> [Extension] {
    var all: [Extension] = []
    _ = try readExtensions(into: &all, limit: limit, in: input, &field, &deviations) {
      (all, next, value, deviations) throws(DERError) -> Bool in
      let bytes = value.rest(in: input)
      let isDecoded = try read(next, &value, &deviations)
      all.append(Extension(next, bytes, isDecoded: isDecoded))
      return isDecoded
    }
    return all
  }
}
