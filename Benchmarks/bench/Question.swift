internal import Foundation
internal import Holdfast
internal import HoldfastPaths

/// A chain of the folder `bench` of the vectors: the certificates that a server sends and the
/// anchor, as bytes.
struct ChainFiles: Sendable {
  let name: String
  /// The name in reports.
  let title: String
  /// The leaf first.
  let chain: [[UInt8]]
  let root: [UInt8]
  /// More leaves of the same issuer, for the same host.
  let leaves: [[UInt8]]

  /// The folder of the vectors.
  static let folder = Bench.environment["BENCH_VECTORS"] ?? "Vectors/bench"

  static let all = [
    ("a_rsa2048", "RSA-2048"), ("b_p256", "P-256"), ("c_p256_p384root", "P-256 under P-384"),
    ("d_rsa4096root_mixed", "P-256 under RSA-4096"), ("e_p384", "P-384"),
    ("f_rsapss2048", "RSA-PSS-2048"), ("g_ed25519", "Ed25519"),
  ].compactMap { ChainFiles($0, title: $1) }

  static subscript(name: String) -> ChainFiles? { all.first { $0.name == name } }

  init?(_ name: String, title: String = "") {
    let folder = "\(ChainFiles.folder)/\(name)"
    guard let leaf = ChainFiles.bytes("\(folder)/leaf.der"),
      let root = ChainFiles.bytes("\(folder)/root.der") ?? ChainFiles.bytes("\(folder)/anchor.der"),
      let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return nil }
    // The same certificates may be there as PEM, too.
    let others = files.filter {
      $0.hasSuffix(".der") && ($0 == "intermediate.der" || $0.first?.isNumber == true)
    }
    (self.name, self.title, self.root) = (name, title, root)
    chain = [leaf] + others.sorted().compactMap { ChainFiles.bytes("\(folder)/\($0)") }
    leaves = ChainFiles.certificates("\(folder)/leaves.der")
  }

  static func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  /// Reads the concatenated certificates of a file; returns none if there is no file.
  static func certificates(_ path: String) -> [[UInt8]] {
    bytes(path).map { CertificateBundle($0).certificates.map(\.der) } ?? []
  }
}

/// A validation that every library performs: the chain that a server sent, the anchors, the host,
/// and the right answer. All validations by our library are here.
struct Question: Sendable {
  /// The leaf first.
  var chain: [[UInt8]]
  var anchors: [[UInt8]]
  var host = "www.bench.example.com"
  /// 2026-11-15T12:00:00Z
  var seconds: Int64 = 1_794_744_000
  var isValid = true

  private var time: Timestamp { Timestamp(secondsSince1970: seconds) }

  init(_ files: ChainFiles) {
    self.init(chain: files.chain, anchors: [files.root])
  }

  init(chain: [[UInt8]], anchors: [[UInt8]]) {
    (self.chain, self.anchors) = (chain, anchors)
  }

  /// The same question for a host that the leaf does not cover.
  var forWrongHost: Question {
    var other = self
    (other.host, other.isValid) = ("www.other.example.net", false)
    return other
  }

  /// The same question with a bit changed in the signature that is verified last.
  var withBadSignature: Question {
    var other = self
    if let last = other.chain.last?.indices.last { other.chain[other.chain.count - 1][last] ^= 1 }
    other.isValid = false
    return other
  }

  /// The same question a century later, when all certificates have expired.
  var afterExpiry: Question {
    var other = self
    (other.seconds, other.isValid) = (seconds + 3_155_760_000, false)
    return other
  }

  /// The same question without the intermediates.
  var withoutIntermediates: Question {
    var other = self
    (other.chain, other.isValid) = ([chain[0]], false)
    return other
  }

  /// The same question with the anchors of another one.
  func under(_ anchors: [[UInt8]]) -> Question {
    var other = self
    (other.anchors, other.isValid) = (anchors, false)
    return other
  }

  /// The same question in the protocol of the peers.
  var inquiry: Inquiry {
    Inquiry(
      parts: anchors.map { Inquiry.part("anchor", $0) }
        + chain.enumerated().map { Inquiry.part($0 == 0 ? "leaf" : "intermediate", $1) },
      line: "validate \(host) \(seconds)", answer: isValid ? "valid" : "invalid")
  }
}

extension Question {
  static func canRead(_ der: [UInt8]) -> Bool { (try? Certificate(der: der)) != nil }

