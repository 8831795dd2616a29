public import HoldfastCertificates
public import HoldfastBase

/// Why a trust store, or an entry of it, cannot be read.
public struct TrustStoreError: Error, Sendable, Hashable {
  /// The problem.
  public let problem: Problem
  /// The file, if one was read.
  public let file: String?
  /// The line, from 1; nil if the format has none or the whole file is concerned.
  public let line: Int?
  /// The label of the entry, or its path in JSON; nil if there is none.
  public let label: String?

  package init(
    _ problem: Problem, in file: String? = nil, line: Int? = nil, label: String? = nil
  ) {
    self.problem = problem
    self.file = file
    self.line = line
    self.label = label
  }

  /// The ways in which a store can be wrong.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The file cannot be read; with the system's message.
    case unreadable(String)
    /// More bytes than the limit.
    case tooLarge(limit: Int)
    /// More entries than the limit.
    case tooManyEntries(limit: Int)
    /// No certificate at all.
    case noAnchors
    /// Chrome's textproto names certificates by their digests; they are in another file.
    case certificatesMissing
    /// The text does not follow the format.
    case syntax(String)
    /// A member is missing or not of the expected kind.
    case value(String)
    /// A certificate cannot be read.
    case certificate(ParseError)
    /// The certificate is not in the file of certificates.
    case unknownDigest(String)
    /// The certificate has no entry about its trust, so it is not trusted.
    case noTrust
    /// Another entry has the same certificate.
    case duplicate
    /// Another entry says something else of the certificate, or distrusts it, its key, or its issuer
    /// and serial number, so it is not trusted.
    case contradiction
    /// A constraint that is not understood, so the certificate is not trusted.
    case unknownConstraint(String)
    /// A member of a bundle is not the name of a trust domain. SPIFFE-ID §2.1.
    case trustDomain(SPIFFEIDError)
    /// There are two bundles of this trust domain.
    case repeatedTrustDomain(SPIFFETrustDomain)
    /// The certificate in a bundle is not a CA's. X509-SVID §6.1.
    case notCA(Certificate)
    /// The certificate in a key of a bundle has another key. RFC 7517 §4.7.
    case otherKey(Certificate)
    /// The key in a bundle is left out, as the standard asks for: its type or its use is not known, or
    /// it has no certificate.
    case ignoredKey(String)
  }
}

extension TrustStoreError: HoldfastError {
  /// What is wrong and where: `certdata.txt: trust store, line 17, "Example Root": expected END`.
  public var description: String {
    let location = (line.map { ", line \($0)" } ?? "") + (label.map { ", \"\($0)\"" } ?? "")
    return (file.map { "\($0): " } ?? "") + "trust store\(location): \(problem)"
  }

  /// The stable identifier of what is wrong.
  public var code: String {
    errorCode.rawValue
  }

  private var errorCode: ErrorCode {
    switch problem {
    case .unreadable: .unreadableFile
    case .tooLarge, .tooManyEntries: .tooLarge
    case .noAnchors: .noAnchors
    case .trustDomain: .invalidSPIFFEID
    case .certificatesMissing, .syntax, .value, .certificate, .unknownDigest, .noTrust, .duplicate,
      .contradiction, .unknownConstraint, .repeatedTrustDomain, .notCA, .otherKey, .ignoredKey:
      .invalidTrustStore
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .unreadable: "The file\(name) of trusted certificates cannot be read."
    case .tooLarge, .tooManyEntries: "The file\(name) of trusted certificates is too large."
    case .noAnchors: "The file\(name) has no trusted certificates."
    case .certificatesMissing, .unknownDigest: "The file of certificates for the store is missing."
    case .syntax, .value, .unknownConstraint, .trustDomain:
      "The file\(name) of trusted certificates is damaged."
    case .certificate, .noTrust, .duplicate, .contradiction, .notCA, .otherKey, .ignoredKey:
      "A certificate of the trust store is not usable."
    case .repeatedTrustDomain: "A trust domain has more than one file of trusted certificates."
    }
  }
}

extension TrustStoreError.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .unreadable(let message): message
    case .tooLarge(let limit): "more than \(limit) bytes"
    case .tooManyEntries(let limit): "more than \(limit) entries"
    case .noAnchors: "no certificates"
    case .certificatesMissing: "Chrome's root_store.certs is needed, too"
    case .syntax(let reason): reason
    case .value(let name): "\(name) is missing or has a value that is not allowed"
    case .certificate(let error): "\(error)"
    case .unknownDigest(let digest): "no certificate with the SHA-256 \(digest)"
    case .noTrust: "nothing says what the certificate is trusted for"
    case .duplicate: "another entry has the same certificate"
    case .contradiction: "the store says otherwise elsewhere, so the certificate is not trusted"
    case .unknownConstraint(let name): "the constraint \(name) is not known"
    case .trustDomain(let error): "\(error)"
    case .repeatedTrustDomain(let domain): "another bundle is of the trust domain \(domain), too"
    case .notCA(let certificate): "\(certificate.shortName) is not the certificate of a CA"
    case .otherKey(let certificate):
      "the key is not that of its certificate, \(certificate.shortName)"
    case .ignoredKey(let reason): "left out: \(reason)"
    }
  }
}
