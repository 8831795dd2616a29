public import HoldfastDER

/// An extension: its identifier, criticality and value. RFC 5280 §4.1.2.9.
public struct Extension: Sendable, Hashable, DERDecodable {
  private let header: Header

  /// The content of the OCTET STRING.
  public let value: Bytes

  /// Whether this library parsed the value.
  package internal(set) var isDecoded: Bool

  /// The part before the value. It does not reference the input, so passing it along costs nothing.
  struct Header: Sendable, Hashable {
    let oid: OID
    let isCritical: Bool
    let known: KnownExtension?
  }

  /// The identifier of the extension.
  public var oid: OID { header.oid }

  /// Whether software that does not know the extension must reject the certificate.
  public var isCritical: Bool { header.isCritical }

  /// The extension in the registry; nil if unknown.
  package var known: KnownExtension? { header.known }

  /// The maximum number of extensions in a certificate.
  package static let maximumInOneCertificate = 64

  fileprivate init(_ header: Header, _ value: Bytes, isDecoded: Bool) {
    (self.header, self.value, self.isDecoded) = (header, value, isDecoded)
  }

  /// Reads an extension.
  package init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var field = ParseError.Field.extensions
    let (header, value) = try Extension.readParts(&list, in: input, &field, &deviations)
    self.init(header, value.rest(in: input), isDecoded: header.known?.isReadInCertificates == true)
  }

  /// Reads an extension as its header and a reader for its value.
  ///
  /// - Parameter field: Is set to the extension once its identifier is known.
  @inline(__always)
  fileprivate static func readParts(
    _ list: inout DERReader, in input: borrowing [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> (header: Header, value: DERReader) {
    var reader = try list.read(.sequence, in: input)
    let oid = try reader.readOID(in: input)
    field = .extension(oid)
    let isCritical = try reader.readFlag(in: input, &deviations)
    let value = try reader.read(.octetString, in: input)
    try reader.finish()
    return (Header(oid: oid, isCritical: isCritical, known: KnownExtension(oid)), value)
  }
}

extension Extension {
  /// Returns the first extension that is critical and was not parsed.
  static func firstUnknownCritical(in all: [Extension]) -> OID? {
    all.first { $0.isCritical && !$0.isDecoded }?.oid
  }
}

extension Extension: CustomStringConvertible {
  /// `keyUsage (critical)`; the OID instead of an unknown name.
  public var description: String {
    (known?.name ?? "\(oid)") + (isCritical ? " (critical)" : "")
  }
}

extension DERReader {
  /// Reads a `BOOLEAN DEFAULT FALSE`.
  ///
  /// *Departs:* an encoded FALSE, which X.690 §11.5 forbids, is only noted: certificates in use
  /// have it, and every other implementation accepts it.
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

  /// Reads the content of `Extensions`, in which each extension may occur once. RFC 5280 §4.2.
  ///
  /// - Parameters:
  /// - state: Collects the values. A closure that captured them would copy them all at the end.
  /// - field: Is set to the extension being read.
  /// - read: Reads the value of an extension; returns false if it is unknown in this structure.
  @inline(__always)
  func readExtensions<State>(
    into state: inout State, limit: Int, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation],
    _ read: (
      inout State, Extension.Header, inout DERReader, inout [EncodingDeviation]
    ) throws(DERError) -> Bool
  ) throws(DERError) {
    var reader = self
    var known: KnownExtensions = []
    var count = 0
    while !reader.isAtEnd {
      field = .extensions
      let offset = reader.position
      var (next, value) = try Extension.readParts(&reader, in: input, &field, &deviations)
      let isNew =
        if let kind = next.known {
          known.insert(kind.bit).inserted
        } else {
          !DERList<Extension>(unchecked: Bytes(unchecked: input, position, offset))
            .contains { $0.oid == next.oid }
        }
      guard isNew else { throw DERError(.duplicate, at: offset) }
      guard count < limit else { throw DERError(.tooMany(limit: limit), at: offset) }
      count &+= 1
      if try read(&state, next, &value, &deviations) { try value.finish() }
    }
    field = .extensions
  }

  /// Reads the extensions into an array. `read` is as in `readExtensions`.
  func readExtensionArray(
    limit: Int, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation],
    _ read: (Extension.Header, inout DERReader, inout [EncodingDeviation]) throws(DERError) -> Bool
  ) throws(DERError) -> [Extension] {
    var all: [Extension] = []
    try readExtensions(into: &all, limit: limit, in: input, &field, &deviations) {
      (all, next, value, deviations) throws(DERError) -> Bool in
      let bytes = value.rest(in: input)
      let isDecoded = try read(next, &value, &deviations)
      all.append(Extension(next, bytes, isDecoded: isDecoded))
      return isDecoded
    }
    return all
  }
}
