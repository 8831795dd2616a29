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

/// What secrets need of the system: a question whose answer is not shown.
package enum Secrets {
  /// The maximum number of bytes of a password.
  private static let maximumPassword = 4096

  /// Asks on the terminal of the process, whatever standard input and output are; nil if there is
  /// no terminal or the question was interrupted.
  package static func ask(_ question: String) -> String? {
    // SAFETY: the string lives for the call.
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var settings = termios()
    // SAFETY: the settings live for the calls.
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
    var silent = settings
    // A raw terminal shows nothing and passes control-C on as a byte, so that the settings are
    // put back before the process goes on. SAFETY: the settings live for the call.
    unsafe cfmakeraw(&silent)
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &settings) }
    do throws(System.SystemError) {
      try System.write(Array(question.utf8), to: descriptor)
      let line = try readLine(descriptor)
      try System.write([0x0D, 0x0A], to: descriptor)
      return line.flatMap { String(validating: $0, as: UTF8.self) }
    } catch {
      return nil
    }
  }

  /// The bytes before the end of the line; nil after control-C or control-D, or a line that is too
  /// long.
  private static func readLine(_ descriptor: Int32) throws(System.SystemError) -> [UInt8]? {
    var line: [UInt8] = []
    while try System.read(descriptor, to: &line, 1) == 1, let byte = line.popLast() {
      switch byte {
      case 0x0A, 0x0D: return line
      case 0x03, 0x04: return nil
      // Backspace takes a character, which has one byte that is not a continuation; control-U all.
      case 0x08, 0x7F: while let last = line.popLast(), last & 0xC0 == 0x80 {}
      case 0x15: line = []
      default: line.append(byte)
      }
      guard line.count <= maximumPassword else { return nil }
    }
    return line.isEmpty ? nil : line
  }
}
