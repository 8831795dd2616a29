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
internal import CHoldfastPlatform
internal import Synchronization

/// The only place that calls the C library: the clock, the environment, files and signals.
package enum Platform {
  /// The moment by the clock of the system.
  package static func now() -> Timestamp {
    Timestamp(secondsSince1970: Int64(time(nil)))
  }

  /// Why a file could not be read.
  package enum FileError: Error, Sendable, Hashable {
    /// It cannot be opened or read; the number is `errno`.
    case unreadable(Int32)
    /// It has more octets than the limit.
    case tooLarge(limit: Int)

    /// The words of the system, or the limit.
    package var words: String {
      switch self {
      case .unreadable(let number): Platform.message(forError: number)
      case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
      }
    }
  }

  /// The octets of a file, unless there are more than a limit. `-` is standard input.
  package static func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    // SAFETY: the strings live for the call; the stream is closed on every way out, and with it
    // standard input, which nothing else reads.
    let stream = unsafe path == "-" ? fdopen(0, "rb") : fopen(path, "rb")
    guard let file = unsafe stream else { throw .unreadable(errno) }
    defer { unsafe _ = fclose(file) }
    return try unsafe read(from: file, limit: limit)
  }

  /// The value of an environment variable; nil if there is none, if it is empty, or if the program has
  /// more rights than its caller, who then must not choose what it trusts.
  package static func environment(_ name: String) -> String? {
    // SAFETY: `holdfast_getenv` returns nil or a string that ends, which is copied at once.
    guard let value = unsafe holdfast_getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The names of what is in a folder, in no order; nil if it cannot be opened.
  package static func names(inFolder path: String) -> [String]? {
    #if os(Windows)
      return nil
    #else
      // SAFETY: the stream is closed on every way out; an entry lives until the next one is read,
      // and its name, which ends, is copied before that.
      guard let folder = unsafe opendir(path) else { return nil }
      defer { unsafe _ = closedir(folder) }
      var names: [String] = []
      while let entry = unsafe readdir(folder) {
        let length = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { octets in
          unsafe Array(octets.prefix(length).prefix { $0 != 0 })
        }
        names.append(String(decoding: name, as: UTF8.self))
      }
      return names
    #endif
  }

  /// The words of the system for an error number.
  package static func message(forError number: Int32) -> String {
    // SAFETY: `strerror` returns a string that ends and stays until the next call, and is copied.
    unsafe String(cString: strerror(number))
  }

  /// Reads in pieces, so that nothing is allocated for a length that a file only claims.
  private static func read(
    from file: UnsafeMutablePointer<FILE>, limit: Int
  ) throws(FileError) -> [UInt8] {
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let size = piece.count
      // SAFETY: at most `piece.count` octets are written into the storage of `piece`.
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe fread($0.baseAddress, 1, size, file)
      }
      if count == 0 { break }
      guard octets.count <= limit - count else { throw .tooLarge(limit: limit) }
      octets.append(contentsOf: piece[..<count])
    }
    // SAFETY: the stream is open.
    guard unsafe ferror(file) == 0 else { throw .unreadable(errno) }
    return octets
  }
}

/// What the tool writes.
extension Platform {
  /// A call of the system that failed, by its `errno`.
  package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// Whether whoever read what is written has gone.
    package var isBrokenPipe: Bool { number == EPIPE }
    /// Whether there is a file of that name already.
    package var isExisting: Bool { number == EEXIST }
    /// The words of the system.
    package var description: String { Platform.message(forError: number) }
  }

  /// Writes all octets to an open descriptor: 1 is standard output, 2 standard error.
  package static func write(_ octets: [UInt8], to descriptor: Int32) throws(SystemError) {
    var place = 0
    while place < octets.count {
      let start = place
      // SAFETY: `start` lies inside of the array, which lives for the call.
      let count = unsafe octets.withUnsafeBytes { bytes in
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
  package static func writeFile(
    _ path: String, _ octets: [UInt8], replacing: Bool
  ) throws(SystemError) {
    // SAFETY: the strings live for the call. C11 §7.21.5.3: `x` fails if the file exists.
    guard let file = unsafe fopen(path, replacing ? "wb" : "wbx") else {
      throw SystemError(number: errno)
    }
    // SAFETY: the array lives for the call; the stream is open, and closed below in every case.
    let count = unsafe octets.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    let wroteAll = count == octets.count
    // SAFETY: the stream is open and not used again.
    guard unsafe fclose(file) == 0, wroteAll else { throw SystemError(number: errno) }
  }

  /// Makes a directory; one that exists is as good.
  package static func makeDirectory(_ path: String) throws(SystemError) {
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
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    #if os(Windows)
      _isatty(descriptor) != 0
    #else
      isatty(descriptor) != 0
    #endif
  }

  /// How many processors there are.
  package static var processorCount: Int {
    #if os(Windows)
      return 4
    #else
      return max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    #endif
  }

  /// Ends the process.
  package static func end(_ status: Int32) -> Never {
    exit(status)
  }
}

/// What a long run needs: input as it comes, and signals.
extension Platform {
  /// Opens a file for reading; `-` is standard input.
  package static func open(_ path: String) throws(SystemError) -> Int32 {
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

  /// Reads what there is into a place of an array, `count` octets at most; 0 at the end.
  package static func read(
    _ descriptor: Int32, into octets: inout [UInt8], at place: Int, _ count: Int
  ) throws(SystemError) -> Int {
    guard place >= 0, place <= octets.count else { return 0 }
    let most = min(count, octets.count - place)
    while true {
      // SAFETY: `most` octets from `place` on are inside of the array, which lives for the call.
      let size = unsafe octets.withUnsafeMutableBytes { bytes in
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
  package static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    #if os(Windows)
      return true
    #else
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // SAFETY: one request, which lives for the call.
      return unsafe poll(&request, 1, milliseconds) > 0
    #endif
  }

  /// The first place of an octet in a part of a text; nil if it is not there. Many times as fast as a
  /// loop, which counts where every octet of a long input is looked at.
  package static func place(
    of octet: UInt8, in text: Span<UInt8>, _ range: Range<Int>
  ) -> Int? {
    let part = text.extracting(range)
    // SAFETY: `memchr` reads the octets of the part, which lives for the call, and returns nil or a
    // pointer to one of them.
    return unsafe part.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start, Int32(octet), bytes.count)
      else { return nil }
      return unsafe range.lowerBound + start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// How many octets a file has; nil for what is no file.
  package static func size(_ descriptor: Int32) -> Int? {
    #if os(Windows)
      return nil
    #else
      let end = lseek(descriptor, 0, SEEK_END)
      guard end >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
      return Int(end)
    #endif
  }

  /// Has memory go back to the system when large blocks are freed, in a run that must not take much.
  package static func returnLargeBlocks() {
    holdfast_return_blocks(1 << 20)
  }

  /// Has a write to a reader that has gone fail, instead of ending the process.
  package static func ignoreBrokenPipes() {
    #if !os(Windows)
      _ = signal(SIGPIPE, SIG_IGN)
    #endif
  }

  /// Has the first interrupt from the keyboard only be noted; the second ends the process as usual.
  ///
  /// The handler stores an atomic and calls `signal`, both of which POSIX allows there.
  package static func noteInterrupt() {
    _ = wasInterrupted
    unblockInterrupt()
    _ = signal(SIGINT) { _ in
      Platform.interrupted.store(true, ordering: .relaxed)
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
  package static var wasInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  private static let interrupted = Atomic(false)
}
