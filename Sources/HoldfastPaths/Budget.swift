/// Limits on the work of one validation. Reaching one is reported as such, never as a rejection.
public struct Limits: Sendable, Hashable {
  /// The maximum number of signatures to verify; Go has the same limit. A slow one counts as
  /// several, about one for each millisecond: under RSA keys of more than 4,096 bits with an
  /// unusual exponent or of more than 8,192 bits, on Brainpool curves, on P-224 and on secp256k1.
  public var publicKeyOperations = 100
  /// The most search steps: each tries one certificate or anchor as the next on a path.
  public var steps = 2_000
  /// The maximum number of comparisons of a name with a constraint; webpki and Go have the same
  /// limit. A long comparison counts as one for every 128 bytes.
  public var nameComparisons = 250_000
  /// The maximum number of bytes of names, keys, key identifiers and policies to compare, when
  /// finding issuers and on each path. Bytes that are compared verbatim, without the folding of
  /// names, count one in eight. The limit is ours: twice the names of 4 MiB of certificates, which
  /// take about 50 ms. An honest chain needs a few thousand.
  public var comparedBytes = 8 << 20
  /// The maximum number of nodes of the policy graph. OpenSSL has the same limit.
  public var policyNodes = 1_000
  /// The most name constraint subtrees of one issuer. The limit is ours.
  public var constraintSubtrees = 2_048
  /// The maximum number of certificates in a path, including leaf and anchor; from 1 to 32.
  public var pathLength = 10 {
    didSet { pathLength = min(max(pathLength, 1), 32) }
  }
  /// The maximum number of intermediate certificates to consider; further ones are ignored.
  public var candidates = 256

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let `default` = Limits()
}

/// A limit that was reached, with its value.
public enum LimitReached: Sendable, Hashable {
  /// Signatures to verify.
  case publicKeyOperations(Int)
  /// Search steps.
  case steps(Int)
  /// Comparisons of a name with a constraint.
  case nameComparisons(Int)
  /// Bytes to compare.
  case comparedBytes(Int)
  /// Nodes of the policy graph.
  case policyNodes(Int)
  /// Name constraint subtrees of one issuer.
  case constraintSubtrees(Int)
  /// Certificates in a path.
  case pathLength(Int)
  /// Intermediate certificates to consider.
  case candidates(Int)
}

extension LimitReached {
  /// The name of the limit's property in `Limits`.
  package var name: String { row.name }

  /// The value of the limit.
  package var limit: Int { row.limit }

  private var row: (name: String, unit: String, limit: Int) {
    switch self {
    case .publicKeyOperations(let limit): ("publicKeyOperations", "public key operations", limit)
    case .steps(let limit): ("steps", "search steps", limit)
    case .nameComparisons(let limit): ("nameComparisons", "name comparisons", limit)
    case .comparedBytes(let limit): ("comparedBytes", "compared bytes", limit)
    case .policyNodes(let limit): ("policyNodes", "policy nodes", limit)
    case .constraintSubtrees(let limit): ("constraintSubtrees", "constraint subtrees", limit)
    case .pathLength(let limit): ("pathLength", "certificates in a path", limit)
    case .candidates(let limit): ("candidates", "candidate certificates", limit)
    }
  }
}

extension LimitReached: CustomStringConvertible {
  /// `limit of 100 public key operations reached`.
  public var description: String { "limit of \(limit) \(row.unit) reached" }
}

/// The unspent part of the limits. One value is passed through all the work of a validation.
package struct Budget: Sendable {
  package let limits: Limits
  private var rest: Limits

  package init(_ limits: Limits = .default) {
    self.limits = limits
    rest = limits
  }

  /// Charges one signature, which counts as several if it is slow.
  package mutating func spendPublicKeyOperation(_ work: Int) throws(CheckFailure) {
    try Budget.spend(
      work, of: &rest.publicKeyOperations, .publicKeyOperations(limits.publicKeyOperations))
  }

  /// Charges one search step.
  package mutating func spendStep() throws(CheckFailure) {
    try Budget.spend(1, of: &rest.steps, .steps(limits.steps))
  }

  /// Leaves at most this many search steps, and returns how many it takes away.
  mutating func withholdSteps(beyond count: Int) -> Int {
    let withheld = max(rest.steps - count, 0)
    rest.steps -= withheld
    return withheld
  }

  /// Gives back search steps that were withheld.
  mutating func restoreSteps(_ count: Int) { rest.steps += count }

  /// Charges comparisons of a name with a constraint.
  package mutating func spendNameComparisons(_ count: Int) throws(CheckFailure) {
    try Budget.spend(count, of: &rest.nameComparisons, .nameComparisons(limits.nameComparisons))
  }

  /// Charges a product of comparisons, which may be more than an Int of 32 bits holds.
  mutating func spendNameComparisons(_ count: Int, times factor: Int) throws(CheckFailure) {
    let (product, hasOverflowed) = count.multipliedReportingOverflow(by: factor)
    try spendNameComparisons(hasOverflowed ? .max : product)
  }

  /// Charges bytes that are folded and compared, or read again.
  package mutating func spendComparedBytes(_ count: Int) throws(CheckFailure) {
    try Budget.spend(count, of: &rest.comparedBytes, .comparedBytes(limits.comparedBytes))
  }

  /// Charges bytes that are compared verbatim; that handles many at a time, so one in eight counts.
  package mutating func spendPlainBytes(_ count: Int) throws(CheckFailure) {
    try spendComparedBytes(count >> 3 + 1)
  }

  /// Charges nodes of the policy graph.
  package mutating func spendPolicyNodes(_ count: Int = 1) throws(CheckFailure) {
    try Budget.spend(count, of: &rest.policyNodes, .policyNodes(limits.policyNodes))
  }

  @inline(__always)
  private static func spend(
    _ count: Int, of rest: inout Int, _ limit: LimitReached
  ) throws(CheckFailure) {
    guard count <= rest else { throw .limitReached(limit) }
    rest -= count
  }
}
