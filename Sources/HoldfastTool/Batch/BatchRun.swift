internal import Dispatch
internal import Holdfast
internal import HoldfastSystem

/// Reads lines, validates their chains in several threads, and writes the answers in the order of
/// the lines.
struct BatchRun: Sendable {
  let descriptor: Int32
  let defaults: BatchDefaults
  let threads: Int
  /// Whether answers are kept for a test and not written to standard output.
  let captures: Bool

  /// What became of a run.
  struct Outcome: Sendable {
    var counts = BatchCounts()
    var captured: [UInt8] = []
    var duration = Duration.zero
    /// Why the input could not be read.
    var inputError: System.SystemError?
    /// Why the answers could not be written.
    var outputError: System.SystemError?
  }

  /// Answers the whole input. What was read is answered, whatever has ended the reading.
  func run(_ progress: BatchProgress?) -> Outcome {
    let start = ContinuousClock.now
    let work = OrderedWork<BatchPiece, BatchOutput>(room: 4 * BatchReader.pieceSize * threads)
    // A serial queue of its own is a thread of its own.
    DispatchQueue(label: "holdfast.batch.input").async { read(for: work) }
    for number in 0..<threads {
      DispatchQueue(label: "holdfast.batch.\(number)").async { answer(work) }
    }
    var (outcome, progress) = (Outcome(), progress)
    loop: while true {
      switch BatchRun.wait({ work.takeAnswers(orWake: $0) }) {
      case .success(let answers) where answers.isEmpty: break loop
      case .success(let answers):
        for answer in answers {
          outcome.outputError = write(answer, &outcome)
          if outcome.outputError != nil { break loop }
          progress?.show(outcome.counts, afterInput: answer.inputSize)
        }
      case .failure(let error):
        outcome.inputError = error as? System.SystemError
        break loop
      }
    }
    work.stop()
    progress?.clear()
    outcome.duration = ContinuousClock.now - start
    return outcome
  }

  /// The work of the thread that reads.
  private func read(for work: OrderedWork<BatchPiece, BatchOutput>) {
    var reader = BatchReader(descriptor)
    do throws(System.SystemError) {
      while let piece = try reader.next() {
        for part in defaults.fetch == nil ? [piece] : piece.lines {
          guard BatchRun.wait({ work.post(part, weight: part.weight, orWake: $0) }) else { return }
        }
      }
      work.end(.success(()))
    } catch {
      work.end(.failure(error))
    }
  }

  /// The work of a thread that answers.
  private func answer(_ work: OrderedWork<BatchPiece, BatchOutput>) {
    var validator = BatchValidator(defaults, threads: threads)
    while let piece = BatchRun.wait({ work.nextRun(orWake: $0) }).first {
      work.add([piece.with(validator.answer(piece.value))])
    }
  }

  private func write(_ answers: BatchOutput, _ outcome: inout Outcome) -> System.SystemError? {
    // The piece at which the reader has gone counts: some of it was read.
    outcome.counts += answers.counts
    guard !captures else {
      outcome.captured += answers.bytes
      return nil
    }
    do throws(System.SystemError) {
      try System.write(answers.bytes, to: 1)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the value of `attempt`, which is called again whenever the thread is woken until it
  /// has one.
  private static func wait<Value>(_ attempt: (@escaping @Sendable () -> Void) -> Value?) -> Value {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      if let value = attempt({ semaphore.signal() }) { return value }
      semaphore.wait()
    }
  }
}
