/// How much work one validation may cost. Running out is an answer of its own, never a rejection.
public struct Limits: Sendable, Hashable {
  /// The most signatures that are verified. Go's limit is the same. One that takes a few
  /// milliseconds counts as a few: under RSA with more than 4,096 bits and an unusual exponent or
  /// with more than 8,192, on the curves of Brainpool, on P-224 and on secp256k1.
  public var publicKeyOperations = 100
  /// The most certificates that are tried as the next of some path.
  public var steps = 2_000
  /// The most comparisons of a name with a constraint. webpki and Go have the same limit. A long one
  /// counts as one for every 128 bytes.
  public var nameComparisons = 250_000
  /// The most bytes that are compared to find issuers, and looked at again on each path: those of
  /// names, keys, key identifiers and policies. Of what is compared as it is written, and not
  /// folded as names are, one byte in eight counts. The limit is ours: twice the names of 4 MiB of
  /// certificates, which take 50 ms or so. An honest chain needs a few thousand.
  public var comparedBytes = 8 << 20
  /// The most nodes of the policy graph. OpenSSL has the same limit.
  public var policyNodes = 1_000
  /// The most subtrees of names that one issuer may have. The limit is ours.
  public var constraintSubtrees = 2_048
  /// The most certificates in a path, leaf and anchor counted; 1 to 32.
  public var pathLength = 10 {
    didSet { pathLength = min(max(pathLength, 1), 32) }
  }
  /// The most intermediate certificates that are looked at. Those after them are not.
  public var candidates = 256

  /// The limits that are kept unless the caller says otherwise.
  public init() {}

  /// The limits that are kept unless the caller says otherwise.
  public static let `default` = Limits()
}

/// The limit that was reached, with its value.
public enum LimitReached: Sendable, Hashable {
  /// Signatures that are verified.
  case publicKeyOperations(Int)
  /// Certificates that are tried as the next of some path.
  case steps(Int)
  /// Comparisons of a name with a constraint.
  case nameComparisons(Int)
  /// Bytes that are compared to find issuers, or looked at again on each path.
  case comparedBytes(Int)
  /// Nodes of the policy graph.
  case policyNodes(Int)
  /// Subtrees of names of one issuer.
  case constraintSubtrees(Int)
  /// Certificates in a path.
  case pathLength(Int)
  /// Intermediate certificates that are looked at.
  case candidates(Int)
}

extension LimitReached {
  /// The name of the limit, as it is called in `Limits`.
  package var name: String {
    switch self {
    case .publicKeyOperations: "publicKeyOperations"
    case .steps: "steps"
    case .nameComparisons: "nameComparisons"
    case .comparedBytes: "comparedBytes"
    case .policyNodes: "policyNodes"
    case .constraintSubtrees: "constraintSubtrees"
    case .pathLength: "pathLength"
    case .candidates: "candidates"
    }
  }

  /// The value of the limit.
  package var limit: Int {
    switch self {
    case .publicKeyOperations(let limit), .steps(let limit), .nameComparisons(let limit),
      .comparedBytes(let limit), .policyNodes(let limit), .constraintSubtrees(let limit),
      .pathLength(let limit), .candidates(let limit):
      limit
    }
  }
}

extension LimitReached: CustomStringConvertible {
  /// `limit of 100 publicKeyOperations reached`.
  public var description: String { "limit of \(limit) \(name) reached" }
}

/// What is left of the limits. One value goes through all the work of a validation.
package struct Budget: Sendable {
  package let limits: Limits
  package private(set) var publicKeyOperations: Int
  package private(set) var steps: Int
  package private(set) var nameComparisons: Int
  package private(set) var comparedBytes: Int
  package private(set) var policyNodes: Int

  package init(_ limits: Limits = .default) {
    self.limits = limits
    publicKeyOperations = limits.publicKeyOperations
    steps = limits.steps
    nameComparisons = limits.nameComparisons
    comparedBytes = limits.comparedBytes
    policyNodes = limits.policyNodes
  }

  /// Pays for one signature, which may count as a few.
  package mutating func spendPublicKeyOperation(_ work: Int = 1) throws(CheckFailure) {
    guard work <= publicKeyOperations else {
      throw .limitReached(.publicKeyOperations(limits.publicKeyOperations))
    }
    publicKeyOperations -= work
  }

  /// Pays for one candidate.
  package mutating func spendStep() throws(CheckFailure) {
    guard steps > 0 else { throw .limitReached(.steps(limits.steps)) }
    steps -= 1
  }

  /// Pays for some comparisons of a name with a constraint.
  package mutating func spendNameComparisons(_ count: Int = 1) throws(CheckFailure) {
    guard count <= nameComparisons else {
      throw .limitReached(.nameComparisons(limits.nameComparisons))
    }
    nameComparisons -= count
  }

  /// Pays for bytes that are folded to be compared, or looked at again.
  @inline(__always)
  package mutating func spendComparedBytes(_ count: Int) throws(CheckFailure) {
    guard count <= comparedBytes else { throw .limitReached(.comparedBytes(limits.comparedBytes)) }
    comparedBytes -= count
  }

  /// Pays for bytes that are compared as they are written: many at a time, so an eighth counts.
  @inline(__always)
  package mutating func spendPlainBytes(_ count: Int) throws(CheckFailure) {
    try spendComparedBytes(count >> 3 + 1)
  }

  /// Pays for some nodes of the policy graph.
  package mutating func spendPolicyNodes(_ count: Int = 1) throws(CheckFailure) {
    guard count <= policyNodes else { throw .limitReached(.policyNodes(limits.policyNodes)) }
    policyNodes -= count
  }
}
