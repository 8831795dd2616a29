internal import CPeerSystem
internal import Foundation
internal import HoldfastHashes

/// Compares the instructions and allocations of one turn of each case with Benchmarks/baseline.txt.
/// Times are not a gate.
enum Gate {
  /// The accepted increase of instructions over the baseline: compilers and libraries change them a
  /// little. Allocations are compared exactly.
  private static let tolerance = 0.03
  private static let turns = 8

  private struct Counts {
    var instructions: Int?
    var allocations: Int?
  }

  /// The cases: only our code, on committed bytes.
  private static var cases: [(name: String, work: () -> Bool)] {
    var cases: [(name: String, work: () -> Bool)] = []
    for (name, hash) in [("sha256", HashAlgorithm.sha256), ("sha384", .sha384)] {
      cases.append(("hash-\(name)", { hash.hash(Signatures.message.span)[0] < 255 }))
    }
    for files in ChainFiles.all {
      let question = Question(files)
      cases.append(("read-\(files.name)", { Question.canRead(files.chain[0]) }))
      cases.append(("cold-\(files.name)", question.validation()))
      cases.append(("warm-\(files.name)", question.validation(remembering: true)))
      if let new = question.newLeaves(files.leaves), case .here(let work) = new.work {
        cases.append(("new-leaf-\(files.name)", work))
      }
      for (what, wrong) in [
        ("host", question.forWrongHost), ("signature", question.withBadSignature),
      ] where files.name < "c" {
        cases.append(("wrong-\(what)-\(files.name)", wrong.validation()))
      }
    }
    for (name, isValid) in [("path_mesh_8", false), ("path_nc_1000x100", true)] {
      guard let files = ChainFiles(name) else { continue }
      var question = Question(files)
      question.isValid = isValid
      cases.append(("search-\(name)", question.search()))
    }
    return cases
  }

  /// In a process that callgrind runs: writes the instructions of each case to the next of
  /// callgrind's files, and prints its name. On a growth curve valid signatures are cached, because
  /// their cost varies by chance; failed verifications count.
  static func countInstructions() {
    for (name, work) in cases where work() && work() && work() {
      count(name) { for _ in 0..<turns { _ = work() } }
    }
    for curve in Growth.curves {
      for size in curve.quarters {
        let work = curve.question(size).validation(remembering: true)
        if work(), work() { count(curve.key(size)) { _ = work() } }
      }
    }
  }

  private static func count(_ name: String, _ work: () -> Void) {
    guard peer_system_start_counting() == 1 else { return }
    work()
    peer_system_stop_counting()
    print(name)
  }

  /// Prints `allocations name` for each case, in a process whose allocations are counted.
  static func printAllocations() {
    for (name, work) in cases where work() {
      if let count = Counting.allocations(work) { print(count.number, name) }
    }
  }

  /// Counts and compares everything, prints a line for each case and curve, and returns whether all
  /// pass.
  static func holds(_ baseline: String, isRenewal: Bool) -> Bool {
    let (allocations, instructions) = (measureAllocations(), measureInstructions())
    let measured = cases.map { name, _ in
      (
        name,
        Counts(
          instructions: instructions[name].map { $0 / turns },
          allocations: allocations[name])
      )
    }
    if isRenewal { write(measured, to: baseline) }
    let isAsBefore = compare(measured, with: read(baseline))
    return compareGrowth(instructions) && isAsBefore
  }

