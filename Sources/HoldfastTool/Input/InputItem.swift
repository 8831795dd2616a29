internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastIdentities

/// One thing in a file, not yet read.
struct InputItem: Sendable {
  /// What it is by its label or, without one, by its structure; nil for what the tool does not
  /// read.
  let kind: DERContent?
  /// The label of its block, or the label that it would have in PEM.
  let label: String
  let bytes: Bytes
  let location: InputLocation
  /// What holds it, or what it is itself.
  let container: Container?
  /// What was read already, when the container was opened.
  private var opened: Content?

  /// What it says, read to the last byte.
  enum Content: Sendable {
    case certificate(Certificate)
    case request(CertificateRequest)
    case publicKey(PublicKey)
    case crl(CRL)
    case ocspResponse(OCSPResponse)
    case ocspRequest(OCSPRequest)
    case privateKey(PrivateKey)
    /// What holds others, which follow.
    case container(Container.Opened)
  }

  /// A block of a PEM text.
  init(_ block: PEMBlock, inFile file: String) {
    kind = DERContent(label: block.label)
    label = kind?.labels[0] ?? printable(block.label)
    bytes = Bytes(block.bytes)
    location = InputLocation(file: file, block: block.number, line: block.line)
    container = nil
  }

  /// A structure, or an entry of a container.
  init(
    _ kind: DERContent, _ bytes: Bytes, at location: InputLocation, of container: Container? = nil,
    opened: Content? = nil
  ) {
    self.kind = kind
    label = kind.labels[0]
    self.bytes = bytes
    self.location = location
    self.container = container
    self.opened = opened
  }

  /// Who has a use for it; of a container only once it is opened.
  var use: InputUse {
    if case .container? = opened { .containers } else { kind?.row.use ?? [] }
  }

  /// Why it may not be passed over where a CRL or an OCSP response could be lost with it; nil if it
  /// may. Without a label its kind is a guess, which damage may have changed.
  var reasonToStay: InputProblem? {
    if let block = location.block {
      guard kind?.mayContainOthers ?? true else { return nil }
      let error = PEMError(problem: .unknownLabel, block: block, line: location.line ?? 0)
      return InputProblem(error, at: location)
    }
    guard container == nil || kind?.mayContainOthers == true else { return nil }
    return InputProblem(
      location: location,
      problem: "it is neither a CRL nor an OCSP response, by its structure a \(name)",
      offset: location.start)
  }

  /// What it is called.
  var name: String { kind?.row.name ?? label }
}

extension InputItem {
  /// Reads it; an encrypted key asks for its password. nil for what the tool does not read.
  func content(_ passwords: PasswordSource) throws(InputProblem) -> Content? {
    if let opened { return opened }
    guard let kind else { return nil }
    // Before the bytes are copied: what only claims to be a certificate may be of any size.
    guard bytes.count <= kind.row.maximumSize else {
      let error = DERError(.tooLarge(limit: kind.row.maximumSize), at: 0)
      throw InputProblem(error, at: location, field: name)
    }
    switch kind {
    case .certificate, .certificateRequest, .crl, .ocspRequest, .ocspResponse:
      return try structure(kind)
    case .publicKey: return .publicKey(try key(PublicKey.init(whole:)))
    case .rsaPublicKey: return .publicKey(try key(PublicKey.init(pkcs1:)))
    case .privateKey, .encryptedPrivateKey, .rsaPrivateKey, .ecPrivateKey:
      return .privateKey(try privateKey(passwords))
    case .pkcs7, .pkcs12: return nil
    }
  }

  private func structure(_ kind: DERContent) throws(InputProblem) -> Content {
    do throws(ParseError) {
      return switch kind {
      case .certificateRequest: .request(try CertificateRequest(der: bytes.array))
      case .crl: .crl(try CRL(der: bytes.array))
      case .ocspRequest: .ocspRequest(try OCSPRequest(der: bytes.array))
      case .ocspResponse: .ocspResponse(try OCSPResponse(der: bytes.array))
      default: .certificate(try Certificate(der: bytes.array))
      }
    } catch {
      throw InputProblem(error, at: location, reading: bytes.array)
    }
  }