  /// The certificates of the chain.
  var certificates: [Certificate] { chain.compactMap { try? Certificate(der: $0) } }

  /// The anchors, with their keys prepared.
  var preparedAnchors: AnchorSet {
    let set = AnchorSet(anchors.compactMap { try? Certificate(der: $0) })
    set.prepareKeys()
    return set
  }

  /// Returns a validator that trusts the anchors and uses a signature cache.
  func validator(_ cache: SignatureCache? = nil) -> PathValidator {
    PathValidator(anchors: preparedAnchors, cache: cache)
  }

  /// Whether our answer is right, for parsed certificates.
  func isRight(_ validator: PathValidator, _ certificates: [Certificate]) -> Bool {
    do {
      _ = try validator.validate(certificates, for: .server(host), at: time)
      return isValid
    } catch {
      return !isValid
    }
  }

  /// Whether our answer is right; parses the certificates first.
  func isRight(_ validator: PathValidator) -> Bool {
    do {
      return isRight(validator, try chain.map { try Certificate(der: $0) })
    } catch {
      return !isValid
    }
  }

  /// Returns work that parses and validates the chain, with its own validator.
  func validation(remembering: Bool = false) -> () -> Bool {
    let validator = validator(remembering ? SignatureCache() : nil)
    return { isRight(validator) }
  }

  /// Returns work that validates parsed certificates.
  func search() -> () -> Bool {
    let (validator, certificates) = (validator(), certificates)
    return { isRight(validator, certificates) }
  }

  /// Our library with only the anchors' keys prepared.
  var cold: Contender { .ours("cold", validation()) }

  /// Our library with the signatures of the same chain cached.
  var warm: Contender { .ours("warm", validation(remembering: true)) }

  /// Returns our library with the issuer cached and a leaf that was never seen, or was evicted.
  func newLeaves(_ leaves: [[UInt8]]) -> Contender? {
    // So small that a leaf is evicted before it comes again; entries used each time are kept.
    let validator = validator(SignatureCache(capacity: 8))
    let questions = leaves.map { leaf in
      var question = self
      question.chain[0] = leaf
      return question
    }
    guard questions.count > 8 else { return nil }
    var turn = 0
    return .ours("new leaf") {
      turn = (turn + 1) % questions.count
      return questions[turn].isRight(validator)
    }
  }
}

// The same question for the layers above a validator.
extension Question {
  /// Whether a manager's answer is right.
  func isTrusted(by manager: TrustManager, _ certificates: [Certificate]) -> Bool {
    (try? manager.evaluate(certificates, host: host, at: time)) != nil
  }

  /// Whether a manager's answer is right for the chain in DER, as a TLS library has it.
  func isTrusted(by manager: TrustManager) -> Bool {
    (try? manager.evaluate(der: chain, host: host, at: time)) != nil
  }

  /// Whether an evaluator's answer is right.
  func isTrusted(
    by evaluator: some TrustEvaluating, _ validator: PathValidator, _ certificates: [Certificate]
  ) -> Bool {
    let trust = ServerTrust(chain: certificates, validator: validator, at: time)
    return (try? evaluator.evaluate(trust, for: host)) != nil
  }

  /// Returns copies of the same request, each with its own certificates.
  func requests(_ count: Int) -> [HoldfastPaths.Question] {
    (0..<count).compactMap { _ in
      try? HoldfastPaths.Question(certificates, for: .server(host), at: time)
    }
  }

  /// Whether all answers are right, one after another or several at once. Several are taken on an actor,
  /// if there is one.
  func areRight(
    _ requests: [HoldfastPaths.Question], _ validator: PathValidator, concurrency: Int,
    on actor: isolated (any Actor)? = nil
  ) async -> Bool {
    if concurrency > 1 {
      var count = 0
      do {
        for try await answer in validator.answers(
          to: Ready(requests: requests), concurrency: concurrency)
        {
          guard case .success = answer else { return false }
          count += 1
        }
      } catch {
        return false
      }
      return count == requests.count
    }
    return requests.allSatisfy { isRight(validator, $0.chain) }
  }
}

/// Requests that are there: an `AsyncStream` would be filled by one thread before the answers begin.
private struct Ready: AsyncSequence, Sendable {
  let requests: [HoldfastPaths.Question]

  func makeAsyncIterator() -> Iterator { Iterator(rest: requests[...]) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<HoldfastPaths.Question>

    mutating func next() async -> HoldfastPaths.Question? { rest.popFirst() }
  }
}
