internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON
internal import HoldfastSystem

/// How far a run has come, in the file of `--state`.
///
/// It is written after the answers that it counts are on the disk, and replaces the last one in one
/// step. A run that goes on cuts its output to the recorded length and its input to the place after
/// it, so no line is lost and none is answered twice, whenever the first run ended.
struct BatchState: Sendable {
  /// What the answers depend on: the command line without what only says how it is carried out, and
  /// the SHA-256 of the anchors.
  let run: [String]
  /// The time of validation of lines without one, the same for the whole run unless it fetches.
  let time: Timestamp
  /// The number of bytes of answers.
  var length = 0
  /// nil at the start.
  var position: BatchPosition?
  var summary = BatchSummary()
  var isComplete = false

  static let version = 1
  private static let maximumSize = 1 << 24

  init(run: [String], time: Timestamp) {
    self.run = run
    self.time = time
  }
}

/// The file.
extension BatchState {
  /// Reads a state; nil if there is no such file.
  static func read(_ path: String) throws(UsageError) -> BatchState? {
    guard System.exists(path) else { return nil }
    let bytes = try Invocation.contents(of: path, limit: maximumSize)
    do throws(JSONReader.Problem) {
      if let state = BatchState(try JSONValue(parsing: bytes)) { return state }
    } catch {}
    throw .badInput("\(printable(word: path)): not the state of a run of this version of holdfast")
  }

  /// Puts the state on the disk, in the place of the last one.
  func write(to path: String) throws(FileOutput.Problem) {
    try FileOutput.write(json.lines() + [0x0A], to: path, replacing: true)
  }

  private var json: JSONValue {
    .object([
      "version": .number(BatchState.version), "run": .strings(run), "time": .string("\(time)"),
      "length": .number(length),
      "position": position.map { position in
        .object([
          "file": .string(position.file), "offset": .number(position.offset),
          "line": .number(position.line), "isSkipping": .bool(position.isSkipping),
          "size": .optional(position.size),
        ])
      } ?? .null,
      "isComplete": .bool(isComplete), "summary": summary.state,
    ])
  }

  private init?(_ json: JSONValue) {
    guard json["version"]?.integer == BatchState.version, case .array(let words)? = json["run"],
      let time = json["time"]?.text.flatMap({ Timestamp($0) }),
      let length = json["length"]?.integer, length >= 0,
      case .bool(let isComplete)? = json["isComplete"],
      let summary = BatchSummary(state: json["summary"]), let position = json["position"]
    else { return nil }
    self.init(run: words.compactMap(\.text), time: time)
    self.length = length
    self.isComplete = isComplete
    self.summary = summary
    if position == .null { return }
    guard let file = position["file"]?.text, let offset = position["offset"]?.integer,
      let line = position["line"]?.integer, offset >= 0, line >= 1,
      case .bool(let isSkipping)? = position["isSkipping"]
    else { return nil }
    self.position = BatchPosition(
      file: file, offset: offset, line: line, isSkipping: isSkipping,
      size: position["size"]?.integer)
  }
}

/// Where the answers of a run go, and how far they have come.
struct BatchSink: Sendable {
  /// The file of the answers; 1 is standard output, nil keeps them for a test.
  let descriptor: Int32?
  /// The file of the state; nil if the run cannot be continued.
  let statePath: String?
  var state: BatchState
  private(set) var captured: [UInt8] = []
  private var due = ContinuousClock.now + BatchSink.interval

  private static let interval = Duration.milliseconds(250)

  /// Why answers or the state could not be written.
  enum Problem: Error, Sendable {
    case output(System.SystemError)
    case state(FileOutput.Problem)
  }

  init(descriptor: Int32?, statePath: String?, _ state: BatchState) {
    self.descriptor = descriptor
    self.statePath = statePath
    self.state = state
  }

  /// Writes the answers to a piece. What was written is counted even if the rest could not be.
  mutating func write(_ answers: BatchOutput) throws(Problem) {
    state.position = answers.end
    state.length += answers.bytes.count
    state.summary += answers.summary
    guard let descriptor else {
      captured += answers.bytes
      return
    }
    do throws(System.SystemError) {
      try System.write(answers.bytes, to: descriptor)
    } catch {
      throw .output(error)
    }
    if statePath != nil, ContinuousClock.now >= due { try save() }
  }

  /// Closes a file that was opened for the answers.
  func close() {
    if let descriptor, descriptor > 2 { System.closeInput(descriptor) }
  }

  /// Records the end.
  mutating func finish(isComplete: Bool) throws(Problem) {
    state.isComplete = isComplete
    try save()
  }

  /// Puts the answers on the disk, and then the state.
  private mutating func save() throws(Problem) {
    guard let statePath, let descriptor else { return }
    let start = ContinuousClock.now
    do throws(System.SystemError) {
      try FileOutput.synchronize(descriptor)
    } catch {
      throw .output(error)
    }
    do throws(FileOutput.Problem) {
      try state.write(to: statePath)
    } catch {
      throw .state(error)
    }
    // On a slow disk the run does not wait for it more than a twentieth of its time.
    let now = ContinuousClock.now
    due = now + max(BatchSink.interval, (now - start) * 20)
  }
}
