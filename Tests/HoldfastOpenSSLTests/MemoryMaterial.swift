#if OpenSSL
  import HoldfastDER
  import Synchronization
  import TestSupport

  @testable import HoldfastOpenSSL
  @testable import Holdfast

  /// What one side of a connection presents.
  struct MemoryIdentity {
    /// Its own certificate first.
    var chain: [Certificate]
    var key: MemoryKey
    /// The OCSP response that a server staples. RFC 6066 §8.
    var staple: [UInt8]?
    /// The data of a server's extension 18. RFC 6962 §3.3.1.
    var timestamps: [UInt8]?

    init(_ chain: [Certificate], key: UInt64 = 100, staple: OCSPResponse? = nil) throws {
      self.chain = chain
      self.key = try MemoryKey(key)
      self.staple = staple?.der
    }
  }

  /// The certificates of these tests: a root, a CA under it, and servers and clients under both. The
  /// private keys are those of `SignedCertificate`, small numbers.
  enum MemoryMaterial {
    static let host = SignedCertificate.host
    /// A time at which the certificates are valid, whatever day it is.
    static let time = SignedCertificate.time

    /// In a debug build a signature takes long, and most tests have the same ones.
    static let cache = SignatureCache()

    static func root() throws -> Certificate { try SignedCertificate.root() }

    /// The CA, whose key is 2.
    static func issuer() throws -> Certificate {
      try SignedCertificate.authority("Issuer", 2, by: "Root", 1) { $0.serialNumber = 9 }
    }

    static func server() throws -> MemoryIdentity {
      try MemoryIdentity([SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 2 }])
    }

    /// A server's certificate by the CA.
    static func leaf(
      names: [[UInt8]] = [Made.dns(host)], _ change: (inout SignedCertificate) -> Void = { _ in }
    ) throws -> Certificate {
      try SignedCertificate.leaf(by: "Issuer", 2, names: names) {
        $0.serialNumber = 4
        change(&$0)
      }
    }

    static func client(
      by issuer: String = "Root", _ signer: UInt64 = 1,
      _ change: (inout SignedCertificate) -> Void = { _ in }
    ) throws -> MemoryIdentity {
      let certificate = try SignedCertificate.leaf(
        by: issuer, signer, names: [Made.dns("client.example")]
      ) {
        $0.serialNumber = 3
        $0.key = 101
        $0.extensions.append(purpose("1.3.6.1.5.5.7.3.2"))
        change(&$0)
      }
      return try MemoryIdentity([certificate], key: 101)
    }

    /// The extended key usage of servers, 1, or of clients, 2. RFC 5280 §4.2.1.12.
    static func purpose(_ id: String) -> [UInt8] {
      Made.extension("2.5.29.37", Made.der(0x30, Made.oid(id)))
    }

    static func validator(_ rules: ValidationRules = .rfc5280) throws -> PathValidator {
      PathValidator(anchors: AnchorSet([try root()]), rules: rules, cache: cache)
    }

    static func verifier() throws -> TLSVerifier {
      TLSVerifier(try validator(), clock: { time })
    }

    /// A manager with the keys of some certificates as the pins of the host; without any it needs
    /// none.
    static func manager(
      pins: [Certificate] = [], revocation: Revocation? = nil,
      transparency: TransparencyCheck? = nil
    ) throws -> TrustManager {
      // A second pin, as every set needs a backup.
      let keys = try pins + [SignedCertificate.leaf(by: "Root", 1) { $0.key = 199 }]
      let table = try PinTable(pins.isEmpty ? [:] : [host: PinSet(keys.map { Pin(keyOf: $0) })])
      return TrustManager(
        pins: table, anchors: AnchorSet([TrustAnchor(try root(), isPublic: transparency != nil)]),
        rules: .rfc5280, cache: cache, revocation: revocation, transparency: transparency,
        otherHosts: pins.isEmpty ? .validate : .reject)
    }
  }

  /// A clock that stands still until it is moved.
  final class MemoryClock: Sendable {
    private let seconds = Atomic<Int64>(0)
    var now: Timestamp {
      MemoryMaterial.time.advanced(bySeconds: seconds.load(ordering: .relaxed))
    }
    func advance(bySeconds count: Int64) { seconds.add(count, ordering: .relaxed) }
    func advance(byDays count: Int64) { advance(bySeconds: count * 86_400) }
  }

  /// The ways to a verifier of servers.
  enum Policy: CaseIterable, Sendable {
    case validator, manager, evaluator
    /// A decision of the caller's that asks only whether there is a path.
    case careless

    func verifier(
      _ revocation: Revocation? = nil,
      at clock: @escaping @Sendable () -> Timestamp = {
        MemoryMaterial.time
      }
    ) throws -> TLSVerifier {
      let validator = PathValidator(
        anchors: AnchorSet([try MemoryMaterial.root()]), rules: .rfc5280,
        cache: MemoryMaterial.cache, revocation: revocation)
      let manager = try MemoryMaterial.manager(revocation: revocation)
      return switch self {
      case .validator: TLSVerifier(validator, clock: clock)
      case .manager: TLSVerifier(manager, clock: clock)
      case .evaluator: TLSVerifier(manager, validator: validator, clock: clock)
      case .careless:
        TLSVerifier(clock: clock) { peer in
          let chain = try peer.chain.map { try Certificate(der: $0) }
          let path = try validator.validate(chain, for: .any, at: peer.time)
          return Verdict(.validPath, host: peer.host, path: path, at: peer.time)
        }
      }
    }
  }

  /// What a verifier has decided, without the details.
  enum Decision: Equatable, Sendable {
    /// There was nothing to decide.
    case notAsked
    case accepted
    case rejected(Rule)
    case pins, transparency, session, noHost, severalHosts, notSeen, wrongSide, servers, other

    init(_ outcome: TLSOutcome?) {
      guard case .rejected(let rejection) = outcome else {
        self = outcome == nil ? .notAsked : .accepted
        return
      }
      if let rule = rejection.rule {
        self = .rejected(rule)
        return
      }
      self =
        switch rejection.reason {
        case .notTrusted(.pinMismatch): .pins
        case .notTrusted(.insufficientTransparency): .transparency
        case .sessionNotValid: .session
        case .noHost: .noHost
        case .severalHosts: .severalHosts
        case .certificatesNotSeen: .notSeen
        case .wrongSide: .wrongSide
        case .verifiesServers: .servers
        default: .other
        }
    }
  }
#endif
