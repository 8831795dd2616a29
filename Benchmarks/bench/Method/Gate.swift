internal import CPeerSystem
internal import Foundation
internal import Holdfast
internal import HoldfastHashes

/// Compares the instructions, allocations and retains of one turn of each case with the best that
/// any commit reached, in Benchmarks/best.txt. Times are not a gate.
enum Gate {
  private static let turns = 8

  /// The cases: only our code, on committed bytes.
  private static var cases: [(name: String, work: () -> Bool)] {
    var cases: [(name: String, work: () -> Bool)] = []
    let message = Signatures.message
    for (name, hash) in [("sha256", HashAlgorithm.sha256), ("sha384", .sha384)] {
      cases.append(("hash-\(name)", { hash.hash(message.span)[0] < 255 }))
    }
    for files in ChainFiles.all {
      let question = Question(files)
      cases.append(("read-\(files.name)", { Question.canRead(files.chain[0]) }))
      cases.append(("cold-\(files.name)", question.validation()))
      cases.append(("warm-\(files.name)", question.validation(remembering: true)))
      if let new = question.newLeaves(files.leaves), case .here(let work) = new.work {
        cases.append(("new-leaf-\(files.name)", work))
      }
    }
    cases += handshakes + rejections + pins + constraints + lists
    for (name, isValid) in [("path_mesh_8", false), ("path_nc_1000x100", true)] {
      guard let files = ChainFiles(name) else { continue }
      var question = Question(files)
      question.isValid = isValid
      cases.append(("search-\(name)", question.search()))
    }
    return cases
  }

  /// What a TLS library asks of a manager at each connection to a server that it knows.
  private static var handshakes: [(name: String, work: () -> Bool)] {
    ["a_rsa2048", "b_p256"].compactMap { name in
      guard let files = ChainFiles[name] else { return nil }
      let question = Question(files)
      let manager = TrustManager(anchors: question.preparedAnchors)
      return ("handshake-\(name)", { question.isTrusted(by: manager) })
    }
  }

  /// Chains that are rejected. The reason is known after none or one of the signatures.
  private static var rejections: [(name: String, work: () -> Bool)] {
    let (rsa, curve) = (ChainFiles["a_rsa2048"], ChainFiles["b_p256"])
    guard let rsa, let curve else { return [] }
    return [(rsa, curve), (curve, rsa)].flatMap { files, other in
      let question = Question(files)
      return [
        ("wrong-host", question.forWrongHost), ("wrong-signature", question.withBadSignature),
        ("expired", question.afterExpiry), ("no-issuer", question.withoutIntermediates),
        ("other-root", question.under([other.root])),
      ].map { ("\($0)-\(files.name)", $1.validation()) }
    }
  }

  /// Warm validations with pins.
  private static var pins: [(name: String, work: () -> Bool)] {
    guard let files = ChainFiles["b_p256"] else { return [] }
    return [(1, 0), (1, 2), (1, 100_000), (100, 10)].compactMap { hosts, count in
      let work = Evaluation.evaluations(files, pins: max(count, 2), hosts: hosts)
      return work.map { ("pins-\(hosts)x\(count)", count == 0 ? $0.unpinned : $0.pinned) }
    }
  }

  /// The issuer excludes 1,024 subtrees: read and applied, and known from before.
  private static var constraints: [(name: String, work: () -> Bool)] {
    guard let curve = Growth.curves.first(where: { $0.short == "constraints" }) else { return [] }
    let question = curve.question(1_024)
    return [
      ("constraints-cold", question.validation()),
      ("constraints-warm", question.validation(remembering: true)),
    ]
  }

  /// A CRL of 1,000 entries: read, and a serial number looked up.
  private static var lists: [(name: String, work: () -> Bool)] {
    guard let list = Reading.RevocationList(1_000) else { return [] }
    return [("list-read", list.read), ("list-look-up", list.lookUp)]
  }

  /// The cases that are counted without vectors as well. The others use doubles: callgrind hides
  /// AVX-512 from the program.
  private static let portableCases = ["cold-a_rsa2048", "cold-e_p384", "cold-g_ed25519"]

