/// What the command line asks for.
struct Options {
  var runner = Runner()
  /// Parts of subjects or names; all if there are none.
  var filters: [String] = []
  var json: String?
  var svg: String?
  var markdown: String?
  var baseline: String?
  var isRenewal = false
  /// What this run does instead, when the program is called again by itself.
  var errand: Errand?

  enum Errand: String {
    case allocations = "--allocations"
    case threads = "--threads"
    case portably = "--portably"
    case gateAllocations = "--gate-allocations"
    case gateInstructions = "--gate-instructions"
  }

  static let subjects = [
    "read", "hash", "verify", "validate", "evaluate", "load", "grow", "batch",
  ]

  static let usage = """
    usage: Scripts/bench [--quick] [--rounds N] [--only WORD] [--json FILE] [--svg FOLDER]
                         [--markdown FILE] [--gate [--renew]] [--results]
    --only: a subject (\(subjects.joined(separator: ", "))) or a part of a row's name; more than
            one may be given. `list` measures a revocation list of a million entries.
    --quick: 5 short rounds, for a look. 21 otherwise.
    --gate: instructions and requests for memory beside Benchmarks/baseline.txt; --renew writes it.
    --results: everything, into Benchmarks/results and the README.
    """

  /// Nil if they cannot be understood.
  init?(_ arguments: some Sequence<String>) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--quick": (runner.rounds, runner.slice) = (5, 2)
      case "--rounds":
        guard let rounds = rest.next().flatMap({ Int($0) }), rounds > 0 else { return nil }
        runner.rounds = rounds
      case "--only":
        guard let filter = rest.next() else { return nil }
        filters.append(filter)
      case "--json":
        guard let file = rest.next() else { return nil }
        json = file
      case "--svg":
        guard let folder = rest.next() else { return nil }
        svg = folder
      case "--markdown":
        guard let file = rest.next() else { return nil }
        markdown = file
      case "--gate":
        guard let file = rest.next() else { return nil }
        baseline = file
      case "--renew": isRenewal = true
      default:
        if let errand = Errand(rawValue: argument) {
          self.errand = errand
        } else if argument.hasPrefix("-") {
          return nil
        } else {
          filters.append(argument)
        }
      }
    }
    guard baseline != nil || !isRenewal else { return nil }
  }

  /// Whether a subject as a whole is asked for.
  func wants(_ subject: String) -> Bool {
    filters.isEmpty || filters.contains(subject)
  }

  /// Whether rows of a subject may be asked for: a word that is no subject may be in any name.
  func mayWant(_ subject: String) -> Bool {
    wants(subject) || filters.contains { !Options.subjects.contains($0) }
  }

  func wants(_ one: Case) -> Bool {
    wants(one.subject)
      || filters.contains { !Options.subjects.contains($0) && one.name.contains($0) }
  }
}
