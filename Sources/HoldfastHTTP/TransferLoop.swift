#if Curl
  internal import CHoldfastCurl
  internal import CHoldfastOpenSSL
  internal import Holdfast
  internal import HoldfastDER

  /// One thread and one `curl_multi`, which serve all transfers of a client.
  ///
  /// Tasks send commands; everything else happens on the thread, so a `Transfer` needs no lock. The
  /// connections belong to the loop, and with it to one decision about servers. Tasks that prefer
  /// the thread run on it between two looks at the sockets.
  @safe final class TransferLoop: Sendable {
    enum Command: Sendable {
      indirect case start(Job)
      /// There is room for the response, or there are bytes for the request.
      case resume(UInt64)
      case cancel(UInt64)
      /// The policy has changed.
      case reconsider
    }

    /// A request on its way to the thread.
    struct Job: Sendable {
      let exchange: Exchange
      let hop: Hop
      let deadline: ContinuousClock.Instant?
      let bodyLimit: Int?
      let progress: ProgressFunction?
    }

    private struct Queue {
      var commands: [Command] = []
      /// What tasks that prefer the thread have to do.
      var jobs: [TaskJob] = []
      var isStarted = false
      /// Whether the thread ends when it has nothing left to do; it starts again for a task.
      var isStopping = false
      /// Whether the thread waits, or is about to: a command must wake it.
      var isWaiting = false
      var nextID: UInt64 = 0
    }

    let options: HTTPOptions
    let decision: HTTPDecision
    // SAFETY: used by the thread alone, but for `curl_multi_wakeup`, which any thread may call;
    // freed with this object.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer?
    private let queue = Guarded(Queue())
    // SAFETY: as `multi`.
    nonisolated(unsafe) let sockets = OpenSockets()
    private let observations = Guarded<[TrustGeneration.Observation]>([])

    init(_ options: HTTPOptions, _ decision: HTTPDecision) {
      self.options = options
      self.decision = decision
      guard TransferLoop.isInitialized else {
        unsafe multi = nil
        return
      }
      // SAFETY: this object owns it.
      unsafe multi = unsafe curl_multi_init()
      for (option, value) in [
        (CURLMOPT_MAX_HOST_CONNECTIONS, options.maximumConnectionsPerHost),
        (CURLMOPT_MAX_TOTAL_CONNECTIONS, options.maximumConnections),
        (CURLMOPT_MAXCONNECTS, options.maximumConnections),
      ] {
        unsafe _ = holdfast_set_multi_number(multi, option, max(1, value))
      }
      let changes = decision.changes.map { changes in
        changes.observe { [weak self] in self?.send(.reconsider) }
      }
      observations.withLock { $0 = changes }
    }

    deinit {
      guard ProcessExit.shared.enter() else { return }
      // SAFETY: no transfer is left, because each retains this object through its exchange.
      unsafe curl_multi_cleanup(multi)
      ProcessExit.shared.leave()
    }

    private static let isInitialized: Bool = {
      guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
      // After OpenSSL's own registration, so that it is called before.
      _ = ProcessExit.shared
      return true
    }()

    /// The TLS library of this libcurl if it is not the OpenSSL with which Holdfast works.
    static let otherBackend: String? = {
      // SAFETY: libcurl's texts are constants.
      guard isInitialized, let name = unsafe holdfast_tls_library() else {
        return "no TLS library"
      }
      let backend = unsafe String(cString: name)
      let own = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
      return backend == "OpenSSL/\(own)" ? nil : backend
    }()

    /// A part of a task, and the executor that it prefers.
    private struct TaskJob {
      let job: UnownedJob
      let executor: TransferExecutor
    }

    /// Sends a command from any thread; the first request starts the thread.
    func send(_ command: Command) {
      let starts = if case .start = command { true } else { false }
      enter(starts: starts) { $0.commands.append(command) }
    }

    /// Runs a part of a task on the thread.
    func run(_ job: UnownedJob, for executor: TransferExecutor) {
      let job = TaskJob(job: job, executor: executor)
      enter { $0.jobs.append(job) }
    }

    /// Ends the thread after the last transfer.
    func stop() {
      enter(starts: false) { $0.isStopping = true }
    }

    /// Changes the queue from any thread, and wakes or starts that of the loop.
    private func enter(starts: Bool = true, _ change: (inout Queue) -> Void) {
      let (starts, wakes) = queue.withLock { queue in
        change(&queue)
        defer {
          queue.isWaiting = false
          queue.isStarted = queue.isStarted || starts
        }
        return (starts && !queue.isStarted, queue.isWaiting)
      }
      // SAFETY: the handle lives as long as this object; the thread releases its reference at its
      // end.
      if wakes { unsafe _ = curl_multi_wakeup(multi) }
      guard starts else { return }
      let reference = unsafe Unmanaged.passRetained(self)
      let status = unsafe holdfast_start_thread(
        { argument in
          if let argument = unsafe argument {
            unsafe Unmanaged<TransferLoop>.fromOpaque(argument).takeRetainedValue().run()
            OPENSSL_thread_stop()
            ProcessExit.shared.leave()
          }
          return nil
        }, reference.toOpaque())
      if status != 0 {
        unsafe reference.release()
        queue.withLock { $0.isStarted = false }
        let (commands, jobs) = take()
        for case .start(let job) in commands {
          job.exchange.finish(.failure(.other("no thread could be started")))
        }
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job.job)) }
      }
    }

    /// Returns a number for a request.
    func makeID() -> UInt64 {
      queue.withLock { queue in
        queue.nextID += 1
        return queue.nextID
      }
    }

    private func take() -> ([Command], [TaskJob]) {
      queue.withLock { queue in
        queue.isWaiting = false
        defer { (queue.commands, queue.jobs) = ([], []) }
        return (queue.commands, queue.jobs)
      }
    }

    /// What the thread does next.
    private enum Step {
      case work
      case wait
      case end
    }

    /// - Parameter isIdle: Whether there is no transfer.
    private func nextStep(isIdle: Bool) -> Step {
      queue.withLock { queue in
        guard queue.commands.isEmpty && queue.jobs.isEmpty else { return .work }
        if queue.isStopping && isIdle {
          queue.isStarted = false
          return .end
        }
        queue.isWaiting = true
        return .wait
      }
    }
  }

  /// The thread.
  extension TransferLoop {
    /// What only the thread uses.
    private struct Work {
      var transfers: [UInt64: Transfer] = [:]
      /// The handles without a transfer, for the next ones.
      var handles: [TransferHandle] = []
      let pauses = Pauses()
      /// Whether connections have to be judged again, because the policy has changed.
      var reconsiders = false
    }

    /// Returns inside `ProcessExit`, which the caller leaves.
    private func run() {
      var work = Work()
      while true {
        let (commands, jobs) = take()
        for job in jobs {
          // SAFETY: a job runs once, and its executor lives until it has.
          unsafe job.job.runSynchronously(on: job.executor.asUnownedTaskExecutor())
        }
        for command in commands {
          switch command {
          case .start(let job):
            let transfer = Transfer(job, on: self, work.pauses)
            work.transfers[transfer.id] = transfer
            begin(transfer, &work)
          case .resume(let id): work.transfers[id]?.resume()
          case .cancel(let id):
            remove(id, &work)
          case .reconsider: work.reconsiders = true
          }
        }
        // SAFETY: only this thread uses it.
        var running: CInt = 0
        unsafe curl_multi_perform(multi, &running)
        finish(&work)
        if work.reconsiders { unsafe work.reconsiders = sockets.shutUntrusted() }
        for id in work.pauses.expired() where work.transfers[id]?.mayWaitLonger() != true {
          if let transfer = work.transfers[id] {
            transfer.end(.failure(.bodyStalled(host: transfer.hop.url.server)))
          }
          remove(id, &work)
        }
        switch nextStep(isIdle: work.transfers.isEmpty) {
        case .work: break
        case .wait:
          unsafe curl_multi_poll(multi, nil, 0, work.pauses.milliseconds(atMost: 60_000), nil)
        case .end:
          if !ProcessExit.shared.enter() { ProcessExit.keepThread() }
          return
        }
      }
    }

    /// Ends a transfer where it is.
    private func remove(_ id: UInt64, _ work: inout Work) {
      work.pauses.end(id)
      guard let transfer = work.transfers.removeValue(forKey: id) else { return }
      detach(transfer)
      keep(transfer.releaseHandle(), &work)
    }

    /// Ends the transfers that libcurl reports, or begins their next hops.
    private func finish(_ work: inout Work) {
      var left: CInt = 0
      // SAFETY: only this thread uses it; the message is read before the next call.
      while let message = unsafe curl_multi_info_read(multi, &left) {
        guard unsafe message.pointee.msg == CURLMSG_DONE,
          let easy = unsafe message.pointee.easy_handle,
          let pointer = unsafe holdfast_private(easy),
          let transfer = unsafe Unmanaged<TransferHandle>.fromOpaque(pointer)
            .takeUnretainedValue().transfer
        else { continue }
        let result = unsafe holdfast_result(message)
        detach(transfer)
        let isRedirected = transfer.finish(result)
        keep(transfer.releaseHandle(), &work)
        if isRedirected {
          begin(transfer, &work)
        } else {
          work.transfers[transfer.id] = nil
        }
      }
    }

    /// Adds a transfer with a handle.
    private func begin(_ transfer: Transfer, _ work: inout Work) {
      do throws(HTTPError) {
        let kept = work.handles.popLast()
        let handle = if let kept { kept } else { try TransferHandle(self) }
        if transfer.begin(on: handle) {
          // SAFETY: the handle is removed before it is freed.
          unsafe curl_multi_add_handle(multi, handle.easy)
          return
        }
        keep(handle, &work)
      } catch {
        transfer.end(.failure(error))
      }
      work.transfers[transfer.id] = nil
    }

    /// Removes the handle of a transfer; a connection in the middle of a response is closed.
    private func detach(_ transfer: Transfer) {
      // SAFETY: the handle was added to this `curl_multi`.
      if let handle = transfer.handle { unsafe curl_multi_remove_handle(multi, handle.easy) }
    }

    /// The most handles that are kept. Requests take turns on connections, so there may be more of
    /// them than of connections, and a connection that is idle needs none.
    private static let maximumHandles = 32

    /// Keeps a handle for the next transfer.
    private func keep(_ handle: TransferHandle?, _ work: inout Work) {
      guard let handle, work.handles.count < TransferLoop.maximumHandles else { return }
      work.handles.append(handle)
    }
  }

  /// Runs tasks on the thread of a client: their requests need no other thread.
  final class TransferExecutor: TaskExecutor {
    private let loop: TransferLoop

    init(_ loop: TransferLoop) {
      self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
      loop.run(UnownedJob(job), for: self)
    }
  }

  /// The transfers that wait for the task, to take or to give bytes, and when that ends them: libcurl
  /// does not look at the speed of a transfer that is paused. Only the loop's thread uses it.
  final class Pauses {
    private var ends: [UInt64: ContinuousClock.Instant] = [:]

    func begin(_ id: UInt64, _ duration: Duration) { ends[id] = .now + duration }

    /// Notes that bytes have moved.
    func move(_ id: UInt64, _ duration: Duration) {
      if !ends.isEmpty, ends[id] != nil { begin(id, duration) }
    }

    /// Whether a transfer waits for its task now. Where that gives nothing, libcurl may be the first
    /// to see that nothing moves.
    func isWaiting(_ id: UInt64) -> Bool { ends[id] != nil }

    func end(_ id: UInt64) {
      if !ends.isEmpty { ends[id] = nil }
    }

    /// Returns the transfers whose time has come.
    func expired() -> [UInt64] {
      guard !ends.isEmpty else { return [] }
      let now = ContinuousClock.now
      return ends.filter { $0.value <= now }.map(\.key)
    }

    /// Returns the time until the next one ends.
    func milliseconds(atMost limit: Int32) -> Int32 {
      guard let end = ends.values.min() else { return limit }
      let left = ContinuousClock.now.duration(to: end).milliseconds
      return left < Int64(limit) ? Int32(left) : limit
    }
  }
#endif
