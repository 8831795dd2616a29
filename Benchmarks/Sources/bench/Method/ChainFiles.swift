internal import Holdfast
internal import HoldfastDER

/// A chain of `bench` of the vectors: what a server sends, and what is trusted, as octets.
struct ChainFiles: Sendable {
  let name: String
  /// The leaf first.
  let chain: [[UInt8]]
  let root: [UInt8]
  /// More leaves of the same issuer, for the same host.
  let leaves: [[UInt8]]

  static let host = "www.bench.example.com"
  static let wrongHost = "www.other.example.net"
  /// 2026-11-15T12:00:00Z
  static let time: Int64 = 1_794_744_000

  static let names = [
    "a_rsa2048", "b_p256", "c_p256_p384root", "d_rsa4096root_mixed", "e_p384", "f_rsapss2048",
    "g_ed25519",
  ]

  /// What people call the chains.
  var title: String {
    switch name {
    case "a_rsa2048": "RSA-2048"
    case "b_p256": "P-256"
    case "c_p256_p384root": "P-256 under P-384"
    case "d_rsa4096root_mixed": "P-256 under RSA-4096"
    case "e_p384": "P-384"
    case "f_rsapss2048": "RSA-PSS-2048"
    case "g_ed25519": "Ed25519"
    default: name
    }
  }

  /// The folder of the vectors; Scripts/bench looks for it.
  static let folder = Platform.environment("BENCH_VECTORS") ?? "Vectors/bench"

  static let all = names.compactMap { ChainFiles($0) }

  static subscript(name: String) -> ChainFiles? { all.first { $0.name == name } }

  init?(_ name: String) {
    let folder = "\(ChainFiles.folder)/\(name)"
    let isMany = name.hasPrefix("path_")
    guard let leaf = ChainFiles.octets("\(folder)/leaf.der"),
      let root = ChainFiles.octets("\(folder)/\(isMany ? "anchor" : "root").der"),
      let files = Platform.names(inFolder: folder)
    else { return nil }
    let others = files.filter { file in
      file.hasSuffix(".der") && (file == "intermediate.der" || file.first?.isNumber == true)
    }
    self.name = name
    self.root = root
    chain = [leaf] + others.sorted().compactMap { ChainFiles.octets("\(folder)/\($0)") }
    let more = ChainFiles.octets("\(folder)/leaves.der") ?? []
    leaves = more.isEmpty ? [] : CertificateBundle(more).certificates.map(\.der)
  }

  static func octets(_ path: String) -> [UInt8]? {
    try? Platform.readFile(path, limit: 1 << 24)
  }
}

/// A question that every library is asked: what a server sent, what is trusted, for which host, and
/// which answer is right.
struct Question: Sendable {
  /// The leaf first.
  var chain: [[UInt8]]
  var anchors: [[UInt8]]
  var host = ChainFiles.host
  var isValid = true

  init(_ files: ChainFiles) {
    chain = files.chain
    anchors = [files.root]
  }

  /// The same for another host, for which the leaf is not.
  var forWrongHost: Question {
    var other = self
    other.host = ChainFiles.wrongHost
    other.isValid = false
    return other
  }

  /// The same with a bit changed in the last signature of the chain, which is looked at last.
  var withBadSignature: Question {
    var other = self
    if let last = other.chain.last?.indices.last { other.chain[other.chain.count - 1][last] ^= 1 }
    other.isValid = false
    return other
  }

  /// The same with all anchors of the system beside its own.
  func withAnchors(_ others: [[UInt8]]) -> Question {
    var other = self
    other.anchors = others + anchors
    return other
  }

  /// The same with copies of the chain's octets, as each connection brings its own.
  var withOwnOctets: Question {
    var other = self
    other.chain = chain.map { octets in octets.map { $0 } }
    return other
  }

  /// A validator that trusts the anchors, whose keys are prepared.
  func validator(_ memory: SignatureMemory?) -> PathValidator {
    let anchors = AnchorSet(anchors.compactMap { try? Certificate(der: $0) })
    anchors.prepareKeys()
    return PathValidator(anchors: anchors, memory: memory)
  }

  /// Whether our answer is right: certificates read from their octets here, unless they were read
  /// before.
  func isRight(_ validator: PathValidator, _ read: [Certificate]? = nil) -> Bool {
    do {
      let certificates = try read ?? chain.map { try Certificate(der: $0) }
      _ = try validator.validate(
        certificates, for: .server(host), at: Timestamp(secondsSince1970: ChainFiles.time))
      return isValid
    } catch {
      return !isValid
    }
  }

  /// Ours with nothing remembered but the anchors' keys.
  var cold: Contender {
    let validator = validator(nil)
    return .ours("cold") { isRight(validator) }
  }

  /// Ours with the signatures of the same chain remembered.
  var warm: Contender {
    let validator = validator(SignatureMemory())
    return .ours("warm") { isRight(validator) }
  }

  /// Ours where the issuer is remembered and each leaf is one that was never seen, or was forgotten.
  func newLeaves(_ leaves: [[UInt8]]) -> Contender? {
    // So small that it forgets a leaf before that comes again; what is used each time it keeps.
    let validator = validator(SignatureMemory(capacity: 8))
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
