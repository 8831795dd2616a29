internal import CHoldfastPlatform
internal import HoldfastDER
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#elseif os(Windows)
  internal import ucrt
#endif

/// What the tool asks of the system beside reading files: output, terminals, signals and input as it comes.
enum System {
  /// A call of the system that failed, by its `errno`.
  struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number.
    let number: Int32

    /// Whether whoever read what is written has gone.
    var isBrokenPipe: Bool { number == EPIPE }
    /// Whether there is a file of that name already.
    var isExisting: Bool { number == EEXIST }
    /// The words of the system.
    var description: String { Platform.message(forError: number) }
  }

  /// Writes all bytes to an open descriptor: 1 is standard output, 2 standard error.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var place = 0
    while place < bytes.count {
      let start = place
      // SAFETY: `start` lies inside of the array, which lives for the call.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        #if os(Windows)
          return Int(unsafe _write(descriptor, rest.baseAddress, UInt32(min(rest.count, 1 << 20))))
        #elseif canImport(Darwin)
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
      place += count
    }
  }

  /// Writes a new file; one of that name is replaced only if the caller says so.
  static func writeFile(
    _ path: String, _ bytes: [UInt8], replacing: Bool
  ) throws(SystemError) {
    // SAFETY: the strings live for the call. C11 §7.21.5.3: `x` fails if the file exists.
    guard let file = unsafe fopen(path, replacing ? "wb" : "wbx") else {
      throw SystemError(number: errno)
    }
    // SAFETY: the array lives for the call; the stream is open, and closed below in every case.
    let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    let wroteAll = count == bytes.count
    // SAFETY: the stream is open and not used again.
    guard unsafe fclose(file) == 0, wroteAll else { throw SystemError(number: errno) }
  }

  /// Makes a directory; one that exists is as good.
  static func makeDirectory(_ path: String) throws(SystemError) {
    #if os(Windows)
      // SAFETY: the string lives for the call.
      let status = unsafe _mkdir(path)
    #else
      // SAFETY: the string lives for the call.
      let status = unsafe mkdir(path, 0o777)
    #endif
    guard status == 0 || errno == EEXIST else { throw SystemError(number: errno) }
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    #if os(Windows)
      _isatty(descriptor) != 0
    #else
      isatty(descriptor) != 0
    #endif
  }

  /// How many processors there are.
  static var processorCount: Int {
    #if os(Windows)
      return 4
    #else
      return max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    #endif
  }

  /// Ends the process.
  static func end(_ status: Int32) -> Never {
    exit(status)
  }
}

/// What a long run needs: input as it comes, and signals.
extension System {
  /// Opens a file for reading; `-` is standard input.
  static func open(_ path: String) throws(SystemError) -> Int32 {
    if path == "-" { return 0 }
    #if os(Windows)
      // SAFETY: the string lives for the call.
      let descriptor = unsafe _open(path, _O_RDONLY | _O_BINARY)
    #elseif canImport(Darwin)
      // SAFETY: the string lives for the call.
      let descriptor = unsafe Darwin.open(path, O_RDONLY)
    #elseif canImport(Glibc)
      // SAFETY: the string lives for the call.
      let descriptor = unsafe Glibc.open(path, O_RDONLY)
    #elseif canImport(Musl)
      // SAFETY: the string lives for the call.
      let descriptor = unsafe Musl.open(path, O_RDONLY)
    #else
      // SAFETY: the string lives for the call.
      let descriptor = unsafe Android.open(path, O_RDONLY)
    #endif
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    return descriptor
  }

  /// Reads what there is into a place of an array, `count` bytes at most; 0 at the end.
  static func read(
    _ descriptor: Int32, into bytes: inout [UInt8], at place: Int, _ count: Int
  ) throws(SystemError) -> Int {
    guard place >= 0, place <= bytes.count else { return 0 }
    let most = min(count, bytes.count - place)
    while true {
      // SAFETY: `most` bytes from `place` on are inside of the array, which lives for the call.
      let size = unsafe bytes.withUnsafeMutableBytes { bytes in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + most])
        #if os(Windows)
          return Int(unsafe _read(descriptor, room.baseAddress, UInt32(room.count)))
        #elseif canImport(Darwin)
          return unsafe Darwin.read(descriptor, room.baseAddress, room.count)
        #elseif canImport(Glibc)
          return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        #elseif canImport(Musl)
          return unsafe Musl.read(descriptor, room.baseAddress, room.count)
        #else
          return unsafe Android.read(descriptor, room.baseAddress, room.count)
        #endif
      }
      if size < 0 && errno == EINTR { continue }
      guard size >= 0 else { throw SystemError(number: errno) }
      return size
    }
  }

  /// Waits until there is something to read, or the end, or until the time is over; false then.
  static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    #if os(Windows)
      return true
    #else
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // SAFETY: one request, which lives for the call.
      return unsafe poll(&request, 1, milliseconds) > 0
    #endif
  }

  /// The first place of an byte in a part of a text; nil if it is not there. Many times as fast as a
  /// loop, which counts where every byte of a long input is looked at.
  static func place(
    of byte: UInt8, in text: Span<UInt8>, _ range: Range<Int>
  ) -> Int? {
    let part = text.extracting(range)
    // SAFETY: `memchr` reads the bytes of the part, which lives for the call, and returns nil or a
    // pointer to one of them.
    return unsafe part.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return unsafe range.lowerBound + start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// How many bytes a file has; nil for what is no file.
  static func size(_ descriptor: Int32) -> Int? {
    #if os(Windows)
      return nil
    #else
      let end = lseek(descriptor, 0, SEEK_END)
      guard end >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
      return Int(end)
    #endif
  }

  /// Has memory go back to the system when large blocks are freed, in a run that must not take much.
  static func returnLargeBlocks() {
    holdfast_return_blocks(1 << 20)
  }

  /// Has a write to a reader that has gone fail, instead of ending the process.
  static func ignoreBrokenPipes() {
    #if !os(Windows)
      _ = signal(SIGPIPE, SIG_IGN)
    #endif
  }

  /// Has the first interrupt from the keyboard only be noted; the second ends the process as usual.
  ///
  /// The handler stores an atomic and calls `signal`, both of which POSIX allows there.
  static func noteInterrupt() {
    _ = wasInterrupted
    unblockInterrupt()
    _ = signal(SIGINT) { _ in
      System.interrupted.store(true, ordering: .relaxed)
      _ = signal(SIGINT, SIG_DFL)
    }
  }

  /// Whoever starts a process from a thread that blocks signals, as Foundation's `Process` may, hands
  /// that on to it.
  private static func unblockInterrupt() {
    #if !os(Windows)
      // SAFETY: the set is made before it is used, and lives for the calls.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGINT)
      unsafe sigaddset(&signals, SIGTERM)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    #endif
  }

  /// Whether an interrupt was noted.
  static var wasInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  private static let interrupted = Atomic(false)
}
