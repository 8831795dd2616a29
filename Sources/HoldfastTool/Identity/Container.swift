internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastIdentities

/// The formats that hold certificates, CRLs and keys in one structure, DER or BER.
enum Container: String, Sendable {
  case pkcs12 = "PKCS #12"
  case pkcs7 = "PKCS #7"

  /// The format that bytes begin like: RFC 7292 §4 has a version 3, RFC 5652 §3 the type
  /// signedData.
  init?(beginningOf bytes: [UInt8]) {
    guard bytes.count > 2, bytes[0] == DERTag.sequence.rawValue else { return nil }
    let lengthBytes = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
    let content = bytes.dropFirst(2 + lengthBytes)
    if content.starts(with: [0x02, 0x01, 0x03, 0x30]) {
      self = .pkcs12
    } else if content.starts(with: Container.signedData) {
      self = .pkcs7
    } else {
      return nil
    }
  }

  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]

  /// What a file holds, opened.
  func open(
    _ bytes: [UInt8], at location: InputLocation, _ passwords: PasswordSource
  ) throws(InputProblem) -> Opened {
    var password: String?
    do throws(IdentityError) {
      switch self {
      case .pkcs7:
        let bundle = try PKCS7(bytes)
        return Opened(
          certificates: Container.leafFirst(bundle.certificates), crls: bundle.crls, keys: [],
          problems: bundle.errors.map { InputProblem($0, at: location) })
      case .pkcs12:
        let file = try PKCS12(bytes)
        if file.isLocked { password = passwords.password(of: location.file) }
        let contents = try file.open(password: password)
        return Opened(
          contents,
          problems: contents.errors.map {
            InputProblem($0, at: location, hasPassword: password != nil)
          })
      }
    } catch {
      throw InputProblem(error, at: location, hasPassword: password != nil)
    }
  }

  /// What a container holds: certificates in the order of paths, the leaf first.
  struct Opened {
    let certificates: [Certificate]
    let crls: [CRL]
    let keys: [PrivateKey]
    /// What could not be read beside the rest.
    let problems: [InputProblem]
  }

  /// A SET of certificates has no order, so those that issued none of the others come first.
  private static func leafFirst(_ certificates: [Certificate]) -> [Certificate] {
    let issuers = Set(certificates.filter { !$0.isSelfIssued }.map(\.issuer))
    return certificates.filter { !issuers.contains($0.subject) }
      + certificates.filter { issuers.contains($0.subject) }
  }
}

extension PKCS12 {
  /// Whether a password is needed for something in the file.
  var isLocked: Bool { authentication != nil || !encryptions.isEmpty }
}

extension Container.Opened {
  fileprivate init(_ contents: PKCS12.Contents, problems: [InputProblem]) {
    let identities = contents.identities
    // A key without its public part says nothing that the certificate of its identity does not.
    keys = contents.keys.map(\.value).filter { key in
      key.publicKey != nil || !identities.contains { $0.privateKey.isEqual(to: key) }
    }
    certificates = contents.certificatesInPathOrder
    crls = contents.crls.map(\.value)
    self.problems = problems
  }
}

extension PKCS12.Contents {
  /// The chains of the identities, then all other certificates.
  var certificatesInPathOrder: [Certificate] {
    var seen: Set<Certificate> = []
    return (identities.flatMap(\.chain) + certificates.map(\.value)).filter {
      seen.insert($0).inserted
    }
  }
}

extension InputProblem {
  /// The words for a file that needs a password where none was given.
  static let passwordNeeded = "a password is needed: --password-file or --password-env"

  /// What is wrong with a container or a key.
  init(_ error: IdentityError, at location: InputLocation, hasPassword: Bool = true) {
    if case .wrongPassword = error, !hasPassword {
      self.init(location: location, problem: InputProblem.passwordNeeded)
      return
    }
    guard case .damaged(let damage) = error, case .der(let problem) = damage.problem else {
      self.init(location: location, problem: "\(error)")
      return
    }
    self.init(
      location: location, field: "\(damage.field)", problem: "\(problem)", offset: damage.offset,
      rule: damage.citation)
  }
}
