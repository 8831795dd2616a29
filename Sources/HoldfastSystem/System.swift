internal import CHoldfastPlatform
internal import HoldfastBase
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system calls that the tool and the suites need besides reading whole files: output,
/// terminals, signals, streamed input, and other programs.
package enum System {
  /// A failed system call, with its `errno`.
  package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The `errno`.
    package let number: Int32

    package init(number: Int32) {
      self.number = number
    }

    /// Whether the reader of the output has closed it.
    package var isBrokenPipe: Bool { number == EPIPE }
    /// The system's message.
    package var description: String { Platform.message(forError: number) }
  }

  /// Calls `call`, which returns a negative number for an error, again for as long as a signal
  /// interrupts it.
  static func uninterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let number = call()
      guard number < 0, errno == EINTR else { return number }
    }
  }

  /// Writes all bytes to an open descriptor: 1 is standard output, 2 standard error.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let start = offset
      // SAFETY: `start` lies within the array, which lives for the call.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        #if canImport(Darwin)
          return unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Glibc)
          return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Musl)
          return unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
        #else
          return unsafe Android.write(descriptor, rest.baseAddress, rest.count)
        #endif
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError(number: errno) }
      offset += count
    }
  }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) != 0
  }

  /// The number of characters in a line of the terminal; nil if standard output is none.
  package static var terminalWidth: Int? {
    var size = winsize()
    // SAFETY: TIOCGWINSZ writes one `winsize`, which lives for the call.
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of processors that are online.
  package static var processorCount: Int {
    return max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
  }

  /// Ends the process.
  package static func end(_ status: Int32) -> Never {
    exit(status)
  }
}

/// Functions for long runs: streamed input, and signals.
extension System {
  /// Opens a file for reading; `-` is standard input.
  package static func open(_ path: String) throws(SystemError) -> Int32 {
    if path == "-" { return 0 }
    let descriptor = uninterrupted {
      // SAFETY: the string lives for the call.
      #if canImport(Darwin)
        unsafe Darwin.open(path, O_RDONLY | O_CLOEXEC)
      #elseif canImport(Glibc)
        unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
      #elseif canImport(Musl)
        unsafe Musl.open(path, O_RDONLY | O_CLOEXEC)
      #else
        unsafe Android.open(path, O_RDONLY | O_CLOEXEC)
      #endif
    }
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    return descriptor
  }

  /// Closes a descriptor that was only read, or whose last bytes are on the disk.
  package static func closeInput(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Android.close(descriptor)
    #endif
  }

  /// Appends the available bytes, at most `count`; returns how many, 0 at the end.
  package static func read(
    _ descriptor: Int32, to bytes: inout [UInt8], _ count: Int
  ) throws(SystemError) -> Int {
    let before = bytes.count
    try bytes.append(addingCapacity: count) { output throws(SystemError) in
      // SAFETY: what is read lies within the free memory, of which `filled` bytes have values then.
      try unsafe output.withUnsafeMutableBufferPointer { free, filled throws(SystemError) in
        let room = UnsafeMutableRawBufferPointer(free)
        filled = try unsafe read(descriptor, into: room)
      }
    }
    return bytes.count - before
  }

  /// Reads the available bytes, at most as many as there is room for; returns 0 at the end.
  package static func read(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    while true {
      // SAFETY: the room is the caller's.
      #if canImport(Darwin)
        let size = unsafe Darwin.read(descriptor, room.baseAddress, room.count)
      #elseif canImport(Glibc)
        let size = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
      #elseif canImport(Musl)
        let size = unsafe Musl.read(descriptor, room.baseAddress, room.count)
      #else
        let size = unsafe Android.read(descriptor, room.baseAddress, room.count)
      #endif
      if size < 0 && errno == EINTR { continue }
      guard size >= 0 else { throw SystemError(number: errno) }
      return size
    }
  }

