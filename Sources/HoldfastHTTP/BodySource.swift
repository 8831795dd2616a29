#if Curl
  internal import HoldfastDER
  internal import HoldfastSystem

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
      case file(String, descriptor: Int32)
      case pipe(BodyPipe, Task<Void, Never>)
    }

    private var kind: Kind
    /// The number of bytes; nil if it is not known before the end.
    let count: Int?
    private(set) var sent = 0

    /// - Parameter resume: Called on any thread when there is something to read again.
    init(_ body: HTTPBody, resume: @escaping @Sendable () -> Void) throws(HTTPError) {
      switch body.content {
      case .bytes(let bytes):
        kind = .bytes(bytes)
        count = bytes.count
      case .file(let path):
        let (descriptor, size) = try BodySource.open(path)
        kind = .file(path, descriptor: descriptor)
        count = size
      case .stream(let count, let produce):
        let pipe = BodyPipe(count: count, resume: resume)
        let task = Task {
          do {
            try await produce { try await pipe.send($0) }
            pipe.end(nil)
          } catch {
            pipe.end(error)
          }
        }
        kind = .pipe(pipe, task)
        self.count = count
      }
    }

    deinit {
      switch kind {
      case .bytes: break
      case .file(_, let descriptor): System.closeInput(descriptor)
      case .pipe(let pipe, let task):
        task.cancel()
        pipe.close()
      }
    }

    private static func open(_ path: String) throws(HTTPError) -> (descriptor: Int32, size: Int?) {
      do throws(System.SystemError) {
        // A name, not standard input.
        let descriptor = try System.open(path == "-" ? "./-" : path)
        do throws(System.SystemError) {
          return (descriptor, try System.size(descriptor))
        } catch {
          System.closeInput(descriptor)
          throw error
        }
      } catch {
        throw .file(path: path, reason: error.description)
      }
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
      case .file(let path, let descriptor):
        do throws(System.SystemError) {
          // SAFETY: as above.
          let size = try unsafe System.read(descriptor, into: room)
          // libcurl may ask for no more than what is left, so a file that has grown is noticed here.
          if let count, size > 0, sent + size == count {
            var more: [UInt8] = []
            if try System.read(descriptor, to: &more, 1) > 0 {
              return .failed(.requestBody(WrongLength(claimed: count)))
            }
          }
          return .count(size)
        } catch {
          return .failed(.file(path: path, reason: error.description))
        }
      case .pipe(let pipe, _): return unsafe pipe.take(into: room)
      }
    }

    /// Goes back to the first byte; false if that is not possible.
    func rewind() -> Bool {
      switch kind {
      case .bytes: sent = 0
      case .file(let path, let old):
        guard sent > 0 else { return true }
        do throws(HTTPError) {
          kind = .file(path, descriptor: try BodySource.open(path).descriptor)
        } catch {
          return false
        }
        System.closeInput(old)
        sent = 0
      case .pipe: break
      }
      return sent == 0
    }
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
        if let error = state.error { return (.failed(.requestBody(error)), nil) }
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