  /// In a process that callgrind runs: writes the instructions of each case to the next of
  /// callgrind's files, and prints its name. On a growth curve valid signatures are cached, because
  /// their cost varies by chance; failed verifications count.
  static func countInstructions(_ vectors: Vectors) {
    guard vectors != .none else {
      for (name, work) in cases where portableCases.contains(name) {
        guard work() && work() && work() else { continue }
        count("portable-\(name)") { for _ in 0..<turns { _ = work() } }
      }
      return
    }
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

  /// Counts and compares everything, prints a line for each case and curve, and returns whether all
  /// pass.
  ///
  /// - Parameters:
  ///   - renewal: Updates the file before comparing, if present.
  static func holds(_ file: String, _ renewal: BestCounts.Renewal?) -> Bool {
    let callgrind = measure()
    let names = cases.map(\.name) + portableCases.map { "portable-\($0)" }
    let measured = names.map { name in
      let counts = callgrind[name]
      return (
        name,
        Counts(
          instructions: counts.map { $0.instructions / turns },
          allocations: counts.map { $0.allocations / turns },
          retains: counts.map { $0.retains / turns })
      )
    }
    var best = BestCounts(readingFile: file)
    if let renewal {
      for (name, counts) in measured { best.add(counts, of: name, renewal) }
      best.drop { name in !measured.contains { $0.0 == name } }
      best.write(to: file)
    }
    let isAsGood = best.compare(measured)
    return compareGrowth(callgrind.mapValues(\.instructions)) && isAsGood
  }

  /// What callgrind counted. It hides some vector instructions, so that every processor has the same
  /// counts.
  private struct Calls {
    var instructions = 0
    var allocations = 0
    var retains = 0
  }

  /// Returns the counts of all turns of each case. callgrind writes a file for each.
  private static func measure() -> [String: Calls] {
    guard let valgrind = Bench.environment["BENCH_VALGRIND"],
      let folder = Bench.environment["BENCH_COUNTS"]
    else { return [:] }
    var counts: [String: Calls] = [:]
    for vectors in ["all", "none"] {
      let file = "\(folder)/\(vectors)"
      let command = [
        valgrind, "-q", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=\(file)",
      ]
      let names = Program.again(command, ["--gate-instructions", "--vectors", vectors]) ?? []
      for (index, name) in names.enumerated() {
        let text = try? String(contentsOfFile: "\(file).\(index + 1)", encoding: .utf8)
        counts[name] = text.flatMap(readCalls)
      }
    }
    return counts
  }

  private static let allocators: Set<Substring> = [
    "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc",
  ]

  /// Reads a file of callgrind: `summary: NUMBER` has the instructions; after `cfn=(ID) NAME`, or
  /// `cfn=(ID)` once the name is known, `calls=NUMBER …` has the calls of a function.
  private static func readCalls(_ text: String) -> Calls? {
    var calls = Calls()
    var counters: [Substring: WritableKeyPath<Calls, Int>] = [:]
    var counter: WritableKeyPath<Calls, Int>?
    var isComplete = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("summary: ") || line.hasPrefix("totals: ") {
        guard !isComplete else { continue }
        calls.instructions = line.split(separator: " ").last.flatMap { Int($0) } ?? 0
        isComplete = true
      } else if line.hasPrefix("cfn=") || line.hasPrefix("fn=") {
        let words = line.drop { $0 != "(" }.split(separator: " ")
        if words.count > 1 {
          if words[1].hasPrefix("swift_retain") { counters[words[0]] = \.retains }
          if allocators.contains(words[1]) { counters[words[0]] = \.allocations }
        }
        counter = line.hasPrefix("c") ? counters[words[0]] : nil
      } else if let counter, line.hasPrefix("calls=") {
        calls[keyPath: counter] += Int(line.dropFirst(6).prefix { $0 != " " }) ?? 0
      }
    }
    return isComplete ? calls : nil
  }

  /// Checks the growth of the instructions, which hardly vary between runs: the exponent compares
  /// their increase from half of the largest size to the whole with that from a quarter to a half.
  private static func compareGrowth(_ instructions: [String: Int]) -> Bool {
    var holds = true
    guard !Growth.curves.isEmpty else {
      print("growth".padded(to: 32) + "NOT COUNTED: Benchmarks/make.py growth has made nothing")
      return false
    }
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
