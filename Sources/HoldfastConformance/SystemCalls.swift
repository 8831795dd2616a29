#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

/// How long this thread has had a processor. What a test compares must not hang on what else the
/// machine does, as a clock on the wall would.
package func processorTime() -> Duration {
  var time = timespec()
  // SAFETY: the structure lives for the call, which fills it.
  guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The least time of a few runs of `work`.
package func leastProcessorTime(of runs: Int, _ work: () -> Void) -> Duration {
  let times = (0..<runs).map { _ in
    let start = processorTime()
    work()
    return processorTime() - start
  }
  return times.min() ?? .zero
}

/// What the readers of suites need of the system.
enum SystemCalls {
  /// Whether there is a file or a folder.
  static func exists(_ path: String) -> Bool {
    // SAFETY: the string lives for the call.
    unsafe access(path, F_OK) == 0
  }

  /// The folder that the process works in.
  static var workingFolder: String {
    var bytes = [CChar](repeating: 0, count: 4096)
    // SAFETY: at most `count` bytes are written into the array, which lives for the call.
    guard unsafe getcwd(&bytes, bytes.count) != nil else { return "." }
    let end = bytes.firstIndex(of: 0) ?? bytes.count
    return String(decoding: bytes[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// One child at a time: a second one would inherit the first one's pipe and keep it open.
  private static let oneChild = Mutex(())

  /// What `xz` unpacks of a file.
  static func unpackXZ(_ path: String, limit: Int) throws(VectorError) -> [UInt8] {
    try oneChild.withLock { _ throws(VectorError) in
      var ends: [Int32] = [0, 0]
      // SAFETY: two numbers are written into the array, which lives for the call.
      guard unsafe pipe(&ends) == 0 else {
        throw .unreadable(path: path, reason: "xz cannot be started")
      }
      let child = start(["xz", "-dc", "--", path], output: ends[1], closing: ends[0])
      _ = close(ends[1])
      defer { _ = close(ends[0]) }
      guard let child else { throw .unpacking(path: path, status: 127) }
      let bytes = contents(of: ends[0], limit: limit)
      if bytes == nil { _ = kill(child, SIGTERM) }
      let status = wait(for: child)
      guard let bytes else { throw .tooLarge(path: path, limit: limit) }
      guard status == 0 else { throw .unpacking(path: path, status: status) }
      return bytes
    }
  }

  /// Starts a program that reads nothing, says nothing and writes to a pipe; nil if there is none.
  private static func start(_ words: [String], output: Int32, closing other: Int32) -> pid_t? {
    // SAFETY: the actions are made before they are used and destroyed after; the strings are copies
    // that live until they are freed, and the list of them ends with nil.
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclose(&actions, other)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    unsafe arguments.append(nil)
    var child = pid_t()
    // SAFETY: as above; without an environment the program has an empty one.
    guard unsafe posix_spawnp(&child, words[0], &actions, nil, arguments, nil) == 0 else {
      return nil
    }
    return child
  }

  /// All that comes through a pipe; nil if it is more than a limit.
  private static func contents(of descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // SAFETY: at most `count` bytes are written into the array, which lives for the call.
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      guard bytes.count <= limit - count else { return nil }
      bytes += piece[..<count]
    }
  }

  /// How a child has ended, as shells say it.
  private static func wait(for child: pid_t) -> Int {
    var status: Int32 = 0
    // SAFETY: the number lives for the call.
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
  }
}