  private func key(
    _ read: ([UInt8]) throws(DERError) -> PublicKey
  ) throws(InputProblem) -> PublicKey {
    do throws(DERError) {
      return try read(bytes.array)
    } catch {
      throw InputProblem(error, at: location, field: name)
    }
  }

  private func privateKey(_ passwords: PasswordSource) throws(InputProblem) -> PrivateKey {
    let isEncrypted = kind == .encryptedPrivateKey
    let password = isEncrypted ? passwords.password(of: location.file) : nil
    do throws(IdentityError) {
      return isEncrypted
        ? try PrivateKey(
          encryptedPKCS8: bytes.array, password: password, options: passwords.options)
        : try PrivateKey(der: bytes.array)
    } catch {
      throw InputProblem(error, at: location)
    }
  }
}

extension DERContent {
  /// How the tool speaks of it, in a report and in the name of a file, who has a use for it, and
  /// the most bytes that it may have.
  var row: (name: String, fileName: String, use: InputUse, maximumSize: Int) {
    switch self {
    case .certificate: ("certificate", "certificate", .certificates, Certificate.maximumSize)
    case .certificateRequest: ("certificate request", "request", .keys, Certificate.maximumSize)
    case .publicKey: ("public key", "key", .keys, Certificate.maximumSize)
    case .rsaPublicKey: ("RSA public key", "key", .keys, Certificate.maximumSize)
    case .crl: ("CRL", "crl", .revocation, CRL.maximumSize)
    case .ocspResponse: ("OCSP response", "ocsp", .revocation, OCSPResponse.maximumSize)
    case .ocspRequest: ("OCSP request", "ocsp-request", .questions, OCSPRequest.maximumSize)
    case .encryptedPrivateKey: ("private key", "key", .encryptedKeys, InputFile.maximumSize)
    case .privateKey, .rsaPrivateKey, .ecPrivateKey:
      ("private key", "key", .privateKeys, InputFile.maximumSize)
    case .pkcs7: (Container.pkcs7.rawValue, "container", [], InputFile.maximumSize)
    case .pkcs12: (Container.pkcs12.rawValue, "container", [], InputFile.maximumSize)
    }
  }
}

/// What a command has a use for; the rest is named and passed over.
struct InputUse: OptionSet, Sendable {
  let rawValue: UInt16

  static let certificates = InputUse(rawValue: 1)
  /// What else has a public key: requests and keys.
  static let keys = InputUse(rawValue: 16)
  /// CRLs and OCSP responses.
  static let revocation = InputUse(rawValue: 2)
  /// OCSP requests.
  static let questions = InputUse(rawValue: 4)
  /// Private keys, for their public part.
  static let privateKeys = InputUse(rawValue: 8)
  /// Private keys that need a password.
  static let encryptedKeys = InputUse(rawValue: 64)
  /// PKCS #12 and PKCS #7 themselves, beside what they hold.
  static let containers = InputUse(rawValue: 128)
  /// All private keys of containers, not only those whose public part is not known otherwise.
  static let everyKey = InputUse(rawValue: 256)
  /// What has a pin.
  static let pinned: InputUse = [.certificates, .keys, .privateKeys, .encryptedKeys, .servers]
  /// All that can be read without a password, from files and servers.
  static let inspected: InputUse = [.all, .privateKeys, .servers, .containers]
  /// What a running server sends, where an operand is `HOST:PORT` or a URL and no file.
  static let servers = InputUse(rawValue: 32)
  /// What running servers send: no operand is a file.
  static let onlyServers = InputUse(rawValue: 512)
  /// That no block is passed over whose content is not known: it is an error.
  static let unknown = InputUse(rawValue: 1024)
  /// All that can be read but private keys.
  static let all: InputUse = [.certificates, .keys, .revocation, .questions]

  /// What a file lacks that has nothing of it.
  var missing: String {
    switch self {
    case .certificates: "there is no certificate in it"
    case .pinned: "there is no certificate, certificate request or key in it"
    default: "there is nothing in it that can be read"
    }
  }
}
