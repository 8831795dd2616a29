#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WASILibc)
  internal import WASILibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import CHoldfastPlatform

/// The only code that calls the C library: for the clock, the environment and files.
package enum Platform {
  /// Returns the current time of the system clock.
  package static func now() -> Timestamp {
    Timestamp(secondsSince1970: Int64(time(nil)))
  }

  /// Returns the time of a clock that is never set back, from a start of its own.
  package static func uptime() -> Duration { .nanoseconds(holdfast_monotonic_nanoseconds()) }

  /// Why a file could not be read.
  package enum FileError: Error, Sendable, Hashable {
    /// It cannot be opened or read; the value is `errno`.
    case unreadable(Int32)
    /// It is larger than the limit.
    case tooLarge(limit: Int)

    /// The system's message, or the limit.
    package var message: String {
      switch self {
      case .unreadable(let number): Platform.message(forError: number)
      case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
      }
    }
  }

  /// A folder that is open: what is looked up in it is in this folder, even if it is renamed or another
  /// one is put in its place. No link at the end of a path in it is followed.
  package final class Folder: Sendable {
    fileprivate let descriptor: CInt

    /// Opens a folder by its path in another one; nil if there is none.
    package init?(_ path: String, in parent: Folder? = nil) {
      // SAFETY: the string lives for the call.
      descriptor = unsafe holdfast_open_folder(parent.descriptor, path)
      if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  /// Returns the bytes of a file; throws if there are more than `limit`. `-` is standard input.
  ///
  /// - Parameter folder: Where the path begins; nil for the folder of the process.
  package static func readFile(
    _ path: String, in folder: Folder? = nil, limit: Int
  ) throws(FileError) -> [UInt8] {
    // SAFETY: the string lives for the call; every exit closes the stream, even standard input,
    // which nothing else reads.
    let stream =
      unsafe path == "-" && folder == nil
      ? fdopen(0, "rb")
      : uninterrupted { unsafe holdfast_open_stream(folder.descriptor, path) }
    guard let file = unsafe stream else { throw .unreadable(errno) }
    defer { unsafe _ = fclose(file) }
    let bytes = try unsafe read(limit: limit) { free in
      while true {
        // SAFETY: `fread` writes at most the free memory and returns how many bytes it wrote.
        let count = unsafe fread(free.baseAddress, 1, free.count, file)
        // A signal only interrupts.
        guard unsafe ferror(file) != 0, errno == EINTR else { return count }
        unsafe clearerr(file)
        if count > 0 { return count }
      }
    }
    guard unsafe ferror(file) == 0 else { throw .unreadable(errno) }
    return bytes
  }

  /// Maps a regular file into memory; throws if it has more than `limit` bytes.
  package static func map(_ path: String, limit: Int) throws(FileError) -> FileMapping {
    #if arch(wasm32)
      return FileMapping(bytes: try readFile(path, limit: limit))
    #else
      // SAFETY: `stat` fills the structure. A pipe is not opened: that would wait for its writer.
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { throw .unreadable(errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(EINVAL) }

      // SAFETY: every exit closes the stream; a mapping outlives it.
      guard let file = unsafe uninterrupted({ unsafe holdfast_open_stream(-1, path) }) else {
        throw .unreadable(errno)
      }
      defer { unsafe _ = fclose(file) }
      guard unsafe fstat(fileno(file), &status) == 0 else { throw .unreadable(errno) }
      guard let count = Int(exactly: status.st_size), count <= limit else {
        throw .tooLarge(limit: limit)
      }
      if count == 0 { return FileMapping(bytes: []) }
      // SAFETY: the system chooses the place; `FileMapping` unmaps it once, when nothing uses it.
      let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, fileno(file), 0)
      // MAP_FAILED, which Android's module lacks, is -1.
      guard let start = unsafe start, UInt(bitPattern: start) != .max else {
        throw .unreadable(errno)
      }
      return FileMapping(mapped: UInt(bitPattern: start), count: count)
    #endif
  }

  /// Returns the value of an environment variable; nil if it is unset or empty, or if the program
  /// has more privileges than its caller, who then must not choose what it trusts.
  package static func environment(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the same value, and an empty one as it is: an empty password is not a missing one.
  package static func variable(_ name: String) -> String? {
    // SAFETY: `holdfast_getenv` returns nil or a NUL-terminated string, which is copied at once.
    guard let value = unsafe holdfast_getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Returns the names in a folder, in no particular order; nil if it cannot be read to its end.
  ///
  /// - Parameter parent: Where the path begins; nil for the folder of the process.
  package static func names(inFolder path: String, in parent: Folder? = nil) -> [String]? {
    #if arch(wasm32)
      return nil
    #else
      // SAFETY: every exit closes the stream; an entry lives until the next one is read, and its
      // NUL-terminated name is copied before that.
      let opened = unsafe uninterrupted { unsafe holdfast_open_names(parent.descriptor, path) }
      guard let folder = unsafe opened else { return nil }
      defer { unsafe _ = closedir(folder) }
      var names: [String] = []
      while true {
        // Only `errno` tells the end from an error.
        errno = 0
        guard let entry = unsafe readdir(folder) else {
          if errno == EINTR { continue }
          return errno == 0 ? names : nil
        }
        let length = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe Array(bytes.prefix(length).prefix { $0 != 0 })
        }
        names.append(String(decoding: name, as: UTF8.self))
      }
    #endif
  }

  /// Returns where a symbolic link leads; nil if there is none at the path.
  ///
  /// - Parameter folder: Where the path begins; nil for the folder of the process.
  package static func destination(
    ofLink path: String, in folder: Folder? = nil
  ) -> String? {
    #if os(WASI)
      return nil
    #else
      // The longest path that Linux takes. A link to a longer one is not followed, and not found.
      let limit = 4_096
      // SAFETY: `readlinkat` writes at most the bytes of the buffer, and returns how many, or -1.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        unsafe buffer.withMemoryRebound(to: CChar.self) { text in
          guard let start = text.baseAddress else { return }
          count = unsafe max(
            0, readlinkat(folder?.descriptor ?? AT_FDCWD, path, start, limit))
        }
      }
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    #endif
  }

  /// Whether there is something at a path, even if it cannot be read.
  package static func exists(_ path: String) -> Bool {
    #if arch(wasm32)
      return false
    #else
      // SAFETY: `stat` fills the structure.
      var status = stat()
      return unsafe stat(path, &status) == 0 || errno != ENOENT && errno != ENOTDIR
    #endif
  }

  /// Which file is at a path, and its last change. A file whose state is the same later has not been
  /// written, replaced or renamed meanwhile, if the state is settled.
  package struct FileState: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let modified: [Int64]
    private let changed: [Int64]
    /// Whether another change would have another time. Systems take the time of a change from a clock
    /// that moves every few milliseconds.
    package let isSettled: Bool

    #if !arch(wasm32)
      fileprivate init(_ status: stat, at time: timespec) {
        #if canImport(Darwin)
          let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
        #else
          let (modification, change) = (status.st_mtim, status.st_ctim)
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        modified = [Int64(modification.tv_sec), Int64(modification.tv_nsec)]
        changed = [Int64(change.tv_sec), Int64(change.tv_nsec)]
        let seconds = Int64(time.tv_sec).subtractingReportingOverflow(Int64(change.tv_sec))
        let nanoseconds = Int64(time.tv_nsec) - Int64(change.tv_nsec)
        isSettled =
          !(-1...1 ~= seconds.partialValue)
          || abs(seconds.partialValue * 1_000_000_000 + nanoseconds) >= Platform.clockStep
      }
    #endif

    /// Whether it is the same file with the same changes.
    package static func == (a: FileState, b: FileState) -> Bool {
      a.device == b.device && a.number == b.number && a.size == b.size
        && a.modified == b.modified && a.changed == b.changed
    }

    /// Hashes which file it is.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// Twice the longest step of the clock from which Linux takes the times of files, in nanoseconds.
  private static let clockStep: Int64 = 20_000_000

  /// Returns the state of the file or folder at a path; nil if there is none, or it cannot be asked.
  ///
  /// - Parameter folder: Where the path begins; nil for the folder of the process.
  package static func state(ofFile path: String, in folder: Folder? = nil) -> FileState? {
    #if arch(wasm32)
      return nil
    #else
      // SAFETY: both calls fill the structures.
      var (status, time) = (stat(), timespec())
      let flags = folder == nil ? 0 : AT_SYMLINK_NOFOLLOW
      guard unsafe fstatat(folder?.descriptor ?? AT_FDCWD, path, &status, flags) == 0,
        unsafe clock_gettime(CLOCK_REALTIME, &time) == 0
      else { return nil }
      return FileState(status, at: time)
    #endif
  }

  /// Waits until files that have just changed are settled.
  package static func waitForFiles() {
    // SAFETY: the structure lives for the call. A signal shortens the wait.
    var time = timespec()
    time.tv_nsec = .init(clockStep)
    unsafe _ = nanosleep(&time, nil)
  }

  /// Returns the first offset of a byte in a range of a text; nil if it is absent. Many times as
  /// fast as a loop, which matters for long inputs.
  package static func offset(
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

  /// Returns the system's message for an error number.
  package static func message(forError number: Int32) -> String {
    // SAFETY: `strerror` returns a NUL-terminated string until the next call; it is copied.
    unsafe String(cString: strerror(number))
  }

  /// Calls `call` again for as long as a signal interrupts it.
  private static func uninterrupted<Value>(_ call: () -> Value?) -> Value? {
    while true {
      if let value = call() { return value }
      if errno != EINTR { return nil }
    }
  }

  /// Reads a file in chunks, so no memory is allocated for a size that a file only claims.
  ///
  /// - Parameter fill: Fills free memory and returns how much of it, none at the end. A function,
  ///   because C libraries differ in whether `FILE` has a type that Swift can name.
  private static func read(
    limit: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var before = 0
    repeat {
      before = bytes.count
      let room = bytes.capacity - before
      bytes.append(addingCapacity: room > 0 ? room : 1 << 16) { output in
        // SAFETY: `fill` returns how many bytes it wrote.
        unsafe output.withUnsafeMutableBufferPointer { free, count in
          unsafe count = fill(free)
        }
      }
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    } while bytes.count > before
    return bytes
  }
}

/// The bytes of a file that is mapped into memory, until nothing refers to them.
///
/// A program that replaces the file must write another and rename it: a mapped file that is made shorter
/// ends the process when the missing bytes are read.
package final class FileMapping: Sendable {
  /// The address, a number because pointers cannot be shared between threads; 0 if nothing is
  /// mapped.
  private let start: UInt
  private let bytes: [UInt8]
  /// The number of bytes.
  package let count: Int

  fileprivate init(mapped start: UInt, count: Int) {
    self.start = start
    self.count = count
    bytes = []
  }

  fileprivate init(bytes: [UInt8]) {
    self.bytes = bytes
    start = 0
    count = bytes.count
  }

  deinit {
    #if !arch(wasm32)
      // SAFETY: this is the range that `mmap` returned, and no span of it is left.
      if start != 0 { unsafe _ = munmap(UnsafeMutableRawPointer(bitPattern: start), count) }
    #endif
  }

  /// Calls `body` with the bytes.
  package func withBytes<Result, Problem: Error>(
    _ body: (Span<UInt8>) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    if start == 0 {
      let bytes = bytes
      return try body(bytes.span)
    }
    // SAFETY: the mapping has `count` readable bytes until `self` is destroyed, after `body`.
    defer { extendLifetime(self) }
    let pointer = unsafe UnsafePointer<UInt8>(bitPattern: start)
    let mapped = unsafe UnsafeBufferPointer(start: pointer, count: count)
    return try unsafe body(mapped.span)
  }
}

extension Platform.Folder? {
  /// The number of the open folder, or -1 for the folder of the process.
  fileprivate var descriptor: CInt { self?.descriptor ?? -1 }
}
