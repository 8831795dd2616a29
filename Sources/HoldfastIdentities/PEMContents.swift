internal import HoldfastCertificates
internal import HoldfastDER

/// Reads files with keys and certificates, PEM or DER, into the contents type of PKCS #12 files.
package enum PEMContents {
  /// The labels of keys and certificates. RFC 7468 §5, §8 to §11; `RSA` and `EC PRIVATE KEY` are
  /// older.
  private static let labels =
    Certificate.labels + [
      CRL.label, "PKCS7", "CMS", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
      "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY",
    ]

  /// Reads all files as one: a key may be in one file and its certificates in another.
  package static func read(
    _ texts: [[UInt8]], _ password: String?, _ options: IdentityOptions
  ) throws(IdentityError) -> PKCS12.Contents {
    var contents = PKCS12.Contents()
    var budget = WorkBudget(options)
    var passwords = [Password(password)]
    defer { passwords[0].overwrite() }
    for text in texts {
      try IdentityOptions.check(size: text.count)
      guard PEMText.isLikely(text) else {
        try read(label(ofDER: text), text, passwords, &budget, into: &contents)
        continue
      }
      var pem = PEMText(text, labels: labels, isSecret: true)
      defer { pem.overwrite() }
      for block in pem.blocks {
        do throws(IdentityError) {
          try read(block.label, block.bytes, passwords, &budget, into: &contents)
        } catch {
          if case .limit = error.problem { throw error }
          contents.errors.append(error)
        }
      }
      contents.errors += pem.errors.map { error(of: $0) }
    }
    // A second text often repeats certificates of the first.
    var seen: Set<Certificate> = []
    contents.certificates.removeAll { !seen.insert($0.value).inserted }
    return contents
  }

  /// Guesses the PEM label of DER bytes from their first elements.
  private static func label(ofDER bytes: [UInt8]) -> String {
    do throws(IdentityError) {
      var reader = FieldReader(bytes, .privateKey)
      var fields = try reader.read(.sequence)
      switch fields.nextTag {
      case .integer: return "DER PRIVATE KEY"
      case .objectIdentifier: return "PKCS7"
      case .sequence?:
        _ = try fields.readWhole(.sequence)
        return fields.nextTag == .octetString ? "ENCRYPTED PRIVATE KEY" : "CERTIFICATE"
      default: return "CERTIFICATE"
      }
    } catch {
      // Not DER, so it should be a container: only those are written in BER with indefinite
      // lengths.
      return "PKCS7"
    }
  }

  private static func read(
    _ label: String, _ bytes: [UInt8], _ passwords: [Password], _ budget: inout WorkBudget,
    into contents: inout PKCS12.Contents
  ) throws(IdentityError) {
    switch label {
    case "DER PRIVATE KEY": contents.keys.append(PKCS12.Bag(try PrivateKey(der: bytes)))
    case "PRIVATE KEY": contents.keys.append(PKCS12.Bag(try PrivateKey(pkcs8: bytes)))
    case "RSA PRIVATE KEY": contents.keys.append(PKCS12.Bag(try PrivateKey(pkcs1: bytes)))
    case "EC PRIVATE KEY": contents.keys.append(PKCS12.Bag(try PrivateKey(sec1: bytes)))
    case "ENCRYPTED PRIVATE KEY":
      let key = try EncryptedKey(der: bytes)
      contents.encryptions.append(key.encryption)
      contents.keys.append(PKCS12.Bag(try key.open(passwords, &budget)))
    case "DSA PRIVATE KEY": throw .unsupported(.keyAlgorithm, .dsa, name: "DSA")
    case "PKCS7", "CMS":
      let bundle = try PKCS7(der: bytes)
      contents.certificates += bundle.certificates.map { PKCS12.Bag($0) }
      contents.crls += bundle.crls.map { PKCS12.Bag($0) }
      contents.errors += bundle.errors
    case CRL.label: contents.crls.append(PKCS12.Bag(try CRL(der: bytes, at: 0)))
    default: contents.certificates.append(PKCS12.Bag(try Certificate(der: bytes, at: 0)))
    }
  }

  /// Converts a PEM error. Headers before the base64 mark keys in OpenSSL's encryption before PKCS
  /// #8.
  private static func error(of error: PEMError) -> IdentityError {
    if case .headers = error.problem {
      return .unsupported(.encryption, nil, name: "of PEM with headers (RFC 1421)")
    }
    return IdentityError(.damaged(Damage(.pem, .pem(error), at: 0)))
  }
}

extension PrivateKey {
  /// Reads the one private key of a PEM text: PKCS #8, encrypted PKCS #8, PKCS #1 or SEC 1.
  ///
  /// - Parameter password: The password of an encrypted key; not needed otherwise.
  public init(
    pem: [UInt8], password: String? = nil, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    let contents = try PEMContents.read([pem], password, options)
    if let key = contents.keys.first, contents.keys.count == 1 {
      self = key.value
      return
    }
    if contents.keys.count > 1 {
      throw IdentityError(.noIdentity(.several(count: contents.keys.count)))
    }
    throw contents.errors.first ?? IdentityError(.noIdentity(.noKey))
  }

  /// Reads the one private key of a PEM text. A `String` cannot be overwritten when it is no longer
  /// needed, as a file that is read here is.
  ///
  /// - Parameter password: The password of an encrypted key; not needed otherwise.
  public init(
    pem text: String, password: String? = nil, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    self = try SecretBytes.using(Array(text.utf8)) { bytes throws(IdentityError) in
      try PrivateKey(pem: bytes, password: password, options: options)
    }
  }

  /// Reads the one private key of a file, PEM or DER.
  ///
  /// - Parameter password: The password of an encrypted key; not needed otherwise.
  public init(
    file path: String, password: String? = nil, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    self = try SecretBytes.withFiles(path) { files throws(IdentityError) in
      try PrivateKey(pem: files[0], password: password, options: options)
    }
  }

  /// Reads an encrypted key from PKCS #8 in DER. RFC 5958 §3.
  ///
  /// - Parameter password: nil and `""` differ in the format; for either, both are tried.
  public init(
    encryptedPKCS8: [UInt8], password: String?, options: IdentityOptions = IdentityOptions()
  ) throws(IdentityError) {
    try IdentityOptions.check(size: encryptedPKCS8.count)
    var passwords = Password.candidates(password)
    defer { for index in passwords.indices { passwords[index].overwrite() } }
    var budget = WorkBudget(options)
    self = try EncryptedKey(der: encryptedPKCS8).open(passwords, &budget)
  }
}
