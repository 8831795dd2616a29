internal import HoldfastCertificates
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

  /// What a container holds.
  struct Opened: Sendable {
    var contents = PKCS12.Contents()
    /// The code over the file.
    var mac: MessageAuthentication?
    /// How the file and what is in it are encrypted.
    var encryptions: [Encryption] = []
    /// Whether it is a PKCS #12 file that could be read as far as that.
    var isReadable = false
    /// What could not be read.
    var problems: [InputProblem] = []
  }

  /// Opens a file or a block.
  func open(
    _ bytes: [UInt8], at location: InputLocation, _ passwords: PasswordSource
  ) -> Opened {
    var opened = Opened()
    do throws(IdentityError) {
      switch self {
      case .pkcs7:
        let bundle = try PKCS7(bytes)
        opened.contents = PKCS12.Contents(
          certificates: Container.leafFirst(bundle.certificates), crls: bundle.crls,
          errors: bundle.errors)
      case .pkcs12:
        let file = try PKCS12(bytes)
        (opened.mac, opened.encryptions) = (file.authentication, file.encryptions)
        opened.isReadable = true
        var password: String?
        if file.authentication != nil || !file.encryptions.isEmpty {
          password = passwords.password(of: location.file)
        }
        opened.contents = try file.open(password: password, options: passwords.options)
        opened.encryptions = opened.contents.encryptions
      }
      opened.problems = opened.contents.errors.map { InputProblem($0, at: location) }
    } catch {
      opened.problems = [InputProblem(error, at: location)]
    }
    return opened
  }

  /// A SET of certificates has no order, so those that issued none of the others come first.
  private static func leafFirst(_ certificates: [Certificate]) -> [Certificate] {
    let issuers = Set(certificates.filter { !$0.isSelfIssued }.map { $0.issuer })
    return certificates.filter { !issuers.contains($0.subject) }
      + certificates.filter { issuers.contains($0.subject) }
  }
}

extension Container.Opened {
  /// The private keys. A key without its public part says nothing that the certificate of its
  /// identity does not, so it is left out unless `all` are wanted.
  func keys(all: Bool) -> [PrivateKey] {
    let identities = contents.identities
    return contents.keys.map { $0.value }.filter { key in
      all || key.publicKey != nil || !identities.contains { $0.privateKey.isEqual(to: key) }
    }
  }
}

extension PKCS12.Contents {
  /// The chains of the identities, then all other certificates.
  var certificatesInPathOrder: [Certificate] {
    var seen: Set<Certificate> = []
    return (identities.flatMap { $0.chain } + certificates.map { $0.value }).filter {
      seen.insert($0).inserted
    }
  }
}

extension InputProblem {
  /// The words for a file that needs a password where none was given.
  private static let passwordNeeded =
    "a password is needed: --password-file FILE or --password-env VARIABLE"

  /// What is wrong with a container or a key.
  init(_ error: IdentityError, at location: InputLocation) {
    if case .passwordNeeded = error.problem {
      self.init(location: location, problem: InputProblem.passwordNeeded)
    } else if case .damaged(let damage) = error.problem, case .der(let problem) = damage.problem {
      self.init(
        location: location, field: "\(damage.field)", problem: "\(problem)", offset: damage.offset,
        rule: damage.citation)
    } else {
      self.init(location: location, problem: "\(error)")
    }
    kind = error.problem.kind
  }
}

extension IdentityError.Problem {
  /// The name for programs.
  fileprivate var kind: String {
    switch self {
    case .wrongPassword, .passwordNeeded: "wrongPassword"
    case .unsupported: "unsupported"
    case .damaged: "damaged"
    case .limit: "limit"
    case .notAuthenticated: "notAuthenticated"
    case .noIdentity: "noIdentity"
    case .unreadable: "unreadable"
    @unknown default: "other"
    }
  }
}
