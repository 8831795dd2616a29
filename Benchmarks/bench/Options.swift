internal import HoldfastHashes

/// The options of the command line.
struct Options {
  var runner = Runner()
  /// Subjects, or parts of row names; empty for all rows.
  var filters: [String] = []
  var json: String?
  /// The file of the best counts, for the gate.
  var best: String?
  var isRenewal = false
  /// Why counts may be worse than the best.
  var reason: String?
  /// Which of the processor's vectors are used.
  var vectors = Vectors.all
  /// The task of this process if the program has called itself.
  var errand: Errand?

  enum Errand: String {
    case allocations = "--allocations"
    case threads = "--threads"
    case gateInstructions = "--gate-instructions"
  }

  static let subjects = [
    "read", "hash", "verify", "validate", "evaluate", "ct", "filter", "merkle", "fetch", "load",
    "grow", "batch",
  ]

  static let vectors: [String: Vectors] = ["none": .none, "doubles": .doubles, "all": .all]

  static let usage = """
    usage: Scripts/bench [--quick] [--rounds N] [--only WORD] [--json FILE] [--svg FOLDER]
                         [--gate [--renew [--because REASON]]] [--results] [--beside COMMIT]
                         [--vectors none|doubles|all]
    --only: a subject (\(subjects.joined(separator: ", "))) or a part of a row's name; may be
            repeated. `list` measures a CRL of a million entries.
    --quick: 5 short rounds instead of 21, for a quick look.
    --gate: compares instructions, allocations and retains with Benchmarks/best.txt; --renew keeps
            what is better there, and with a reason also accepts what is worse.
    --results: everything, into Benchmarks/results and the README.
    --beside: the rows of this commit and of another one, in turns.
    --vectors: which of the processor's vector instructions are used: none, doubles (AVX2 and FMA),
            all (the default).
    """

  /// Returns nil if the arguments are invalid.
  init?(_ arguments: some Sequence<String>) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--quick": (runner.rounds, runner.slice) = (5, 2)
      case "--renew": isRenewal = true
      case "--rounds", "--only", "--json", "--gate", "--because", "--vectors":
        guard let value = rest.next() else { return nil }
        switch argument {
        case "--only": filters.append(value)
        case "--json": json = value
        case "--gate": best = value
        case "--because": reason = value
        case "--vectors":
          guard let named = Options.vectors[value] else { return nil }
          vectors = named
        default:
          guard let rounds = Int(value), rounds > 0 else { return nil }
          runner.rounds = rounds
        }
      default:
        errand = Errand(rawValue: argument)
        guard errand == nil else { continue }
        guard !argument.hasPrefix("-") else { return nil }
        filters.append(argument)
      }
    }
    guard best != nil || !isRenewal, isRenewal || reason == nil else { return nil }
  }

  /// Whether all rows of a subject are requested.
  func wants(_ subject: String) -> Bool {
    filters.isEmpty || filters.contains(subject)
  }

  /// Whether some row of a subject may be requested: a word that is not a subject may be in any
  /// name.
  func mayWant(_ subject: String) -> Bool {
    wants(subject) || filters.contains { !Options.subjects.contains($0) }
  }

  func wants(_ one: Case) -> Bool {
    wants(one.subject)
      || filters.contains { !Options.subjects.contains($0) && one.name.contains($0) }
  }
}
