#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import HoldfastBase

/// Writing whole files, so that a failure leaves what was there before.
package enum FileOutput {
  /// Why a file was not written.
  package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file of that name exists, and is not to be replaced.
    case exists
    /// The name belongs to something else than a regular file: a directory, a device, a pipe.
    case notRegular(String)
    /// Another user owns the file, and could read and change what is written into it.
    case ofAnotherUser
    /// A system call failed.
    case system(System.SystemError)

    /// The message.
    package var description: String {
      switch self {
      case .exists: "File exists"
      case .notRegular(let kind): "Is \(kind)"
      case .ofAnotherUser: "Belongs to another user"
      case .system(let error): "\(error)"
      }
    }
  }

  /// Writes a file; an existing one is replaced only if `replacing` is true.
  ///
  /// The replacement is written beside the old file and renamed over it once it is on the disk. So
  /// after a failure the old file is untouched, and no reader ever sees half of the new one. It
  /// keeps the old permissions, but not other names (hard links) of the old file; of those that
  /// another user chose, it keeps no more than a new file would have. Only regular
  /// files are replaced. A symbolic link is rejected, too: renaming would replace the link, and
  /// following it would write where the name does not say.
  ///
  /// - Parameter isSecret: Whether only the owner may read the file, from its first moment.
  package static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, isSecret: Bool = false
  ) throws(Problem) {
    let old = try permissions(of: path)
    if old != nil, !replacing { throw .exists }
    let mode = isSecret ? 0o600 : old?.mode
    let name = replacing ? nameBeside(path) : path
    let descriptor = try openFile(name, O_CREAT | O_EXCL, mode: mode ?? 0o666)
    do throws(Problem) {
      let isChosen = isSecret || old?.isOwn == true
      try fill(
        descriptor, bytes, mode: isChosen ? mode : nil, isLasting: replacing || isSecret)
      // SAFETY: the strings live for the call.
      if replacing { guard unsafe rename(name, path) == 0 else { throw last } }
      if replacing || isSecret { try synchronizeFolder(of: path) }
    } catch {
      // SAFETY: the string lives for the call. After the renaming nothing has this name.
      unsafe _ = unlink(name)
      throw error
    }
  }

  /// Rejects a name to which `write` could not write as things are: of a file that is not to be
  /// replaced, of something else than a file, or in a folder in which nothing can be made.
  package static func check(_ path: String, replacing: Bool) throws(Problem) {
    if try permissions(of: path) != nil, !replacing { throw .exists }
    // SAFETY: the string lives for the call.
    guard unsafe access(folder(of: path), W_OK) == 0 else { throw last }
  }

  /// How the names of files begin that are not written to their end, as after a crash.
  package static let pendingPrefix = ".holdfast-"

  /// The error of the last system call.
  static var last: Problem { .system(System.SystemError(number: errno)) }
}

/// Files that are written at their end for a long time.
extension FileOutput {
  /// Creates a file for writing.
  ///
  /// - Parameter replacing: Whether a file that exists is emptied; otherwise it is an error.
  package static func begin(_ path: String, replacing: Bool) throws(Problem) -> Int32 {
    let descriptor = try openFile(path, O_CREAT | (replacing ? 0 : O_EXCL))
    guard System.uninterrupted({ ftruncate(descriptor, 0) }) == 0 else {
      throw closing(descriptor, last)
    }
    return descriptor
  }

  /// Opens a file to write after its first `length` bytes; what comes after them is cut off.
  ///
  /// A file that is not there is created if `length` is 0, and is an error otherwise, as is a file
  /// that is shorter: EINVAL. The file is locked until it is closed: EWOULDBLOCK if another run
  /// writes it.
  package static func resume(_ path: String, after length: Int) throws(Problem) -> Int32 {
    let descriptor = try openFile(path, length == 0 ? O_CREAT : 0)
    let isLocked = System.uninterrupted { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
    let size = isLocked ? Int(lseek(descriptor, 0, SEEK_END)) : -1
    guard isLocked, size >= length,
      System.uninterrupted({ ftruncate(descriptor, off_t(length)) }) == 0,
      Int(lseek(descriptor, off_t(length), SEEK_SET)) == length
    else {
      let number = size >= 0 && size < length ? EINVAL : errno
      throw closing(descriptor, .system(System.SystemError(number: number)))
    }
    return descriptor
  }

  /// Puts what was written to a file on the disk.
  package static func synchronize(_ descriptor: Int32) throws(System.SystemError) {
    guard System.uninterrupted({ fsync(descriptor) }) == 0 else {
      throw System.SystemError(number: errno)
    }
  }
}

extension FileOutput {
  /// Opens a file for writing, with these flags and for a new file these permissions. All files
  /// that are written are opened here.
  ///
  /// Only a regular file is opened: the link, device or pipe that has its name is rejected, also if
  /// it took the name just now. Opening a pipe would wait for its reader without O_NONBLOCK, which
  /// means nothing for files. An old file must be this user's.
  fileprivate static func openFile(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666
  ) throws(Problem) -> Int32 {
    _ = try permissions(of: path)
    // SAFETY: the string lives for the call.
    let descriptor = System.uninterrupted {
      unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode)
    }
    guard descriptor >= 0 else { throw errno == EEXIST ? .exists : last }
    var status = stat()
    do throws(Problem) {
      // SAFETY: the structure, which the call fills, lives for the call.
      guard unsafe fstat(descriptor, &status) == 0 else { throw last }
      let isOwn = try permissions(status).isOwn
      // On some network file systems not even a new file is, and only O_EXCL shows that it is new.
      guard isOwn || flags & O_EXCL != 0 else { throw Problem.ofAnotherUser }
    } catch {
      // SAFETY: the string lives for the call. This call created the file.
      if flags & O_EXCL != 0 { unsafe _ = unlink(path) }
      throw closing(descriptor, error)
    }
    return descriptor
  }

