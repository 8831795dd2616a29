internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities

/// One thing in a file, not yet read.
struct InputItem: Sendable {
  let kind: Kind
  let octets: Octets
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

  /// What it says, read to the last octet.
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
    // Before the octets are copied: what only claims to be a certificate may be of any size.
    guard octets.count <= kind.largest else {
      throw problem(.tooLarge(limit: kind.largest), at: 0)
    }
    switch kind {
    case .certificate, .request: return try certificateOrRequest()
    case .revocationList, .ocspResponse, .ocspRequest: return try revocationData()
    case .publicKey, .rsaPublicKey, .privateKey, .other: return try key()
    }
  }

  private func certificateOrRequest() throws(InputProblem) -> Content {
    do throws(CertificateError) {
      return kind == .request
        ? .request(try CertificateRequest(der: octets.array))
        : .certificate(try Certificate(der: octets.array))
    } catch {
      throw InputProblem(
        place: place, field: "\(error.field)", problem: error.problem.words,
        offset: place.start + error.offset, rule: error.citation)
    }
  }

  private func revocationData() throws(InputProblem) -> Content {
    do throws(RevocationDataError) {
      switch kind {
      case .ocspResponse: return .ocspResponse(try OCSPResponse(der: octets.array))
      case .ocspRequest: return .ocspRequest(try OCSPRequest(der: octets.array))
      default: return .revocationList(try CertificateList(der: octets.array))
      }
    } catch {
      throw InputProblem(
        place: place, field: "\(error.field)", problem: error.words,
        offset: place.start + error.offset, rule: error.citation)
    }
  }

  private func key() throws(InputProblem) -> Content {
    do throws(DERError) {
      switch kind {
      case .publicKey: return .publicKey(try PublicKey(der: octets.array))
      case .rsaPublicKey: return .publicKey(try PublicKey(pkcs1: octets.array))
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
          ? try PrivateKey(encryptedPKCS8: octets.array, password: password ?? "")
          : try PrivateKey(der: octets.array)
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
    case .certificate, .request, .publicKey, .rsaPublicKey: .keys
    case .revocationList, .ocspResponse: .revocation
    case .ocspRequest: .questions
    case .privateKey: .privateKeys
    case .other: []
    }
  }

  /// The most octets that it may have.
  var largest: Int {
    switch self {
    case .revocationList: CertificateList.largestByDefault
    case .ocspResponse: OCSPResponse.largestByDefault
    case .ocspRequest: OCSPRequest.largest
    case .other: .max
    case .certificate, .request, .publicKey, .rsaPublicKey, .privateKey:
      Certificate.largestByDefault
    }
  }
}

/// What a command has a use for; the rest is named and passed over.
struct InputUse: OptionSet, Sendable {
  let rawValue: UInt8

  /// What has a public key: certificates, requests, keys.
  static let keys = InputUse(rawValue: 1)
  /// Revocation lists and OCSP answers.
  static let revocation = InputUse(rawValue: 2)
  /// OCSP requests.
  static let questions = InputUse(rawValue: 4)
  /// Private keys, for their public part.
  static let privateKeys = InputUse(rawValue: 8)
  /// All that can be read but private keys.
  static let all: InputUse = [.keys, .revocation, .questions]

  /// What a file lacks that has nothing of it.
  var missing: String {
    switch self {
    case .keys: "there is no certificate, certificate request or public key in it"
    case [.keys, .privateKeys]: "there is no certificate, certificate request or key in it"
    case .revocation: "there is no revocation list and no OCSP answer in it"
    default: "there is nothing in it that can be read"
    }
  }
}

/// Telling DER structures apart by their first elements.
extension InputItem.Kind {
  /// The kind of a SEQUENCE. What is nothing known counts as a certificate, because the reader of
  /// certificates can say where it stops being one.
  init(structureOf element: Octets) {
    do throws(DERError) {
      self = try InputItem.Kind.kind(element)
    } catch {
      self = .certificate
    }
  }

  private static func kind(_ element: Octets) throws(DERError) -> InputItem.Kind {
    var whole = DERReader(element)
    var reader = try whole.read(.sequence)
    let first = try reader.readElement()
    let second = reader.nextTag
    switch (first.tag, second) {
    case (.sequence, .sequence?): return try signedKind(first.content)
    case (.sequence, .bitString?): return .publicKey
    case (.sequence, nil), (.sequence, .constructedContext(0)?):
      return try isRequest(first.content) ? .ocspRequest : .certificate
    // RFC 5958 §3: EncryptedPrivateKeyInfo.
    case (.sequence, .octetString?): return .privateKey("ENCRYPTED PRIVATE KEY")
    // RFC 6960 §4.2.1: an answer begins with its state.
    case (.enumerated, _): return .ocspResponse
    case (.integer, _): return try integerKind(&reader, second)
    // RFC 5652 §3: ContentInfo.
    case (.objectIdentifier, .constructedContext(0)?): return .other("PKCS7")
    default: return .certificate
    }
  }

  /// Whether this is what an OCSP request asks: perhaps a version and who asks, then a list of
  /// questions, each of which begins with the name of a certificate. RFC 6960 §4.1.1.
  private static func isRequest(_ content: Octets) throws(DERError) -> Bool {
    var fields = DERReader(content)
    _ = try fields.readIfPresent(.constructedContext(0))
    _ = try fields.readIfPresent(.constructedContext(1))
    var list = try fields.read(.sequence)
    var question = try list.read(.sequence)
    return try question.read(.sequence).nextTag == .sequence
  }

  /// A structure that begins with what is signed: RFC 5280 §4.1 and §5.1, RFC 2986 §4.
  private static func signedKind(_ content: Octets) throws(DERError) -> InputItem.Kind {
    var fields = DERReader(content)
    guard fields.nextTag != .constructedContext(0) else { return .certificate }
    guard fields.nextTag == .integer else { return .revocationList }
    for _ in 0..<3 { _ = try fields.readElement() }
    switch fields.nextTag {
    case .constructedContext(0), nil: return .request
    case .utcTime, .generalizedTime: return .revocationList
    default: return .certificate
    }
  }

  /// A structure that begins with a number: keys, for the most part private ones.
  private static func integerKind(
    _ reader: inout DERReader, _ second: DERTag?
  ) throws(DERError) -> InputItem.Kind {
    switch second {
    case .integer?:
      _ = try reader.readElement()
      // RFC 8017 appendix A.1: a public key is two numbers, a private one is nine.
      return reader.isAtEnd ? .rsaPublicKey : .privateKey("RSA PRIVATE KEY")
    case .octetString?: return .privateKey("EC PRIVATE KEY")
    case .sequence?:
      _ = try reader.readElement()
      // RFC 5958 §2 has the key in an OCTET STRING; RFC 7292 §4 has MACs or nothing.
      return reader.nextTag == .octetString ? .privateKey("PRIVATE KEY") : .other("PKCS12")
    default: return .certificate
    }
  }
}
