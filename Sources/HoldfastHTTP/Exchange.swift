#if Curl
  internal import HoldfastDER

  /// What a task and the loop's thread share of one request: the response on its way to the task.
  final class Exchange: Sendable {
    fileprivate struct State {
      var response: HTTPResponse?
      /// The pieces of the body that were not taken yet.
      var pieces: [[UInt8]] = []
      var next = 0
      var count = 0
      /// The number of pieces that were taken.
      var taken = 0
      var end: Result<Void, HTTPError>?
      var isPaused = false
      var waiter: CheckedContinuation<Bool, Never>?
    }

    let id: UInt64
    /// The number of bytes that may wait for the task; nil if it takes the body as a whole.
    let capacity: Int?
    private let loop: TransferLoop
    private let state = Guarded(State())

    init(id: UInt64, capacity: Int?, on loop: TransferLoop) {
      self.id = id
      self.capacity = capacity
      self.loop = loop
    }

    /// Changes the state, and wakes the task if that is of interest to it.
    private func update<Value: Sendable>(
      wakes: Bool = true, _ change: (inout State) -> Value
    ) -> Value {
      let (value, waiter) = state.withLock { state in
        let value = change(&state)
        let waiter = wakes ? state.waiter : nil
        if wakes { state.waiter = nil }
        return (value, waiter)
      }
      waiter?.resume(returning: true)
      return value
    }
  }

  /// The loop's side.
  extension Exchange {
    /// Delivers the head of the response.
    func receive(_ response: HTTPResponse) {
      update(wakes: capacity != nil) { $0.response = response }
    }

    /// Delivers a piece of the body; returns false if there is no room for it now, and then the
    /// transfer is resumed later.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
      let capacity = capacity
      // SAFETY: the caller's bytes live for the call, and are copied.
      nonisolated(unsafe) let piece = unsafe piece
      return update(wakes: capacity != nil) { state in
        guard state.end == nil else { return true }
        guard let capacity else {
          // The task takes the body as a whole.
          if state.pieces.isEmpty { state.pieces = [[]] }
          unsafe state.pieces[0].append(contentsOf: piece)
          return true
        }
        if state.count > 0, unsafe state.count + piece.count > capacity {
          state.isPaused = true
          return false
        }
        unsafe state.pieces.append([UInt8](piece))
        unsafe state.count += piece.count
        return true
      }
    }

    /// The number of pieces that the task has taken.
    var taken: Int { state.withLock { $0.taken } }

    /// Ends the response.
    func finish(_ result: Result<Void, HTTPError>) {
      update { state in
        if state.end == nil { state.end = result }
      }
    }
  }

  /// The task's side.
  extension Exchange {
    /// Ends the transfer, wherever it is.
    func cancel() {
      let isFirst = update { state in
        let isFirst = state.end == nil
        if isFirst { state.end = .failure(.cancelled) }
        return isFirst
      }
      if isFirst { loop.send(.cancel(id)) }
    }

    /// Waits for the head of the response.
    func response() async throws(HTTPError) -> HTTPResponse {
      while true {
        let (response, end) = state.withLock { ($0.response, $0.end) }
        if let response { return response }
        if case .failure(let error) = end { throw error }
        try await wait { $0.response != nil }
      }
    }

    /// Waits for the next piece of the body; nil at its end.
    func next() async throws(HTTPError) -> [UInt8]? {
      while true {
        let (piece, end, resumes) = state.withLock { state in state.take(capacity) }
        if resumes { loop.send(.resume(id)) }
        if let piece { return piece }
        switch end {
        case .success: return nil
        case .failure(let error): throw error
        case nil: try await wait { $0.next < $0.pieces.count }
        }
      }
    }

    /// Waits for the end and returns the response with its whole body.
    func collect() async throws(HTTPError) -> ([UInt8], HTTPResponse) {
      try await wait { _ in false }
      let (response, pieces, end) = state.withLock { ($0.response.take(), $0.pieces, $0.end) }
      if case .failure(let error) = end { throw error }
      guard let response else { throw .other("the response has no head") }
      return (pieces.first ?? [], response)
    }

    /// Waits until the condition holds or the transfer has ended. One task at a time can wait.
    private func wait(
      until condition: @Sendable (borrowing State) -> Bool
    ) async throws(HTTPError) {
      let isAlone = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isAlone = state.withLock { state -> Bool? in
            if state.end != nil || condition(state) { return true }
            guard state.waiter == nil else { return false }
            state.waiter = continuation
            return nil
          }
          if let isAlone { continuation.resume(returning: isAlone) }
        }
      } onCancel: {
        cancel()
      }
      guard isAlone else { throw .bodyReadTwice }
    }
  }

  extension Exchange.State {
    /// Takes the next piece; also returns whether a paused transfer can go on.
    fileprivate mutating func take(
      _ capacity: Int?
    ) -> ([UInt8]?, Result<Void, HTTPError>?, Bool) {
      // A cancelled body ends at once, whatever has arrived.
      if case .failure(.cancelled) = end { return (nil, end, false) }
      guard next < pieces.count else { return (nil, end, false) }
      let piece = pieces[next]
      pieces[next] = []
      next += 1
      taken += 1
      if next == pieces.count { (pieces, next) = ([], 0) }
      count -= piece.count
      let resumes = isPaused && count <= (capacity ?? 0) / 2
      if resumes { isPaused = false }
      return (piece, end, resumes)
    }
  }
#endif
