internal import HoldfastSystem

/// Where `holdfast-conformance` begins as Embedded Swift, which has no `CommandLine`.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  func write(_ text: String, to descriptor: Int32) {
    do throws(System.SystemError) { try System.write(Array(text.utf8), to: descriptor) } catch {}
  }
  let words = (1..<max(1, Int(count))).map { String(cString: arguments[$0]) }
  return ConformanceCommand(
    result: { write($0, to: 1) }, message: { write($0, to: 2) }
  ).run(words).rawValue
}
