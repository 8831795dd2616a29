internal import Holdfast
internal import HoldfastDER
internal import HoldfastHashes

/// Instructions and requests for memory of one turn of each case, beside those that are written down
/// in Benchmarks/baseline.txt. Times are no gate.
enum Gate {
  /// The cases: ours alone, of committed octets.
  static var cases: [(name: String, work: () -> Bool)] {
    var cases: [(name: String, work: () -> Bool)] = []
    for (name, hash) in [("sha256", HashAlgorithm.sha256), ("sha384", .sha384)] {
      cases.append(("hash-\(name)", { hash.hash(Signatures.message.span)[0] < 255 }))
    }
    for files in ChainFiles.all {
      let question = Question(files)
      let leaf = files.chain[0]
      cases.append(("read-\(files.name)", { (try? Certificate(der: leaf)) != nil }))
      for (state, memory) in [("cold", nil), ("warm", SignatureMemory())] {
        let validator = question.validator(memory)
        cases.append(("\(state)-\(files.name)", { question.isRight(validator) }))
      }
      if let new = question.newLeaves(files.leaves), case .here(let work) = new.work {
        cases.append(("new-leaf-\(files.name)", work))
      }
      for (what, wrong) in [
        ("host", question.forWrongHost), ("signature", question.withBadSignature),
      ] where files.name < "c" {
        let validator = wrong.validator(nil)
        cases.append(("wrong-\(what)-\(files.name)", { wrong.isRight(validator) }))
      }
    }
    for (name, isValid) in [("path_mesh_8", false), ("path_nc_1000x100", true)] {
      guard let files = ChainFiles(name) else { continue }
      var question = Question(files)
      question.isValid = isValid
      let asked = question
      let validator = asked.validator(nil)
      let read = asked.chain.compactMap { try? Certificate(der: $0) }
      cases.append(("search-\(name)", { asked.isRight(validator, read) }))
    }
    return cases
  }

  private static let turns = 8

  /// In a process that callgrind runs: writes down the instructions of each case.
  static func countInstructions() {
    for (name, work) in cases {
      guard work(), work(), work() else { continue }
      Command.countInstructions(name) {
        for _ in 0..<turns { _ = work() }
      }
    }
    GrowthGate.countInstructions()
  }

  /// In a process whose memory is counted: prints `name requests`.
  static func printAllocations() {
    for (name, work) in cases where work() {
      if let count = Reruns.allocations(work) { print(name, count.number) }
    }
  }

  struct Counts: Equatable {
    var instructions: Int?
    var allocations: Int?
  }

  /// Counts everything; what could not be counted is missing. The instructions are as callgrind
  /// wrote them, those of all turns.
  static func measure(
    in folder: String
  ) -> (cases: [(name: String, counts: Counts)], instructions: [String: Int]) {
    var counts: [String: Counts] = [:]
    var all: [String: Int] = [:]
    if let counter = Platform.environment("BENCH_COUNTER") {
      for line in Command.again("LD_PRELOAD='\(counter)'", "--gate-allocations") ?? [] {
        let words = line.split(separator: " ")
        guard words.count == 2 else { continue }
        counts[String(words[0]), default: Counts()].allocations = Int(words[1])
      }
    }
    if let valgrind = Platform.environment("BENCH_VALGRIND") {
      let file = "\(folder)/callgrind.out"
      _ = Command.again(
        "'\(valgrind)' -q --tool=callgrind --instr-atstart=no --callgrind-out-file='\(file)'",
        "--gate-instructions")
      for (name, number) in instructions(in: folder) {
        all[name] = number
        counts[name, default: Counts()].instructions = number / turns
      }
    }
    return (cases.map { ($0.name, counts[$0.name] ?? Counts()) }, all)
  }

  /// What callgrind has written: a file for each case, with `desc: Trigger: Client Request: NAME` and
  /// `summary: NUMBER` in it.
  private static func instructions(in folder: String) -> [(name: String, number: Int)] {
    (Platform.names(inFolder: folder) ?? []).filter { $0.hasPrefix("callgrind.out.") }
      .compactMap { file in
        let octets = ChainFiles.octets("\(folder)/\(file)") ?? []
        var (name, number): (String?, Int?)
        for line in String(decoding: octets, as: UTF8.self).split(separator: "\n") {
          if line.hasPrefix("desc: Trigger: Client Request: ") {
            name = line.split(separator: " ").last.map(String.init)
          } else if line.hasPrefix("summary: ") || line.hasPrefix("totals: ") {
            number = line.split(separator: " ").last.flatMap { Int($0) }
          }
        }
        guard let name, let number else { return nil }
        return (name, number)
      }
  }
}
