public import HoldfastCertificates
package import HoldfastDER

/// A PKCS #12 file (`.p12`, `.pfx`) that has not been opened with a password yet. RFC 7292.
///
/// It shows how many iterations the file asks for, so a caller can tell how long opening takes:
///
/// ```swift
/// let file = try PKCS12(bytes)
/// print(file.authentication?.description ?? "not authenticated", file.iterations)
/// let contents = try file.open(password: password)
/// ```
public struct PKCS12: Sendable {
  /// The MAC that authenticates the file; nil if it has none.
  package let authentication: MessageAuthentication?

  /// The encryptions of the file that are visible without a password. `Contents` also has those
  /// inside encrypted parts.
  package let encryptions: [Encryption]

  /// The number of iterations that the MAC and these encryptions need together, as
  /// `IdentityOptions.maximumIterations` counts them.
  package var iterations: Int {
    // Each is below 2^45, and there are at most ten thousand encryptions.
    encryptions.reduce(authentication?.iterations ?? 0) { Clamped.sum($0, $1.iterations) }
  }

  /// The bytes that the MAC covers. A key in them need not be encrypted.
  private let authenticated: SecretBytes
  private let safes: [Safe]

  /// One part of the file: the DER of its SafeContents, or encrypted bytes.
  private enum Safe: Sendable {
    case plain(SecretBytes)
    case encrypted(Encryption, [UInt8])
  }

  /// Reads a file, DER or BER, without decrypting it.
  public init(file path: String) throws(IdentityError) {
    self = try SecretBytes.withFiles(path) { files throws(IdentityError) in try PKCS12(files[0]) }
  }

  /// Reads the bytes of a file, DER or BER, without decrypting it.
  public init(_ bytes: [UInt8]) throws(IdentityError) {
    try IdentityOptions.check(size: bytes.count)
    guard !PEMText.isLikely(bytes) else {
      throw IdentityError(.damaged(Damage(.pfx, .isPEM, at: 0)))
    }
    (authenticated, authentication) = try SecretBytes.using(
      try Self.normalized(bytes, .pfx), Self.read)
    safes = try authenticated.withCopy(Self.readSafes)
    var encryptions: [Encryption] = []
    for safe in safes {
      switch safe {
      case .encrypted(let encryption, _): encryptions.append(encryption)
      case .plain(let contents): encryptions += try contents.withCopy(BagReader.encryptions)
      }
    }
    self.encryptions = encryptions
  }

  /// Reads PFX. RFC 7292 §4.
  private static func read(
    _ der: [UInt8]
  ) throws(IdentityError) -> (SecretBytes, MessageAuthentication?) {
    var reader = FieldReader(der, .pfx)
    var fields = try reader.read(.sequence)
    try reader.finish()
    let start = fields.position
    guard try fields.readNumber() == 3 else { throw fields.error(.badValue, at: start) }
    var content = try fields.read(.sequence)
    let type = try content.readOID()
    // signedData here means a signature instead of a MAC. RFC 7292 §4.
    guard type == .data else { throw .unsupported(.authentication, type) }
    let authenticated = try readExplicitString(&content)
    fields.field = .macData
    let authentication = fields.isAtEnd ? nil : try MessageAuthentication(&fields)
    try fields.finish()
    return (authenticated, authentication)
  }

  /// Reads AuthenticatedSafe. RFC 7292 §4.1.
  private static func readSafes(_ bytes: [UInt8]) throws(IdentityError) -> [Safe] {
    try SecretBytes.using(try normalized(bytes, .authenticatedSafe), readList)
  }

  private static func readList(_ der: [UInt8]) throws(IdentityError) -> [Safe] {
    var reader = FieldReader(der, .authenticatedSafe)
    var list = try reader.read(.sequence)
    try reader.finish()
    var safes: [Safe] = []
    while !list.isAtEnd {
      guard safes.count < IdentityOptions.maximumBags else {
        throw IdentityError(.limit(.bags(maximum: IdentityOptions.maximumBags)))
      }
      var content = try list.read(.sequence)
      content.field = .contentInfo
      switch try content.readOID() {
      case .data:
        let der = try readExplicitString(&content).withCopy { contents throws(IdentityError) in
          try SecretBytes.using(try normalized(contents, .safeContents)) {
            der throws(IdentityError) in SecretBytes(der)
          }
        }
        safes.append(.plain(der))
      case .encryptedData: safes.append(try readEncrypted(&content))
      case let type: throw .unsupported(.contentType, type)
      }
      try content.finish()
    }
    return safes
  }

  /// Reads EncryptedData. RFC 2315 §13.
  private static func readEncrypted(_ content: inout FieldReader) throws(IdentityError) -> Safe {
    var wrapper = try content.read(.constructedContext(0))
    wrapper.field = .encryptedData
    var data = try wrapper.read(.sequence)
    try wrapper.finish()
    _ = try data.readNumber(upTo: 2)
    var info = try data.read(.sequence)
    let type = try info.readOID()
    guard type == .data else { throw .unsupported(.contentType, type) }
    let encryption = try Encryption(&info)
    info.field = .encryptedData
    let bytes = try info.readImplicitString(0)
    try info.finish()
    return .encrypted(encryption, bytes)
  }

  /// Reads `[0] EXPLICIT OCTET STRING`.
  private static func readExplicitString(
    _ content: inout FieldReader
  ) throws(IdentityError) -> SecretBytes {
    var wrapper = try content.read(.constructedContext(0))
    let bytes = try SecretBytes.using(try wrapper.readBytes(.octetString)) {
      bytes throws(IdentityError) in SecretBytes(bytes)
    }
    try wrapper.finish()
    try content.finish()
    return bytes
  }