  private static func measureAllocations() -> [String: Int] {
    guard let library = Counting.library else { return [:] }
    let lines = Program.again(["LD_PRELOAD=\(library)"], ["--gate-allocations"]) ?? []
    return Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in
        let words = line.split(separator: " ")
        return words.count == 2 ? Int(words[0]).map { (String(words[1]), $0) } : nil
      })
  }

  /// Returns the instructions of all turns of each case. callgrind writes a file for each, with
  /// `summary: NUMBER` in it.
  private static func measureInstructions() -> [String: Int] {
    guard let valgrind = Bench.environment["BENCH_VALGRIND"],
      let folder = Bench.environment["BENCH_COUNTS"]
    else { return [:] }
    let command = [
      valgrind, "-q", "--tool=callgrind", "--instr-atstart=no",
      "--callgrind-out-file=\(folder)/counts",
    ]
    var counts: [String: Int] = [:]
    for (index, name) in (Program.again(command, ["--gate-instructions"]) ?? []).enumerated() {
      let text = try? String(contentsOfFile: "\(folder)/counts.\(index + 1)", encoding: .utf8)
      let line = text?.split(separator: "\n").first { line in
        line.hasPrefix("summary: ") || line.hasPrefix("totals: ")
      }
      counts[name] = line?.split(separator: " ").last.flatMap { Int($0) }
    }
    return counts
  }

  private static func write(_ measured: [(name: String, counts: Counts)], to path: String) {
    var lines = [
      "# Instructions and allocations of one turn, by Scripts/bench --gate.",
      "# Renew it with Scripts/bench --gate --renew when a change moves them for a reason,",
      "# and give the reason in the commit.",
    ]
    for (name, counts) in measured {
      let numbers = [counts.instructions, counts.allocations].map { $0.map(String.init) ?? "-" }
      lines.append("\(name) \(numbers.joined(separator: " "))")
    }
    let text = lines.joined(separator: "\n") + "\n"
    do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
      Bench.fail("\(path): \(error)")
    }
  }

  /// Reads a file with a line `name instructions allocations` for each case.
  private static func read(_ path: String) -> [String: Counts] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      Bench.fail("gate: no \(path); Scripts/bench --gate --renew writes it")
    }
    var counts: [String: Counts] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 3 else { continue }
      counts[String(words[0])] = Counts(
        instructions: Int(words[1]), allocations: Int(words[2]))
    }
    return counts
  }

  private static func compare(
    _ measured: [(name: String, counts: Counts)], with baseline: [String: Counts]
  ) -> Bool {
    var known = baseline
    var holds = true
    print("gate".padded(to: 32) + "instructions    before   change   allocations  before")
    for (name, now) in measured {
      var line = "not in the baseline: renew it"
      if let before = known.removeValue(forKey: name) {
        let (instructions, allocations) = (
          column(now.instructions, before.instructions, tolerance),
          column(now.allocations, before.allocations, 0)
        )
        line = instructions.text + allocations.text
        holds = holds && instructions.isFine && allocations.isFine
      } else {
        holds = false
      }
      print(name.padded(to: 32) + line)
    }
    for name in known.keys.sorted() {
      print(name.padded(to: 32) + "in the baseline, but not measured: renew it")
    }
    return holds && known.isEmpty
  }

  private static func column(
    _ now: Int?, _ before: Int?, _ tolerance: Double
  ) -> (text: String, isFine: Bool) {
    guard let now, let before else { return ("not counted".padded(to: 31, left: true), true) }
    let change = Double(now) / Double(max(before, 1)) - 1
    let isFine = Double(now) <= Double(before) * (1 + tolerance)
    var text = String(now).padded(to: 12, left: true) + String(before).padded(to: 10, left: true)
    if tolerance > 0 { text += "\((change * 100).text(1)) %".padded(to: 9, left: true) }
    return (text + (isFine ? "" : " TOO MANY"), isFine)
  }

  /// Checks the growth of the instructions, which hardly vary between runs: the exponent compares
  /// their increase from half of the largest size to the whole with that from a quarter to a half.
  private static func compareGrowth(_ instructions: [String: Int]) -> Bool {
    var holds = true
    print("growth".padded(to: 32) + "instructions for a quarter, a half and all; exponent")
    for curve in Growth.curves {
      let counts = curve.quarters.compactMap { instructions[curve.key($0)] }
      guard counts.count == 3 else {
        print(curve.name.padded(to: 32) + "not counted")
        continue
      }
      let (first, second) = (Double(counts[1] - counts[0]), Double(counts[2] - counts[1]))
      // A cost that does not grow has no exponent.
      let grows = first > 0 && second > Double(counts[2]) / 50
      let exponent = grows ? log2(second / first) : 0
      let isFine = exponent <= Promises.growth
      holds = holds && isFine
      print(
        curve.name.padded(to: 32) + curve.quarters.map(String.init).joined(separator: " ") + ": "
          + counts.map(String.init).joined(separator: " ")
          + "; \(exponent.text(2))\(isFine ? "" : " TOO MUCH")")
    }
    return holds
  }
}
