internal import HoldfastDER
internal import HoldfastSystem

/// Where the commands of `holdfast` about files begin as Embedded Swift, which has no `CommandLine`.
///
/// Without arguments it reads a command line from each line of standard input, its words with tabs
/// between, and writes for each the status and the numbers of bytes of its results and messages, in a
/// line, then these bytes: the start of an emulated program takes longer than an answer.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  guard count < 2 else {
    let console = Console()
    let status = Command.run((1..<Int(count)).map { String(cString: arguments[$0]) }, console)
    console.flush()
    return console.hasFailed ? ExitStatus.unreadable.rawValue : status.rawValue
  }
  let lines: [UInt8]
  do throws(Platform.FileError) { lines = try Platform.readFile("-", limit: 1 << 26) } catch {
    return ExitStatus.unreadable.rawValue
  }
  for line in lines.split(separator: 0x0A) {
    let words = line.split(separator: 0x09, omittingEmptySubsequences: false)
    let console = Console(captured: true)
    let status = Command.run(words.map { String(decoding: $0, as: UTF8.self) }, console)
    let messages = Array(console.messageText.utf8)
    let head = "\(status.rawValue) \(console.resultBytes.count) \(messages.count)\n"
    do throws(System.SystemError) {
      try System.write(Array(head.utf8) + console.resultBytes + messages, to: 1)
    } catch {
      return ExitStatus.unreadable.rawValue
    }
  }
  return 0
}
