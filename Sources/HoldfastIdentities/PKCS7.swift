public import HoldfastCertificates
internal import HoldfastDER

/// The certificates and CRLs of a PKCS #7 or CMS file (`.p7b`, `.p7c`). RFC 5652 §5, RFC 8551
/// §3.8.
///
/// The file is only a container: signatures in it are ignored, and it vouches for nothing. Entries
/// that cannot be read are reported in `errors`, and the others are kept.
public struct PKCS7: Sendable {
  /// The certificates in the order of the file, which need not be path order.
  public private(set) var certificates: [Certificate] = []

  /// The CRLs.
  public private(set) var crls: [CRL] = []

  /// The errors of the entries that could not be read, in the order of the file.
  public private(set) var errors: [IdentityError] = []

  /// Reads a file: DER, BER, or PEM with one block labeled `PKCS7` or `CMS`.
  public init(file path: String) throws(IdentityError) {
    self = try SecretBytes.withFiles(path) { files throws(IdentityError) in try PKCS7(files[0]) }
  }

  /// Reads the bytes of a file: DER, BER, or PEM with one block labeled `PKCS7` or `CMS`.
  public init(_ bytes: [UInt8]) throws(IdentityError) {
    try IdentityOptions.check(size: bytes.count)
    guard PEMText.isLikely(bytes) else {
      try self.init(der: bytes)
      return
    }
    let text = PEMText(bytes, labels: ["PKCS7", "CMS"])
    if let error = text.errors.first {
      throw IdentityError(.damaged(Damage(.pem, .pem(error), at: 0)))
    }
    guard let block = text.blocks.first, text.blocks.count == 1 else {
      if text.blocks.isEmpty { throw IdentityError(.noIdentity(.noCertificate)) }
      throw IdentityError(.noIdentity(.several(count: text.blocks.count)))
    }
    try self.init(der: block.bytes)
  }

  /// Reads a file in DER or BER.
  init(der bytes: [UInt8]) throws(IdentityError) {
    var reader = FieldReader(try PKCS12.normalized(bytes, .contentInfo), .contentInfo)
    var content = try reader.read(.sequence)
    try reader.finish()
    let type = try content.readOID()
    guard type == .signedData else { throw .unsupported(.contentType, type) }
    var wrapper = try content.read(.constructedContext(0))
    try content.finish()
    wrapper.field = .signedData
    var fields = try wrapper.read(.sequence)
    try wrapper.finish()
    _ = try fields.readNumber(upTo: 5)
    _ = try fields.read(.set)
    _ = try fields.read(.sequence)
    if let set = try fields.readIfPresent(.constructedContext(0)) {
      try readEntries(set, others: "that is not X.509", Certificate.init(der:at:)) {
        $0.certificates.append($1)
      }
    }
    if let set = try fields.readIfPresent(.constructedContext(1)) {
      try readEntries(set, others: "of revocation that is not X.509", CRL.init(der:at:)) {
        $0.crls.append($1)
      }
    }
    _ = try fields.read(.set)
    try fields.finish()
  }

  /// Returns the DER of a file of certificates and CRLs: a SignedData without signers (RFC 5652
  /// §5.1), its entries sorted as in every SET OF (X.690 §11.6).
  public static func der(
    certificates: [Certificate], crls: [CRL] = []
  ) -> [UInt8] {
    func set(_ tag: DERTag, _ elements: [[UInt8]]) -> [UInt8] {
      DERWriting.element(tag, Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }
    func identifier(_ oid: OID) -> [UInt8] {
      DERWriting.element(.objectIdentifier, oid.content)
    }
    let content = DERWriting.element(
      .sequence, [0x02, 0x01, 0x01], set(.set, []),
      DERWriting.element(.sequence, identifier(.data)),
      set(.constructedContext(0), certificates.map { $0.der }),
      crls.isEmpty ? [] : set(.constructedContext(1), crls.map { $0.der }), set(.set, []))
    return DERWriting.element(
      .sequence, identifier(.signedData), DERWriting.element(.constructedContext(0), content))
  }

  /// Reads the entries of a SET.
  ///
  /// - Parameter others: What entries of other formats are.
  private mutating func readEntries<Entry>(
    _ set: FieldReader, others: String, _ read: ([UInt8], Int) throws(IdentityError) -> Entry,
    keep: (inout PKCS7, Entry) -> Void
  ) throws(IdentityError) {
    var set = set
    while !set.isAtEnd {
      guard certificates.count + crls.count + errors.count < IdentityOptions.maximumBags else {
        throw IdentityError(.limit(.bags(maximum: IdentityOptions.maximumBags)))
      }
      let (offset, tag) = (set.position, set.nextTag)
      let der = try set.readWhole()
      do throws(IdentityError) {
        guard tag == .sequence else { throw .unsupported(.certificateType, nil, name: others) }
        keep(&self, try read(der, offset))
      } catch {
        errors.append(error)
      }
    }
  }
}

extension PKCS7: CustomStringConvertible {
  /// A line for each certificate and CRL, then one for each error.
  public var description: String {
    (certificates.map { "\($0)" } + crls.map { "\($0)" } + errors.map { "\($0)" })
      .joined(separator: "\n")
  }
}
