package import Foundation
import Synchronization

/// Begins the processes of tests and makes their pipes, one at a time.
///
/// Foundation lets a child inherit pipes, and the socket that tells of another child's end, if
/// another thread has just opened them. Then the end of a process is only seen when a server of
/// another test has ended, too.
package enum ChildProcess {
  private static let lock = Mutex(())

  /// Returns a pipe that only the process gets to which it is given.
  package static func pipe() -> Pipe {
    lock.withLock { _ in
      let pipe = Pipe()
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  package static func begin(_ process: Process) throws {
    try lock.withLock { _ in try process.run() }
  }
}