  /// Closes a file that cannot be used, and returns why.
  private static func closing(_ descriptor: Int32, _ problem: Problem) -> Problem {
    _ = close(descriptor)
    return problem
  }

  /// The permissions of a regular file, and whether this user chose them.
  fileprivate typealias Permissions = (mode: mode_t, isOwn: Bool)

  /// Returns the permissions of a regular file; nil if nothing has the name.
  fileprivate static func permissions(of path: String) throws(Problem) -> Permissions? {
    var status = stat()
    // SAFETY: the string and the structure, which the call fills, live for the call.
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw last
    }
    return try permissions(status)
  }

  private static func permissions(_ status: stat) throws(Problem) -> Permissions {
    try checkRegular(status)
    return (status.st_mode & 0o777, status.st_uid == geteuid())
  }

  /// Throws what a file is if it is no regular one.
  static func checkRegular(_ status: stat) throws(Problem) {
    // The values of the file types are the same on Linux, Android and Darwin.
    switch status.st_mode & 0o170000 {
    case 0o100000: break
    case 0o040000: throw .notRegular("a directory")
    case 0o120000: throw .notRegular("a symbolic link")
    case 0o020000, 0o060000: throw .notRegular("a device")
    case 0o010000: throw .notRegular("a pipe")
    default: throw .notRegular("a socket")
    }
  }

  private static func folder(of path: String) -> String {
    let end = path.utf8.lastIndex(of: 0x2F)
    return end.map { String(path[...$0]) } ?? "."
  }

  /// Returns an unused name in the folder of a file.
  fileprivate static func nameBeside(_ path: String) -> String {
    "\(folder(of: path))/\(pendingPrefix)\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  /// Writes all bytes and closes the file.
  private static func fill(
    _ descriptor: Int32, _ bytes: [UInt8], mode: mode_t?, isLasting: Bool
  ) throws(Problem) {
    do throws(System.SystemError) {
      try System.write(bytes, to: descriptor)
      // The mask of the process limits the mode of `open`, but not the permissions of the old
      // file.
      if let mode, fchmod(descriptor, mode) != 0 { throw System.SystemError(number: errno) }
      if isLasting { try synchronize(descriptor) }
    } catch {
      _ = close(descriptor)
      throw .system(error)
    }
    guard close(descriptor) == 0 else { throw last }
  }

  /// Makes a new name in a folder last. File systems that cannot do this answer EINVAL.
  fileprivate static func synchronizeFolder(of path: String) throws(Problem) {
    // SAFETY: the string lives for the call.
    let descriptor = System.uninterrupted {
      unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    }
    // A folder that may be written to but not read cannot be opened.
    guard descriptor >= 0 else { return }
    defer { _ = close(descriptor) }
    guard System.uninterrupted({ fsync(descriptor) }) == 0 || errno == EINVAL else { throw last }
  }
}

/// A file that is written in pieces beside its name, and gets the name when it is complete.
/// Without `commit` nothing is left of it.
package final class PendingFile {
  private let path: String
  private let name: String
  private let isReplacing: Bool
  private var descriptor: Int32

  /// Creates the file under another name; `FileOutput.write` says which names are rejected.
  package init(_ path: String, replacing: Bool) throws(FileOutput.Problem) {
    let old = try FileOutput.permissions(of: path)
    if old != nil, !replacing { throw .exists }
    self.path = path
    isReplacing = replacing
    name = FileOutput.nameBeside(path)
    descriptor = try FileOutput.openFile(name, O_CREAT | O_EXCL, mode: old?.mode ?? 0o666)
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = close(descriptor)
    // SAFETY: the string lives for the call.
    unsafe _ = unlink(name)
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(FileOutput.Problem) {
    do throws(System.SystemError) {
      try System.write(bytes, to: descriptor)
    } catch {
      throw .system(error)
    }
  }

  private func replace() throws(FileOutput.Problem) {
    // SAFETY: the strings live for the call.
    guard unsafe rename(name, path) == 0 else { throw FileOutput.last }
  }

  /// Adds the name, which replaces nothing, and removes the other one.
  private func add() throws(FileOutput.Problem) {
    // SAFETY: the strings live for the calls.
    if unsafe link(name, path) == 0 {
      unsafe _ = unlink(name)
      return
    }
    guard errno != EEXIST else { throw .exists }
    // Not every file system has links. The renaming replaces no more than the file that is made here.
    _ = close(try FileOutput.openFile(path, O_CREAT | O_EXCL))
    do throws(FileOutput.Problem) { try replace() } catch {
      unsafe _ = unlink(path)
      throw error
    }
  }

  /// Gives the file its name once it is on the disk. If it does not replace, a file that has appeared
  /// meanwhile is left alone.
  package func commit() throws(FileOutput.Problem) {
    guard System.uninterrupted({ fsync(descriptor) }) == 0 else { throw FileOutput.last }
    if isReplacing { try replace() } else { try add() }
    _ = close(descriptor)
    descriptor = -1
    try FileOutput.synchronizeFolder(of: path)
  }
}
