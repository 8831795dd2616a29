/// A promise about a row.
enum Goal {
  /// The largest ratio of the first contender's time to that of the fastest peer.
  case toFastestPeer(Double)
  /// The largest ratio of one contender's time to another's.
  case ratio(of: String, to: String, Double)
  /// The most microseconds that one contender may take longer than another.
  case difference(of: String, to: String, Double)
  /// The most microseconds of a contender, the first unless it is named, on a machine like that of
  /// `results`.
  case microseconds(Double, of: String? = nil)
  /// The most allocations of the first contender.
  case allocations(Int)
}

/// The promises of the library, row by row. Rows without a promise are for information.
enum Promises {
  private static let table: [(subject: String, name: String, goals: [Goal])] = [
    ("read", "leaf, RSA-2048", [.toFastestPeer(0.15), .microseconds(1.5), .allocations(4)]),
    ("read", "leaf, P-256", [.toFastestPeer(0.15), .microseconds(1.5), .allocations(4)]),

    ("hash", "SHA-256", [.toFastestPeer(0.80)]),
    ("hash", "SHA-384", [.toFastestPeer(1.10)]),
    ("hash", "SHA-512", [.toFastestPeer(1.10)]),
    ("hash", "SHA-256 without instructions", [.toFastestPeer(1.05)]),

    ("verify", "RSA-2048", [.ratio(of: "seen", to: "OpenSSL", 0.90)]),
    ("verify", "RSA-4096", [.ratio(of: "seen", to: "OpenSSL", 1.05)]),
    (
      "verify", "P-256",
      [
        .ratio(of: "unseen", to: "OpenSSL", 0.88), .ratio(of: "seen", to: "OpenSSL", 0.42),
        .ratio(of: "anchor", to: "OpenSSL", 0.30),
      ]
    ),
    ("verify", "P-256, preparing for reuse", [.microseconds(35)]),
    ("verify", "P-256, preparing an anchor", [.microseconds(300)]),
    (
      "verify", "P-384",
      [
        .ratio(of: "unseen", to: "OpenSSL", 0.45), .ratio(of: "seen", to: "OpenSSL", 0.22),
        .ratio(of: "anchor", to: "OpenSSL", 0.16),
      ]
    ),
    ("verify", "Ed25519", [.ratio(of: "unseen", to: "OpenSSL", 0.65)]),
    // The most expensive verifications that 16 kB of key, signature and message can require.
    ("verify", "worst: RSA-16384, PKCS #1", [.microseconds(20_000)]),
    ("verify", "worst: RSA-16384, PSS", [.microseconds(20_000)]),
    ("verify", "worst: P-521", [.microseconds(20_000)]),
    ("verify", "worst: brainpoolP512r1", [.microseconds(20_000)]),

    ("validate", "RSA-2048", chain(0.45, newLeaf: 0.6)),
    ("validate", "P-256", chain(0.70, newLeaf: 0.4)),
    ("validate", "P-256 under P-384", chain(0.50)),
    ("validate", "P-256 under RSA-4096", chain(0.55)),
    ("validate", "P-384", chain(0.50, newLeaf: 0.4)),
    ("validate", "RSA-PSS-2048", chain(0.45)),
    ("validate", "Ed25519", chain(0.65)),
    ("validate", "RSA-2048, many anchors", [.ratio(of: "many", to: "one", 1.05)]),
    ("validate", "P-256, many anchors", [.ratio(of: "many", to: "one", 1.05)]),
    ("validate", "mesh of 8 authorities", [.microseconds(600)]),

    ("evaluate", "RSA-2048, warm, 1 host with 2 pins", pinned),
    ("evaluate", "RSA-2048, warm, 100 hosts with 10 pins", pinned),
    ("evaluate", "RSA-2048, warm, evaluators", [.difference(of: "keys", to: "unpinned", 3)]),
    ("evaluate", "P-256, warm, 1 host with 2 pins", pinned),
    ("evaluate", "P-256, warm, 100 hosts with 10 pins", pinned),
    ("evaluate", "P-256, warm, evaluators", [.difference(of: "keys", to: "unpinned", 3)]),
    ("evaluate", "64 hosts among 10,000 entries", [.microseconds(192)]),

    ("ct", "3 timestamps, new", [.microseconds(60)]),
    ("ct", "3 timestamps, seen", [.microseconds(5)]),
    ("ct", "list of 10,000 logs", [.microseconds(100_000)]),

    ("filter", "opening 12 MB", [.microseconds(20_000)]),
    ("filter", "an answer of 12 MB", [.microseconds(3)]),
    ("filter", "an answer of 12 MB and 36 deltas", [.microseconds(40)]),
    ("filter", "an answer that needs all columns", [.microseconds(3)]),
    ("filter", "an answer about a certificate", [.microseconds(3)]),

    ("merkle", "standalone, two ML-DSA-44", [.ratio(of: "path", to: "verifications", 2.1)]),
    ("merkle", "landmark of 2^20 entries", [.microseconds(12)]),

    // 5 µs for each of a hundred.
    (
      "fetch", "100 chains, the intermediate cached",
      [.difference(of: "cached", to: "sent", 500)]
    ),

    ("load", "139 roots from PEM", [.toFastestPeer(0.35), .microseconds(500)]),
  ]

  private static let pinned = [Goal.difference(of: "pinned", to: "unpinned", 3)]

  /// The most microseconds of a warm chain, whose time hardly depends on its algorithms.
  private static let warm = 7.0

  /// Returns the goals of a chain: cold relative to the fastest peer, warm by itself and relative to
  /// cold, and a new leaf relative to cold.
  private static func chain(_ ratio: Double, newLeaf: Double? = nil) -> [Goal] {
    [.toFastestPeer(ratio), .allocations(40), .microseconds(warm, of: "warm")]
      + (newLeaf.map {
        [.ratio(of: "warm", to: "cold", $0), .ratio(of: "new leaf", to: "cold", $0)]
      } ?? [])
  }

  static func goals(_ subject: String, _ name: String) -> [Goal] {
    table.filter { $0.subject == subject && $0.name == name }.flatMap(\.goals)
  }

  /// The largest exponent with which the cost may grow with the size.
  static let growth = 1.1
  /// The fewest warm chains that one core validates per second.
  static let throughput = 50_000.0
}

/// A measured value and its goal.
struct Outcome {
  let what: String
  let value: Double
  let limit: Double
  var decimals = 2
  var isMet: Bool { value <= limit }
}

extension Row {
  /// The outcomes of the promises that could be measured.
  var outcomes: [Outcome] {
    Promises.goals(subject, name).compactMap { goal in
      switch goal {
      case .toFastestPeer(let most):
        toFastestPeer.map { Outcome(what: "to the fastest peer", value: $0.median, limit: most) }
      case .ratio(let one, let other, let most):
        compared(one, other, /).map {
          Outcome(what: "\(one)/\(other)", value: $0.median, limit: most)
        }
      case .difference(let one, let other, let most):
        compared(one, other, -).map {
          Outcome(what: "µs more than \(other)", value: $0.median, limit: most)
        }
      case .microseconds(let most, let name):
        figures.first { name == nil || $0.contender == name }?.spread.map {
          Outcome(
            what: name.map { "\($0), µs" } ?? "µs", value: $0.median, limit: most, decimals: 1)
        }
      case .allocations(let most):
        figures.first?.allocations.map {
          Outcome(what: "allocations", value: Double($0), limit: Double(most), decimals: 0)
        }
      }
    }
  }
}
