import Foundation
internal import HoldfastDER
internal import Synchronization

/// Threads that judge pieces of the input at the same time, and answers in the order of the input.
///
/// The pieces that were read and are not yet answered are bounded, so memory is too; and so nothing is
/// read while whoever reads the answers is slow.
final class BatchPipeline: Sendable {
  private let defaults: BatchDefaults
  private let threads: Int
  private let captures: Bool
  private let startTime = ContinuousClock.now

  /// How many pieces may still be read.
  private let room: DispatchSemaphore
  /// How many pieces wait for a thread, and for each thread one more at the end.
  private let waiting = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let queue = Guarded<[BatchChunk]>([])
  private let state: Guarded<State>
  private let isBroken = Atomic(false)

  private struct State: Sendable {
    var answers: [Int: BatchOutput] = [:]
    var next = 0
    var isWriting = false
    var counts = BatchCounts()
    var captured: [UInt8] = []
    var progress: BatchProgress?
    var failure: Platform.SystemError?
  }

  /// - Parameter captures: Whether answers are kept for a test and not written to standard output.
  init(_ defaults: BatchDefaults, threads: Int, captures: Bool, progress: BatchProgress?) {
    self.defaults = defaults
    self.threads = threads
    self.captures = captures
    room = DispatchSemaphore(value: 2 * threads + 2)
    state = Guarded(State(progress: progress))
  }

  /// What became of a run.
  struct Outcome: Sendable {
    let counts: BatchCounts
    let duration: Duration
    let captured: [UInt8]
    /// Whether nobody read the answers any more.
    let lostReader: Bool
    /// Why the answers could not be written, if it is not that.
    let failure: Platform.SystemError?
  }

  /// Answers the whole input.
  func run(_ descriptor: Int32) throws(Platform.SystemError) -> Outcome {
    for _ in 0..<threads { Thread { self.judge() }.start() }
    var problem: Platform.SystemError?
    var reader = BatchReader(descriptor)
    do throws(Platform.SystemError) {
      while let chunk = try reader.next(unless: { isStopped }) {
        room.wait()
        queue.withLock { $0.append(chunk) }
        waiting.signal()
        if isStopped { break }
      }
    } catch {
      problem = error
    }
    // What was read is answered, whatever has ended the reading.
    for _ in 0..<threads { waiting.signal() }
    for _ in 0..<threads { ended.wait() }
    if let problem { throw problem }
    return state.withLock { state in
      state.progress?.clear()
      return Outcome(
        counts: state.counts, duration: ContinuousClock.now - startTime, captured: state.captured,
        lostReader: isBroken.load(ordering: .relaxed) && state.failure == nil,
        failure: state.failure)
    }
  }

  private var isStopped: Bool {
    Platform.wasInterrupted || isBroken.load(ordering: .relaxed)
  }

  /// The work of one thread.
  private func judge() {
    var judge = BatchJudge(defaults)
    while true {
      waiting.wait()
      // Nothing there means that nothing will come any more.
      guard let chunk = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
      var output = BatchOutput()
      if !isBroken.load(ordering: .relaxed) { judge.answer(chunk, into: &output) }
      finish(chunk.index, output)
    }
    ended.signal()
  }

  /// Keeps the answers of a piece, and writes all that come next.
  private func finish(_ index: Int, _ output: BatchOutput) {
    state.withLock { $0.answers[index] = output }
    while let next = takeNext() {
      write(next)
      room.signal()
    }
  }

  /// The answers that come next, if they are there and nobody else is writing.
  private func takeNext() -> BatchOutput? {
    state.withLock { state in
      guard !state.isWriting, let next = state.answers.removeValue(forKey: state.next) else {
        return nil
      }
      state.next += 1
      state.isWriting = true
      return next
    }
  }

  private func write(_ output: BatchOutput) {
    var failure: Platform.SystemError?
    let isLate = isBroken.load(ordering: .relaxed)
    if !captures && !isLate {
      do throws(Platform.SystemError) {
        try Platform.write(output.octets, to: 1)
      } catch {
        failure = error
        isBroken.store(true, ordering: .relaxed)
      }
    }
    state.withLock { state in
      state.isWriting = false
      if captures { state.captured += output.octets }
      if let failure, !failure.isBrokenPipe { state.failure = failure }
      // The piece at which the reader has gone counts: some of it was read.
      if !isLate { state.counts += output.counts }
      state.progress?.show(state.counts, afterInput: output.inputSize)
    }
  }
}

extension BatchJudge {
  /// Answers each line of a piece.
  fileprivate mutating func answer(_ chunk: BatchChunk, into output: inout BatchOutput) {
    let text = chunk.text.span
    output.inputSize = text.count
    if chunk.isOverlong { output.addOverlong(line: chunk.firstLine, text) }
    var number = chunk.firstLine
    var start = 0
    for end in chunk.lineEnds {
      if end - start > BatchReader.longestLine {
        output.addOverlong(line: number, text)
      } else {
        answer(start..<end, number: number, in: text, into: &output)
      }
      number += 1
      start = end + 1
    }
  }
}
