internal import HoldfastCertificates
public import HoldfastDER

extension IdentityError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String {
    errorCode.rawValue
  }

  private var errorCode: ErrorCode {
    switch problem {
    case .wrongPassword: .wrongPassword
    case .passwordNeeded: .passwordNeeded
    case .unsupported: .unsupportedIdentity
    case .damaged: .invalidIdentity
    case .limit: .tooLarge
    case .notAuthenticated: .notAuthenticated
    case .noIdentity: .noIdentity
    case .unreadable: .unreadableFile
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .wrongPassword:
      file.map { "The password of \($0) is wrong, or the file is damaged." }
        ?? "The password is wrong, or the file is damaged."
    case .passwordNeeded: "The file\(name) needs a password."
    case .unsupported: "The file\(name) is protected in a way that is not supported."
    case .damaged: "The file\(name) is damaged or of another kind."
    case .limit: "The file\(name) is too large or takes too long to open."
    case .notAuthenticated: "The file\(name) is not protected against changes."
    case .noIdentity(.noKey): "The file\(name) has no private key."
    case .noIdentity(.noCertificate): "The file\(name) has no certificate."
    case .noIdentity(.noMatch): "The private key and the certificate do not belong together."
    case .noIdentity(.several): "The file\(name) has several private keys where one is expected."
    case .unreadable: "The file\(name) cannot be read."
    }
  }

  /// `client.p12: the password is wrong`, `client.p12: macData: … at byte 3 [X.690 §8.1.3]`.
  public var description: String { (file.map { "\($0): " } ?? "") + "\(problem)\(advice)" }

  /// How a second file is read, if the only one has half of an identity.
  private var advice: String {
    switch problem {
    case .noIdentity(.noKey) where isOnlyFile, .noIdentity(.noCertificate) where isOnlyFile:
      "; Identity(certificateFile:keyFile:) reads two"
    default: ""
    }
  }
}

extension IdentityError.Problem: CustomStringConvertible {
  /// `the password is wrong`, `macData: … at byte 3 [X.690 §8.1.3]`.
  public var description: String {
    switch self {
    case .wrongPassword(let locked): "\(locked)"
    case .passwordNeeded: "it needs a password"
    case .unsupported(let unsupported): "\(unsupported)"
    case .damaged(let damage): "\(damage)"
    case .limit(let limit): "\(limit)"
    case .notAuthenticated: "the file has no MAC that authenticates it [RFC 7292 §5.1]"
    case .noIdentity(let reason): "\(reason)"
    case .unreadable(let message): message
    }
  }
}

extension IdentityError.Locked: CustomStringConvertible {
  /// The message.
  public var description: String {
    switch self {
    case .file: "the password is wrong, or the file is damaged"
    case .contents: "the password is wrong, or the encrypted contents are damaged"
    case .contentsOnly:
      "the contents are encrypted under another password than the file is authenticated with"
    case .privateKey: "the password of the private key is wrong, or the key is damaged"
    }
  }
}

extension IdentityError.Unsupported: CustomStringConvertible {
  /// `encryption pbeWithMD5AndDES-CBC (1.2.840.113549.1.5.3) is not supported`.
  public var description: String {
    let words = [name, oid.map { name == nil ? "\($0)" : "(\($0))" }].compactMap { $0 }
    return "\(role) \(words.joined(separator: " ")) is not supported"
  }
}

extension IdentityError.Role: CustomStringConvertible {
  /// `key derivation`.
  public var description: String {
    switch self {
    case .encryption: "encryption"
    case .keyDerivation: "key derivation"
    case .keyedHash: "keyed hash"
    case .authentication: "authentication"
    case .contentType: "content type"
    case .bagType: "bag type"
    case .certificateType: "certificate type"
    case .keyAlgorithm: "key algorithm"
    }
  }
}

