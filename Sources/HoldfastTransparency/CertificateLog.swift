public import HoldfastCertificates
internal import HoldfastHashes
internal import HoldfastPaths
internal import HoldfastSignatures
internal import Synchronization

/// A log of a list, with what the list says about it.
public struct CertificateLog: Sendable, Hashable {
  /// The identifier, which is the SHA-256 of the key.
  public let id: LogID
  /// The key that verifies the log's signatures.
  public let key: PublicKey
  /// The list's description of the log; empty if it has none.
  public internal(set) var name = ""
  /// The operator now.
  public internal(set) var operatorName = ""
  /// Former operators, in the order of the list.
  package internal(set) var previousOperators: [PreviousOperator] = []
  /// The state; nil if the list states none. Then the log never counts.
  public internal(set) var state: State?
  /// The interface that the log offers.
  package internal(set) var interface = Interface.rfc6962
  /// Whether the list marks the log as one for tests or for monitoring only. Then it never counts.
  package internal(set) var isForTests = false
  /// The certificates that the log accepts, by the end of their validity; nil for any.
  package internal(set) var interval: Range<LogTime>?
  /// The address to which certificates are submitted; empty if the list has none.
  public internal(set) var url = ""

  init(_ key: PublicKey, id: LogID) {
    self.id = id
    self.key = key
  }

  /// A former operator of a log.
  package struct PreviousOperator: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The first time at which another operator ran the log.
    package let end: LogTime
  }

  /// The interface of a log, which tells whether it is tiled.
  package enum Interface: Sendable, Hashable {
    /// The interface of RFC 6962.
    case rfc6962
    /// Static tiles: c2sp.org/static-ct-api.
    case tiled
  }

  /// The state of a log in a list, and since when.
  public struct State: Sendable, Hashable, CustomStringConvertible {
    /// The kind of the state.
    public let kind: Kind
    /// The time at which the log entered the state, or will enter it.
    public let since: LogTime

    /// The states of log lists.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The log applied for inclusion.
      case pending
      /// The log was accepted, and clients may not know it yet.
      case qualified
      /// The log may be relied upon.
      case usable
      /// The log accepts nothing new, and what it signed stays valid.
      case readonly
      /// The log was trusted until the time of the state.
      case retired
      /// The log was never trusted.
      case rejected
    }

    /// `retired since 2025-01-01T00:00:00.000Z`.
    public var description: String { "\(kind.rawValue) since \(since)" }
  }

  /// Returns the operator at a time: the first former operator whose time had not ended, or the
  /// present one.
  package func operatorName(at time: LogTime) -> String {
    previousOperators.first { time < $0.end }?.name ?? operatorName
  }
}

/// Trust in a log at a time.
extension CertificateLog {
  /// How far a log is trusted at some time.
  enum Acceptance: Hashable {
    case untrusted
    case approved
    case retired(since: LogTime)
  }

  /// Returns how far the log is trusted at a time, by a list that may announce a state in advance.
  func acceptance(at time: LogTime) -> Acceptance {
    guard let state, !isForTests else { return .untrusted }
    let hasBegun = state.since <= time
    switch state.kind {
    case .pending, .rejected: return .untrusted
    case .qualified: return hasBegun ? .approved : .untrusted
    // A log is qualified before it is usable, and usable before it is read-only or retired.
    case .usable, .readonly: return .approved
    case .retired: return hasBegun ? .retired(since: state.since) : .approved
    }
  }
}

/// Signatures of a log.
extension CertificateLog {
  /// Whether the log's key is one with which RFC 6962 §2.1.4 lets a log sign.
  var hasUsableKey: Bool { algorithm != nil }

  private var algorithm: SignedCertificateTimestamp.Algorithm? {
    switch key.kind {
    case .ec(.p256): .ecdsa
    case .rsa: key.bits.map { $0 >= 2048 } == true ? .rsa : nil
    default: nil
    }
  }

  /// Verifies the signature of a timestamp over an entry.
  ///
  /// - Parameter prepared: The log's key.
  func verify(
    _ timestamp: SignedCertificateTimestamp, of entry: LogEntry, by prepared: LogKey
  ) -> SignatureProblem? {
    guard let algorithm else { return .unsupportedKey }
    guard timestamp.algorithm == algorithm else {
      return .unsupportedAlgorithm(timestamp.algorithm)
    }
    guard let key = prepared.key(key).verificationKey() else { return .unsupportedKey }
    let signature = timestamp.signature
    let answer = key.verify(
      algorithm == .rsa ? .rsaPKCS1(.sha256) : .ecdsa(.sha256),
      digest: timestamp.signedDigest(of: entry),
      signature: signature.input.span.extracting(signature.range))
    return answer == .valid ? nil : .doesNotVerify
  }
}

extension SignedCertificateTimestamp {
  /// Returns the SHA-256 of what the log signed: `digitally-signed` of RFC 6962 §3.2.
  func signedDigest(of entry: LogEntry) -> Digest {
    var hash = SHA256()
    // Version 1, certificate_timestamp.
    hash.update([2 of UInt8](repeating: 0).span)
    hash.update(timeBytes.input.span.extracting(timeBytes.range))
    entry.update(&hash)
    hash.update(bytes.input.span.extracting(extensionsWithLength.range))
    return hash.finish()
  }
}

/// The key of a log, prepared when it is first used and kept.
final class LogKey: Sendable {
  // A load acquires what `storeIfNil` releases, so the key is seen complete; all threads get the
  // first that was stored.
  private let prepared = AtomicLazyReference<PreparedKey>()

  func key(_ key: PublicKey) -> PreparedKey {
    prepared.load() ?? prepared.storeIfNil(PreparedKey(key, .reuse))
  }
}

/// Why a signature was not verified.
@nonexhaustive
public enum SignatureProblem: Sendable, Hashable, CustomStringConvertible {
  /// The signature does not verify under the key of the log.
  case doesNotVerify
  /// The log's key does not sign with these algorithms, or RFC 6962 §2.1.4 does not allow them.
  case unsupportedAlgorithm(SignedCertificateTimestamp.Algorithm)
  /// The log's key is neither on P-256 nor an RSA key of at least 2,048 bits.
  case unsupportedKey
  /// The key of the issuer, which the log signs too, is not known: the certificate is itself an
  /// anchor.
  case unknownIssuer

  /// `the signature does not verify`.
  public var description: String {
    switch self {
    case .doesNotVerify: "the signature does not verify"
    case .unsupportedAlgorithm(let algorithm): "unsupported algorithm (\(algorithm))"
    case .unsupportedKey: "the log's key is neither on P-256 nor RSA of at least 2,048 bits"
    case .unknownIssuer: "the issuer's key is not known"
    }
  }
}