  /// Waits for input or its end; returns false if neither arrives in time.
  package static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one request, which lives for the call.
    return uninterrupted { unsafe poll(&request, 1, milliseconds) } > 0
  }

  /// Returns the size of a regular file in bytes; nil if the descriptor is something else.
  package static func size(_ descriptor: Int32) throws(SystemError) -> Int? {
    var status = stat()
    // SAFETY: the structure, which the call fills, lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
    // The values of the file types are the same on Linux, Android and Darwin.
    return status.st_mode & 0o170000 == 0o100000 ? Int(status.st_size) : nil
  }

  /// Makes freed large blocks return to the system, for a run that must use little memory.
  package static func returnLargeBlocks() {
    holdfast_return_blocks(1 << 20)
  }

  /// Makes writes to a closed pipe fail instead of ending the process.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The signals that ask a program to end: from the keyboard, from another program, and when its
  /// terminal is closed.
  private static var endingSignals: [Int32] {
    [SIGINT, SIGTERM, SIGHUP]
  }

  /// Makes the first signal that asks the program to end set `wasInterrupted`; the second of its kind
  /// ends the process. A signal that is ignored remains so, but for an interrupt: shells ignore those
  /// for what they start in the background.
  ///
  /// The handler stores an atomic and calls `signal`, both of which POSIX allows there.
  package static func noteInterrupt() {
    _ = wasInterrupted
    unblockEndingSignals()
    for number in endingSignals where number == SIGINT || holdfast_ignores(number) == 0 {
      _ = signal(number) { number in
        System.interrupted.store(number, ordering: .relaxed)
        _ = signal(number, SIG_DFL)
      }
    }
  }

  /// Unblocks the signals that ask the program to end. A process inherits the signals blocked in the
  /// thread that starts it, and Foundation's `Process` may start it from a thread that blocks these.
  package static func unblockEndingSignals() {
    // SAFETY: the set is initialized before use, and lives for the calls.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in endingSignals { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether a signal has asked the program to end.
  package static var wasInterrupted: Bool { interrupted.load(ordering: .relaxed) != 0 }

  /// Ends a process that has cleaned up after a signal, by that signal: its parent sees no other end
  /// than without the cleaning. After an interrupt from the keyboard it has the status, as before.
  package static func endAfterSignal(_ status: Int32) -> Never {
    let number = interrupted.load(ordering: .relaxed)
    // The handler has restored what the system does.
    if number != 0, number != SIGINT { _ = raise(number) }
    end(status)
  }

  /// The signal that has arrived last; 0 before.
  // Relaxed: a number with nothing beside it, and a handler may do no more than store it.
  private static let interrupted = Atomic<Int32>(0)
}

/// Starting other programs.
extension System {
  /// Why the output of a program is not available.
  package enum ProgramError: Error, Sendable, Hashable {
    /// The program ended with this status, as in shells: 127 if it does not exist.
    case ended(status: Int)
    /// The program wrote more bytes than the limit.
    case tooLarge(limit: Int)
  }

  /// One child at a time: a second one would inherit the pipe of the first and keep it open.
  private static let oneChild = Mutex(())

  /// Returns all standard output of a program; its input is empty and its errors are discarded.
  package static func output(
    of command: [String], limit: Int
  ) throws(ProgramError) -> [UInt8] {
    try oneChild.withLock { _ throws(ProgramError) in
      var ends: [Int32] = [0, 0]
      // SAFETY: two numbers are written into the array, which lives for the call.
      guard unsafe pipe(&ends) == 0 else { throw .ended(status: 126) }
      // Other children inherit neither end.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let child = start(command, output: ends[1], closing: ends[0])
      _ = close(ends[1])
      defer { _ = close(ends[0]) }
      guard let child else { throw .ended(status: 127) }
      let bytes = contents(of: ends[0], limit: limit)
      if bytes == nil { _ = kill(child, SIGTERM) }
      let status = wait(for: child)
      guard let bytes else { throw .tooLarge(limit: limit) }
      guard status == 0 else { throw .ended(status: status) }
      return bytes
    }
  }

  /// Starts a program with a pipe as standard output; nil if it does not exist.
  private static func start(_ command: [String], output: Int32, closing other: Int32) -> pid_t? {
    guard let program = command.first else { return nil }
    // SAFETY: the actions are initialized before use and destroyed after it; the strings are
    // copies that live until they are freed, and the list of them ends with nil.
    #if canImport(Darwin) || os(Android)
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
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    unsafe arguments.append(nil)
    var child = pid_t()
    // SAFETY: as above; a nil environment gives the program an empty one.
    guard unsafe posix_spawnp(&child, program, &actions, nil, arguments, nil) == 0 else {
      return nil
    }
    return child
  }

  /// Returns all bytes from a pipe; nil if there are more than `limit`.
  private static func contents(of descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while try read(descriptor, to: &bytes, 1 << 16) > 0 {
        guard bytes.count <= limit else { return nil }
      }
    } catch {}
    return bytes
  }

  /// Waits for a child and returns its exit status, as in shells.
  private static func wait(for child: pid_t) -> Int {
    var status: Int32 = 0
    // SAFETY: the number lives for the call.
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
  }

  /// Returns how many seconds the user's clocks are ahead of UTC at a moment, by the environment and
  /// the system's settings; 0 if that is not known.
  package static func offsetOfLocalTime(atSecondsSince1970 seconds: Int64) -> Int64 {
    var moment = time_t(truncatingIfNeeded: seconds)
    var local = unsafe tm()
    // SAFETY: both values live for the call, which reads one and fills the other.
    guard unsafe localtime_r(&moment, &local) != nil else { return 0 }
    return unsafe Int64(local.tm_gmtoff)
  }

  /// Returns the processor time of this thread. Tests compare this because, unlike elapsed time, it
  /// does not depend on what else the machine does.
  package static func processorTime() -> Duration {
    var time = timespec()
    // SAFETY: the structure lives for the call, which fills it.
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
