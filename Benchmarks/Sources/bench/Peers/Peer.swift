internal import HoldfastDER

/// Another library that is linked with this program.
struct Peer {
  let name: String
  let version: String
  /// What answers a question, with its anchors ready; nil if they cannot be.
  let answer: (Question) -> (() -> Bool?)?
  let read: ([UInt8]) -> () -> Bool
  /// Reads a bundle of anchors: how many there are.
  let load: (String) -> () -> Int

  func contender(_ question: Question) -> Contender {
    guard let answer = answer(question) else {
      return Contender(name: name, isPeer: true, work: .refused("cannot read the anchors"))
    }
    guard let verdict = answer() else {
      return Contender(name: name, isPeer: true, work: .refused("gives no answer"))
    }
    guard verdict == question.isValid else {
      return Contender(name: name, isPeer: true, work: .refused(Peers.words(verdict)))
    }
    return Contender(name: name, isPeer: true, work: .here { answer() == verdict })
  }
}

/// Another library in a program of ours that speaks the words of peers/go/main.go.
final class DistantPeer {
  let name: String
  let version: String
  private let start: () -> PeerProgram?
  private var program: PeerProgram?

  /// How long it may take for one answer.
  private static let patience = 3_000

  /// Nil if the program cannot be started or does not tell its version.
  init?(_ name: String, _ path: String, _ argument: String? = nil) {
    start = { PeerProgram(path, argument) }
    guard let program = start(), let version = program.ask("version") else { return nil }
    (self.name, self.program) = (name, program)
    self.version = version.hasPrefix("go") ? version : "\(name) \(version)"
  }

  func contender(_ question: Question) -> Contender {
    contender(
      question.isValid ? "valid" : "invalid",
      question.anchors.map { "anchor \(Base64.text(of: $0))" }
        + question.chain.enumerated().map { place, octets in
          "\(place == 0 ? "leaf" : "intermediate") \(Base64.text(of: octets))"
        }, ask: "validate \(question.host) \(ChainFiles.time)")
  }

  func reader(_ octets: [UInt8]) -> Contender {
    contender("valid", ["leaf \(Base64.text(of: octets))"], ask: "read")
  }

  func loader(_ path: String, _ count: Int) -> Contender {
    contender(String(count), [], ask: "load \(path)")
  }

  /// A contender whose answer must be the one that is expected.
  private func contender(
    _ expected: String, _ question: [String], ask line: String
  ) -> Contender {
    guard let answer = answer(question, line) else {
      return Contender(
        name: name, isPeer: true,
        work: .refused("no answer in \(DistantPeer.patience / 1_000) s"))
    }
    guard answer == expected else {
      return Contender(name: name, isPeer: true, work: .refused("says: \(answer)"))
    }
    return Contender(
      name: name, isPeer: true,
      work: .elsewhere { [self] in
        self.answer(question, line) == expected
      } measure: { [self] milliseconds in
        guard let words = program?.ask("measure \(milliseconds)")?.split(separator: " "),
          words.count == 2, let nanoseconds = Double(words[0])
        else { return nil }
        return (nanoseconds / 1_000, Int(words[1]))
      })
  }

  /// The answer to a question; a program that gives none is replaced by a new one.
  private func answer(_ question: [String], _ line: String) -> String? {
    program?.tell("new")
    for part in question { program?.tell(part) }
    if let answer = program?.ask(line, patience: DistantPeer.patience) { return answer }
    program = start()
    return nil
  }
}

/// All peers that can be run beside us, and what is said of those that cannot.
struct Peers {
  let linked = LinkedPeers.all
  let distant: [DistantPeer]
  let versions: [String]

  init(isAlone: Bool = false) {
    var distant: [DistantPeer] = []
    var versions = linked.map(\.version)
    if linked.count == 1 { versions.append("GnuTLS: not there (libgnutls28-dev)") }
    if !isAlone {
      let go = Platform.environment("BENCH_GO").flatMap { DistantPeer("Go", $0) }
      versions.append(go?.version ?? "Go: not there (golang-go)")
      let python = Platform.environment("BENCH_PYTHON").flatMap { python in
        Platform.environment("BENCH_PYCA").flatMap { DistantPeer("pyca", python, $0) }
      }
      versions.append(
        python?.version ?? "pyca/cryptography: not there (pip install cryptography)")
      distant = [go, python].compactMap(\.self)
    }
    (self.distant, self.versions) = (distant, versions)
  }

  func contenders(_ question: Question) -> [Contender] {
    linked.map { $0.contender(question) } + distant.map { $0.contender(question) }
  }

  func readers(_ octets: [UInt8]) -> [Contender] {
    linked.map { peer in
      let read = peer.read(octets)
      return Contender(
        name: peer.name, isPeer: true, work: read() ? .here(read) : .refused("cannot read it"))
    } + distant.map { $0.reader(octets) }
  }

  func loaders(_ path: String, _ count: Int) -> [Contender] {
    linked.map { peer in
      let load = peer.load(path)
      let loaded = load()
      return Contender(
        name: peer.name, isPeer: true,
        work: loaded == count ? .here { load() == count } : .refused("finds \(loaded)"))
    } + distant.map { $0.loader(path, count) }
  }

  static func words(_ verdict: Bool) -> String { verdict ? "says: valid" : "says: invalid" }
}
