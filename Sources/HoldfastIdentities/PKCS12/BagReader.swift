internal import HoldfastCertificates
internal import HoldfastDER

/// Reads SafeContents into `Contents`, bag by bag. RFC 7292 §4.2.
struct BagReader {
  private var passwords: [Password]
  var budget: WorkBudget
  var contents = PKCS12.Contents()
  private var count = 0

  init(passwords: [Password], budget: WorkBudget) {
    self.passwords = passwords
    self.budget = budget
  }

  mutating func overwrite() {
    for index in passwords.indices { passwords[index].overwrite() }
  }

  /// Reads the DER of one SafeContents. Nested bags are kept in a list, so that the nesting of a
  /// file uses no stack.
  mutating func read(_ der: [UInt8]) throws(IdentityError) {
    var waiting = [(bags: try Self.bags(der), depth: 1)]
    while var (bags, depth) = waiting.popLast() {
      while !bags.isAtEnd {
        count += 1
        guard count <= IdentityOptions.maximumBags else {
          throw IdentityError(.limit(.bags(maximum: IdentityOptions.maximumBags)))
        }
        let parts = try BagParts(&bags)
        if parts.type == .safeContentsBag {
          guard depth < IdentityOptions.maximumBagDepth else {
            throw IdentityError(.limit(.nesting(maximum: IdentityOptions.maximumBagDepth)))
          }
          var value = parts.value
          let inner = try value.read(.sequence)
          // The nested bags come first, then those that follow.
          waiting.append((bags, depth))
          (bags, depth) = (inner, depth + 1)
        } else {
          try readKeepingOthers(parts)
        }
      }
    }
  }

  private static func bags(_ der: [UInt8]) throws(IdentityError) -> FieldReader {
    var reader = FieldReader(der, .safeContents)
    let bags = try reader.read(.sequence)
    try reader.finish()
    return bags
  }

  /// Reads one bag. Throws if a limit is exceeded; records any other error and lets reading
  /// continue.
  private mutating func readKeepingOthers(_ parts: BagParts) throws(IdentityError) {
    do throws(IdentityError) {
      try read(parts)
    } catch {
      if case .limit = error.problem { throw error }
      contents.errors.append(error)
    }
  }

  private mutating func read(_ parts: BagParts) throws(IdentityError) {
    var value = parts.value
    switch parts.type {
    case .keyBag:
      let key = try SecretBytes.using(try value.readWhole(.sequence)) {
        der throws(IdentityError) in try PrivateKey(pkcs8: der)
      }
      contents.keys.append(parts.bag(key))
    case .shroudedKeyBag:
      let key = try EncryptedKey(der: try value.readWhole(.sequence))
      contents.encryptions.append(key.encryption)
      contents.keys.append(parts.bag(try key.open(passwords, &budget)))
    case .certificateBag: try readCertificate(parts)
    case .crlBag: try readCRL(parts)
    case .secretBag:
      // RFC 7292 §4.2.5.
      var fields = try value.read(.sequence)
      let type = try fields.readOID()
      var wrapper = try fields.read(.constructedContext(0))
      let secret = try SecretBytes.using(try wrapper.readWhole()) { der throws(IdentityError) in
        PKCS12.Secret(type: type, der)
      }
      contents.secrets.append(parts.bag(secret))
    default: throw .unsupported(.bagType, parts.type)
    }
  }

  /// Reads a CertBag. RFC 7292 §4.2.3.
  private mutating func readCertificate(_ parts: BagParts) throws(IdentityError) {
    let (type, offset, der) = try parts.readTypedString()
    guard type == .x509Certificate else { throw .unsupported(.certificateType, type) }
    contents.certificates.append(parts.bag(try Certificate(der: der, at: offset)))
  }

  /// Reads a CRLBag. RFC 7292 §4.2.4.
  private mutating func readCRL(_ parts: BagParts) throws(IdentityError) {
    let (type, offset, der) = try parts.readTypedString()
    guard type == .x509CRL else { throw .unsupported(.certificateType, type) }
    contents.crls.append(parts.bag(try CRL(der: der, at: offset)))
  }

  /// Returns the encryptions of the keys in the DER of SafeContents, without decrypting them.
  /// Entries that cannot be read are skipped; opening the file reports them.
  static func encryptions(in der: [UInt8]) throws(IdentityError) -> [Encryption] {
    var bags = try bags(der)
    var encryptions: [Encryption] = []
    while !bags.isAtEnd, encryptions.count < IdentityOptions.maximumBags {
      let parts = try BagParts(&bags)
      guard parts.type == .shroudedKeyBag else { continue }
      var value = parts.value
      do throws(IdentityError) {
        encryptions.append(try EncryptedKey(der: try value.readWhole(.sequence)).encryption)
      } catch {
        continue
      }
    }
    return encryptions
  }
}

/// One SafeBag: its type, its value, its name and its identifier. RFC 7292 §4.2.
struct BagParts {
  let type: OID
  /// A reader of the content of `[0]`.
  let value: FieldReader
  private var name: String?
  private var localKeyID: [UInt8]?

  init(_ reader: inout FieldReader) throws(IdentityError) {
    var bag = try reader.read(.sequence)
    bag.field = .safeBag
    type = try bag.readOID()
    value = try bag.read(.constructedContext(0))
    if let attributes = try bag.readIfPresent(.set) { try readAttributes(attributes) }
    try bag.finish()
  }

  func bag<Value: Sendable>(_ value: Value) -> PKCS12.Bag<Value> {
    PKCS12.Bag(value, name: name, localKeyID: localKeyID)
  }

  /// Reads a type and `[0] EXPLICIT OCTET STRING`, the form of certificates and CRLs in bags.
  func readTypedString() throws(IdentityError) -> (type: OID, offset: Int, bytes: [UInt8]) {
    var value = value
    var fields = try value.read(.sequence)
    let type = try fields.readOID()
    var wrapper = try fields.read(.constructedContext(0))
    let offset = wrapper.position
    return (type, offset, try wrapper.readBytes(.octetString))
  }

  /// Reads PKCS #9 attributes; unknown ones are skipped. RFC 2985 §5.5.
  private mutating func readAttributes(_ set: FieldReader) throws(IdentityError) {
    var set = set
    set.field = .bagAttributes
    while !set.isAtEnd {
      var attribute = try set.read(.sequence)
      let type = try attribute.readOID()
      var values = try attribute.read(.set)
      guard !values.isAtEnd else { continue }
      switch type {
      case .friendlyName:
        let text = try values.readBytes(.bmpString)
        let units = stride(from: 0, to: text.count - 1, by: 2).map {
          UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
        }
        name = String(decoding: units, as: UTF16.self)
      case .localKeyID: localKeyID = try values.readBytes(.octetString)
      default: continue
      }
    }
  }
}
