public import HoldfastCertificates
internal import HoldfastDER

/// What is known of revocations, and what it takes to be believed. Nothing is ever fetched.
///
/// ```swift
/// let revocation = Revocation(.required(of: .leaf), lists: lists, answers: [stapled])
/// let path = try validator.validate(chain, for: .server("example.com"), revocation: revocation)
/// for certificate in path.revocation { print(certificate) }
/// ```
///
/// Lists are judged by RFC 5280 §6.3, answers by RFC 6960 §3.2. A revocation in an authentic list or
/// answer counts whatever others say, even if they are newer: RFC 5280 §5.3.1 removes no entry but that
/// of a certificate on hold, which a newer source ends, and one that a delta list takes off its own
/// complete list. Otherwise an answer for the very certificate counts before lists.
/// `CertificateRevocation.facts` has the source that decided, and why others were passed over.
public struct Revocation: Sendable {
  /// What is asked of each path.
  public var demand: Demand

  /// The lists, complete and delta.
  public var lists: [RevocationList]

  /// The OCSP answers, stapled or fetched by the caller.
  public var answers: [OCSPAnswer]

  /// Certificates of signers of lists and answers, beside those that are sent with the leaf.
  ///
  /// They are not trusted: they are validated by the same rules, to the same anchor.
  public var signers: [Certificate]

  /// How far, in seconds, clocks may differ: so much a time may be in the future, or past.
  public var tolerance: Int64 = 0

  /// How old, in seconds, a list or an answer may be.
  ///
  /// Nil for as old as its nextUpdate allows, and then one without nextUpdate is not used.
  public var maximumAge: Int64?

  /// Whether a signer of lists off the path may have its certificate from any CA below the same
  /// anchor, which is all that RFC 5280 §6.3.3 (f) asks.
  ///
  /// Without it, the certificate must be issued under a key of the path itself, above the certificate
  /// that the list is about: otherwise each CA below an anchor could clear the revocations of all
  /// others.
  public var acceptsSignersOfOtherAuthorities = false

  /// What an answer must repeat, if the caller has asked with a nonce: RFC 9654.
  public var nonce: [UInt8]?

  /// Whether a leaf that promises a stapled answer is refused without one: RFC 7633.
  public var honorsMustStaple = true

  /// What is asked of each path.
  public enum Demand: Sendable, Hashable {
    /// Revocation is not checked.
    case ignored
    /// Soft-fail: a revoked certificate is refused, one of unknown status passes, and the path says so.
    case ifAvailable
    /// Hard-fail: a revoked certificate is refused, and so is one of unknown status.
    case required(of: Scope)
  }

  /// Of which certificates the status must be known.
  public enum Scope: Sendable, Hashable {
    /// Of the leaf; a revoked certificate above it is refused all the same.
    case leaf
    /// Of every certificate but the anchor.
    case everyCertificate
  }

  /// What is known, and what is asked of it.
  public init(
    _ demand: Demand = .ifAvailable, lists: [RevocationList] = [], answers: [OCSPAnswer] = [],
    signers: [Certificate] = []
  ) {
    self.demand = demand
    self.lists = lists
    self.answers = answers
    self.signers = signers
  }

  /// What is known, from lists and answers that were not used before.
  public init(
    _ demand: Demand = .ifAvailable, lists: [CertificateList], answers: [OCSPResponse] = [],
    signers: [Certificate] = []
  ) {
    self.init(
      demand, lists: lists.map { RevocationList($0) }, answers: answers.map { OCSPAnswer($0) },
      signers: signers)
  }

  /// What is known, from answers alone, such as one that a server has stapled.
  public init(
    _ demand: Demand = .ifAvailable, answers: [OCSPResponse], signers: [Certificate] = []
  ) {
    self.init(demand, answers: answers.map { OCSPAnswer($0) }, signers: signers)
  }

  /// Whether the status of a certificate must be known.
  func requires(leaf isLeaf: Bool) -> Bool {
    switch demand {
    case .ignored, .ifAvailable: false
    case .required(.leaf): isLeaf
    case .required(.everyCertificate): true
    }
  }
}

/// A revocation list, and the keys under which its signature was found right or wrong.
///
/// All copies share this, so that a signature is verified once, however many certificates and
/// threads ask.
public struct RevocationList: Sendable {
  /// The list.
  public let list: CertificateList

  let issuerHash: UInt64
  let verdicts = SignatureVerdicts()

  /// A list whose signature was not yet verified.
  public init(_ list: CertificateList) {
    self.list = list
    issuerHash = list.issuer.matchingHash
  }
}

/// An OCSP answer, and the keys under which its signature was found right or wrong.
///
/// All copies share this, so that a signature is verified once.
public struct OCSPAnswer: Sendable {
  /// The answer.
  public let response: OCSPResponse

  let verdicts = SignatureVerdicts()

  /// An answer whose signature was not yet verified.
  public init(_ response: OCSPResponse) {
    self.response = response
  }
}

/// What was found of one signature, by the key under which it was verified.
final class SignatureVerdicts: Sendable {
  /// How many keys are remembered; beyond it signatures are verified each time.
  static let maximumKeys = 16

  private let known = Guarded<[(key: Bytes, isRight: Bool)]>([])

  /// Whether the signature is right under a key, if that is known.
  func verdict(under key: PublicKey) -> Bool? {
    known.withLock { known in known.first { $0.key == key.der }?.isRight }
  }

  /// Keeps what was found.
  func keep(_ isRight: Bool, under key: PublicKey) {
    known.withLock { known in
      // A right key is worth more than any number of wrong ones.
      if known.count >= SignatureVerdicts.maximumKeys {
        guard isRight else { return }
        known.removeFirst()
      }
      known.append((key.der, isRight))
    }
  }
}
