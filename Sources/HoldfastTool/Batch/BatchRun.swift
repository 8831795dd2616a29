internal import Dispatch
internal import Holdfast
internal import HoldfastSystem

/// Reads the input, validates its chains in several threads, and writes the answers in the order of
/// the input.
struct BatchRun: Sendable {
  let input: BatchInput
  let settings: BatchSettings
  let threads: Int
  let sink: BatchSink

  /// What became of a run.
  struct Outcome: Sendable {
    var sink: BatchSink
    var duration = Duration.zero
    var counts: BatchCounts { sink.state.summary.counts }
    /// Why the input could not be read.
    var inputProblem: UsageError?
    /// Why the answers could not be written.
    var outputProblem: BatchSink.Problem?
  }

  /// Answers the whole input. What was read is answered, whatever has ended the reading.
  func run(_ progress: BatchProgress?) -> Outcome {
    let start = ContinuousClock.now
    let work = OrderedWork<BatchPiece, BatchOutput>(room: 4 * BatchLines.pieceSize * threads)
    // A serial queue of its own is a thread of its own.
    DispatchQueue(label: "holdfast.batch.input").async { read(for: work) }
    for number in 0..<threads {
      DispatchQueue(label: "holdfast.batch.\(number)").async { answer(work) }
    }
    var (outcome, progress) = (Outcome(sink: sink), progress)
    loop: while true {
      switch BatchRun.wait({ work.takeAnswers(orWake: $0) }) {
      case .success(let answers) where answers.isEmpty: break loop
      case .success(let answers):
        for answer in answers.lazy.map(\.value) {
          do throws(BatchSink.Problem) {
            try outcome.sink.write(answer)
          } catch {
            outcome.outputProblem = error
            break loop
          }
          progress?.show(outcome.counts, afterInput: answer.inputSize)
        }
      case .failure(let error):
        outcome.inputProblem = error as? UsageError
        break loop
      }
    }
    work.stop()
    progress?.clear()
    if outcome.outputProblem == nil { finish(&outcome) }
    outcome.duration = ContinuousClock.now - start
    return outcome
  }

  private func finish(_ outcome: inout Outcome) {
    do throws(BatchSink.Problem) {
      try outcome.sink.finish(
        isComplete: outcome.inputProblem == nil && !System.wasInterrupted)
    } catch {
      outcome.outputProblem = error
    }
  }

  /// The work of the thread that reads.
  private func read(for work: OrderedWork<BatchPiece, BatchOutput>) {
    var reader = BatchReader(
      input, from: sink.state.position, isSingle: settings.fetch != nil)
    do throws(UsageError) {
      while let piece = try reader.next() {
        guard BatchRun.wait({ work.post(piece, weight: piece.weight, orWake: $0) }) else { return }
      }
      work.end(.success(()))
    } catch {
      work.end(.failure(error))
    }
  }

  /// The work of a thread that answers.
  private func answer(_ work: OrderedWork<BatchPiece, BatchOutput>) {
    var validator = BatchValidator(settings, threads: threads)
    while let piece = BatchRun.wait({ work.nextRun(orWake: $0) }).first {
      work.add([piece.with(validator.answer(piece.value))])
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