extension IdentityError.Limit: CustomStringConvertible {
  /// `20000000 iterations are more than the limit of 10000000`.
  public var description: String {
    switch self {
    case .fileSize(let found, let maximum): "\(found) bytes are more than the limit of \(maximum)"
    case .bags(let maximum): "more than \(maximum) entries"
    case .nesting(let maximum): "bags nested deeper than \(maximum)"
    case .iterations(let found, let maximum):
      "\(found) iterations are more than the limit of \(maximum)"
    case .totalIterations(let found, let maximum):
      "\(found) iterations for the whole file are more than the limit of \(maximum)"
    case .scryptMemory(let found, let maximum):
      "\(found) bytes of memory for scrypt are more than the limit of \(maximum)"
    }
  }
}

extension IdentityError.NoIdentity: CustomStringConvertible {
  /// The message.
  public var description: String {
    switch self {
    case .noKey: "the file has no private key"
    case .noCertificate: "the file has no certificate"
    case .noMatch: "no private key of the file belongs to one of its certificates"
    case .several(let count): "the file has \(count) identities where one is expected"
    }
  }
}

extension Damage: CustomStringConvertible {
  /// The field, the problem, the byte and the rule.
  public var description: String {
    switch problem {
    case .der(let problem): "\(field): \(problem) at byte \(offset) [\(citation)]"
    case .pem(let error): "\(error)"
    case .isPEM: "this is PEM, not PKCS #12"
    case .certificate(let error), .crl(let error): "\(field) at byte \(offset): \(error)"
    }
  }

  /// The section that is violated.
  public var citation: String {
    switch problem {
    case .der(.badValue), .der(.empty), .der(.duplicate), .der(.notInThisVersion): field.citation
    case .der(let problem): problem.citation
    case .pem(let error): error.citation
    case .certificate(let error): error.citation
    case .crl, .isPEM: field.citation
    }
  }
}

extension IdentityError.Field: CustomStringConvertible {
  /// The name that the RFC gives the field.
  public var description: String {
    switch self {
    case .pfx: "PFX"
    case .macData: "macData"
    case .authenticatedSafe: "AuthenticatedSafe"
    case .contentInfo: "ContentInfo"
    case .encryptedData: "EncryptedData"
    case .safeContents: "SafeContents"
    case .safeBag: "SafeBag"
    case .bagAttributes: "bagAttributes"
    case .encryptionParameters: "encryption parameters"
    case .encryptedPrivateKey: "EncryptedPrivateKeyInfo"
    case .privateKey: "PrivateKeyInfo"
    case .signedData: "SignedData"
    case .certificate: "certificate"
    case .crl: "CRL"
    case .pem: "PEM"
    }
  }

  /// The section that defines the field.
  public var citation: String {
    switch self {
    case .pfx, .macData: "RFC 7292 §4"
    case .authenticatedSafe: "RFC 7292 §4.1"
    case .contentInfo: "RFC 2315 §7"
    case .encryptedData: "RFC 2315 §13"
    case .safeContents, .safeBag, .bagAttributes: "RFC 7292 §4.2"
    case .encryptionParameters: "RFC 8018 appendix A"
    case .encryptedPrivateKey: "RFC 5958 §3"
    case .privateKey: "RFC 5958 §2"
    case .signedData: "RFC 5652 §5.1"
    case .certificate: "RFC 5280 §4.1"
    case .crl: "RFC 5280 §5.1"
    case .pem: "RFC 7468 §3"
    }
  }

  /// The part of a file that offsets of this field are relative to.
  public var origin: String {
    switch self {
    case .pfx, .macData: "the file"
    case .authenticatedSafe, .contentInfo, .encryptedData: "the authenticated contents"
    case .safeContents, .safeBag, .bagAttributes: "the decrypted contents"
    case .encryptionParameters: "the algorithm"
    case .encryptedPrivateKey, .privateKey: "the key"
    case .signedData, .certificate, .crl, .pem: "the file"
    }
  }
}
