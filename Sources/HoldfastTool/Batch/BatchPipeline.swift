internal import Dispatch
internal import HoldfastDER
internal import HoldfastSystem
internal import Synchronization

/// Threads that judge pieces of the input at the same time, and answers in the order of the input.
///
/// Memory is bounded whatever the input is: by the places for pieces that are read and not yet
/// answered, of which a long piece takes several, and by the bytes of answers that may wait. So nothing
/// is read while the reader of the answers is slow.
final class BatchPipeline: Sendable {
  private let defaults: BatchDefaults
  private let threads: Int
  private let captures: Bool
  private let startTime = ContinuousClock.now

  /// How many places for pieces there are, each for as much as is read at once.
  private let places: Int
  /// How many of them are free.
  private let room: DispatchSemaphore
  /// How many pieces wait for a thread, and for each thread one more at the end.
  private let waiting = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let queue = Guarded<[BatchChunk]>([])
  private let state: Guarded<State>
  private let isBroken = Atomic(false)

  /// The most places: 12 MiB of input, more than the longest line has.
  private static let mostPlaces = 48
  /// The most bytes of answers that wait for those before them, but for one part of each thread.
  private static let mostBytes = 16 << 20

  private struct State: Sendable {
    var answers: [Int: Answers] = [:]
    /// How many bytes they have.
    var size = 0
    var next = 0
    var isWriting = false
    /// The threads that wait until there are fewer bytes, or until it is their turn.
    var sleepers: [DispatchSemaphore] = []
    var counts = BatchCounts()
    var captured: [UInt8] = []
    var progress: BatchProgress?
    var failure: System.SystemError?

    mutating func wakeAll() {
      for sleeper in sleepers { sleeper.signal() }
      sleepers = []
    }
  }

  /// The answers to a piece that are not yet written.
  private struct Answers: Sendable {
    var parts: [BatchOutput.Part] = []
    /// Whether there will be no more.
    var isComplete = false
    /// How many places the piece has.
    var places = 0
  }

  /// - Parameter captures: Whether answers are kept for a test and not written to standard output.
  init(_ defaults: BatchDefaults, threads: Int, captures: Bool, progress: BatchProgress?) {
    self.defaults = defaults
    self.threads = threads
    self.captures = captures
    places = min(2 * threads + 2, BatchPipeline.mostPlaces)
    room = DispatchSemaphore(value: places)
    state = Guarded(State(progress: progress))
  }

  /// What became of a run.
  struct Outcome: Sendable {
    let counts: BatchCounts
    let duration: Duration
    let captured: [UInt8]
    /// Whether the reader of the answers has gone.
    let lostReader: Bool
    /// Why the answers could not be written, if it is not that.
    let failure: System.SystemError?
  }

