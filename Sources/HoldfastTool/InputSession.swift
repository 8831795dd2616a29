internal import HoldfastCertificates

/// Goes through the files of a command line, one thing after another, and keeps count of what was
/// wrong.
struct InputSession {
  /// Whether something could not be understood.
  private(set) var hasFailed = false

  /// Whether what comes first could not be understood, so that the next must not be taken for it.
  private(set) var beginsWithFailure = false
  private var hasTaken = false

  /// What was wrong, up to a limit: a hostile file must not fill the screen.
  private(set) var problems: [InputProblem] = []

  private var suppressed = 0
  private let complains: Bool
  private let uses: InputUse
  private let passwords: PasswordSource
  private static let mostProblems = 100

  /// - Parameter complains: Whether problems are written to standard error as they come.
  /// - Parameter uses: What the command has a use for.
  /// - Parameter passwords: Where the passwords of containers and keys come from.
  init(complains: Bool = true, uses: InputUse = .certificates, passwords: PasswordSource = .none) {
    self.complains = complains
    self.uses = uses
    self.passwords = passwords
  }

  /// Reads the files and hands over what they hold, in order.
  ///
  /// Private keys and other blocks that the tool has no use for get a line on standard error and do
  /// not count as failures.
  mutating func read(
    _ files: [String], _ console: inout Console,
    _ take: (InputItem, InputItem.Content, inout Console) -> Void
  ) {
    for path in files where !console.isClosed {
      let file = InputFile(path: path, uses: uses, passwords: passwords)
      suppressed = 0
      var isUseless = file.problems.isEmpty
      var untold = file.problems[...]
      for item in file.items where !console.isClosed {
        while let problem = untold.first, problem.place.stands(before: item.place) {
          fail(untold.removeFirst(), &console)
        }
        guard !item.kind.use.isDisjoint(with: uses) else {
          note(item, item.kind.label, &console)
          continue
        }
        isUseless = false
        do throws(InputProblem) {
          let content = try item.content(passwords)
          hasTaken = true
          take(item, content, &console)
        } catch {
          fail(error, &console)
        }
      }
      if isUseless && !console.isClosed { fail(file.holdsNothing(of: uses), &console) }
      for problem in untold { fail(problem, &console) }
      if suppressed > 0 {
        console.message("holdfast: \(printable(path)): \(suppressed) more are not listed\n")
      }
    }
  }

  /// Records a problem that a command found itself.
  mutating func fail(_ problem: InputProblem, _ console: inout Console) {
    hasFailed = true
    if !hasTaken { beginsWithFailure = true }
    guard problems.count < InputSession.mostProblems else {
      suppressed += 1
      return
    }
    problems.append(problem)
    if complains { console.message("holdfast: \(problem)\n") }
  }

  private mutating func note(_ item: InputItem, _ name: String, _ console: inout Console) {
    guard complains else { return }
    guard notes < InputSession.mostProblems else {
      suppressed += 1
      return
    }
    notes += 1
    let reason = name.hasSuffix("PRIVATE KEY") ? ": only pin and identity read private keys" : ""
    console.message("holdfast: \(item.place): \(printable(name)) is passed over\(reason)\n")
  }

  private var notes = 0

  /// Reads the certificates of some files, in order.
  mutating func certificates(of files: [String], _ console: inout Console) -> [Certificate] {
    var certificates: [Certificate] = []
    read(files, &console) { _, content, _ in
      if case .certificate(let certificate) = content { certificates.append(certificate) }
    }
    return certificates
  }

  /// What the session comes to.
  var status: ExitStatus { hasFailed ? .notUnderstood : .success }
}
