internal import HoldfastCertificates

/// Limits on the work of one validation. Reaching one is reported as such, never as a rejection.
public struct Limits: Sendable, Hashable {
  /// The maximum number of signatures to verify; Go has the same limit. A slow one counts as
  /// several, about one for each millisecond: under RSA keys of more than 4,096 bits with an
  /// unusual exponent or of more than 8,192 bits, on Brainpool curves, on P-224 and on secp256k1.
  public var publicKeyOperations = 100
  /// The most search steps: each tries one certificate or anchor as the next on a path.
  public var steps = 2_000
  /// The maximum of all other work, in units of about 6 ns. A byte of a name, a key, a key identifier
  /// or a policy is one unit where it is compared; compared verbatim, without the folding of names,
  /// eight bytes are one. A comparison of a name with a constraint is 32 units for every 128 bytes,
  /// and a node of the policy graph 8,000: webpki and Go have a limit of 250,000 comparisons, OpenSSL
  /// has one of 1,000 nodes. The limit is ours: twice the names of 4 MiB of certificates. An honest
  /// chain needs some ten thousand.
  public var work = 8_000_000
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
  /// Units of other work.
  case work(Int)
  /// Certificates in a path.
  case pathLength(Int)
  /// Intermediate certificates to consider.
  case candidates(Int)

  /// The name of the limit's property in `Limits`.
  package var name: String { row.name }

  /// The value of the limit.
  package var limit: Int { row.limit }

  /// What helps without a higher limit.
  package var remedy: String {
    switch self {
    case .pathLength: "use a shorter path to a trust anchor"
    case .publicKeyOperations, .steps, .work, .candidates:
      "send only the certificates of its path, with key identifiers"
    }
  }

  private var row: (name: String, unit: String, limit: Int) {
    switch self {
    case .publicKeyOperations(let limit): ("publicKeyOperations", "public key operations", limit)
    case .steps(let limit): ("steps", "search steps", limit)
    case .work(let limit): ("work", "units of work", limit)
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
    try spendWork(count, times: Budget.nameComparison)
  }

  /// Charges a product of comparisons, which may be more than an Int of 32 bits holds.
  mutating func spendNameComparisons(_ count: Int, times factor: Int) throws(CheckFailure) {
    let (product, hasOverflowed) = count.multipliedReportingOverflow(by: factor)
    try spendNameComparisons(hasOverflowed ? .max : product)
  }

  /// Charges the hashing of some bytes, or a comparison with them.
  mutating func spend(for bytes: Bytes) throws(CheckFailure) {
    try spendNameComparisons(1 + bytes.count / 64)
  }

  /// Charges bytes that are folded and compared, or read again.
  package mutating func spendComparedBytes(_ count: Int) throws(CheckFailure) {
    try spendWork(count, times: 1)
  }

  /// Charges bytes that are compared verbatim; that handles many at a time, so one in eight counts.
  package mutating func spendPlainBytes(_ count: Int) throws(CheckFailure) {
    try spendComparedBytes(count >> 3 + 1)
  }

  /// Charges nodes of the policy graph.
  package mutating func spendPolicyNodes(_ count: Int = 1) throws(CheckFailure) {
    try spendWork(count, times: Budget.policyNode)
  }

  /// The units of work of a comparison of a name with a constraint.
  package static let nameComparison = 32
  /// The units of work of a node of the policy graph.
  package static let policyNode = 8_000

  @inline(__always)
  private mutating func spendWork(_ count: Int, times price: Int) throws(CheckFailure) {
    try Budget.spend(count, times: price, of: &rest.work, .work(limits.work))
  }

  @inline(__always)
  private static func spend(
    _ count: Int, times price: Int = 1, of rest: inout Int, _ limit: LimitReached
  ) throws(CheckFailure) {
    // Divided, because a product may be more than an Int holds.
    guard count <= rest / price else { throw .limitReached(limit) }
    rest -= count * price
  }
}