  /// Answers the whole input.
  func run(_ descriptor: Int32) throws(System.SystemError) -> Outcome {
    // A serial queue of its own is a thread of its own.
    for index in 0..<threads { DispatchQueue(label: "judge \(index)").async { self.judge() } }
    var problem: System.SystemError?
    var reader = BatchReader(descriptor)
    do throws(System.SystemError) {
      while let chunk = try reader.next(unless: { isStopped }) {
        for _ in 0..<placeCount(of: chunk) { room.wait() }
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
    state.withLock { $0.progress?.clear() }
    if let problem { throw problem }
    return state.withLock { state in
      Outcome(
        counts: state.counts, duration: ContinuousClock.now - startTime, captured: state.captured,
        lostReader: isBroken.load(ordering: .relaxed) && state.failure == nil,
        failure: state.failure)
    }
  }

  private var isStopped: Bool {
    System.wasInterrupted || isBroken.load(ordering: .relaxed)
  }

  /// One at least, and all of them for a piece that has a long line.
  private func placeCount(of chunk: BatchChunk) -> Int {
    min(max(chunk.text.count / BatchReader.pieceSize, 1), places)
  }

  /// The work of one thread.
  private func judge() {
    var judge = BatchJudge(defaults, threads: threads)
    while true {
      waiting.wait()
      // Nothing there means that nothing will come any more.
      guard let chunk = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
      var output = BatchOutput { self.take($0, of: chunk.index) }
      if !isBroken.load(ordering: .relaxed) { judge.answer(chunk, into: &output) }
      output.inputSize = chunk.text.count
      output.hand()
      finish(chunk.index, places: placeCount(of: chunk))
    }
    ended.signal()
  }
}

/// The answers, which leave in the order of the pieces.
extension BatchPipeline {
  /// Takes some answers to a piece, writes all that come next, and returns when there is room for more.
  ///
  /// The thread whose piece is the next to be written never waits for another that waits: either it
  /// writes itself, or one that writes wakes it.
  private func take(_ part: BatchOutput.Part, of index: Int) {
    state.withLock { state in
      state.answers[index, default: Answers()].parts.append(part)
      state.size += part.bytes.count
    }
    writeNext()
    while let sleeper = sleeper(of: index) { sleeper.wait() }
  }

  /// Says that there are no more answers to a piece.
  private func finish(_ index: Int, places: Int) {
    state.withLock { state in
      state.answers[index, default: Answers()].isComplete = true
      state.answers[index, default: Answers()].places = places
    }
    writeNext()
  }

  /// What the thread of a piece waits for; nil if it may go on.
  private func sleeper(of index: Int) -> DispatchSemaphore? {
    state.withLock { state in
      guard state.size > BatchPipeline.mostBytes, state.next != index || state.isWriting
      else { return nil }
      let sleeper = DispatchSemaphore(value: 0)
      state.sleepers.append(sleeper)
      return sleeper
    }
  }

  /// Writes all answers that come next, unless another thread does.
  private func writeNext() {
    while let next = takeNext() { write(next) }
  }

  /// The answers that come next, if they are there and no other thread is writing.
  private func takeNext() -> BatchOutput.Part? {
    state.withLock { state in
      guard !state.isWriting else { return nil }
      while let answers = state.answers[state.next] {
        if !answers.parts.isEmpty {
          state.isWriting = true
          return state.answers[state.next]?.parts.removeFirst()
        }
        guard answers.isComplete else { break }
        state.answers[state.next] = nil
        state.next += 1
        for _ in 0..<answers.places { room.signal() }
      }
      state.wakeAll()
      return nil
    }
  }

  private func write(_ part: BatchOutput.Part) {
    var failure: System.SystemError?
    let isLate = isBroken.load(ordering: .relaxed)
    if !captures && !isLate {
      do throws(System.SystemError) {
        try System.write(part.bytes, to: 1)
      } catch {
        failure = error
        isBroken.store(true, ordering: .relaxed)
      }
    }
    state.withLock { state in
      state.isWriting = false
      state.size -= part.bytes.count
      if captures { state.captured += part.bytes }
      if let failure, !failure.isBrokenPipe { state.failure = failure }
      // The part at which the reader has gone counts: some of it was read.
      if !isLate { state.counts += part.counts }
      state.progress?.show(state.counts, afterInput: part.inputSize)
      state.wakeAll()
    }
  }
}

extension BatchJudge {
  /// Answers each line of a piece that is not blank.
  fileprivate mutating func answer(_ chunk: BatchChunk, into output: inout BatchOutput) {
    let text = chunk.text.span
    if chunk.isOverlong { output.addOverlong(line: chunk.firstLine) }
    var number = chunk.firstLine
    var start = 0
    while start < text.count {
      let end = System.place(of: 0x0A, in: text, start..<text.count) ?? text.count
      if BatchJudge.hasByteOrderMark(start..<end, text) { start += 3 }
      if end - start > BatchReader.longestLine {
        output.addOverlong(line: number)
      } else if !BatchJudge.isBlank(start..<end, text) {
        answer(start..<end, number: number, in: text, into: &output)
      }
      number += 1
      start = end + 1
    }
  }

  /// Whether a line begins with U+FEFF in UTF-8, which RFC 8259 §8.1 lets a parser ignore.
  private static func hasByteOrderMark(_ line: Range<Int>, _ text: Span<UInt8>) -> Bool {
    line.count >= 3 && text[line.lowerBound] == 0xEF && text[line.lowerBound + 1] == 0xBB
      && text[line.lowerBound + 2] == 0xBF
  }

  private static func isBlank(_ line: Range<Int>, _ text: Span<UInt8>) -> Bool {
    for place in line {
      switch text[place] {
      case 0x20, 0x09, 0x0D: continue
      default: return false
      }
    }
    return true
  }
}
