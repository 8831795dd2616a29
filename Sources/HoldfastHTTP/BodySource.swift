#if Curl
  internal import HoldfastDER
  internal import HoldfastSystem

  /// A request's body, whose file is open if it has one.
  enum OpenBody: Sendable {
    case bytes([UInt8])
    case stream(HTTPBody.Stream)

    /// Whether it can be sent a second time.
    var isRepeatable: Bool {
      if case .stream(let stream) = self { stream.isRepeatable } else { true }
    }
  }

  /// Where the bytes of a request's body come from. Only the loop's thread uses it.
  final class BodySource {
    /// What a reading gives.
    enum Step {
      case count(Int)
      case notYet
      case failed(HTTPError)
    }

    private enum Kind {
      case bytes([UInt8])
      case pipe(BodyPipe, Task<Void, Never>)
    }

    private var kind: Kind
    /// The number of bytes; nil if it is not known before the end.
    let count: Int?
    private(set) var sent = 0
    /// Begins a stream anew; nil if it cannot be produced again.
    private let restart: (() -> Kind)?

    /// - Parameter resume: Called on any thread when there is something to read again.
    init(_ body: OpenBody, resume: @escaping @Sendable () -> Void) {
      switch body {
      case .bytes(let bytes):
        kind = .bytes(bytes)
        count = bytes.count
        restart = nil
      case .stream(let stream):
        let begin = { BodySource.begin(stream, resume) }
        kind = begin()
        count = stream.count
        restart = stream.isRepeatable ? begin : nil
      }
    }

    deinit { close() }

    private func close() {
      guard case .pipe(let pipe, let task) = kind else { return }
      task.cancel()
      pipe.close()
    }

    private static func begin(
      _ stream: HTTPBody.Stream, _ resume: @escaping @Sendable () -> Void
    ) -> Kind {
      let pipe = BodyPipe(count: stream.count, resume: resume)
      let task = Task(executorPreference: stream.executor) {
        do {
          try await stream.produce { try await pipe.send($0) }
          pipe.end(nil)
        } catch {
          pipe.end(error)
        }
      }
      return .pipe(pipe, task)
    }

    /// Copies the next bytes.
    func read(into room: UnsafeMutableRawBufferPointer) -> Step {
      // SAFETY: libcurl's room lives for the call.
      let step = unsafe copy(into: room)
      guard case .count(let size) = step else { return step }
      sent += size
      if let count, size == 0 ? sent != count : sent > count {
        return .failed(.requestBody(WrongLength(claimed: count)))
      }
      return step
    }

    private func copy(into room: UnsafeMutableRawBufferPointer) -> Step {
      switch kind {
      case .bytes(let bytes):
        let size = min(room.count, bytes.count - sent)
        // SAFETY: libcurl's room lives for the call and has at least this size.
        unsafe room.copyBytes(from: bytes[sent..<sent + size])
        return .count(size)
      case .pipe(let pipe, _): return unsafe pipe.take(into: room)
      }
    }

    /// Goes back to the first byte; false if that is not possible.
    func rewind() -> Bool {
      guard sent > 0 else { return true }
      if case .pipe = kind {
        guard let restart else { return false }
        close()
        kind = restart()
      }
      sent = 0
      return true
    }
  }

  extension HTTPBody {
    /// The most bytes of a file that are read at a time.
    private static let pieceOfFile = 256 * 1024

    /// Opens the body. A file is opened and read on `executor`, because a disk may be slow, and the
    /// loop's thread serves other requests.
    func opened(on executor: FileQueue) async throws(HTTPError) -> OpenBody {
      let path: String
      switch content {
      case .bytes(let bytes): return .bytes(bytes)
      case .stream(let stream): return .stream(stream)
      case .file(let name): path = name
      }
      return try await withTaskExecutorPreference(executor) { () throws(HTTPError) in
        let file: RegularFile
        do throws(FileOutput.Problem) {
          file = try RegularFile(path)
        } catch {
          throw .file(path: path, reason: error.description)
        }
        var stream = Stream(count: file.size) { send in
          var offset = 0
          while true {
            let piece: [UInt8]
            do throws(System.SystemError) {
              piece = try file.read(at: offset, atMost: HTTPBody.pieceOfFile)
            } catch {
              throw UnreadableFile(error: .file(path: path, reason: error.description))
            }
            guard !piece.isEmpty else { return }
            // `BodyPipe` counts, and refuses what a file has grown by.
            try await send(piece)
            offset += piece.count
          }
        }
        (stream.isRepeatable, stream.executor) = (true, executor)
        return .stream(stream)
      }
    }
  }

  /// The file of a body that cannot be read to its end.
  private struct UnreadableFile: Error {
    let error: HTTPError
  }

  /// Hands pieces from a task to the loop's thread, one at a time.
  final class BodyPipe: Sendable {
    private struct State {
      var piece: ArraySlice<UInt8> = []
      /// The number of bytes that are still to be taken; nil if it is not known.
      var left: Int?
      var hasEnded = false
      var error: (any Error)?
      /// Whether the loop has found nothing and waits.
      var isStarved = false
      var producer: CheckedContinuation<Void, Never>?
    }

    private let state: Guarded<State>
    private let count: Int?
    private let resume: @Sendable () -> Void

    /// - Parameter count: The number of bytes; nil if it is not known.
    init(count: Int?, resume: @escaping @Sendable () -> Void) {
      state = Guarded(State(left: count))
      self.count = count
      self.resume = resume
    }

    /// Changes the state, and wakes the loop's thread if it waits.
    private func update(_ change: (inout State) -> Void) {
      let isStarved = state.withLock { state in
        change(&state)
        defer { state.isStarved = false }
        return state.isStarved
      }
      if isStarved { resume() }
    }

    /// Hands a piece over and waits until it was taken.
    func send(_ piece: [UInt8]) async throws {
      try Task.checkCancellation()
      guard !piece.isEmpty else { return }
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.producer = continuation }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() } else { update { $0.piece += piece } }
      }
      try Task.checkCancellation()
    }

    /// Ends the body, with an error or because all was sent.
    func end(_ error: (any Error)?) {
      update { state in
        state.hasEnded = true
        state.error = error
      }
    }

    /// Lets a producer that waits go on; nothing is taken any more.
    func close() {
      let producer = state.withLock { state in
        state.hasEnded = true
        defer { state.producer = nil }
        return state.producer
      }
      producer?.resume()
    }

    /// Copies the next bytes; called by the loop's thread.
    ///
    /// The last of the bytes that were announced waits until the sequence has ended. Otherwise a server
    /// would take the beginning of a longer one for all of it: libcurl asks for no byte beyond.
    func take(into room: UnsafeMutableRawBufferPointer) -> BodySource.Step {
      // SAFETY: libcurl's room lives for the call.
      nonisolated(unsafe) let room = unsafe room
      let count = count
      let (step, producer) = state.withLock {
        state -> (BodySource.Step, CheckedContinuation<Void, Never>?) in
        if let error = state.error {
          return (.failed((error as? UnreadableFile)?.error ?? .requestBody(error)), nil)
        }
        if let count, let left = state.left, state.piece.count > left {
          return (.failed(.requestBody(WrongLength(claimed: count))), nil)
        }
        let isLast = !state.piece.isEmpty && state.piece.count == state.left
        let held = isLast && !state.hasEnded ? 1 : 0
        let size = unsafe min(room.count, state.piece.count - held)
        unsafe room.copyBytes(from: state.piece.prefix(size))
        state.piece = state.piece.dropFirst(size)
        state.left = state.left.map { $0 - size }
        var producer: CheckedContinuation<Void, Never>?
        if state.piece.count == held { swap(&producer, &state.producer) }
        state.isStarved = size == 0 && !state.hasEnded
        let isDone = size > 0 || state.hasEnded
        return (isDone ? .count(size) : .notYet, producer)
      }
      producer?.resume()
      return step
    }
  }
#endif