  static func normalized(
    _ bytes: [UInt8], _ field: IdentityError.Field
  ) throws(IdentityError) -> [UInt8] {
    do throws(DERError) {
      return try BERNormalizer.normalized(bytes)
    } catch {
      throw IdentityError(.damaged(Damage(field, .der(error.problem), at: error.offset)))
    }
  }
}

// MARK: Opening

extension PKCS12 {
  /// Checks the MAC of the file, decrypts the file and returns its contents.
  ///
  /// Certificates, CRLs and keys that cannot be read are reported in `Contents.errors`; the others
  /// are returned.
  ///
  /// - Parameter password: nil and `""` differ in the format, but writers confuse them; so for
  ///   either, both are tried.
  public func open(
    password: String?, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) -> Contents {
    var passwords = Password.candidates(password)
    defer { for index in passwords.indices { passwords[index].overwrite() } }
    var budget = WorkBudget(options)
    var usable = passwords
    if let authentication {
      guard let right = try authentic(authentication, passwords, &budget) else {
        throw .locked(.file, passwords)
      }
      usable = [passwords[right]]
    } else if options.requiresAuthentication {
      throw IdentityError(.notAuthenticated)
    }
    defer { for index in usable.indices { usable[index].overwrite() } }
    var reader = BagReader(passwords: usable, budget: budget)
    defer { reader.overwrite() }
    for safe in safes {
      switch safe {
      case .plain(let contents):
        try contents.withCopy { contents throws(IdentityError) in try reader.read(contents) }
      case .encrypted(let encryption, let bytes):
        reader.contents.encryptions.append(encryption)
        // A name for the plain bytes would be a second reference to them.
        try SecretBytes.using(
          try Opening.open(
            bytes, encryption, usable, authentication == nil ? .contents : .contentsOnly,
            &reader.budget)
        ) { contents throws(IdentityError) in try reader.read(contents) }
      }
    }
    return reader.contents
  }

  /// Returns the index of the password under which the MAC matches.
  private func authentic(
    _ authentication: MessageAuthentication, _ passwords: [Password], _ budget: inout WorkBudget
  ) throws(IdentityError) -> Int? {
    try authenticated.withCopy { contents throws(IdentityError) in
      for (index, password) in passwords.enumerated()
      where try authentication.authenticates(contents, password, &budget) {
        return index
      }
      return nil
    }
  }

  /// The contents of an opened file.
  public struct Contents: Sendable {
    /// The private keys, in the order of the file.
    public internal(set) var keys: [Bag<PrivateKey>] = []

    /// The certificates, in the order of the file.
    public internal(set) var certificates: [Bag<Certificate>] = []

    /// The CRLs.
    public internal(set) var crls: [Bag<CRL>] = []

    /// Other secrets, which only their writer understands.
    package internal(set) var secrets: [Bag<Secret>] = []

    /// The errors of the entries that could not be read, in the order of the file.
    public internal(set) var errors: [IdentityError] = []

    /// How the parts of the file and the keys in it are encrypted.
    package internal(set) var encryptions: [Encryption] = []

    /// Creates contents of values without names or identifiers.
    package init(
      keys: [PrivateKey] = [], certificates: [Certificate] = [], crls: [CRL] = [],
      errors: [IdentityError] = []
    ) {
      self.keys = keys.map { Bag($0) }
      self.certificates = certificates.map { Bag($0) }
      self.crls = crls.map { Bag($0) }
      self.errors = errors
    }

    /// Adds the keys and certificates of other files, among which keys find their certificates.
    package mutating func add(_ other: Contents) {
      keys += other.keys
      certificates += other.certificates
    }
  }

  /// An entry of a file, with the name and identifier that the file gives it. RFC 7292 §4.2.
  public struct Bag<Value: Sendable>: Sendable {
    /// The key, certificate, CRL or secret.
    public let value: Value

    /// The friendly name.
    public let name: String?

    /// The identifier that a key and its certificate share.
    package let localKeyID: [UInt8]?

    init(_ value: Value, name: String? = nil, localKeyID: [UInt8]? = nil) {
      self.value = value
      self.name = name
      self.localKeyID = localKeyID
    }
  }

  /// A secret of a type that this library does not know. Printing it does not reveal its bytes.
  package struct Secret: Sendable, CustomStringConvertible {
    /// The type.
    package let type: OID

    private let bytes: SecretBytes

    init(type: OID, _ bytes: [UInt8]) {
      self.type = type
      self.bytes = SecretBytes(bytes)
    }

    /// A copy of the value in DER. The caller must protect it.
    package var der: [UInt8] { bytes.copy }

    /// The type.
    package var description: String { "secret of type \(type)" }
  }
}

extension PKCS12: CustomStringConvertible {
  /// How the file is authenticated, and the work that opening it takes; nothing of what is in it.
  public var description: String {
    let mac = authentication.map { "\($0)" } ?? "not authenticated"
    return "PKCS #12, \(mac), \(iterations) iterations"
  }
}

extension PKCS12.Contents: CustomStringConvertible {
  /// A line for each identity, and how many other entries there are; nothing of a key but its kind.
  public var description: String {
    let lines = identities.map { "\($0)" } + errors.map { "\($0)" }
    return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n")
      + "\(keys.count) keys, \(certificates.count) certificates, \(crls.count) CRLs"
  }
}
