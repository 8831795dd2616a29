public import HoldfastDER

/// One extension: its name, its criticality and its bytes. RFC 5280 §4.1.2.9.
public struct Extension: DERDecodable {
  /// The name of the extension.
  public let oid: OID

  /// Whether a reader that does not know it must refuse the certificate.
  public let isCritical: Bool

  /// The content of the OCTET STRING.
  public let value: Bytes

  /// Its row in the registry.
  package let known: KnownExtension?

  /// Whether this library has read the value.
  public internal(set) var isDecoded: Bool

  /// The most extensions that a certificate may have.
  public static let maximumInOneCertificate = 64

  /// Reads an extension.
  ///
  /// *Departs:* a FALSE that is written out, which is the default (X.690 §11.5), is noted: certificates
  /// in use have it, and every other reader takes it.
  @inline(__always)
  public init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var reader = try list.read(.sequence, in: input)
    oid = try reader.readOID(in: input)
    let place = reader.position
    if reader.nextTag(in: input) == .boolean {
      isCritical = try reader.readBoolean(in: input)
      if !isCritical { deviations.append(.defaultEncoded(at: place)) }
    } else {
      isCritical = false
    }
    value = try reader.readContent(.octetString, in: input)
    try reader.finish()
    known = KnownExtension(oid)
    isDecoded = known?.isReadInCertificates == true
  }
}

extension Extension: CustomStringConvertible {
  /// `keyUsage (critical)`; the number of one whose name is not known.
  public var description: String {
    (known?.row.name ?? "\(oid)") + (isCritical ? " (critical)" : "")
  }
}

extension DERReader {
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
      inout State, borrowing Extension, inout DERReader, inout [EncodingDeviation]
    ) throws(DERError) -> Bool
  ) throws(DERError) -> DERList<Extension> {
    var reader = self
    var known: KnownExtensions = []
    var count = 0
    while !reader.isAtEnd {
      field = .extensions
      let place = reader.position
      let next = try Extension(&reader, in: input, &deviations)
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
      var value = DERReader(next.value)
      if try read(&state, next, &value, &deviations) { try value.finish() }
    }
    field = .extensions
    return DERList(unchecked: rest(in: input), count: count)
  }

  /// The same with the extensions as values, each with the answer whether it is known where it occurs.
  func readExtensionArray(
    limit: Int, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation],
    _ read: (Extension, inout DERReader, inout [EncodingDeviation]) throws(DERError) -> Bool
  ) throws(DERError) -> [Extension] {
    var all: [Extension] = []
    _ = try readExtensions(into: &all, limit: limit, in: input, &field, &deviations) {
      (all, next, value, deviations) throws(DERError) -> Bool in
      var next = copy next
      next.isDecoded = try read(next, &value, &deviations)
      all.append(next)
      return next.isDecoded
    }
    return all
  }
}
