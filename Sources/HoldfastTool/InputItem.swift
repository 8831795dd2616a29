internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities

/// One thing in a file, not yet read.
struct InputItem: Sendable {
  let kind: Kind
  let bytes: Bytes
  let place: InputPlace
  /// What was read already, when the container of the item was opened.
  var opened: Content?

  /// What it is by its label or, without one, by its structure.
  enum Kind: Sendable, Hashable {
    case certificate
    case request
    case publicKey
    case rsaPublicKey
    case revocationList
    case ocspResponse
    case ocspRequest
    /// A private key, by its label.
    case privateKey(String)
    /// Something that the tool does not read, by its name.
    case other(String)
  }

  /// What it says, read to the last byte.
  enum Content: Sendable {
    case certificate(Certificate)
    case request(CertificateRequest)
    case publicKey(PublicKey)
    case revocationList(CertificateList)
    case ocspResponse(OCSPResponse)
    case ocspRequest(OCSPRequest)
    case privateKey(PrivateKey)
    case other(String)
  }

  /// Reads it; an encrypted key asks for its password.
  func content(_ passwords: PasswordSource) throws(InputProblem) -> Content {
    if case .privateKey(let label) = kind { return try privateKey(label, passwords) }
    if let opened { return opened }
    // Before the bytes are copied: what only claims to be a certificate may be of any size.
    guard bytes.count <= kind.largest else {
      throw problem(.tooLarge(limit: kind.largest), at: 0)
    }
    switch kind {
    case .certificate, .request: return try certificateOrRequest()
    case .revocationList, .ocspResponse, .ocspRequest: return try revocationData()
    case .publicKey, .rsaPublicKey, .privateKey, .other: return try key()
    }
  }

  private func certificateOrRequest() throws(InputProblem) -> Content {
    do throws(ParseError) {
      return kind == .request
        ? .request(try CertificateRequest(der: bytes.array))
        : .certificate(try Certificate(der: bytes.array))
    } catch {
      throw InputProblem(
        place: place, field: error.fieldName, problem: error.message,
        offset: place.start + error.offset, rule: error.citation)
    }
  }

  private func revocationData() throws(InputProblem) -> Content {
    do throws(ParseError) {
      switch kind {
      case .ocspResponse: return .ocspResponse(try OCSPResponse(der: bytes.array))
      case .ocspRequest: return .ocspRequest(try OCSPRequest(der: bytes.array))
      default: return .revocationList(try CertificateList(der: bytes.array))
      }
    } catch {
      throw InputProblem(
        place: place, field: error.fieldName, problem: error.message,
        offset: place.start + error.offset, rule: error.citation)
    }
  }

  private func key() throws(InputProblem) -> Content {
    do throws(DERError) {
      switch kind {
      case .publicKey: return .publicKey(try PublicKey(der: bytes.array))
      case .rsaPublicKey: return .publicKey(try PublicKey(pkcs1: bytes.array))
      default: return .other(kind.name)
      }
    } catch {
      throw problem(error.problem, at: error.offset)
    }
  }

  /// A private key, which is of use only if it holds its public part.
  private func privateKey(
    _ label: String, _ passwords: PasswordSource
  ) throws(InputProblem) -> Content {
    let key: PrivateKey
    if case .privateKey(let opened)? = opened {
      key = opened
    } else {
      let isEncrypted = label == "ENCRYPTED PRIVATE KEY"
      let password = isEncrypted ? passwords.password(of: place.file) : nil
      do throws(IdentityError) {
        key =
          isEncrypted
          ? try PrivateKey(encryptedPKCS8: bytes.array, password: password ?? "")
          : try PrivateKey(der: bytes.array)
      } catch {
        throw InputProblem(error, at: place, hasPassword: password != nil || !isEncrypted)
      }
    }
    guard key.publicKey != nil else {
      throw InputProblem(
        place: place,
        problem: "\(key) without its public part; pin its certificate or public key instead",
        offset: nil, rule: nil)
    }
    return .privateKey(key)
  }

