import Foundation

/// The path of this program. OSS-Fuzz has a copy of it for each target.
private let program = URL(fileURLWithPath: CommandLine.arguments[0])

/// The target of this run, which HOLDFAST_FUZZ names, or else the program's own name.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ"] ?? program.lastPathComponent
  guard let target = FuzzTarget(rawValue: name) else {
    print("HOLDFAST_FUZZ is one of:", FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
    exit(2)
  }
  return target
}()

/// The function that libFuzzer calls first. A name that is no target ends the process here: later
/// it would count as a crash, and what was printed would be lost.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
  _ = target
  return 0
}

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer lends `count` bytes for the call, which are copied.
  target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Returns the path of a file of objects. It is beside the file that HOLDFAST_FUZZ_POOL names, or
/// else beside this program.
func objectsPath(_ name: String) -> String {
  let pool = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_POOL"]
  let beside = pool.map { URL(fileURLWithPath: $0) } ?? program
  return beside.deletingLastPathComponent().appendingPathComponent(name).path
}

/// The text of a file of objects.
func contents(of path: String) -> String {
  do {
    return try String(contentsOfFile: path, encoding: .utf8)
  } catch {
    preconditionFailure("\(path): \(error)")
  }
}
