internal import Glibc
internal import HoldfastBase

// What the commands about files need of HoldfastSystem, for a module of WebAssembly: no terminal, no other
// programs, no files that are written.

package enum System {
  package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package let number: Int32
    /// There are no pipes.
    package var isBrokenPipe: Bool { false }
    package var description: String { Platform.message(forError: number) }
  }

  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      guard count > 0 else { throw SystemError(number: errno) }
      offset += count
    }
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool { false }
  package static var terminalWidth: Int? { nil }
  package static func exists(_ path: String) -> Bool { Platform.exists(path) }
  package static func offsetOfLocalTime(atSecondsSince1970 seconds: Int64) -> Int64 { 0 }
}

package enum FileOutput {
  package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    case exists
    package var description: String { "there are no files" }
  }

  package static func check(_ path: String, replacing: Bool) throws(Problem) { throw .exists }

  package static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, isSecret: Bool = false
  ) throws(Problem) { throw .exists }
}

package enum Secrets {
  package static func ask(_ question: String) -> String? { nil }
}
