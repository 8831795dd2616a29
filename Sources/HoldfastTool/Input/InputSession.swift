internal import HoldfastAnswers
internal import HoldfastCertificates

/// Goes through the files of a command line, one thing after another, and keeps count of what was
/// wrong.
struct InputSession {
  /// Whether what comes first could not be understood, so that the next must not be taken for it.
  private var beginsWithFailure = false
  private var hasTaken = false

  /// What was wrong.
  private(set) var failures: [InputProblem] = []

  /// What was wrong, up to a limit: a hostile file must not fill the screen.
  var problems: [InputProblem] { Array(failures.prefix(InputSession.maximumProblems)) }

  /// The certificates that could not be read, by their numbers among all: they may be those that a
  /// path lacks.
  private(set) var unreadableCertificates: [UnreadableCertificate] = []
  private var certificateCount = 0

  private var notes = 0
  private var suppressed = 0
  private let complains: Bool
  /// Where the passwords of the command come from.
  let passwords: PasswordSource
  private let console: Console
  private static let maximumProblems = 100

  /// - Parameter complains: Whether problems are written to standard error as they come.
  init(_ call: Invocation, complains: Bool = true) throws(UsageError) {
    self.complains = complains
    passwords = try PasswordSource(call)
    console = call.console
  }

  /// Reads the files and hands over what they hold, in order; false if something in them could not
  /// be understood.
  ///
  /// Private keys and other blocks that the command has no use for get a line on standard error and
  /// do not count as failures.
  @discardableResult
  mutating func read(
    _ files: [String], uses: InputUse = .certificates,
    _ take: (InputItem, InputItem.Content) throws(InputProblem) -> Void
  ) -> Bool {
    var isUnderstood = true
    for path in files where !console.isClosed {
      let file = InputFile(path: path, uses: uses, passwords)
      if let server = file.server {
        console.note(
          "holdfast: \(printable(word: path)): sent by \(server.name), and not verified\n")
      }
      suppressed = 0
      var isUseless = true
      for entry in file.entries where !console.isClosed {
        do throws(InputProblem) {
          let item = try entry.get()
          guard !item.use.isDisjoint(with: uses) else {
            if uses.contains(.unknown), let reason = item.reasonToStay { throw reason }
            note(item)
            continue
          }
          isUseless = false
          guard let content = try item.content(passwords) else { continue }
          hasTaken = true
          if case .certificate = content { certificateCount += 1 }
          try take(item, content)
        } catch {
          (isUseless, isUnderstood) = (false, false)
          fail(error)
        }
      }
      if isUseless && !console.isClosed {
        isUnderstood = false
        fail(file.holdsNothing)
      }
      if suppressed > 0 {
        console.message("holdfast: \(printable(word: path)): \(suppressed) more are not listed\n")
      }
    }
    return isUnderstood
  }

  /// Counts and names something that is wrong.
  mutating func fail(_ problem: InputProblem) {
    if !hasTaken { beginsWithFailure = true }
    if var certificate = problem.certificate {
      certificateCount += 1
      certificate.number = certificateCount
      unreadableCertificates.append(certificate)
    }
    failures.append(problem)
    guard failures.count <= InputSession.maximumProblems else {
      suppressed += 1
      return
    }
    if complains { console.message("holdfast: \(problem)\n") }
  }

  private mutating func note(_ item: InputItem) {
    // openssl writes the curve before each key that it makes; the key names it, too.
    guard complains, item.label != "EC PARAMETERS" else { return }
    guard notes < InputSession.maximumProblems else {
      suppressed += 1
      return
    }
    notes += 1
    let reason =
      switch item.kind?.row.use {
      case .privateKeys?: ": only inspect, pin and convert --with-key read private keys"
      case .encryptedKeys?:
        ": pin and, with --password-file or --password-env, inspect read it"
      default: ""
      }
    console.note("holdfast: \(item.location): \(item.label) is passed over\(reason)\n")
  }

  /// Reads the certificates of some files, in order.
  mutating func certificates(of files: [String]) -> [Certificate] {
    var certificates: [Certificate] = []
    read(files) { _, content in
      if case .certificate(let certificate) = content { certificates.append(certificate) }
    }
    return certificates
  }

  /// The chain that files have. What is asked about is the first certificate: if that cannot be
  /// read, it is not the second. A file that begins a chain of its own would not be judged.
  mutating func chain(of files: [String]) throws(UsageError) -> [Certificate] {
    var chain: [Certificate] = []
    for file in files {
      let more = certificates(of: [file])
      chain += more
      if let other = more.first, other.beginsOtherChain(than: chain) {
        throw .conflict(
          "\(printable(word: file)) begins with \(PathText.name(other)), which is no CA and has issued "
            + "none of the others: files are one chain here, the leaf first; ask about each chain "
            + "by itself")
      }
    }
    guard !beginsWithFailure, !chain.isEmpty else { throw .reported(problems) }
    return chain
  }

  /// What the session comes to.
  var status: ExitStatus { .worst(failures.map { $0.status }) }
}