  private func problem(_ problem: DERError.Problem, at offset: Int) -> InputProblem {
    InputProblem(
      place: place, field: kind.name, problem: "\(problem)", offset: place.start + offset,
      rule: problem.citation)
  }
}

extension InputItem.Kind {
  /// The kind that a label stands for.
  init(label: String) {
    switch label {
    case "CERTIFICATE", "X509 CERTIFICATE": self = .certificate
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .request
    case "PUBLIC KEY": self = .publicKey
    case "RSA PUBLIC KEY": self = .rsaPublicKey
    case "X509 CRL": self = .revocationList
    case "OCSP RESPONSE": self = .ocspResponse
    case "OCSP REQUEST": self = .ocspRequest
    case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
      self = .privateKey(label)
    default: self = .other(label)
    }
  }

  /// What it is called.
  var name: String {
    switch self {
    case .certificate: "certificate"
    case .request: "certificate request"
    case .publicKey: "public key"
    case .rsaPublicKey: "RSA public key"
    case .revocationList: "revocation list"
    case .ocspResponse: "OCSP answer"
    case .ocspRequest: "OCSP request"
    case .privateKey: "private key"
    case .other(let name): name
    }
  }

  /// The label of its block. RFC 7468 §5, §6, §7 and §13; those of OCSP are OpenSSL's.
  var label: String {
    switch self {
    case .certificate: "CERTIFICATE"
    case .request: "CERTIFICATE REQUEST"
    case .publicKey: "PUBLIC KEY"
    case .rsaPublicKey: "RSA PUBLIC KEY"
    case .revocationList: "X509 CRL"
    case .ocspResponse: "OCSP RESPONSE"
    case .ocspRequest: "OCSP REQUEST"
    case .privateKey(let label): label
    case .other(let name): name
    }
  }

  /// The use that a command may have for it.
  var use: InputUse {
    switch self {
    case .certificate: .certificates
    case .request, .publicKey, .rsaPublicKey: .keys
    case .revocationList, .ocspResponse: .revocation
    case .ocspRequest: .questions
    case .privateKey: .privateKeys
    case .other: []
    }
  }

  /// The most bytes that it may have.
  var largest: Int {
    switch self {
    case .revocationList: CertificateList.maximumSize
    case .ocspResponse: OCSPResponse.maximumSize
    case .ocspRequest: OCSPRequest.maximumSize
    case .other: .max
    case .certificate, .request, .publicKey, .rsaPublicKey, .privateKey:
      Certificate.maximumSize
    }
  }
}

/// What a command has a use for; the rest is named and passed over.
struct InputUse: OptionSet, Sendable {
  let rawValue: UInt8

  static let certificates = InputUse(rawValue: 1)
  /// What else has a public key: requests and keys.
  static let keys = InputUse(rawValue: 16)
  /// Revocation lists and OCSP answers.
  static let revocation = InputUse(rawValue: 2)
  /// OCSP requests.
  static let questions = InputUse(rawValue: 4)
  /// Private keys, for their public part.
  static let privateKeys = InputUse(rawValue: 8)
  /// What has a pin.
  static let pinned: InputUse = [.certificates, .keys, .privateKeys]
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

extension InputItem.Kind {
  /// The kind of a SEQUENCE, by its first elements. What is nothing known counts as a certificate,
  /// because the reader of certificates can say where it stops being one.
  init(structureOf element: Bytes) {
    let content = DERContent(element)
    self =
      switch content {
      case .certificate: .certificate
      case .certificateRequest: .request
      case .certificateList: .revocationList
      case .ocspRequest: .ocspRequest
      case .ocspResponse: .ocspResponse
      case .publicKey: .publicKey
      case .rsaPublicKey: .rsaPublicKey
      case .privateKey, .encryptedPrivateKey, .rsaPrivateKey, .ecPrivateKey:
        .privateKey(content.labels[0])
      case .pkcs7, .pkcs12: .other(content.labels[0])
      }
  }
}
