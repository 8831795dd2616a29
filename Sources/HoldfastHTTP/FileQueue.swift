#if Curl
  internal import Dispatch

  /// Where tasks run while they write files: a thread of their own, one task at a time.
  ///
  /// The threads that all tasks share are as few as the processors, and a write to a slow disk would
  /// hold one up.
  final class FileQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "holdfast.http.files")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // SAFETY: a job runs once, and this object lives until it has.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
