#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Files and folders by their names.
extension System {
  /// Creates a directory unless it exists.
  ///
  /// - Parameter isPrivate: Whether only the owner may look into a new one.
  package static func makeDirectory(
    _ path: String, isPrivate: Bool = false
  ) throws(SystemError) {
    // SAFETY: the string lives for the call.
    let status = unsafe mkdir(path, isPrivate ? 0o700 : 0o777)
    guard status == 0 || errno == EEXIST else { throw SystemError(number: errno) }
  }

  /// Returns why what is in a folder may be another user's work; nil if only this user can write
  /// there. The folders above it are not looked at.
  package static func objection(toPrivateFolder path: String) -> String? {
    // A slash at the end would follow a link.
    var name = path[...]
    while name.count > 1, name.utf8.last == 0x2F { name.removeLast() }
    var status = stat()
    // SAFETY: the string and the structure, which the call fills, live for the call.
    guard unsafe lstat(String(name), &status) == 0 else { return "\(SystemError(number: errno))" }
    // The values are the same on Linux, Android and Darwin.
    switch status.st_mode & 0o170000 {
    case 0o040000: break
    case 0o120000: return "it is a link"
    default: return "it is not a folder"
    }
    guard status.st_uid == geteuid() else { return "it belongs to another user" }
    return status.st_mode & 0o022 == 0 ? nil : "others may write into it"
  }

  /// Removes a file, if it is there.
  package static func removeFile(_ path: String) {
    // SAFETY: the string lives for the call.
    unsafe _ = remove(path)
  }

  /// Returns the size of a file and the seconds since 1970 when it was written; nil without it.
  package static func status(of path: String) -> (size: Int, time: Int64)? {
    var status = stat()
    // SAFETY: the string and the structure, which the call fills, live for the call.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return (Int(status.st_size), Int64(time.tv_sec))
  }

  /// Whether a name is that of a pipe, a device or a socket, which cannot be read twice.
  package static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the string and the structure, which the call fills, live for the call.
    guard unsafe stat(path, &status) == 0 else { return false }
    // The values of the file types are the same on Linux, Android and Darwin.
    return ![0o100000, 0o040000].contains(status.st_mode & 0o170000)
  }

  /// Whether a file or folder exists.
  package static func exists(_ path: String) -> Bool {
    // SAFETY: the string lives for the call.
    return unsafe access(path, F_OK) == 0
  }

  /// The current working folder.
  package static var workingFolder: String {
    var bytes = [CChar](repeating: 0, count: 4096)
    // SAFETY: at most `count` bytes are written into the array, which lives for the call.
    let result = unsafe getcwd(&bytes, bytes.count)
    guard unsafe result != nil else { return "." }
    let end = bytes.firstIndex(of: 0) ?? bytes.count
    return String(decoding: bytes[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A regular file that is read at any place, by any thread. A pipe or a device could keep its reader
/// waiting.
package final class RegularFile: Sendable {
  /// The number of bytes when it was opened.
  package let size: Int
  private let descriptor: Int32

  /// Opens a file.
  package init(_ path: String) throws(FileOutput.Problem) {
    var status = stat()
    // SAFETY: the string and the structure, which the call fills, live for the call. Opening alone
    // would wait for the writer of a pipe, and rewind a tape.
    guard unsafe stat(path, &status) == 0 else { throw FileOutput.last }
    try FileOutput.checkRegular(status)
    // SAFETY: the string lives for the call.
    let descriptor = System.uninterrupted {
      unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw FileOutput.last }
    do throws(FileOutput.Problem) {
      // SAFETY: as above. The name may belong to something else by now.
      guard unsafe fstat(descriptor, &status) == 0 else { throw FileOutput.last }
      try FileOutput.checkRegular(status)
    } catch {
      _ = close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { System.closeInput(descriptor) }

  /// Returns the bytes from an offset on, as many as are there and at most `count`.
  package func read(at offset: Int, atMost count: Int) throws(System.SystemError) -> [UInt8] {
    var number: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      // SAFETY: what is read lies within the room, of which `filled` bytes have values then.
      let size = System.uninterrupted {
        unsafe pread(descriptor, room.baseAddress, count, off_t(offset))
      }
      if size < 0 { number = errno }
      filled = max(size, 0)
    }
    guard number == 0 else { throw System.SystemError(number: number) }
    return bytes
  }
}

/// Files that are read from a place on.
extension System {
  /// Moves to an offset of a file that is read.
  package static func seek(_ descriptor: Int32, to offset: Int) throws(SystemError) {
    guard Int(lseek(descriptor, off_t(offset), SEEK_SET)) == offset else {
      throw SystemError(number: errno)
    }
  }
}
